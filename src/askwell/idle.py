"""Remember a run that had nothing to do, and recognise the same situation without loading the indexer.

    askwell index ─▶ recall: same command, settings, files, index? ── yes ─▶ say what was said then
                          │ no
                          ▼
                     the whole run ── idle, nothing failed ─▶ remember

What is compared are stats: size, modification and change time, inode. None of them may be young, so that no edit
can hide behind an equal stamp. The module imports only what the interpreter has loaded anyway.
"""

from __future__ import annotations

import os
import sys
import time
import zlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

YOUNG = 2.0
"""Seconds: file systems stamp in steps of up to this, so a younger stamp may cover two states."""

NEVER = frozenset({"--dry-run", "--force", "--rebuild", "--allow-mass-delete", "-h", "--help"})
"""Options of runs that are not for remembering."""

_CODE = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120 - pathlib costs as much as the whole check
_END = b"\0\x1e\0"  # an empty part leaves two NULs in a row, so two NULs alone would end the head too early


def recall(argv: Sequence[str], environ: Mapping[str, str]) -> tuple[str, str] | None:
    """Return what the remembered run wrote to stdout and stderr, or None if anything is not as it was."""
    if not NEVER.isdisjoint(argv):
        return None
    key = _key(argv, environ)
    try:
        with open(_place(key, environ), "rb") as file:  # noqa: PTH123 - see `_CODE`
            head, _, rest = file.read().partition(_END)
    except OSError:
        return None
    stamps, _, names = rest.partition(_END)
    parts = head.split(b"\0")
    if len(parts) != 3 or parts[0] != key or _stamps(names.split(b"\0"))[0] != stamps:
        return None
    return parts[1].decode(), parts[2].decode()


def remember(
    argv: Sequence[str],
    environ: Mapping[str, str],
    *,
    watched: Iterable[bytes],
    started: float,
    said: tuple[str, str],
) -> None:
    """Keep what an idle run said, for the next one. Does nothing where that is not safe or not possible.

    Args:
        watched: Absolute paths that decide the outcome, existing or not.
        started: Seconds since the epoch when the run began: a stamp from then on, or shortly before, is not kept.
        said: What it wrote to stdout and stderr.
    """
    names = list(watched)
    stamps, newest = _stamps(names)
    if not NEVER.isdisjoint(argv) or newest > started - YOUNG or any(b"\0" in text.encode() for text in said):
        return
    key = _key(argv, environ)
    place = _place(key, environ)
    fresh = f"{place}.{os.getpid()}"
    head = b"\0".join([key, said[0].encode(), said[1].encode()])
    try:
        os.makedirs(os.path.dirname(place), mode=0o700, exist_ok=True)  # noqa: PTH103, PTH120 - see `_CODE`
        with open(fresh, "wb") as file:  # noqa: PTH123 - see `_CODE`
            file.write(_END.join([head, stamps, b"\0".join(names)]))
        os.replace(fresh, place)  # noqa: PTH105 - see `_CODE`
    except OSError:
        return


def _stamps(names: Iterable[bytes]) -> tuple[bytes, float]:
    """Return the stats of all paths as one text, and the newest time among them in seconds."""
    lines: list[str] = []
    newest = 0
    for name in names:
        try:
            found = os.lstat(name)
        except OSError:
            lines.append("-")
            continue
        lines.append(f"{found.st_size} {found.st_mtime_ns} {found.st_ctime_ns} {found.st_ino} {found.st_mode}")
        newest = max(newest, found.st_mtime_ns, found.st_ctime_ns)
    return "\n".join(lines).encode(), newest / 1e9


def _key(argv: Sequence[str], environ: Mapping[str, str]) -> bytes:
    """Return everything besides files that decides what a run does: command, place, settings, code."""
    settings = [
        f"{name}={environ[name]}"
        for name in sorted(environ)
        if name.startswith(("ASKWELL_", "XDG_", "GIT_")) or name in ("HOME", "PATH", "NO_COLOR", "LANG", "LC_ALL")
    ]
    code = os.stat(_CODE).st_mtime_ns  # noqa: PTH116 - see `_CODE`
    parts = [*argv, "", os.getcwd(), *settings, sys.version, str(code), str(sys.stdout.isatty())]  # noqa: PTH109
    return "\x1f".join(parts).replace("\0", "").encode("utf-8", "surrogateescape")


def _place(key: bytes, environ: Mapping[str, str]) -> str:
    cache = environ.get("XDG_CACHE_HOME") or os.path.join(environ.get("HOME", ""), ".cache")  # noqa: PTH118
    return os.path.join(cache, "askwell", "idle", f"{zlib.crc32(key):08x}")  # noqa: PTH118 - see `_CODE`


def now() -> float:
    """Return seconds since the epoch: the clock that file stamps are read by."""
    return time.time()
