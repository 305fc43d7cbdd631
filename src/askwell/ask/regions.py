"""Where an answer without a model is looked for: each hit with what stands beside it in its document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from askwell.types import Span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askwell.ids import DocumentId
    from askwell.ports import Store
    from askwell.types import Chunk, Document, Filter, Hit

BESIDE = 2
"""Chunks on either side of a hit that are looked at for sentences that answer: the answer often stands just beside."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """The text that a hit is looked at in: its chunk, or that with its neighbours.

    ``text`` is the document's from offset `start`, which stands on line `line`; `core` are the parts of it that
    were found, the rest only stands next to them.
    """

    hit: Hit
    text: str
    start: int
    line: int
    core: tuple[Span, ...]


def alone(hit: Hit) -> Region:
    """Return a hit as a region of its own."""
    chunk = hit.chunk
    whole = Span(0, len(chunk.text))
    return Region(hit=hit, text=chunk.text, start=chunk.span.start, line=chunk.lines.first, core=(whole,))


def regions(hits: Sequence[Hit], *, store: Store, visible: Filter, beside: int = BESIDE) -> tuple[Region, ...]:
    """Return the hits with their neighbours in the document, in the order of the hits; overlapping ones are one.

    A hit that `visible` does not admit any more is left out. Where it names sections, nothing beside a hit is read.
    """
    documents: dict[DocumentId, tuple[Document, Sequence[Chunk]]] = {}
    found: list[tuple[Hit, set[int]]] = []  # the best hit of a region, and the positions of all
    wide = 0 if visible.sections else beside
    for hit in hits:
        id = hit.chunk.document_id
        if id not in documents:
            document = store.document_by_id(id, visible=visible)
            if document is None:
                continue
            documents[id] = document, store.document_chunks(id, visible=visible)
        at = next((n for n, chunk in enumerate(documents[id][1]) if chunk.id == hit.chunk.id), None)
        if at is None:
            continue
        for first, held in found:
            if first.chunk.document_id == id and any(abs(at - n) <= 2 * wide for n in held):
                held.add(at)
                break
        else:
            found.append((hit, {at}))
    return tuple(_region(*documents[hit.chunk.document_id], hit, held, wide) for hit, held in found)


def _region(document: Document, chunks: Sequence[Chunk], hit: Hit, held: set[int], wide: int) -> Region:
    first, last = max(0, min(held) - wide), min(len(chunks) - 1, max(held) + wide)
    start, end = chunks[first].span.start, max(chunk.span.end for chunk in chunks[first : last + 1])
    spans = [chunks[n].span for n in sorted(held)]
    text = document.text
    body = _body(text) if document.format == "markdown" else 0
    if start < body < end:
        start = body
    core = tuple(Span(max(0, span.start - start), span.end - start) for span in spans if span.end > start)
    return Region(
        hit=hit,
        text=text[start:end],
        start=start,
        line=text.count("\n", 0, start) + 1,
        core=core or (Span(0, end - start),),  # found by its frontmatter: any of it may be meant
    )


def _body(text: str) -> int:
    """Return where a note's text begins, after its frontmatter."""
    if not text.startswith("---\n"):
        return 0
    close = text.find("\n---\n", 3, 20_000)
    return close + 5 if close > 0 else 0
