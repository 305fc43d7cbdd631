"""Reads what the configuration names for a diagnosis, when it is asked for: nothing else, and without credentials."""

from __future__ import annotations

import glob
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from askwell.errors import BadRequest, UnreadableFile
from askwell.globs import matches
from askwell.sources.nesting import places
from askwell.sources.secrets import redact, secret_name
from askwell.sources.tail import tail_of
from askwell.sources.words import words
from askwell.types import Observed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from askwell.sources.nesting import Place
    from askwell.types.answers import Reference

FILES = 20
"""Files of one kind that are read for a question, the newest first."""

FILE_BYTES = 64 << 10
"""Bytes of each, from its end."""

_GLOB = re.compile(r"[*?\[]")
_KEY = re.compile(r"^(\s*(?:export\s+|-\s+)?[\"']?([A-Za-z_][\w.\-]*)[\"']?\s*(?:=|:|\s)\s*)(\S.*)$")
_SECRET = words("pass password passwd passphrase pwd secret token credential credentials key apikey auth")
_HOLDERS = words("secrets passwords credentials tokens")
"""What stands below such a name is a credential, whatever its own name is."""

_HEADER = re.compile(r"^\s*\[[^\]]*\]\s*$")
_INLINE = re.compile(
    r"((?<![A-Za-z0-9])(?:password|passwd|passphrase|pwd|secret|token|api[_-]?key|authorization|credentials?)[\"']?"
    r"[ \t]*[=:][ \t]*[\"']?(?:(?:bearer|basic|token)[ \t]+)?)(?!\[redacted)[^\s\"',;&]+",
    re.IGNORECASE,
)
"""What a line of a log hands over by name, wherever it stands in it; in prose that is taken out too often."""

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def read_log(named: str, *, allowed: Sequence[str], limit: int, now: float) -> Observed:
    """Return the end of a log that the asker named.

    Args:
        named: Its path, as typed.
        allowed: Absolute folders, files and globs, of which one must hold the file that the path leads to.
        limit: Bytes that are read.
        now: Seconds since the epoch.

    Raises:
        BadRequest: no log may be read, this one may not, or it cannot be.
    """
    if not allowed:
        raise BadRequest("no log may be read", hint="name its folder in `troubleshoot.logs`")
    if not named.strip() or "\0" in named:
        raise BadRequest("this is no path of a log", hint="name a file")
    path = os.path.realpath(Path(named).expanduser())
    # Whether a file is there is told only of places that may be read.
    if not any(_holds(place, path) for place in allowed) or secret_name(path.lstrip("/")):
        raise BadRequest(
            f"{named[:200]!r} is not among the logs that may be read", hint="name its folder in `troubleshoot.logs`"
        )
    try:
        return _observed("log", path, limit=limit, now=now)
    except UnreadableFile as error:
        turned = Path(f"{path}.1")
        rotated = f"it may have been rotated: `{turned.name}` is there" if turned.is_file() else ""
        hint = error.hint or rotated or "name a text file that you may read"
        raise BadRequest(f"the log {named[:200]!r} cannot be read: {error}", hint=hint) from error


def read_named(
    kind: Reference, patterns: Sequence[str], *, now: float, limit: int = FILE_BYTES
) -> tuple[tuple[Observed, ...], tuple[str, ...]]:
    """Return the files that absolute paths and globs name, the newest first, and why others could not be read."""
    found: list[Observed] = []
    faults: list[str] = []
    for path in _newest(patterns):
        try:
            one = _observed(kind, os.path.realpath(path), limit=limit, now=now)
        except UnreadableFile as error:
            faults.append(f"{path} is left out: {error}")
            continue
        found.append(one)
    for pattern in patterns:
        if not _GLOB.search(pattern) and not Path(pattern).exists():
            faults.append(f"{pattern} is left out: the file is gone")
    return tuple(found), tuple(faults)


def _newest(patterns: Sequence[str]) -> list[str]:
    def written(path: str) -> float:
        try:
            return Path(path).stat().st_mtime
        except OSError:
            return 0.0

    paths = dict.fromkeys(path for pattern in patterns for path in _named(pattern))
    return sorted(paths, key=lambda path: (-written(path), path))[:FILES]


