"""Private files that several processes write: whole or not at all, one row in one write, one writer at a time."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LONGEST_LINE = 1_000_000
"""Bytes of a line that are read; a longer one is no row of ours."""

_PATIENCE = 2.0
"""Seconds to wait for another writer, who needs milliseconds: a record is not worth more of an answer's time."""

_STEP = 0.005
_STALE = ".tmp"


class Failed(Exception):
    """A file could not be had; the message says why. Information, not an error: the other machine may be asleep."""


def private_folder(path: Path) -> None:
    """Make a folder that only its owner may look into; one that is there stays as it is.

    Raises:
        OSError: it cannot be made.
    """
    if not path.is_dir():
        path.mkdir(mode=0o700, parents=True, exist_ok=True)


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the writers' lock of `path`, a file beside it that the system releases when its holder dies.

    Raises:
        OSError: the lock file cannot be made, or another process held it for two seconds.
    """
    import fcntl

    private_folder(path.parent)
    handle = os.open(path.with_name(f".{path.name}.lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        started = time.monotonic()
        while True:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() - started > _PATIENCE:
                    raise
                time.sleep(_STEP)
        yield
    finally:
        os.close(handle)


def append(path: Path, row: bytes, *, header: bytes = b"") -> int:
    """Add one line at the end of a file, in one write; return the size that the file has then.

    To be called with the lock held. A line that a crash tore is ended first, so that it spoils no other.

    Args:
        path: The file; made, for its owner alone, if there is none.
        row: The line with its line end.
        header: What a new file begins with.

    Raises:
        OSError: it could not be written whole; what was written of it is taken back.
    """
    handle = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NONBLOCK, 0o600)
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "not a regular file")
        size = status.st_size
        torn = size > 0 and os.pread(handle, 1, size - 1) != b"\n"
        data = (b"\n" if torn else b"" if size else header) + row
        try:
            written = os.write(handle, data)
        except OSError:
            os.ftruncate(handle, size)
            raise
        if written != len(data):
            os.ftruncate(handle, size)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return size + written
    finally:
        os.close(handle)


def write_whole(path: Path, data: bytes) -> None:
    """Put `data` in the place of a file: whoever reads it finds the old or the new one, after a crash too.

    Raises:
        OSError: it could not be written; the old file stays.
    """
    private_folder(path.parent)
    beside = path.with_name(f".{path.name}.{secrets.token_hex(8)}{_STALE}")
    try:
        handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with open(handle, "wb") as file:  # noqa: PTH123 - it is open already
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise
    with contextlib.suppress(OSError):  # some file systems have no folders to sync
        folder = os.open(path.parent, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def sweep(folder: Path) -> None:
    """Remove what killed writers left half written. To be called with the lock held under which they wrote."""
    for left in folder.glob(f".*{_STALE}"):
        with contextlib.suppress(OSError):
            left.unlink()


def lines(path: Path, *, most: int = LONGEST_LINE) -> Iterator[bytes | None]:
    """Yield a file's lines without their ends, None for one of over `most` bytes; nothing if there is no such file.

    Raises:
        OSError: it cannot be read, or it is no regular file.
    """
    try:
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except FileNotFoundError:
        return
    with open(handle, "rb") as file:  # noqa: PTH123 - it is open already
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "not a regular file")
        while piece := file.readline(most + 1):
            if len(piece) <= most or piece.endswith(b"\n"):
                yield piece.rstrip(b"\r\n")
                continue
            while (rest := file.readline(most)) and not rest.endswith(b"\n"):
                pass
            yield None


def read_whole(path: Path, *, most: int) -> bytes:
    """Return a regular file's bytes.

    Raises:
        OSError: it cannot be read, it is no regular file, or it has more than `most` bytes.
    """
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    with open(handle, "rb") as file:  # noqa: PTH123 - it is open already
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "not a regular file")
        data = file.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, f"larger than {most} bytes")
    return data
