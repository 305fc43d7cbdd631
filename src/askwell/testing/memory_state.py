"""What the memory store holds, and what a filter admits of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from askwell.ids import ChunkId, DocumentId, fingerprint, text_key
from askwell.stores import bm25
from askwell.stores.conditions import (
    clean,
    document_day,
    has_tag,
    in_period,
    path_filter,
    section_key,
    tag_keys,
)
from askwell.terms import index_terms
from askwell.types import Chunk, Document, Edge, Kind, Metadata, PrivacyClass

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import numpy as np
    import numpy.typing as npt

    from askwell.ports import Fault, Vector
    from askwell.types import Filter, SourceType

PERSONAL = PrivacyClass.PERSONAL
OPEN_ONLY = frozenset({PrivacyClass.OPEN})


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldChunk:
    """A chunk with what is worked out of it once."""

    chunk: Chunk
    path: str
    weighted: Mapping[str, float]  # analysed term → occurrences, weighted by column
    length: int
    key: str | None  # of its vector
    hash: str
    text_key: str
    veiled: HeldChunk | None = None  # what an open request may know of it, where that is less

    def known_to(self, classes: frozenset[PrivacyClass]) -> HeldChunk:
        """Return what of it an audience finds it by."""
        return self.veiled if self.veiled is not None and classes == OPEN_ONLY else self


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldDocument:
    """A document with its chunks and edges (by key)."""

    document: Document
    chunks: tuple[HeldChunk, ...]
    edges: tuple[tuple[int, Edge], ...]
    tags: tuple[str, ...]
    indexed_at: str


@dataclass(slots=True)
class SourceRow:
    """A source as recorded."""

    type: SourceType
    root: str
    last_run: str = ""


@dataclass(slots=True)
class State:
    """Everything that a memory store holds."""

    documents: dict[DocumentId, HeldDocument] = field(default_factory=dict)
    sources: dict[str, SourceRow] = field(default_factory=dict)
    faults: dict[str, tuple[Fault, ...]] = field(default_factory=dict)
    targets: dict[int, DocumentId] = field(default_factory=dict)
    boilerplate: dict[str, PrivacyClass] = field(default_factory=dict)
    vectors: dict[str, dict[str, npt.NDArray[np.float32]]] = field(default_factory=dict)
    space: tuple[str, Vector] | None = None
    notes: dict[str, str] = field(default_factory=dict)
    edge_keys: int = 0

    def current_vectors(self) -> Mapping[str, npt.NDArray[np.float32]]:
        """Return the vectors of the current space by key."""
        return self.vectors.get(self.space[0], {}) if self.space is not None else {}

    def chunks(self) -> Iterator[tuple[HeldDocument, HeldChunk]]:
        """Yield every chunk with its document."""
        for held in self.documents.values():
            for chunk in held.chunks:
                yield held, chunk

    def is_boilerplate(self, chunk: HeldChunk, classes: frozenset[PrivacyClass]) -> bool:
        """Return whether a text stands in many documents that an audience knows of."""
        mark = self.boilerplate.get(chunk.text_key)
        return chunk.chunk.boilerplate or mark is PrivacyClass.OPEN or (mark is PERSONAL and classes != OPEN_ONLY)

    def waits(self, chunk: HeldChunk) -> bool:
        """Return whether a chunk is to be embedded: a text of many documents is so once, at its first copy."""
        if chunk.key is None:
            return False
        own = OPEN_ONLY if chunk.chunk.class_ is PrivacyClass.OPEN else frozenset(PrivacyClass)
        if not self.is_boilerplate(chunk, own):
            return True
        place = (chunk.chunk.class_ is PERSONAL, chunk.chunk.id)
        return not any(
            (other.chunk.class_ is PERSONAL, other.chunk.id) < place
            for _, other in self.chunks()
            if other.text_key == chunk.text_key and other.key is not None
        )


def held_document(
    document: Document, chunks: Sequence[Chunk], edges: Sequence[tuple[int, Edge]], *, indexed_at: str
) -> HeldDocument:
    """Return a document as it is held: text that UTF-8 cannot hold replaced, terms counted."""
    document = _clean_document(document)
    return HeldDocument(
        document=document,
        chunks=tuple(held_chunk(_clean_chunk(chunk), document) for chunk in chunks),
        edges=tuple((key, _clean_edge(edge)) for key, edge in edges),
        tags=tag_keys(document.metadata, [edge for _, edge in edges]),
        indexed_at=indexed_at,
    )


def held_chunk(chunk: Chunk, document: Document) -> HeldChunk:
    """Return a chunk as it is held; it is at least as personal as its document."""
    if document.class_ is PERSONAL:
        chunk = replace(chunk, class_=PERSONAL)
    body = index_terms(f"{chunk.text}\n{chunk.lead}" if chunk.lead else chunk.text)
    prelude = index_terms(chunk.prelude)
    weighted: Counter[str] = Counter()
    for terms, weight in ((body, bm25.BODY_WEIGHT), (prelude, bm25.PRELUDE_WEIGHT)):
        for term in terms:
            weighted[term] += weight  # type: ignore[assignment]  # a Counter of floats adds up as one of ints
    return HeldChunk(
        chunk=chunk,
        path=document.path,
        weighted=weighted,
        length=len(body) + len(prelude),
        key=fingerprint(chunk.embed_text) if chunk.embed_text else None,
        hash=fingerprint(chunk.text.strip()),
        text_key=text_key(chunk.text, document.path),
    )


def admits_document(held: HeldDocument, visible: Filter) -> bool:
    """Return whether a filter admits a document."""
    return (
        _admits(held, held.document.class_, held.document.kind, visible)
        and _admits_described(held, visible)
        and (not visible.sections or any(_admits_section(chunk, visible) for chunk in held.chunks))
    )


def admits_chunk(held: HeldDocument, chunk: HeldChunk, visible: Filter) -> bool:
    """Return whether a filter admits a chunk."""
    return (
        _admits(held, chunk.chunk.class_, chunk.chunk.kind, visible)
        and _admits_described(held, visible)
        and (not visible.sections or _admits_section(chunk, visible))
    )


def _admits(held: HeldDocument, class_: PrivacyClass, kind: Kind, visible: Filter) -> bool:
    return (
        class_ in visible.classes
        and (not visible.sources or held.document.source in visible.sources)
        and (not visible.kinds or kind in visible.kinds)
    )


def _admits_described(held: HeldDocument, visible: Filter) -> bool:
    return (
        path_filter(tuple(visible.paths))(held.document.path)
        and (not visible.tags or any(has_tag(held.tags, tag) for tag in visible.tags))
        and in_period(document_day(held.document.metadata), after=visible.after, before=visible.before)
    )


def _admits_section(chunk: HeldChunk, visible: Filter) -> bool:
    return section_key(chunk.chunk.section) in {section_key(section) for section in visible.sections}


def _clean_document(document: Document) -> Document:
    data = document.metadata
    return replace(
        document,
        path=clean(document.path),
        title=clean(document.title),
        text=clean(document.text),
        anchors={clean(name): at for name, at in document.anchors.items()},
        defines=_all_clean(document.defines),
        metadata=Metadata(
            aliases=_all_clean(data.aliases),
            tags=_all_clean(data.tags),
            permalink=clean(data.permalink),
            created=clean(data.created),
            updated=clean(data.updated),
            sensitivity=clean(data.sensitivity) if data.sensitivity is not None else None,
            sensitivity_fault=data.sensitivity_fault,
        ),
    )


def _clean_chunk(chunk: Chunk) -> Chunk:
    return replace(
        chunk,
        id=ChunkId(clean(chunk.id)),
        headings=_all_clean(chunk.headings),
        section=clean(chunk.section),
        text=clean(chunk.text),
        lead=clean(chunk.lead),
        prelude=clean(chunk.prelude),
        embed_text=clean(chunk.embed_text),
    )


def _clean_edge(edge: Edge) -> Edge:
    return replace(edge, target=clean(edge.target), fragment=clean(edge.fragment), alias=clean(edge.alias))


def _all_clean(texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(clean(text) for text in texts)
