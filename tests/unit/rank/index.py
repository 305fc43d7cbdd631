"""A small index made by hand: documents, chunks, edges and vectors, in any store."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING

import numpy as np

from askwell.ids import chunk_id, document_id, fingerprint
from askwell.types import (
    Chunk,
    Document,
    Edge,
    EdgeKind,
    FileStat,
    Kind,
    Lines,
    Metadata,
    PrivacyClass,
    SourceType,
    Span,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from askwell.ports import Embedder, Store, Writer

STAT = FileStat(size=0, mtime_ns=0, ctime_ns=0, inode=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Doc:
    """A document whose chunks are given as texts; chunk n stands on line n + 1."""

    path: str
    texts: tuple[str, ...]
    class_: PrivacyClass = PrivacyClass.OPEN
    kind: Kind = Kind.NOTE
    section: str = ""
    edges: tuple[Edge, ...] = ()
    permalink: str = ""
    anchors: Mapping[str, Lines] = field(default_factory=dict)
    vectors: tuple[tuple[float, ...], ...] = ()  # in place of the embedder's


def doc(path: str, *texts: str, personal: bool = False, **rest: object) -> Doc:
    class_ = PrivacyClass.PERSONAL if personal else PrivacyClass.OPEN
    return Doc(path=path, texts=texts, class_=class_, **rest)  # type: ignore[arg-type]  # checked by Doc itself


def link(kind: EdgeKind, target: str, *, line: int = 1, fragment: str = "") -> Edge:
    return Edge(kind=kind, target=target, line=line, fragment=fragment)


def fill(store: Store, docs: Sequence[Doc], *, embedder: Embedder | None = None, source: str = "notes") -> None:
    """Index `docs`; edges resolve to the document of that very path."""
    with store.write() as writer:
        writer.put_source(source, SourceType.FOLDER, f"/{source}")
        for one in docs:
            document, chunks = made(one, source=source)
            writer.put_document(document, chunks, one.edges)
        paths = {one.path: document_id(source, one.path) for one in docs}
        writer.set_targets({stored.key: paths.get(stored.edge.target) for stored in store.edges()})
        if embedder is not None:
            _embed(docs, writer, embedder)


def made(one: Doc, *, source: str = "notes") -> tuple[Document, tuple[Chunk, ...]]:
    text = "\n".join(one.texts)
    id = document_id(source, one.path)
    title = one.path.rpartition("/")[2].partition(".")[0]
    document = Document(
        id=id,
        source=source,
        path=one.path,
        title=title,
        text=text,
        kind=one.kind,
        class_=one.class_,
        format="markdown",
        metadata=Metadata(permalink=one.permalink),
        content=fingerprint(text),
        change_key=fingerprint(text),
        stat=STAT,
        anchors=one.anchors,
    )
    start = 0
    seen: dict[str, count[int]] = {}
    chunks = []
    for ordinal, piece in enumerate(one.texts):
        line = text.count("\n", 0, start) + 1
        occurrence = next(seen.setdefault(piece, count()))
        chunks.append(
            Chunk(
                id=chunk_id(id, piece, occurrence),
                document_id=id,
                ordinal=ordinal,
                span=Span(start, start + len(piece)),
                lines=Lines(line, line + piece.count("\n")),
                headings=(),
                section=one.section,
                kind=one.kind,
                class_=one.class_,
                text=piece,
                lead="",
                prelude=title,
                embed_text=piece,
            )
        )
        start += len(piece) + 1
    return document, tuple(chunks)


def _embed(docs: Sequence[Doc], writer: Writer, embedder: Embedder) -> None:
    writer.set_space(embedder.space, embedder.embed_query("probe"))
    given = {
        fingerprint(text): np.asarray(vector, dtype=np.float32)
        for one in docs
        for text, vector in zip(one.texts, one.vectors, strict=False)
    }
    texts = list(dict.fromkeys(text for one in docs for text in one.texts if fingerprint(text) not in given))
    vectors = dict(zip(map(fingerprint, texts), embedder.embed_documents(texts), strict=True)) if texts else {}
    writer.put_vectors(embedder.space, list((given | vectors).items()))
