"""Reads `.gitignore` and `.askwellignore` of a folder: what they name is never opened, listed or reported."""

from __future__ import annotations

import errno
import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from askwell.errors import UnreadableFile
from askwell.sources.identity import nfc
from askwell.sources.reading import read_file

if TYPE_CHECKING:
    from collections.abc import Collection

    from pathspec import GitIgnoreSpec

_GROUP_NAME = re.compile(r"\(\?P<\w+>")

IGNORE_FILES = (b".gitignore", b".askwellignore")

_MAX_BYTES = 1_000_000
_MAX_WILDCARDS = 6
"""In one line, besides `**`: matching takes time to their power, and the file is not ours to trust."""


@dataclass(frozen=True, slots=True)
class IgnoreFile:
    """One ignore file: its folder (empty or ending in `/`), its rules, and a fast test for "no rule names it"."""

    base: str
    spec: GitIgnoreSpec
    any_rule: re.Pattern[str]

    def verdict(self, path: str) -> bool | None:
        """Return True if `path` (below `base`; a folder ends in `/`) is ignored, False if kept by `!`, else None."""
        inner = path[len(self.base) :]
        if self.any_rule.match(inner) is None:
            return None
        return self.spec.check_file(inner).include


@dataclass(frozen=True, slots=True)
class Ignores:
    """The ignore files of one kind that apply in a folder: its own and those above it, innermost first."""

    chain: tuple[IgnoreFile, ...] = ()

    def ignore(self, path: str, *, folder: bool) -> bool:
        """Return whether `path` (relative to the root, NFC) is ignored; the nearest file that names it decides."""
        name = path + "/" if folder else path
        for file in self.chain:
            if (verdict := file.verdict(name)) is not None:
                return verdict
        return False


def deeper(above: tuple[Ignores, ...], root: bytes, folder: bytes, present: Collection[bytes]) -> tuple[Ignores, ...]:
    """Return the ignore rules of a folder, one `Ignores` per name of `IGNORE_FILES`.

    Each kind is judged for itself and a file that either ignores is ignored: a `!` in one lifts nothing of the other.

    Args:
        above: Rules of the folder above; empty at the root.
        root: The source's root.
        folder: Relative to the root, empty or ending in `/`.
        present: Names of the files in the folder.

    Raises:
        UnreadableFile: an ignore file is there and cannot be read or understood, so nothing in the folder is safe.
    """
    above = above or tuple(Ignores() for _ in IGNORE_FILES)
    made: list[Ignores] = []
    for name, outer in zip(IGNORE_FILES, above, strict=True):
        if name not in present:
            made.append(outer)
            continue
        raw = read_file(root, folder + name, max_bytes=_MAX_BYTES).raw
        base = nfc(folder.decode("utf-8", "backslashreplace"))
        made.append(Ignores((_parsed(raw, name.decode(), base=base), *outer.chain)))
    return tuple(made)


def _parsed(raw: bytes, name: str, *, base: str) -> IgnoreFile:
    import warnings

    from pathspec import GitIgnoreSpec

    lines: list[str] = []
    expressions: list[str] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # of `re`, on a set such as `[[abc]`
        for line in nfc(raw.decode("utf-8-sig", "backslashreplace")).splitlines():
            if line.startswith("#") or not line.strip():
                continue
            if line.replace("**", "").count("*") > _MAX_WILDCARDS:
                raise UnreadableFile(f"`{name}` holds a pattern with too many wildcards")
            try:
                pattern = next(iter(GitIgnoreSpec.from_lines([line]).patterns))
            except ValueError:  # git takes no notice of a pattern that makes no sense, such as a bare `!`
                continue
            lines.append(line)
            if (regex := getattr(pattern, "regex", None)) is not None:
                expressions.append(_GROUP_NAME.sub("(?:", regex.pattern))
        spec = GitIgnoreSpec.from_lines(lines)
        any_rule = re.compile("|".join(f"(?:{expression})" for expression in expressions) or "(?!)")
    return IgnoreFile(base, spec, any_rule)


def unlisted(error: OSError) -> str:
    """Return why a folder could not be listed, in words."""
    if error.errno in (errno.EACCES, errno.EPERM):
        return "permission denied"
    return os.strerror(error.errno) if error.errno else str(error)
