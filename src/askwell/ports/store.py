"""The index: one process writes it, any number read it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    from askwell.ids import ChunkId, DocumentId
    from askwell.ports.models import Vector
    from askwell.ports.records import (
        DocumentInfo,
        Fault,
        IndexedState,
        LexicalQuery,
        Name,
        Pending,
        ResolvedEdge,
        SourceInfo,
        StoredEdge,
        Veil,
    )
    from askwell.types import Chunk, Document, Edge, EdgeKind, FileStat, Filter, PrivacyClass, Sighting, SourceType


class Writer(Protocol):
    """The one process that may change the index, from `Store.write()` until its context ends.

    Every method is one transaction: kill the process at any moment and the index holds whole documents.
    """

    def put_source(self, name: str, type: SourceType, root: str) -> None:
        """Record a source before its documents."""
        ...

    def put_document(self, document: Document, chunks: Sequence[Chunk], edges: Sequence[Edge]) -> None:
        """Make `chunks` and `edges` the document's only ones."""
        ...

    def put_documents(self, items: Sequence[tuple[Document, Sequence[Chunk], Sequence[Edge]]]) -> None:
        """Do `put_document` for each item, all in one transaction: fast for a first index."""
        ...

    def remove_documents(self, ids: Collection[DocumentId]) -> None:
        """Remove documents with their chunks, text-index rows and edges. Unknown ids are ignored."""
        ...

    def refresh(
        self,
        *,
        stats: Mapping[DocumentId, FileStat | None] = {},
        classes: Mapping[DocumentId, PrivacyClass] = {},
    ) -> None:
        """Change stamps and classes of unchanged documents, embedding nothing. Classes also move text-index rows."""
        ...

    def mark_boilerplate(self, hashes: Mapping[PrivacyClass, Collection[str]]) -> None:
        """Declare which text keys (`ids.text_key(chunk.text, document.path)`) are boilerplate.

        Keyed by the narrowest audience that sees it as such: OPEN counts open documents only, PERSONAL counts all.
        """
        ...

    def veil(self, veils: Mapping[ChunkId, Veil]) -> None:
        """Make these the only veils: by these texts alone an open request finds such a chunk.

        Its vector says what its whole text says, so the vector arm of an open request leaves it out. A chunk keeps
        its veil as long as its texts and class stay; a new one that may hold links is covered whole until then.
        Unknown chunks and personal ones are ignored.
        """
        ...

    def put_vectors(self, space: str, vectors: Sequence[tuple[str, Vector]]) -> None:
        """Store checked vectors by `Pending.key`. Existing keys are replaced."""
        ...

    def put_faults(self, source: str, faults: Sequence[Fault]) -> None:
        """Make `faults` the source's only ones."""
        ...

    def set_space(self, space: str, probe: Vector) -> None:
        """Declare the embedding space that searches use from now on; other spaces' vectors are dropped."""
        ...

    def set_targets(self, targets: Mapping[int, DocumentId | None]) -> None:
        """Point edges (`StoredEdge.key`) at documents, or at nothing."""
        ...

    def finish_run(self, source: str, *, at: str) -> None:
        """Stamp a source as completely synced at `at` (ISO, UTC)."""
        ...

    def prune(self) -> None:
        """Drop vectors that no chunk refers to, and sources that have no documents and are not configured."""
        ...

    def set_note(self, key: str, value: str) -> None:
        """Keep a small named value with the index (calibration, last warnings)."""
        ...


