"""Chunks and documents by identity, always through a filter."""

from __future__ import annotations

import json
import unicodedata
from typing import TYPE_CHECKING

from askwell.ids import ChunkId, DocumentId
from askwell.stores.conditions import clean
from askwell.stores.sqlite.connection import select
from askwell.stores.sqlite.filters import boilerplate_mark, chunk_conditions, document_conditions
from askwell.stores.sqlite.rows import CHUNK_FIELDS, FULL_FIELDS, INFO_FIELDS, chunk_of, document_of, info_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import apsw

    from askwell.ports import DocumentInfo
    from askwell.types import Chunk, Document, Filter

_CHUNK_WIDTH = CHUNK_FIELDS.count(",") + 1
_CHUNKS = "chunk c JOIN chunk_text t ON t.chunk = c.id JOIN document d ON d.id = c.document"


def hits(db: apsw.Connection, ids: Sequence[ChunkId], *, visible: Filter) -> dict[ChunkId, tuple[Chunk, DocumentInfo]]:
    """Return the admitted chunks among `ids` with their documents, in the order of `ids`."""
    if not ids or not visible.classes:
        return {}
    where, values = chunk_conditions(visible, few=True)
    mark = boilerplate_mark(visible)
    rows = select(
        db,
        f"SELECT {CHUNK_FIELDS}, {INFO_FIELDS} FROM json_each(:ids) w CROSS JOIN {_CHUNKS}"
        f" JOIN source s ON s.id = d.source WHERE c.key = w.value AND {where} ORDER BY w.key",
        {**values, "ids": json.dumps(list(ids))},
    )
    return {ChunkId(row[0]): (chunk_of(row[:_CHUNK_WIDTH], mark=mark), info_of(row[_CHUNK_WIDTH:])) for row in rows}


def document_chunks(db: apsw.Connection, id: DocumentId, *, visible: Filter) -> tuple[Chunk, ...]:
    """Return a document's admitted chunks in order."""
    if not visible.classes:
        return ()
    where, values = chunk_conditions(visible, few=True)
    rows = select(
        db,
        f"SELECT {CHUNK_FIELDS} FROM {_CHUNKS} WHERE d.key = :id AND {where} ORDER BY c.ordinal",
        {**values, "id": clean(id)},
    )
    mark = boilerplate_mark(visible)
    return tuple(chunk_of(row, mark=mark) for row in rows)


def document(db: apsw.Connection, source: str, path: str, *, visible: Filter) -> Document | None:
    """Return a document by its source and path, NFC or as spelt."""
    spellings = dict.fromkeys((clean(path), clean(unicodedata.normalize("NFC", path))))
    for spelling in spellings:
        found = _document(db, "s.name = :name AND d.path = :path", {"name": clean(source), "path": spelling}, visible)
        if found is not None:
            return found
    return None


def document_by_id(db: apsw.Connection, id: DocumentId, *, visible: Filter) -> Document | None:
    """Return a document by its identity."""
    return _document(db, "d.key = :id", {"id": clean(id)}, visible)


def documents(db: apsw.Connection, *, visible: Filter) -> tuple[DocumentInfo, ...]:
    """Return the admitted documents by source and path."""
    if not visible.classes:
        return ()
    where, values = document_conditions(visible)
    rows = select(
        db,
        f"SELECT {INFO_FIELDS} FROM document d JOIN source s ON s.id = d.source WHERE {where} ORDER BY s.name, d.path",
        values,
    )
    return tuple(info_of(row) for row in rows)


def texts(db: apsw.Connection, ids: Sequence[DocumentId], *, visible: Filter) -> list[tuple[DocumentId, str]]:
    """Return the texts of the admitted documents among `ids`."""
    if not visible.classes:
        return []
    where, values = document_conditions(visible)
    rows = select(
        db,
        "SELECT d.key, t.text FROM json_each(:ids) w CROSS JOIN document d ON d.key = w.value"
        f" JOIN document_text t ON t.document = d.id WHERE {where}",
        {**values, "ids": clean(json.dumps(ids))},
    )
    return [(DocumentId(key), text) for key, text in rows]


def same_text(db: apsw.Connection, ids: Sequence[ChunkId], *, visible: Filter) -> dict[ChunkId, tuple[ChunkId, ...]]:
    """Return per admitted chunk the other admitted chunks of the same stripped text, by path; none is left out."""
    if not ids or not visible.classes:
        return {}
    where, values = chunk_conditions(visible, few=True)
    mine, _ = chunk_conditions(visible, chunk="m", few=True)
    rows = select(
        db,
        "SELECT m.key, c.key FROM json_each(:ids) w CROSS JOIN chunk m ON m.key = w.value"
        " CROSS JOIN chunk c ON c.text_hash = m.text_hash AND c.id <> m.id JOIN document d ON d.id = c.document"
        f" WHERE {mine} AND {where} ORDER BY w.key, d.path, d.source, c.ordinal",
        {**values, "ids": json.dumps(list(ids))},
    )
    found: dict[ChunkId, list[ChunkId]] = {}
    for one, other in rows:
        found.setdefault(ChunkId(one), []).append(ChunkId(other))
    return {id: tuple(others) for id, others in found.items()}


def _document(db: apsw.Connection, condition: str, values: dict[str, str], visible: Filter) -> Document | None:
    if not visible.classes:
        return None
    where, bound = document_conditions(visible)
    rows = select(
        db,
        f"SELECT {FULL_FIELDS} FROM document d JOIN source s ON s.id = d.source"
        f" JOIN document_text t ON t.document = d.id WHERE {condition} AND {where}",
        {**bound, **values},
    )
    return document_of(rows[0]) if rows else None
