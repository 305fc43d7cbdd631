"""The index in memory: small, slow, plain, and by the same rules as the stores on disk.

It is written for being read next to the contract, and checks the other stores' arithmetic by its own.
"""

from __future__ import annotations

import unicodedata
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np

from askwell.errors import IndexLocked, StoreError
from askwell.ports import DocumentInfo, IndexedState, Name, Pending, ResolvedEdge, SourceInfo, StoredEdge
from askwell.stores import bm25
from askwell.stores.conditions import clean, path_filter
from askwell.testing.memory_state import (
    OPEN_ONLY,
    HeldChunk,
    HeldDocument,
    State,
    admits_chunk,
    admits_document,
)
from askwell.testing.memory_writer import MemoryWriter
from askwell.types import Arm, EdgeKind, PrivacyClass, Sighting

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from askwell.ids import ChunkId, DocumentId
    from askwell.ports import Fault, LexicalQuery, Vector, Writer
    from askwell.types import Chunk, Document, Filter

_LINKS = frozenset({EdgeKind.LINK, EdgeKind.EMBED, EdgeKind.TOPIC})


class MemoryStore:
    """A `Store` that keeps everything in dictionaries and forgets it when it is closed."""

    def __init__(self) -> None:
        self._state = State()
        self._writing = False

    def close(self) -> None:
        """Release nothing. Idempotent."""

    @contextmanager
    def write(self, *, wait: float = 0.0) -> Iterator[Writer]:
        """Become the writer. A second one is refused at once, however long it would wait: there is no other process.

        Raises:
            IndexLocked: somebody else is.
        """
        if self._writing:
            raise IndexLocked(f"another run is in progress (pid 0, since {wait})", hint="wait for it to end")
        self._writing = True
        try:
            yield MemoryWriter(self._state)
        finally:
            self._writing = False

    # -- for a sync

    def states(self) -> Mapping[DocumentId, IndexedState]:
        """Return what is indexed."""
        return {
            id: IndexedState(
                id=id,
                source=held.document.source,
                path=held.document.path,
                content=held.document.content,
                change_key=held.document.change_key,
                stat=held.document.stat,
                class_=held.document.class_,
                sensitivity=held.document.metadata.sensitivity,
                sensitivity_fault=held.document.metadata.sensitivity_fault,
            )
            for id, held in self._state.documents.items()
        }

    def pending(self, space: str, *, limit: int, after: str = "") -> Sequence[Pending]:
        """Return at most `limit` distinct texts of chunks that have no vector in `space`, keys after `after`."""
        have = self._state.vectors.get(clean(space), {})
        waiting: dict[str, list[HeldChunk]] = {}
        for _, chunk in self._state.chunks():
            if chunk.key is not None and chunk.key not in have:
                waiting.setdefault(chunk.key, []).append(chunk)
        found = [
            Pending(key=key, text=held[0].chunk.embed_text, class_=max(one.chunk.class_ for one in held))
            for key, held in sorted(waiting.items())
            if key > after and any(self._state.waits(one) for one in held)
        ]
        return tuple(found[: max(0, limit)])

    def names(self) -> Iterator[Name]:
        """Yield what every document can be called."""
        for id, held in list(self._state.documents.items()):
            document = held.document
            yield Name(
                id=id,
                source=document.source,
                path=document.path,
                title=document.title,
                aliases=document.metadata.aliases,
                permalink=document.metadata.permalink,
                defines=document.defines,
            )

    def edges(self) -> Iterator[StoredEdge]:
        """Yield every edge of every document."""
        for id, held in list(self._state.documents.items()):
            for key, edge in held.edges:
                yield StoredEdge(key=key, origin=id, edge=edge, target=self._state.targets.get(key))

    def text_hashes(self) -> Iterator[tuple[str, DocumentId, PrivacyClass]]:
        """Yield the text key of every chunk with its document and class."""
        for held, chunk in list(self._state.chunks()):
            yield chunk.text_key, held.document.id, chunk.chunk.class_

    def space(self) -> tuple[str, Vector] | None:
        """Return the embedding space and its probe vector, None before the first."""
        return self._state.space

    def note(self, key: str) -> str:
        """Return a value kept by `Writer.set_note`, empty if none."""
        return self._state.notes.get(clean(key), "")

    # -- searching

    def search_lexical(self, terms: LexicalQuery, *, k: int, visible: Filter) -> Sequence[tuple[ChunkId, Sighting]]:
        """Return at most `k` sightings by BM25, best first, ties by chunk id."""
        frequencies, total = self._statistics(terms.terms, visible)
        first, every = bm25.scored_terms(terms.terms, frequencies, total)
        if k < 1 or not every or not visible.classes:
            return ()
        found = self._scored(first, frequencies, total, visible)
        if len(found) < k and len(first) < len(every):
            found = self._scored(every, frequencies, total, visible)
        return _sightings(Arm.LEXICAL, found, k)

    def search_vector(self, query: Vector, *, k: int, visible: Filter) -> Sequence[tuple[ChunkId, Sighting]]:
        """Return at most `k` sightings by cosine, exact, best first, ties by chunk id."""
        vectors = self._state.current_vectors()
        wide = np.asarray(query, dtype=np.float32).astype(np.float64).ravel()
        found: dict[ChunkId, float] = {}
        for held, chunk in self._state.chunks():
            vector = vectors.get(chunk.known_to(visible.classes).key or "")
            if vector is None:
                continue
            if vector.shape != wide.shape:
                raise StoreError("the question's vector has another width than the index's")
            if admits_chunk(held, chunk, visible):
                found[chunk.chunk.id] = float(np.clip((vector.astype(np.float64) * wide).sum(), -1.0, 1.0))
        return _sightings(Arm.VECTOR, found, k)

    def frequencies(self, terms: Collection[str], *, visible: Filter) -> tuple[Mapping[str, int], int]:
        """Return per term the number of chunks of the filter's classes that hold it, and the number of chunks."""
        of_class = [
            chunk.known_to(visible.classes)
            for _, chunk in self._state.chunks()
            if chunk.chunk.class_ in visible.classes
        ]
        return {term: sum(term in chunk.weighted for chunk in of_class) for term in terms}, len(of_class)

    def _statistics(self, terms: Collection[str], visible: Filter) -> tuple[dict[str, int], int]:
        """Return what the text index of an audience knows: open chunks alone, or all."""
        chunks = self._text_index(visible)
        return {term: sum(term in chunk.weighted for chunk in chunks) for term in terms}, len(chunks)

    def _text_index(self, visible: Filter) -> list[HeldChunk]:
        open_only = visible.classes == OPEN_ONLY
        return [
            c.known_to(visible.classes)
            for _, c in self._state.chunks()
            if not open_only or c.chunk.class_ is PrivacyClass.OPEN
        ]

    def _scored(
        self, weights: Mapping[str, float], frequencies: Mapping[str, int], total: int, visible: Filter
    ) -> dict[ChunkId, float]:
        average = sum(chunk.length for chunk in self._text_index(visible)) / total
        scores: dict[ChunkId, float] = {}
        copies: dict[str, list[tuple[float, ChunkId]]] = {}
        for held, whole in self._state.chunks():
            chunk = whole.known_to(visible.classes)
            if not admits_chunk(held, whole, visible) or not any(term in chunk.weighted for term in weights):
                continue
            damping = bm25.K1 * (1 - bm25.B + bm25.B * chunk.length / average)
            score = sum(
                weight * bm25.idf(frequencies[term], total) * tf * (bm25.K1 + 1) / (tf + damping)
                for term, weight in weights.items()
                if (tf := chunk.weighted.get(term, 0.0))
            )
            if self._state.is_boilerplate(chunk, visible.classes):
                copies.setdefault(chunk.text_key, []).append((-score, chunk.chunk.id))
            else:
                scores[chunk.chunk.id] = score
        for ranked in map(sorted, copies.values()):
            for place, (negative, id) in enumerate(ranked):
                scores[id] = -negative * (bm25.REPEATED_BOILERPLATE if place else bm25.BOILERPLATE)
        return scores

    # -- reading

    def hits(self, ids: Sequence[ChunkId], *, visible: Filter) -> Mapping[ChunkId, tuple[Chunk, DocumentInfo]]:
        """Return chunks with their documents, in the order of `ids`; invisible and unknown ids are left out."""
        wanted = frozenset(ids)
        found = {
            chunk.chunk.id: (self._as_seen(chunk, visible), _info(held))
            for held, chunk in self._state.chunks()
            if chunk.chunk.id in wanted and admits_chunk(held, chunk, visible)
        }
        return {id: found[id] for id in ids if id in found}

    def document_chunks(self, id: DocumentId, *, visible: Filter) -> Sequence[Chunk]:
        """Return a document's chunks in order; empty if it is invisible or unknown."""
        held = self._state.documents.get(id)
        if held is None:
            return ()
        chunks = [self._as_seen(chunk, visible) for chunk in held.chunks if admits_chunk(held, chunk, visible)]
        return tuple(sorted(chunks, key=lambda chunk: chunk.ordinal))

    def document(self, source: str, path: str, *, visible: Filter) -> Document | None:
        """Return a document by name: NFC, or as spelt. None if it is invisible or unknown."""
        for spelling in (clean(path), clean(unicodedata.normalize("NFC", path))):
            for held in self._state.documents.values():
                at = (held.document.source, held.document.path)
                if at == (source, spelling) and admits_document(held, visible):
                    return held.document
        return None

    def document_by_id(self, id: DocumentId, *, visible: Filter) -> Document | None:
        """Return a document by identity. None if it is invisible or unknown."""
        held = self._state.documents.get(id)
        return held.document if held is not None and admits_document(held, visible) else None

    def documents(self, *, visible: Filter) -> Sequence[DocumentInfo]:
        """Return the documents that a filter admits, by source and path."""
        return tuple(_info(held) for held in self._ordered() if admits_document(held, visible))

    def texts(self, ids: Collection[DocumentId], *, visible: Filter) -> Iterator[tuple[DocumentId, str]]:
        """Yield the texts of the documents among `ids`; invisible and unknown ids are left out."""
        for id in ids:
            document = self.document_by_id(id, visible=visible)
            if document is not None:
                yield id, document.text

    def edges_from(self, ids: Collection[DocumentId], *, visible: Filter) -> Sequence[ResolvedEdge]:
        """Return edges whose origin is among `ids`; a target that is invisible reads as unresolved."""
        return tuple(edge for edge in self._resolved(visible) if edge.origin in ids)

    def edges_to(
        self, ids: Collection[DocumentId], *, visible: Filter, kinds: Collection[EdgeKind] = ()
    ) -> Sequence[ResolvedEdge]:
        """Return edges whose target is among `ids`, from visible origins only."""
        return tuple(
            edge for edge in self._resolved(visible) if edge.target in ids and (not kinds or edge.edge.kind in kinds)
        )

    def unresolved(self, *, visible: Filter) -> Sequence[ResolvedEdge]:
        """Return every link, embed and topic edge without a visible target, from visible origins."""
        return tuple(edge for edge in self._resolved(visible) if edge.target is None and edge.edge.kind in _LINKS)

    def sections(self, *, visible: Filter) -> Sequence[str]:
        """Return the section names of the chunks that a filter admits, sorted."""
        found = {chunk.chunk.section for held, chunk in self._state.chunks() if admits_chunk(held, chunk, visible)}
        return tuple(sorted(found - {""}))

    def same_text(self, ids: Sequence[ChunkId], *, visible: Filter) -> Mapping[ChunkId, Sequence[ChunkId]]:
        """Return per chunk the other visible chunks whose stripped text is the same; none is left out."""
        admitted = [
            (held, chunk)
            for held in sorted(self._ordered(), key=lambda held: held.document.path)
            for chunk in sorted(held.chunks, key=lambda chunk: chunk.chunk.ordinal)
            if admits_chunk(held, chunk, visible)
        ]
        hashes = {chunk.chunk.id: chunk.hash for _, chunk in admitted}
        found = {
            id: tuple(c.chunk.id for _, c in admitted if c.hash == hashes[id] and c.chunk.id != id)
            for id in ids
            if id in hashes
        }
        return {id: others for id, others in found.items() if others}

    # -- describing

    def sources(self, *, visible: Filter) -> Sequence[SourceInfo]:
        """Return each source's counts within the filter's classes."""
        return tuple(
            SourceInfo(
                name=name,
                type=row.type,
                root=row.root,
                documents=sum(h.document.class_ in visible.classes for h in self._of(name)),
                chunks=sum(c.chunk.class_ in visible.classes for h in self._of(name) for c in h.chunks),
                failed=self._faulty(name, "failed", visible),
                skipped=self._faulty(name, "skipped", visible),
                last_run=row.last_run,
            )
            for name, row in sorted(self._state.sources.items())
            if not visible.sources or name in visible.sources
        )

    def faults(self, *, visible: Filter) -> Sequence[Fault]:
        """Return failed and skipped files of the filter's classes."""
        admitted = path_filter(tuple(visible.paths))
        found = [
            fault
            for faults in self._state.faults.values()
            for fault in faults
            if fault.class_ in visible.classes
            and (not visible.sources or fault.source in visible.sources)
            and admitted(fault.path)
        ]
        return tuple(sorted(found, key=lambda fault: (fault.source, fault.path)))

    def vector_counts(self, *, visible: Filter) -> tuple[int, int]:
        """Return how many chunks have a vector in the current space, and how many wait for one."""
        vectors = self._state.current_vectors()
        admitted = [chunk for held, chunk in self._state.chunks() if admits_chunk(held, chunk, visible)]
        have = sum(chunk.key in vectors for chunk in admitted)
        return have, sum(chunk.key not in vectors and self._state.waits(chunk) for chunk in admitted)

    # -- within

    def _as_seen(self, held: HeldChunk, visible: Filter) -> Chunk:
        from dataclasses import replace

        return replace(held.chunk, boilerplate=self._state.is_boilerplate(held, visible.classes))

    def _ordered(self) -> list[HeldDocument]:
        return sorted(self._state.documents.values(), key=lambda held: (held.document.source, held.document.path))

    def _of(self, source: str) -> list[HeldDocument]:
        return [held for held in self._state.documents.values() if held.document.source == source]

    def _faulty(self, source: str, status: str, visible: Filter) -> int:
        faults = self._state.faults.get(source, ())
        return sum(fault.status == status and fault.class_ in visible.classes for fault in faults)

    def _resolved(self, visible: Filter) -> Iterator[ResolvedEdge]:
        seen = {id for id, held in self._state.documents.items() if admits_document(held, visible)}
        for held in self._ordered():
            if held.document.id in seen:
                for key, edge in held.edges:
                    target = self._state.targets.get(key)
                    known = target if target in seen else None
                    yield ResolvedEdge(edge=edge, origin=held.document.id, target=known)


def _sightings(arm: Arm, scores: Mapping[ChunkId, float], k: int) -> tuple[tuple[ChunkId, Sighting], ...]:
    ranked = sorted(scores.items(), key=lambda item: (-item[1], item[0]))[: max(0, k)]
    return tuple((id, Sighting(arm=arm, rank=rank, score=score)) for rank, (id, score) in enumerate(ranked, start=1))


def _info(held: HeldDocument) -> DocumentInfo:
    document = held.document
    return DocumentInfo(
        id=document.id,
        source=document.source,
        path=document.path,
        title=document.title,
        kind=document.kind,
        class_=document.class_,
        format=document.format,
        metadata=document.metadata,
        chunks=len(held.chunks),
        lines=document.text.count("\n") + 1,
        indexed_at=held.indexed_at,
    )
