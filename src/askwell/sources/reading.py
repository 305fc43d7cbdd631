"""Opens and reads one file below a root so that nothing else is opened: no link, no device, nothing outside."""

from __future__ import annotations

import errno
import os
import stat
import time

from askwell.errors import UnreadableFile
from askwell.types import FileStat, RawFile

TRIES = 3
"""How often a file that changes while it is read is read again."""

RACY_NS = 2_000_000_000
"""FAT keeps times to 2 s, the coarsest in use: an edit within that time may leave the same stamp."""

_BENEATH = os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW") and hasattr(os, "O_DIRECTORY")
_FILE = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)  # a pipe without a writer must not block
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)
_FOLDER = (
    getattr(os, "O_PATH", os.O_RDONLY)  # a folder that may be entered but not listed is no obstacle
    | getattr(os, "O_DIRECTORY", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_CLOEXEC", 0)
)


def stat_of(found: os.stat_result) -> FileStat:
    """Return what is compared of a file's stat."""
    return FileStat(found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)


def settled(stamp: FileStat, *, now_ns: int) -> bool:
    """Return whether a later edit is certain to change `stamp`, judged by the time it was taken.

    A change time in the future is never settled: the file's clock runs ahead of ours.
    """
    return now_ns - stamp.ctime_ns >= RACY_NS and abs(now_ns - stamp.mtime_ns) >= RACY_NS


def read_file(root: bytes, path: bytes, *, max_bytes: int) -> RawFile:
    """Read the regular file at `path` below `root`, bytes and stat from one open file.

    No component of `path` may be a symbolic link; `root` itself may.

    Raises:
        UnreadableFile: it is gone, refused, over `max_bytes`, not a regular file, or changed at every try.
    """
    for _ in range(TRIES):
        descriptor = opened(root, path)
        try:
            before = os.fstat(descriptor)
            _check(before, max_bytes)
            raw = _bytes_of(descriptor, max_bytes + 1)
            after = os.fstat(descriptor)
        except OSError as error:
            raise _unreadable(error) from error
        finally:
            os.close(descriptor)
        _check(after, max_bytes)
        stamp = stat_of(after)
        if stamp == stat_of(before) and len(raw) == stamp.size:
            return RawFile(raw=raw, stat=stamp, settled=settled(stamp, now_ns=time.time_ns()))
    raise UnreadableFile("the file changes while it is read", hint="run `askwell index` again when it is at rest")


def look_at(root: bytes, path: bytes) -> FileStat | None:
    """Return the stat of the regular file at `path` below `root`, None if there is none. It is not opened."""
    try:
        found = os.lstat(root + b"/" + path)
    except OSError:
        return None
    return stat_of(found) if stat.S_ISREG(found.st_mode) else None


def head_of(root: bytes, path: bytes, *, limit: int) -> bytes:
    """Return at most the first `limit` bytes of the regular file at `path` below `root`.

    Raises:
        UnreadableFile: as `read_file`.
    """
    descriptor = opened(root, path)
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise UnreadableFile("not a regular file")
        return os.read(descriptor, limit)
    except OSError as error:
        raise _unreadable(error) from error
    finally:
        os.close(descriptor)


def opened(root: bytes, path: bytes) -> int:
    """Return a descriptor of the file; the caller closes it."""
    parts = path.split(b"/")
    if not all(part and part not in (b".", b"..") for part in parts):
        raise UnreadableFile("the path leads out of the source")
    try:
        return _open_beneath(root, parts) if _BENEATH else _open_checked(root, parts)
    except OSError as error:
        raise _unreadable(error) from error


def _open_beneath(root: bytes, parts: list[bytes]) -> int:
    """Open each folder relative to the one before, so that none can be swapped for a link in between."""
    folder = os.open(root, _FOLDER & ~getattr(os, "O_NOFOLLOW", 0))
    try:
        for part in parts[:-1]:
            inner = os.open(part, _FOLDER, dir_fd=folder)
            os.close(folder)
            folder = inner
        return os.open(parts[-1], _FILE, dir_fd=folder)
    finally:
        os.close(folder)


def _open_checked(root: bytes, parts: list[bytes]) -> int:
    """Open where folders cannot be held open: the resolved path must be the written one, before and after."""
    path = os.sep.encode().join((os.path.realpath(root), *parts))
    if os.path.realpath(path) != path:
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    descriptor = os.open(path, _FILE)
    if os.path.realpath(path) != path:
        os.close(descriptor)
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    return descriptor


def _bytes_of(descriptor: int, limit: int) -> bytes:
    pieces: list[bytes] = []
    while limit > 0 and (piece := os.read(descriptor, min(limit, 1 << 20))):
        pieces.append(piece)
        limit -= len(piece)
    return b"".join(pieces)


def _check(found: os.stat_result, max_bytes: int) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise UnreadableFile("not a regular file")
    if found.st_size > max_bytes:
        raise UnreadableFile(over_limit(found.st_size, max_bytes))


def over_limit(size: int, max_bytes: int) -> str:
    """Return the reason for leaving out a file of `size` bytes."""
    return f"{size:,} bytes, over the limit of {max_bytes:,}"


def _unreadable(error: OSError) -> UnreadableFile:
    if error.errno in (errno.ENOENT, errno.ESTALE):
        return UnreadableFile("the file is gone")
    if error.errno in (errno.ELOOP, errno.ENOTDIR, getattr(errno, "EMLINK", None)):
        return UnreadableFile("a symbolic link, or below one: not followed")
    if error.errno in (errno.EACCES, errno.EPERM):
        return UnreadableFile("permission denied", hint="let the user who runs `askwell` read the file")
    return UnreadableFile(f"cannot be read: {os.strerror(error.errno) if error.errno else error}")