def _named(pattern: str) -> Iterator[str]:
    if _GLOB.search(pattern):
        yield from (path for path in glob.iglob(pattern, recursive=True) if not Path(path).is_dir())  # noqa: PTH207 - an absolute pattern
    elif Path(pattern).exists():
        yield pattern


def _holds(place: str, path: str) -> bool:
    """Return whether an allowed place holds a resolved path."""
    wild = _GLOB.search(place)
    fixed = place[: place.rindex("/", 0, wild.start()) + 1] if wild else place
    base = os.path.realpath(fixed)
    if wild is None:
        return path == base or path.startswith(base.rstrip("/") + "/")
    inner = os.path.relpath(path, base)
    pattern = place[len(fixed) :]
    if inner.startswith("..") or ("/" in inner and "/" not in pattern):  # a name alone is of this folder
        return False
    return matches(inner, pattern)


def _observed(kind: Reference, path: str, *, limit: int, now: float) -> Observed:
    tail = tail_of(os.fsencode(path), limit=limit)
    text = _INLINE.sub(r"\1[redacted: by its name]", redact(tail.text))
    names: tuple[str, ...] = ()
    if kind != "log":
        # What opens a nested value may be taken for a credential itself, so lines are placed as they were written.
        stand = places(tail.text.split("\n"))
        lines = _without_secrets(text.split("\n"), stand)
        text = "\n".join(lines)
        names = tuple(_name(place, line) for place, line in zip(stand, lines, strict=True))
    return Observed(
        kind=kind,
        path=path,
        text=text,
        first=tail.first,
        age=max(0.0, now - tail.modified),
        note=tail.note,
        names=names,
    )


def _name(place: Place, line: str) -> str:
    """Return a line's `section.key`; empty if it sets nothing, or if its key was redacted."""
    return ".".join(place) if place and place[-1] and place[-1] in line else ""


def _without_secrets(lines: Sequence[str], stand: Sequence[Place]) -> list[str]:
    """Return lines of settings without what a name calls a credential: their own, or one that they stand below.

    The value beside a name (`- name: DB_PASSWORD`, then `value: …`) is called by it.
    """
    kept: list[str] = []
    named = False  # whether the entry before, in the same list item, names a credential
    for line, place in zip(lines, stand, strict=True):
        below = any(not _HOLDERS.isdisjoint(_split(name)) or _of_secret(name) for name in place[:-1])
        key = place[-1] if place else ""
        if below and line.strip(" \t,{}[]") and (key or place[-1:] == ("",)):
            line = _blanked(line, whole=not key)
        elif key.casefold() == "value" and named:
            line = _blanked(line, whole=False)
        else:
            line = _without_secret(line)
        if key.casefold() in ("name", "key"):
            found = _KEY.match(line)
            named = found is not None and _of_secret(found[3])
        kept.append(line)
    return kept


def _blanked(line: str, *, whole: bool) -> str:
    """Return a line without its value, or without anything but its indentation."""
    if "[redacted" in line or _HEADER.match(line):
        return line
    found = None if whole else _KEY.match(line)
    if found is None:
        return line if not whole else f"{line[: len(line) - len(line.lstrip())]}[redacted: by its name]"
    return line if found[3].strip() in ("{", "[", "|", ">", "|-", ">-") else f"{found[1]}[redacted: by its name]"


def _without_secret(line: str) -> str:
    """Return a line of settings; whose name says that its value is a credential loses it, whatever it looks like."""
    found = _KEY.match(line)
    if found is None or not _of_secret(found[2]) or found[3].strip() in ("{", "[", "|", ">", "|-", ">-"):
        return line
    return line if found[3].startswith("[redacted") else f"{found[1]}[redacted: by its name]"


def _of_secret(name: str) -> bool:
    return not _SECRET.isdisjoint(_split(name))


def _split(name: str) -> list[str]:
    return [word.lower() for word in _WORDS.findall(name)]
