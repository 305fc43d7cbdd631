"""From apsw's exceptions to ours, once: what happened to which file, and what to do next."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import apsw

from askwell.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

REBUILD = "run `askwell index --rebuild`: the index is derived from the sources and can always be made again"
_DISK = "make room on the disk and run `askwell index` again: whole documents were kept"
_RIGHTS = "check the permissions of the file and of its folder, or name another file with `--index`"
_LATER = "try again in a moment"
_FAULT = "please report this; if it happens again, delete the file and run `askwell index`"

MESSAGES: dict[type[apsw.Error], tuple[str, str]] = {
    apsw.NotADBError: ("is not a database", "name another file with `--index`, or delete this one"),
    apsw.CorruptError: ("is damaged", REBUILD),
    apsw.FormatError: ("is damaged", REBUILD),
    apsw.SQLError: ("lacks a part of an index", REBUILD),
    apsw.SchemaChangeError: ("was replaced while it was read", _LATER),
    apsw.ConstraintError: ("refused a document that contradicts itself", _FAULT),
    apsw.MismatchError: ("is damaged", REBUILD),
    apsw.FullError: ("cannot grow: the disk is full", _DISK),
    apsw.IOError: ("cannot be read or written: the disk reports an error", "check the disk, then run `askwell doctor`"),
    apsw.CantOpenError: ("cannot be opened", _RIGHTS),
    apsw.PermissionsError: ("may not be accessed", _RIGHTS),
    apsw.AuthError: ("may not be accessed", _RIGHTS),
    apsw.ReadOnlyError: ("cannot be written: it is read-only", _RIGHTS),
    apsw.BusyError: ("is in use by another program", _LATER),
    apsw.LockedError: ("is in use by another program", _LATER),
    apsw.ProtocolError: ("cannot be locked", "keep the index on a local disk, not on a network share"),
    apsw.NoLFSError: ("is too large for this system", "keep the index on another disk"),
    apsw.TooBigError: ("refused a text of over a gigabyte", "exclude the file"),
    apsw.NoMemError: ("needs more memory than there is", "close other programs, or give the process more memory"),
    apsw.InterruptError: ("was interrupted", _LATER),
    apsw.AbortError: ("was interrupted", _LATER),
    apsw.NoFTS5Error: ("needs a SQLite with FTS5", "install apsw from PyPI, it brings its own SQLite"),
    apsw.ExtensionLoadingError: ("needs a SQLite with FTS5", "install apsw from PyPI, it brings its own SQLite"),
    apsw.ForkingViolationError: ("was opened before the process forked", "open the index in the child process"),
    # What is left says that this package misuses the library.
    apsw.BindingsError: ("could not be asked", _FAULT),
    apsw.ConnectionClosedError: ("is closed", _FAULT),
    apsw.ConnectionNotClosedError: ("could not be closed", _FAULT),
    apsw.CursorClosedError: ("is closed", _FAULT),
    apsw.EmptyError: ("could not be asked", _FAULT),
    apsw.ExecTraceAbort: ("could not be asked", _FAULT),
    apsw.ExecutionCompleteError: ("could not be asked", _FAULT),
    apsw.IncompleteExecutionError: ("could not be asked", _FAULT),
    apsw.InternalError: ("could not be asked", _FAULT),
    apsw.InvalidContextError: ("could not be asked", _FAULT),
    apsw.MisuseError: ("could not be asked", _FAULT),
    apsw.NotFoundError: ("could not be asked", _FAULT),
    apsw.RangeError: ("could not be asked", _FAULT),
    apsw.ThreadingViolationError: ("could not be asked", _FAULT),
    apsw.VFSFileClosedError: ("could not be asked", _FAULT),
    apsw.VFSNotImplementedError: ("could not be asked", _FAULT),
    apsw.Error: ("could not be asked", _FAULT),
}


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn an apsw exception about the index at `path` into a `StoreError` with its next step.

    The library's own words are left out: they may quote what is stored.
    """
    try:
        yield
    except apsw.Error as error:
        raise store_error(error, path) from error


def store_error(error: apsw.Error, path: Path) -> StoreError:
    """Return what an apsw exception means for the index at `path`."""
    for kind in type(error).__mro__:
        if kind in MESSAGES:
            message, hint = MESSAGES[kind]
            detail = f" ({type(error).__name__})" if hint == _FAULT else ""
            return StoreError(f"the index {str(path)!r} {message}{detail}", hint=hint)
    raise error
