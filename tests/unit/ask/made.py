"""Small chunks, hits and passages for tests of this package."""

from __future__ import annotations

from typing import TYPE_CHECKING

from askwell.ids import chunk_id, document_id
from askwell.testing.memory_store import MemoryStore
from askwell.types import (
    Chunk,
    Hit,
    Kind,
    Lines,
    Passage,
    PrivacyClass,
    Ranking,
    Signals,
    SourceType,
    Span,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askwell.testing.specimens import Item


def chunk(
    text: str, *, path: str = "a.md", line: int = 1, kind: Kind = Kind.DOC, headings: tuple[str, ...] = ()
) -> Chunk:
    id = document_id("src", path)
    return Chunk(
        id=chunk_id(id, text, 0),
        document_id=id,
        ordinal=line,
        span=Span(0, len(text)),
        lines=Lines(line, line + text.count("\n")),
        headings=headings,
        section=headings[-1] if headings else "",
        kind=kind,
        class_=PrivacyClass.OPEN,
        text=text,
        lead="",
        prelude="",
        embed_text=text,
    )


def hit(
    text: str,
    *,
    path: str = "a.md",
    line: int = 1,
    kind: Kind = Kind.DOC,
    headings: tuple[str, ...] = (),
    title: str = "",
) -> Hit:
    made = chunk(text, path=path, line=line, kind=kind, headings=headings)
    return Hit(
        chunk=made, source="src", path=path, title=title or path.rpartition("/")[2].rpartition(".")[0], score=1.0
    )


def passage(marker: int, text: str, *, path: str = "a.md", line: int = 1, headings: tuple[str, ...] = ()) -> Passage:
    return Passage(
        marker=marker,
        document_id=document_id("src", path),
        source="src",
        path=path,
        title=path.rpartition("/")[2].rpartition(".")[0],
        headings=headings,
        lines=Lines(line, line + text.count("\n")),
        text=text,
        lead="",
        class_=PrivacyClass.OPEN,
    )


def ranking(question: str, hits: Sequence[Hit]) -> Ranking:
    signals = Signals(best_cosine=None, cosine_margin=None, rare_coverage=1.0, rare_missing=(), agreement=0.0)
    return Ranking(question=question, hits=tuple(hits), signals=signals)


def hits_of(items: Sequence[Item], *, only: str = "") -> tuple[Hit, ...]:
    """Return each chunk of each item that holds `only` as a hit, in order."""
    return tuple(
        Hit(chunk=one, source=document.source, path=document.path, title=document.title, score=1.0)
        for document, chunks, _ in items
        for one in chunks
        if only in one.text
    )


def store_of(items: Sequence[Item]) -> MemoryStore:
    store = MemoryStore()
    with store.write() as writer:
        writer.put_source("notes", SourceType.FOLDER, "/notes")
        writer.put_documents(items)
    return store
