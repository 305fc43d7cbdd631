"""Connections to the index file: readers that never wait, and the one writer."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias
from urllib.parse import quote

import apsw

from askwell.errors import IndexMissing, StoreError
from askwell.stores.conditions import path_filter
from askwell.stores.sqlite.exceptions import translated

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

Value: TypeAlias = int | float | bytes | str | None

_READ_BUSY_MS = 800
"""Readers of a write-ahead log wait for nobody but a writer that makes it, or recovers it after a crash."""

_WRITE_BUSY_MS = 5_000
_CHECKPOINT_PAGES = 4_000


def open_reader(path: Path) -> apsw.Connection:
    """Open a read-only connection; works on a read-only folder too.

    Raises:
        apsw.Error: it cannot be opened. StoreError: a read-only folder holds a log that was never merged.
    """
    db = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    db.set_busy_timeout(_READ_BUSY_MS)
    try:
        db.execute("SELECT count(*) FROM sqlite_schema").fetchall()
    except (apsw.CantOpenError, apsw.ReadOnlyError):
        # A write-ahead log needs a shared-memory file beside it, which a read-only folder refuses. Without a
        # log there is nothing that could change under a reader.
        db.close()
        log = path.with_name(f"{path.name}-wal")
        if log.exists() and log.stat().st_size > 0:
            raise StoreError(
                f"the index {str(path)!r} was left in the middle of a run and its folder is read-only",
                hint="run `askwell index` where it can be written, then copy it again",
            ) from None
        uri = f"file:{quote(str(path.absolute()))}?immutable=1"
        db = apsw.Connection(uri, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
    except apsw.Error:
        db.close()
        raise
    db.set_busy_timeout(_READ_BUSY_MS)
    db.create_scalar_function("path_admitted", _path_admitted, 2, deterministic=True)
    return db


def select(
    db: apsw.Connection, statement: str, values: Sequence[Value] | Mapping[str, Value] = ()
) -> list[tuple[Any, ...]]:  # Any: a column's type is known to the statement alone
    """Run a statement to its end and return its rows: a cursor that is not read out does only a part of its work."""
    return db.execute(statement, values).fetchall()


def open_writer(path: Path) -> apsw.Connection:
    """Open a connection that may change the file. Removed content is overwritten, not only forgotten."""
    db = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE)
    db.set_busy_timeout(_WRITE_BUSY_MS)
    for pragma in (
        "journal_mode = WAL",
        "synchronous = NORMAL",
        "secure_delete = ON",
        "cache_size = -65536",
        f"wal_autocheckpoint = {_CHECKPOINT_PAGES}",
    ):
        db.execute(f"PRAGMA {pragma}").fetchall()
    return db


@lru_cache(maxsize=50_000)
def _path_admitted(*arguments: object) -> bool:
    path, globs = arguments
    return path_filter(_globs(str(globs)))(str(path))


@lru_cache(maxsize=256)
def _globs(listed: str) -> tuple[str, ...]:
    return tuple(json.loads(listed))


def _identity(path: Path) -> tuple[int, int]:
    """Return what tells a file from another one of the same name.

    Raises:
        IndexMissing: there is none any more.
    """
    try:
        found = path.stat()
    except OSError as error:
        raise IndexMissing(f"the index {str(path)!r} is gone", hint="run `askwell index`") from error
    return found.st_dev, found.st_ino


class Readers:
    """A pool of read-only connections: one a thread at a time, opened when the others are in use."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._idle: list[apsw.Connection] = []
        self._file: tuple[int, int] | None = None
        self._lock = threading.Lock()
        self._closed = False

    @contextmanager
    def reading(self) -> Iterator[apsw.Connection]:
        """Lend a connection inside one read transaction: everything read in it is of one moment.

        Raises:
            StoreError: the file cannot be read.
        """
        with translated(self._path):
            db, file = self._borrow()
            usable = False
            try:
                db.execute("BEGIN").fetchall()
                yield db
                usable = True
            finally:
                if db.in_transaction:
                    db.execute("ROLLBACK").fetchall()
                self._give_back(db, file, usable=usable)

    def close(self) -> None:
        """Close idle connections; lent ones are closed when they come back. Idempotent."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for db in idle:
            db.close()

    def _borrow(self) -> tuple[apsw.Connection, tuple[int, int]]:
        """Return an idle connection or a new one; those to a file that a rebuild has replaced are dropped."""
        file = _identity(self._path)
        with self._lock:
            if self._closed:
                raise StoreError("the index is closed")
            if file != self._file:
                outdated, self._idle, self._file = self._idle, [], file
                for db in outdated:
                    db.close()
            if self._idle:
                return self._idle.pop(), file
        return open_reader(self._path), file

    def _give_back(self, db: apsw.Connection, file: tuple[int, int], *, usable: bool) -> None:
        with self._lock:
            if usable and not self._closed and file == self._file:
                self._idle.append(db)
                return
        db.close()
