"""The writer: every method one transaction, and after a session nothing of what was removed left in the file."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import apsw

from askwell.stores.conditions import clean
from askwell.stores.sqlite import documents, text_index, veils
from askwell.stores.sqlite.connection import open_writer, select
from askwell.stores.sqlite.exceptions import translated
from askwell.stores.sqlite.rows import CLASS_CODES, stat_row
from askwell.stores.sqlite.schema import upgrade, verify
from askwell.types import PrivacyClass

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from pathlib import Path

    from askwell.ids import ChunkId, DocumentId
    from askwell.ports import Fault, Vector, Veil
    from askwell.types import Chunk, Document, Edge, FileStat, SourceType


@contextmanager
def writing(path: Path) -> Iterator[SqliteWriter]:
    """Hold the writing connection. The caller holds the lock.

    Raises:
        StoreError: the file is no index, or cannot be written.
    """
    with translated(path):
        db = open_writer(path)
    try:
        with translated(path):
            verify(db, path)
            upgrade(db)
        writer = SqliteWriter(db, path)
        writer.refresh_analysis()
        yield writer
        with translated(path):
            writer.finish()
    finally:
        db.close()


class SqliteWriter:
    """Changes the index. See `ports.Writer`."""

    def __init__(self, db: apsw.Connection, path: Path) -> None:
        self._db = db
        self._path = path
        self._put: set[str] = set()
        self._changed = False

    # -- documents

    def put_source(self, name: str, type: SourceType, root: str) -> None:
        """Record a source before its documents."""
        self._put.add(name)
        row = (clean(name), type.value, clean(root))
        if select(self._db, "SELECT 1 FROM source WHERE (name, type, root) = (?, ?, ?)", row):
            return
        with self._transaction() as db:
            select(
                db,
                "INSERT INTO source (name, type, root) VALUES (?, ?, ?)"
                " ON CONFLICT (name) DO UPDATE SET type = excluded.type, root = excluded.root",
                row,
            )

    def put_document(self, document: Document, chunks: Sequence[Chunk], edges: Sequence[Edge]) -> None:
        """Make `chunks` and `edges` the document's only ones."""
        self.put_documents([(document, chunks, edges)])

    def put_documents(self, items: Sequence[tuple[Document, Sequence[Chunk], Sequence[Edge]]]) -> None:
        """Do `put_document` for each item, all in one transaction.

        Raises:
            StoreError: a document's source was never put.
        """
        if not items:
            return
        now = datetime.now(UTC).isoformat(timespec="seconds")
        with self._transaction(rows=True) as db:
            documents.put(db, items, now=now)

    def remove_documents(self, ids: Collection[DocumentId]) -> None:
        """Remove documents with their chunks, text-index rows and edges. Unknown ids are ignored."""
        if not ids:
            return
        with self._transaction(rows=True) as db:
            documents.remove(db, ids)

    def refresh(
        self,
        *,
        stats: Mapping[DocumentId, FileStat | None] = {},
        classes: Mapping[DocumentId, PrivacyClass] = {},
    ) -> None:
        """Change stamps and classes of unchanged documents, embedding nothing."""
        if not stats and not classes:
            return
        with self._transaction(rows=bool(classes)) as db:
            db.executemany(
                "UPDATE document SET size = ?, mtime_ns = ?, ctime_ns = ?, inode = ? WHERE key = ?",
                [(*stat_row(stat), clean(id)) for id, stat in stats.items()],
            )
            for id, class_ in classes.items():
                documents.reclass(db, id, class_)

    def put_faults(self, source: str, faults: Sequence[Fault]) -> None:
        """Make `faults` the source's only ones."""
        rows = [(clean(f.source), clean(f.path), clean(f.reason), f.status, CLASS_CODES[f.class_]) for f in faults]
        kept = select(
            self._db,
            "SELECT source, path, reason, status, class FROM fault WHERE source = ? ORDER BY id",
            (clean(source),),
        )
        if kept == rows:
            return
        with self._transaction() as db:
            select(db, "DELETE FROM fault WHERE source = ?", (clean(source),))
            db.executemany("INSERT INTO fault (source, path, reason, status, class) VALUES (?, ?, ?, ?, ?)", rows)

    # -- what needs the whole corpus

    def mark_boilerplate(self, hashes: Mapping[PrivacyClass, Collection[str]]) -> None:
        """Declare which text keys are boilerplate: those under OPEN to everyone, the others only with personal."""
        marks = {clean(key): CLASS_CODES[PrivacyClass.PERSONAL] for key in hashes.get(PrivacyClass.PERSONAL, ())}
        marks |= {clean(key): CLASS_CODES[PrivacyClass.OPEN] for key in hashes.get(PrivacyClass.OPEN, ())}
        if dict(select(self._db, "SELECT text_key, class FROM boilerplate")) == marks:
            return
        with self._transaction() as db:
            select(db, "DELETE FROM boilerplate")
            db.executemany("INSERT INTO boilerplate VALUES (?, ?)", list(marks.items()))
            select(
                db,
                "UPDATE chunk SET marked = m.mark FROM (SELECT c.id, coalesce(2 - b.class, 0) AS mark FROM chunk c"
                " LEFT JOIN boilerplate b ON b.text_key = c.text_key) m WHERE m.id = chunk.id AND m.mark <> marked",
            )

    def veil(self, veils_: Mapping[ChunkId, Veil]) -> None:
        """Make these the only veils: by these texts alone an open request finds such a chunk."""
        changes = veils.changes(self._db, veils_)
        if changes:
            with self._transaction(rows=True) as db:
                veils.apply(db, changes)

    def set_targets(self, targets: Mapping[int, DocumentId | None]) -> None:
        """Point edges at documents, or at nothing. Unknown edges are ignored, an unknown document is nothing."""
        if not targets:
            return
        with self._transaction() as db:
            db.executemany(
                "UPDATE edge SET target_document = (SELECT id FROM document WHERE key = ?) WHERE id = ?",
                [(target, key) for key, target in targets.items()],
            )

    # -- vectors

    def put_vectors(self, space: str, vectors: Sequence[tuple[str, Vector]]) -> None:
        """Store checked vectors by key. A space that is not the current one is filled beside it.

        Raises:
            ValueError: a vector has another width than the others of its space.
        """
        if not vectors:
            return
        rows = [(clean(key), _blob(vector)) for key, vector in vectors]
        with self._transaction(rows=True) as db:
            select(db, "INSERT OR IGNORE INTO space (name) VALUES (?)", (clean(space),))
            id = select(db, "SELECT id FROM space WHERE name = ?", (clean(space),))[0][0]
            known = select(db, "SELECT length(value) FROM vector WHERE space = ? LIMIT 1", (id,))
            widths = {len(blob) for _, blob in rows} | {width for (width,) in known}
            if len(widths) > 1:
                raise ValueError(f"vectors of one space differ in width: {sorted(w // 4 for w in widths)}")
            db.executemany(
                "INSERT OR REPLACE INTO vector (space, key, value) VALUES (?, ?, ?)",
                [(id, key, blob) for key, blob in rows],
            )

    def set_space(self, space: str, probe: Vector) -> None:
        """Declare the space that searches use from now on; other spaces' vectors are dropped."""
        with self._transaction(rows=True) as db:
            select(
                db,
                "INSERT INTO space (name, probe, current) VALUES (?, ?, 1)"
                " ON CONFLICT (name) DO UPDATE SET probe = excluded.probe, current = 1",
                (clean(space), _blob(probe)),
            )
            select(db, "DELETE FROM space WHERE name <> ?", (clean(space),))
            select(db, "DELETE FROM vector WHERE space NOT IN (SELECT id FROM space)")

    # -- the run

    def finish_run(self, source: str, *, at: str) -> None:
        """Stamp a source as completely synced at `at` (ISO, UTC)."""
        with self._transaction() as db:
            select(db, "UPDATE source SET last_run = ? WHERE name = ?", (at, clean(source)))

    def prune(self) -> None:
        """Drop vectors that no chunk refers to, and sources that have no documents and were not put since `write`."""
        with self._transaction() as db:
            select(db, "DELETE FROM vector WHERE NOT EXISTS (SELECT 1 FROM chunk c WHERE c.vector_key = vector.key)")
            idle = select(
                db, "SELECT id, name FROM source s WHERE NOT EXISTS (SELECT 1 FROM document d WHERE d.source = s.id)"
            )
            for id, name in idle:
                if name not in self._put:
                    select(db, "DELETE FROM source WHERE id = ?", (id,))
                    select(db, "DELETE FROM fault WHERE source = ?", (name,))

    def set_note(self, key: str, value: str) -> None:
        """Keep a small named value with the index."""
        row = (clean(key), clean(value))
        if select(self._db, "SELECT 1 FROM note WHERE (key, value) = (?, ?)", row):
            return
        with self._transaction() as db:
            select(db, "INSERT OR REPLACE INTO note VALUES (?, ?)", row)

    # -- the session

    def refresh_analysis(self) -> None:
        """Make the text indexes again where another analysis filled them."""
        with translated(self._path):
            current = text_index.is_current(self._db)
        if not current:
            with self._transaction() as db:
                text_index.rebuild(db)

    def finish(self) -> None:
        """Fold the log into the file, so that nothing removed is left in either, and renew the vectors' copy."""
        if not self._changed:
            return
        with suppress(apsw.BusyError):  # a reader is in the middle of the log; the next session does it
            select(self._db, "PRAGMA wal_checkpoint(TRUNCATE)")
        if select(self._db, "SELECT 1 FROM vector LIMIT 1"):
            from askwell.stores.sqlite.vectors import refresh_file

            refresh_file(self._db, self._path)
        else:
            self._path.with_name(f"{self._path.name}.vectors").unlink(missing_ok=True)

    @contextmanager
    def _transaction(self, *, rows: bool = False) -> Iterator[apsw.Connection]:
        """Do everything within or nothing; whatever ends it early, an interrupt too, undoes it.

        Args:
            rows: Whether what the vector arm searches may change.
        """
        with translated(self._path):
            select(self._db, "BEGIN IMMEDIATE")
            try:
                yield self._db
                changed = "'generation', 'rows'" if rows else "'generation'"
                select(self._db, f"UPDATE counter SET value = value + 1 WHERE name IN ({changed})")
                select(self._db, "COMMIT")
            finally:
                if self._db.in_transaction:  # something above did not come to its end
                    select(self._db, "ROLLBACK")
            self._changed = True


def _blob(vector: Vector) -> bytes:
    """Return a vector as stored: float32, little-endian."""
    import numpy as np

    return np.ascontiguousarray(vector, dtype="<f4").tobytes()
