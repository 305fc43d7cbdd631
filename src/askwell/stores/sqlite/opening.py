"""Opening an index: found, made, or refused with the reason."""

from __future__ import annotations

import contextlib
import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import apsw

from askwell.errors import IndexMissing, StoreError
from askwell.stores.sqlite import schema
from askwell.stores.sqlite.connection import open_reader, open_writer, select
from askwell.stores.sqlite.exceptions import store_error, translated
from askwell.stores.sqlite.lock import writer_lock
from askwell.stores.sqlite.store import SqliteStore

if TYPE_CHECKING:
    from pathlib import Path

_HEADER = b"SQLite format 3\x00"
_PATIENCE = 10.0
"""Seconds to wait for another process that is making the same index."""


def open_store(path: Path, *, create: bool = False, read_only: bool = True) -> SqliteStore:
    """Open the index file.

    Args:
        path: The file. Nothing is written to it by opening it for reading.
        create: Whether to make an empty index where there is none.
        read_only: Whether `write` is refused.

    Raises:
        IndexMissing: there is no index and `create` is false.
        StoreError: the file is another program's, damaged, of another version, or not permitted.
    """
    if not _holds_index(path):
        if not create:
            raise IndexMissing(
                f"there is no index at {str(path)!r} yet", hint="run `askwell index` in the folder to be searched"
            )
        _create(path)
    return SqliteStore(path, read_only=read_only)


def remove_index(path: Path) -> None:
    """Delete an index with its companions, damaged or not. What is not an index is left alone.

    Raises:
        StoreError: the file is not an Askwell index, or cannot be deleted.
        IndexLocked: a run is writing it.
    """
    if path.exists() and path.stat().st_size and not _is_ours(path):
        raise StoreError(
            f"{str(path)!r} is not an Askwell index, and was left alone", hint="name another file with `--index`"
        )
    if not path.parent.is_dir():
        return
    with writer_lock(path, wait=0.0, since=datetime.now(UTC).isoformat(timespec="seconds")):
        try:
            for suffix in ("", "-wal", "-shm", ".vectors", ".lock"):
                path.with_name(path.name + suffix).unlink(missing_ok=True)
        except OSError as error:
            raise StoreError(
                f"the index {str(path)!r} cannot be deleted: {error.strerror}",
                hint="check the permissions of its folder",
            ) from error


def _holds_index(path: Path) -> bool:
    """Return whether there is an index; False for no file, an empty one, and one that was never finished."""
    if path.is_dir():
        raise StoreError(f"the index {str(path)!r} is a folder", hint="name a file in it with `--index`")
    try:
        if not path.exists():
            return False
        if not path.is_file():
            raise StoreError(f"the index {str(path)!r} is no file", hint="name a file with `--index`")
        if path.stat().st_size == 0:
            return False
    except OSError as error:
        raise store_error(apsw.PermissionsError(), path) from error
    with translated(path):
        db = open_reader(path)
        try:
            if schema.is_empty(db):
                return False
            schema.verify(db, path)
        finally:
            db.close()
    return True


def _create(path: Path) -> None:
    """Make an empty index, readable by its owner alone: it holds the text of personal documents."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            f"the folder of the index {str(path)!r} cannot be made: {error.strerror}",
            hint="name another file with `--index`",
        ) from error
    with writer_lock(path, wait=_PATIENCE, since=datetime.now(UTC).isoformat(timespec="seconds")):
        with contextlib.suppress(OSError):  # there already, or refused: what follows says why
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        with translated(path):
            db = open_writer(path)
            try:
                if schema.is_empty(db):
                    select(db, "BEGIN IMMEDIATE")
                    schema.create(db)
                    select(db, "COMMIT")
                schema.verify(db, path)
            finally:
                db.close()


def _is_ours(path: Path) -> bool:
    """Return whether a file's header is an index's, read from its bytes: the rest may be damaged."""
    try:
        with path.open("rb") as file:
            header = file.read(72)
    except OSError:
        return False
    return header[:16] == _HEADER and int.from_bytes(header[68:72], "big") == schema.APPLICATION_ID
