"""The memory store's writer: each method checks first and changes after, so that it is done whole or not at all."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import numpy as np

from askwell.errors import StoreError
from askwell.ports import Veil
from askwell.stores.conditions import clean, may_link
from askwell.testing.memory_state import HeldChunk, SourceRow, State, held_chunk, held_document
from askwell.types import PrivacyClass

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from askwell.ids import ChunkId, DocumentId
    from askwell.ports import Fault, Vector
    from askwell.types import Chunk, Document, Edge, FileStat, SourceType


class MemoryWriter:
    """Changes a memory store. See `ports.Writer`."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._put: set[str] = set()

    def put_source(self, name: str, type: SourceType, root: str) -> None:
        """Record a source before its documents."""
        self._put.add(name)
        known = self._state.sources.get(name)
        self._state.sources[name] = SourceRow(type=type, root=root, last_run=known.last_run if known else "")

    def put_document(self, document: Document, chunks: Sequence[Chunk], edges: Sequence[Edge]) -> None:
        """Make `chunks` and `edges` the document's only ones."""
        self.put_documents([(document, chunks, edges)])

    def put_documents(self, items: Sequence[tuple[Document, Sequence[Chunk], Sequence[Edge]]]) -> None:
        """Do `put_document` for each item, all of them or none.

        Raises:
            StoreError: a document's source was never put, or a chunk's id stands twice.
        """
        now = datetime.now(UTC).isoformat(timespec="seconds")
        made = []
        for document, chunks, edges in items:
            if document.source not in self._state.sources:
                raise StoreError(f"no source named {document.source!r} was recorded before its documents")
            if len({chunk.id for chunk in chunks}) < len(chunks):
                raise StoreError("a chunk's id stands twice")
            keyed = [(self._state.edge_keys + n, edge) for n, edge in enumerate(edges, start=1)]
            self._state.edge_keys += len(edges)
            made.append(held_document(document, chunks, keyed, indexed_at=now))
        for held in made:
            old = self._state.documents.get(held.document.id)
            known = {one.chunk.id: one for one in old.chunks} if old is not None else {}
            held = replace(
                held, chunks=tuple(_as_veiled(one, held.document, known.get(one.chunk.id)) for one in held.chunks)
            )
            for key, _ in old.edges if old is not None else ():
                self._state.targets.pop(key, None)
            self._state.documents[held.document.id] = held

    def remove_documents(self, ids: Collection[DocumentId]) -> None:
        """Remove documents with their chunks and edges. Unknown ids are ignored."""
        state = self._state
        gone = {id for id in ids if id in state.documents}
        keys = {key for id in gone for key, _ in state.documents[id].edges}
        state.targets = {key: to for key, to in state.targets.items() if key not in keys and to not in gone}
        for id in gone:
            del state.documents[id]

    def refresh(
        self,
        *,
        stats: Mapping[DocumentId, FileStat | None] = {},
        classes: Mapping[DocumentId, PrivacyClass] = {},
    ) -> None:
        """Change stamps and classes of unchanged documents, embedding nothing."""
        documents = self._state.documents
        for id, stat in stats.items():
            if id in documents:
                documents[id] = replace(documents[id], document=replace(documents[id].document, stat=stat))
        for id, class_ in classes.items():
            if id in documents:
                document = replace(documents[id].document, class_=class_)
                chunks = tuple(held_chunk(replace(c.chunk, class_=class_), document) for c in documents[id].chunks)
                documents[id] = replace(documents[id], document=document, chunks=chunks)

    def mark_boilerplate(self, hashes: Mapping[PrivacyClass, Collection[str]]) -> None:
        """Declare which text keys are boilerplate: those under OPEN to everyone, the others only with personal."""
        marks = dict.fromkeys(hashes.get(PrivacyClass.PERSONAL, ()), PrivacyClass.PERSONAL)
        self._state.boilerplate = marks | dict.fromkeys(hashes.get(PrivacyClass.OPEN, ()), PrivacyClass.OPEN)

    def veil(self, veils: Mapping[ChunkId, Veil]) -> None:
        """Make these the only veils: by these texts alone an open request finds such a chunk."""
        for id, held in self._state.documents.items():
            chunks = tuple(_veiled(one, held.document, veils.get(one.chunk.id)) for one in held.chunks)
            self._state.documents[id] = replace(held, chunks=chunks)

    def put_vectors(self, space: str, vectors: Sequence[tuple[str, Vector]]) -> None:
        """Store checked vectors by key.

        Raises:
            ValueError: a vector has another width than the others of its space.
        """
        held = self._state.vectors.get(clean(space), {})
        new = {key: np.array(vector, dtype=np.float32) for key, vector in vectors}
        if len({vector.shape for vector in (*held.values(), *new.values())}) > 1:
            raise ValueError("vectors of one space differ in width")
        if new:
            self._state.vectors[clean(space)] = held | new

    def put_faults(self, source: str, faults: Sequence[Fault]) -> None:
        """Make `faults` the source's only ones."""
        self._state.faults[source] = tuple(
            replace(fault, path=clean(fault.path), reason=clean(fault.reason)) for fault in faults
        )

    def set_space(self, space: str, probe: Vector) -> None:
        """Declare the space that searches use from now on; other spaces' vectors are dropped."""
        self._state.space = (clean(space), np.array(probe, dtype=np.float32))
        self._state.vectors = {name: held for name, held in self._state.vectors.items() if name == clean(space)}

    def set_targets(self, targets: Mapping[int, DocumentId | None]) -> None:
        """Point edges at documents, or at nothing. Unknown edges are ignored, an unknown document is nothing."""
        keys = {key for held in self._state.documents.values() for key, _ in held.edges}
        for key, target in targets.items():
            self._state.targets.pop(key, None)
            if key in keys and target is not None and target in self._state.documents:
                self._state.targets[key] = target

    def finish_run(self, source: str, *, at: str) -> None:
        """Stamp a source as completely synced at `at` (ISO, UTC)."""
        if source in self._state.sources:
            self._state.sources[source].last_run = at

    def prune(self) -> None:
        """Drop vectors that no chunk refers to, and sources that have no documents and were not put since `write`."""
        state = self._state
        keys = {chunk.key for _, chunk in state.chunks()}
        state.vectors = {
            name: {key: vector for key, vector in held.items() if key in keys} for name, held in state.vectors.items()
        }
        used = {held.document.source for held in state.documents.values()} | self._put
        for name in [name for name in state.sources if name not in used]:
            del state.sources[name]
            state.faults.pop(name, None)

    def set_note(self, key: str, value: str) -> None:
        """Keep a small named value with the index."""
        self._state.notes[clean(key)] = clean(value)


def _veiled(chunk: HeldChunk, document: Document, veil: Veil | None) -> HeldChunk:
    """Return a chunk under a veil, or without one."""
    own = held_chunk(chunk.chunk, document)
    if veil is None or chunk.chunk.class_ is PrivacyClass.PERSONAL:
        return own
    known = held_chunk(replace(chunk.chunk, text=veil.text, lead=veil.lead, prelude=veil.prelude), document)
    return replace(own, veiled=replace(known, key=None, hash=own.hash, text_key=own.text_key))


def _as_veiled(chunk: HeldChunk, document: Document, before: HeldChunk | None) -> HeldChunk:
    """Return a chunk under the veil that it had, if it is the same; one that is new and has links is covered whole."""

    def texts(held: HeldChunk) -> tuple[object, ...]:
        return held.chunk.class_, held.chunk.text, held.chunk.lead, held.chunk.prelude

    if before is None or texts(chunk) != texts(before):
        return _veiled(chunk, document, Veil(text="", lead="", prelude="") if may_link(chunk.chunk.text) else None)
    return replace(chunk, veiled=before.veiled)