class Store(Protocol):
    """The index. Every search filters *before* it cuts: k permitted chunks come back if k exist.

    Reading takes no write lock and never waits for a writer. Every read that could reveal a document
    takes `visible`; what it does not admit does not exist: no result, count, score or error depends on it.
    """

    def close(self) -> None:
        """Release files. Idempotent."""
        ...

    def write(self, *, wait: float = 0.0) -> AbstractContextManager[Writer]:
        """Become the writer.

        Raises:
            IndexLocked: another process writes and did not finish within `wait` seconds; names its pid and since when.
        """
        ...

    # -- for a sync: sees everything, is never handed to a request
    def states(self) -> Mapping[DocumentId, IndexedState]:
        """Return what is indexed."""
        ...

    def pending(self, space: str, *, limit: int, after: str = "") -> Sequence[Pending]:
        """Return at most `limit` distinct texts of chunks that have no vector in `space`.

        Found by query, not remembered; in key order, keys greater than `after`, so that texts which cannot be
        embedded are passed over without being read again.
        """
        ...

    def names(self) -> Iterator[Name]:
        """Yield what every document can be called: what links are resolved against."""
        ...

    def edges(self) -> Iterator[StoredEdge]:
        """Yield every edge of every document."""
        ...

    def text_hashes(self) -> Iterator[tuple[str, DocumentId, PrivacyClass]]:
        """Yield `ids.text_key(chunk.text, document.path)` of every chunk: what boilerplate is counted from."""
        ...

    def space(self) -> tuple[str, Vector] | None:
        """Return the embedding space of the stored vectors and its probe vector, None before the first."""
        ...

    def note(self, key: str) -> str:
        """Return a value kept by `Writer.set_note`, empty if none."""
        ...

    # -- searching
    def search_lexical(self, terms: LexicalQuery, *, k: int, visible: Filter) -> Sequence[tuple[ChunkId, Sighting]]:
        """Return at most `k` sightings by BM25, best first, ties by chunk id. No term is an operator."""
        ...

    def search_vector(self, query: Vector, *, k: int, visible: Filter) -> Sequence[tuple[ChunkId, Sighting]]:
        """Return at most `k` sightings by cosine, exact, best first, ties by chunk id."""
        ...

    def frequencies(self, terms: Collection[str], *, visible: Filter) -> tuple[Mapping[str, int], int]:
        """Return per analysed term the number of chunks that hold it, and the number of chunks.

        Counted over the filter's classes only (its other conditions are ignored).
        """
        ...

    # -- reading
    def hits(self, ids: Sequence[ChunkId], *, visible: Filter) -> Mapping[ChunkId, tuple[Chunk, DocumentInfo]]:
        """Return chunks with their documents; invisible and unknown ids are left out."""
        ...

    def document_chunks(self, id: DocumentId, *, visible: Filter) -> Sequence[Chunk]:
        """Return a document's chunks in order; empty if it is invisible or unknown."""
        ...

    def document(self, source: str, path: str, *, visible: Filter) -> Document | None:
        """Return a document by name: NFC, or as spelt. None if it is invisible or unknown."""
        ...

    def document_by_id(self, id: DocumentId, *, visible: Filter) -> Document | None:
        """Return a document by identity. None if it is invisible or unknown."""
        ...

    def documents(self, *, visible: Filter) -> Sequence[DocumentInfo]:
        """Return the documents that a filter admits, by source and path."""
        ...

    def texts(self, ids: Collection[DocumentId], *, visible: Filter) -> Iterator[tuple[DocumentId, str]]:
        """Yield the texts of the documents among `ids`; invisible and unknown ids are left out. In no order."""
        ...

    def edges_from(self, ids: Collection[DocumentId], *, visible: Filter) -> Sequence[ResolvedEdge]:
        """Return edges whose origin is among `ids`; a target that is invisible reads as unresolved."""
        ...

    def edges_to(
        self, ids: Collection[DocumentId], *, visible: Filter, kinds: Collection[EdgeKind] = ()
    ) -> Sequence[ResolvedEdge]:
        """Return edges whose target is among `ids`, from visible origins only."""
        ...

    def sections(self, *, visible: Filter) -> Sequence[str]:
        """Return the section names of the chunks that a filter admits, sorted: what `--section` may name."""
        ...

    def unresolved(self, *, visible: Filter) -> Sequence[ResolvedEdge]:
        """Return every link, embed and topic edge without a target, from visible origins."""
        ...

    def same_text(self, ids: Sequence[ChunkId], *, visible: Filter) -> Mapping[ChunkId, Sequence[ChunkId]]:
        """Return per chunk the other visible chunks whose stripped text is the same."""
        ...

    # -- describing
    def sources(self, *, visible: Filter) -> Sequence[SourceInfo]:
        """Return each source's counts within the filter's classes."""
        ...

    def faults(self, *, visible: Filter) -> Sequence[Fault]:
        """Return failed and skipped files of the filter's classes."""
        ...

    def vector_counts(self, *, visible: Filter) -> tuple[int, int]:
        """Return how many chunks have a vector in the current space, and how many wait for one."""
        ...
