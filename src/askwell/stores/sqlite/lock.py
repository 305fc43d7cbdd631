"""One writer at a time: a lock that the operating system releases when its holder dies."""

from __future__ import annotations

import json
import os
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from askwell.errors import IndexLocked, StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_STEP = 0.05

_GRACE = 0.5
"""Seconds that even an impatient writer waits for a lock that names nobody: `is_held` takes it for an instant."""


@contextmanager
def writer_lock(index: Path, *, wait: float, since: str) -> Iterator[None]:
    """Hold the writer's lock of an index.

    The file beside the index only says who holds it: a dead holder's file blocks nobody.

    Args:
        index: The index file.
        wait: Seconds to go on trying; 0 tries once.
        since: ISO time, UTC, told to whoever finds the lock held.

    Raises:
        IndexLocked: another process holds it; names its pid and since when.
        StoreError: the folder does not permit writing.
    """
    path = index.with_name(f"{index.name}.lock")
    handle = _locked(path, index, wait)
    try:
        os.ftruncate(handle, 0)
        os.pwrite(handle, json.dumps({"pid": os.getpid(), "since": since}).encode(), 0)
        try:
            yield
        finally:
            os.ftruncate(handle, 0)
    finally:
        os.close(handle)


def is_held(index: Path) -> bool:
    """Return whether some process writes an index now."""
    import fcntl

    try:
        handle = os.open(index.with_name(f"{index.name}.lock"), os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(handle)
    return False


def _locked(path: Path, index: Path, wait: float) -> int:
    """Return a locked descriptor of the file that is at `path` now: whoever removed an index removed its file too."""
    while True:
        try:
            handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise StoreError(
                f"the index {str(index)!r} cannot be written: {error.strerror}",
                hint="check the permissions of its folder, or name another file with `--index`",
            ) from error
        ours = False
        try:
            _acquire(handle, wait)
            with suppress(FileNotFoundError):
                ours = os.path.samestat(os.fstat(handle), path.stat())
        finally:
            if not ours:
                os.close(handle)
        if ours:
            return handle


def _acquire(handle: int, wait: float) -> None:
    import fcntl

    started = time.monotonic()
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = _holder(handle)
            if time.monotonic() - started >= (wait if holder else max(wait, _GRACE)):
                raise IndexLocked(
                    f"another run is in progress ({holder or 'pid unknown'})",
                    hint="wait for it to end, then try again",
                ) from error
            time.sleep(_STEP)
        else:
            return


def _holder(handle: int) -> str:
    """Return who holds the lock, empty if its file does not say."""
    try:
        holder = json.loads(os.pread(handle, 4096, 0))
        return f"pid {holder['pid']}, since {holder['since']}"
    except (ValueError, KeyError, TypeError):
        return ""
