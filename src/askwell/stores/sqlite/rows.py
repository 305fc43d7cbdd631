"""Nouns to rows and back."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from askwell.ids import ChunkId, DocumentId, fingerprint, text_key
from askwell.ports import DocumentInfo
from askwell.stores.conditions import clean, document_day, section_key
from askwell.types import Chunk, Document, Edge, EdgeKind, FileStat, Kind, Lines, Metadata, PrivacyClass, Span

if TYPE_CHECKING:
    from collections.abc import Mapping

Row: TypeAlias = tuple[int | float | bytes | str | None, ...]

CLASS_CODES = {PrivacyClass.OPEN: 0, PrivacyClass.PERSONAL: 1}
CLASSES = (PrivacyClass.OPEN, PrivacyClass.PERSONAL)
KIND_CODES = {kind: code for code, kind in enumerate(Kind)}


def packed(value: object) -> str:
    """Return `value` as compact JSON."""
    return clean(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


# -- documents

DOCUMENT_FIELDS = (
    "source, path, title, kind, class, format, metadata, sensitivity, sensitivity_fault, content, change_key, "
    "size, mtime_ns, ctime_ns, inode, anchors, defines, day, chunks, lines, indexed_at"
)

INFO_FIELDS = (
    "d.key, s.name, d.path, d.title, d.kind, d.class, d.format, d.metadata, d.sensitivity, d.sensitivity_fault, "
    "d.chunks, d.lines, d.indexed_at"
)

FULL_FIELDS = (
    "d.key, s.name, d.path, d.title, d.kind, d.class, d.format, d.metadata, d.sensitivity, d.sensitivity_fault, "
    "d.content, d.change_key, d.size, d.mtime_ns, d.ctime_ns, d.inode, d.anchors, d.defines, t.text"
)


def document_row(document: Document, *, source: int, chunks: int, now: str) -> Row:
    """Return a document's values for `DOCUMENT_FIELDS`."""
    data = document.metadata
    return (
        source,
        clean(document.path),
        clean(document.title),
        document.kind.value,
        CLASS_CODES[document.class_],
        document.format,
        packed([data.aliases, data.tags, data.permalink, data.created, data.updated]),
        clean(data.sensitivity) if data.sensitivity is not None else None,
        data.sensitivity_fault,
        document.content,
        clean(document.change_key),
        *stat_row(document.stat),
        packed({name: (at.first, at.last) for name, at in document.anchors.items()}),
        packed(document.defines),
        document_day(data),
        chunks,
        document.text.count("\n") + 1,
        now,
    )


def stat_row(stat: FileStat | None) -> Row:
    """Return a stamp's four values, all null where there is none. Inodes may need all 64 bits."""
    if stat is None:
        return (None, None, None, None)
    inode = stat.inode - (1 << 64) if stat.inode >= 1 << 63 else stat.inode
    return (stat.size, stat.mtime_ns, stat.ctime_ns, inode)


def stat_of(size: int | None, mtime_ns: int, ctime_ns: int, inode: int) -> FileStat | None:
    """Return a stamp from its four values."""
    if size is None:
        return None
    return FileStat(size=size, mtime_ns=mtime_ns, ctime_ns=ctime_ns, inode=inode % (1 << 64))


@lru_cache(maxsize=10_000)
def metadata_of(text: str, sensitivity: str | None, fault: int) -> Metadata:
    """Return a document's metadata from its columns."""
    aliases, tags, permalink, created, updated = json.loads(text)
    return Metadata(
        aliases=tuple(aliases),
        tags=tuple(tags),
        permalink=permalink,
        created=created,
        updated=updated,
        sensitivity=sensitivity,
        sensitivity_fault=bool(fault),
    )


def info_of(row: tuple[str, str, str, str, str, int, str, str, str | None, int, int, int, str]) -> DocumentInfo:
    """Return a document's description from `INFO_FIELDS`."""
    return DocumentInfo(
        id=DocumentId(row[0]),
        source=row[1],
        path=row[2],
        title=row[3],
        kind=Kind(row[4]),
        class_=CLASSES[row[5]],
        format=row[6],
        metadata=metadata_of(row[7], row[8], row[9]),
        chunks=row[10],
        lines=row[11],
        indexed_at=row[12],
    )


def document_of(
    row: tuple[
        str, str, str, str, str, int, str, str, str | None, int, str, str, int | None, int, int, int, str, str, str
    ],
) -> Document:
    """Return a document from `FULL_FIELDS`."""
    anchors: Mapping[str, tuple[int, int]] = json.loads(row[16])
    return Document(
        id=DocumentId(row[0]),
        source=row[1],
        path=row[2],
        title=row[3],
        kind=Kind(row[4]),
        class_=CLASSES[row[5]],
        format=row[6],
        metadata=metadata_of(row[7], row[8], row[9]),
        content=row[10],
        change_key=row[11],
        stat=stat_of(row[12], row[13], row[14], row[15]),
        anchors={name: Lines(first, last) for name, (first, last) in anchors.items()},
        defines=tuple(json.loads(row[17])),
        text=row[18],
    )


# -- chunks

CHUNK_COLUMNS = (
    "id, key, document, source, class, kind, section_key, text_hash, text_key, vector_key, boilerplate, marked, "
    "ordinal, span_start, span_end, line_first, line_last, section, headings"
)

CHUNK_FIELDS = (
    "c.key, d.key, c.class, c.kind, c.boilerplate, c.marked, c.ordinal, c.span_start, c.span_end, c.line_first, "
    "c.line_last, c.section, c.headings, t.text, t.lead, t.prelude, t.embed_text"
)


def vector_key(chunk: Chunk) -> str | None:
    """Return the key of a chunk's vector, None for one that is not embedded."""
    return fingerprint(chunk.embed_text) if chunk.embed_text else None


def chunk_row(chunk: Chunk, *, id: int, document: int, source: int, class_: int, marked: int, path: str) -> Row:
    """Return a chunk's values for `CHUNK_COLUMNS`."""
    return (
        id,
        chunk.id,
        document,
        source,
        class_,
        chunk.kind.value,
        clean(section_key(chunk.section)),
        fingerprint(chunk.text.strip()),
        text_key(chunk.text, path),
        vector_key(chunk),
        chunk.boilerplate,
        marked,
        chunk.ordinal,
        chunk.span.start,
        chunk.span.end,
        chunk.lines.first,
        chunk.lines.last,
        clean(chunk.section),
        packed(chunk.headings),
    )


def chunk_of(
    row: tuple[str, str, int, str, int, int, int, int, int, int, int, str, str, str, str, str, str], *, mark: int
) -> Chunk:
    """Return a chunk from `CHUNK_FIELDS`; it is boilerplate if it was made so or is marked at least `mark`."""
    return Chunk(
        id=ChunkId(row[0]),
        document_id=DocumentId(row[1]),
        class_=CLASSES[row[2]],
        kind=Kind(row[3]),
        boilerplate=bool(row[4]) or row[5] >= mark,
        ordinal=row[6],
        span=Span(row[7], row[8]),
        lines=Lines(row[9], row[10]),
        section=row[11],
        headings=tuple(json.loads(row[12])),
        text=row[13],
        lead=row[14],
        prelude=row[15],
        embed_text=row[16],
    )


def edge_of(kind: str, target: str, fragment: str, alias: str, line: int) -> Edge:
    """Return an edge from its columns."""
    return Edge(kind=EdgeKind(kind), target=target, fragment=fragment, alias=alias, line=line)
