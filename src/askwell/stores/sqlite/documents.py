"""How a document enters, changes and leaves the tables, inside the writer's transaction.

Chunks keep their rows where text and prelude are the same: an edit in one section moves the others' lines and
leaves the text indexes alone.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, TypeAlias

from askwell.errors import StoreError
from askwell.stores.conditions import clean, may_link, tag_keys
from askwell.stores.sqlite import text_index, veils
from askwell.stores.sqlite.connection import select
from askwell.stores.sqlite.rows import CHUNK_COLUMNS, CLASS_CODES, DOCUMENT_FIELDS, Row, chunk_row, document_row

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    import apsw

    from askwell.ids import DocumentId
    from askwell.stores.sqlite.text_index import Analysed
    from askwell.types import Chunk, Document, Edge, PrivacyClass

Stored: TypeAlias = tuple[int, int, str, str, str]
"""Row id, class, text, lead, prelude."""

_DOCUMENT_MARKS = ", ".join("?" * (DOCUMENT_FIELDS.count(",") + 2))
_CHUNK_MARKS = ", ".join("?" * (CHUNK_COLUMNS.count(",") + 1))


def put(db: apsw.Connection, items: Sequence[tuple[Document, Sequence[Chunk], Sequence[Edge]]], *, now: str) -> None:
    """Make each item's chunks and edges its document's only ones.

    Raises:
        StoreError: a document's source was never put.
    """
    batch = _Batch(db)
    for document, chunks, edges in items:
        batch.put(document, chunks, edges, now)
    batch.flush()


def remove(db: apsw.Connection, ids: Collection[DocumentId]) -> None:
    """Remove documents and everything of theirs; edges to them are unresolved from then on."""
    batch = _Batch(db)
    for id in ids:
        for (document,) in select(db, "SELECT id FROM document WHERE key = ?", (clean(id),)):
            batch.drop(list(_stored_chunks(db, document).values()))
            for statement in (
                "DELETE FROM edge WHERE document = ?",
                "UPDATE edge SET target_document = NULL WHERE target_document = ?",
                "DELETE FROM document_tag WHERE document = ?",
                "DELETE FROM document_text WHERE document = ?",
                "DELETE FROM document WHERE id = ?",
            ):
                select(db, statement, (document,))
    batch.flush()


def reclass(db: apsw.Connection, id: DocumentId, class_: PrivacyClass) -> None:
    """Give a document and its chunks another class."""
    code = CLASS_CODES[class_]
    for (document,) in select(db, "SELECT id FROM document WHERE key = ?", (clean(id),)):
        moved = [stored for stored in _stored_chunks(db, document).values() if stored[1] != code]
        ids = [stored[0] for stored in moved]
        veiled = veils.terms_of(db, ids)
        rows = [text_index.analysed(row, text=text, lead=lead, prelude=pre) for row, _, text, lead, pre in moved]
        text_index.reclass(db, [veiled.get(row[0], row) for row in rows], to=class_)
        veils.forget(db, ids)
        select(db, "UPDATE chunk SET class = ? WHERE document = ?", (code, document))
        select(db, "UPDATE document SET class = ? WHERE id = ?", (code, document))


def _stored_chunks(db: apsw.Connection, document: int) -> dict[str, Stored]:
    rows = select(
        db,
        "SELECT c.key, c.id, c.class, t.text, t.lead, t.prelude FROM chunk c JOIN chunk_text t ON t.chunk = c.id"
        " WHERE c.document = ?",
        (document,),
    )
    return {row[0]: row[1:] for row in rows}


class _Batch:
    """Collects the rows of several documents, so that each table is written in one go."""

    def __init__(self, db: apsw.Connection) -> None:
        self._db = db
        self._added: list[tuple[int, Analysed]] = []
        self._covered: list[int] = []
        self._texts: list[tuple[int, str, str, str, str]] = []
        self._chunks: list[Row] = []
        self._sources: dict[str, int] = dict(select(db, "SELECT name, id FROM source"))
        self._marks: dict[str, int] = dict(select(db, "SELECT text_key, 2 - class FROM boilerplate"))
        last = select(db, "SELECT seq FROM sqlite_sequence WHERE name = 'chunk'")
        self._last = int(last[0][0]) if last else 0

    def put(self, document: Document, chunks: Sequence[Chunk], edges: Sequence[Edge], now: str) -> None:
        source = self._sources.get(clean(document.source))
        if source is None:
            raise StoreError(f"no source named {document.source!r} was recorded before its documents")
        row = self._document(document, source, chunks=len(chunks), now=now)
        old = _stored_chunks(self._db, row)
        for chunk in chunks:
            code = max(CLASS_CODES[chunk.class_], CLASS_CODES[document.class_])
            texts = (clean(chunk.text), clean(chunk.lead), clean(chunk.prelude))
            kept = old.get(chunk.id)
            if kept is not None and kept[1:] == (code, *texts):
                del old[chunk.id]
                self._chunk(chunk, document, id=kept[0], row=row, source=source, code=code)
                self._texts.append((kept[0], *texts, clean(chunk.embed_text)))
                continue
            self._last += 1
            self._chunk(chunk, document, id=self._last, row=row, source=source, code=code)
            self._texts.append((self._last, *texts, clean(chunk.embed_text)))
            analysed = text_index.analysed(self._last, text=texts[0], lead=texts[1], prelude=texts[2])
            self._added.append((code, analysed))
            if code == veils.OPEN and may_link(texts[0]):
                self._covered.append(self._last)
        self.drop(list(old.values()))
        db = self._db
        select(db, "DELETE FROM document_tag WHERE document = ?", (row,))
        db.executemany(
            "INSERT INTO document_tag VALUES (?, ?)", [(row, clean(k)) for k in tag_keys(document.metadata, edges)]
        )
        select(db, "DELETE FROM edge WHERE document = ?", (row,))
        db.executemany(
            "INSERT INTO edge (document, kind, target, fragment, alias, line) VALUES (?, ?, ?, ?, ?, ?)",
            [(row, e.kind.value, clean(e.target), clean(e.fragment), clean(e.alias), e.line) for e in edges],
        )

    def drop(self, chunks: Sequence[Stored]) -> None:
        """Remove chunk rows with their texts and terms."""
        if not chunks:
            return
        text_index.remove(
            self._db,
            [
                (code, text_index.analysed(id, text=text, lead=lead, prelude=prelude))
                for id, code, text, lead, prelude in chunks
            ],
            veiled=veils.terms_of(self._db, [stored[0] for stored in chunks]),
        )
        ids = json.dumps([stored[0] for stored in chunks])
        for table, column in (("veil", "chunk"), ("chunk_text", "chunk"), ("chunk", "id")):
            select(
                self._db,
                f"DELETE FROM {table} WHERE {column} IN (SELECT value FROM json_each(?))",
                (ids,),
            )

    def flush(self) -> None:
        """Write what was collected."""
        db = self._db
        updates = ", ".join(f"{name} = excluded.{name}" for name in CHUNK_COLUMNS.split(", "))
        db.executemany(  # a repeated chunk id is refused: it would leave its twin's terms behind
            f"INSERT INTO chunk ({CHUNK_COLUMNS}) VALUES ({_CHUNK_MARKS}) ON CONFLICT (id) DO UPDATE SET {updates}",
            self._chunks,
        )
        db.executemany("INSERT OR REPLACE INTO chunk_text VALUES (?, ?, ?, ?, ?)", self._texts)
        text_index.add(db, self._added, veiled=veils.cover(db, self._covered))

    def _chunk(self, chunk: Chunk, document: Document, *, id: int, row: int, source: int, code: int) -> None:
        values = chunk_row(chunk, id=id, document=row, source=source, class_=code, marked=0, path=document.path)
        self._chunks.append((*values[:11], self._marks.get(str(values[8]), 0), *values[12:]))

    def _document(self, document: Document, source: int, *, chunks: int, now: str) -> int:
        """Write a document's own row and text; return its row id, which it keeps through every change."""
        db = self._db
        values = (clean(document.id), *document_row(document, source=source, chunks=chunks, now=now))
        updates = ", ".join(f"{name} = excluded.{name}" for name in DOCUMENT_FIELDS.split(", "))
        select(
            db,
            f"INSERT INTO document (key, {DOCUMENT_FIELDS}) VALUES ({_DOCUMENT_MARKS})"
            f" ON CONFLICT (key) DO UPDATE SET {updates}",
            values,
        )
        row = int(select(db, "SELECT id FROM document WHERE key = ?", (values[0],))[0][0])
        select(db, "INSERT OR REPLACE INTO document_text VALUES (?, ?)", (row, clean(document.text)))
        return row
