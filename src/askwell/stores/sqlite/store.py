"""The index as one SQLite file: everything that `ports.Store` promises to readers."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeVar

from askwell.errors import StoreError
from askwell.stores.conditions import clean
from askwell.stores.sqlite import describing, graph, lexical, reading
from askwell.stores.sqlite.connection import Readers, select
from askwell.stores.sqlite.filters import OPEN_ONLY
from askwell.types import Filter, PrivacyClass

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
    from pathlib import Path

    import apsw

    from askwell.ids import ChunkId, DocumentId
    from askwell.ports import (
        DocumentInfo,
        Fault,
        IndexedState,
        LexicalQuery,
        Name,
        Pending,
        ResolvedEdge,
        SourceInfo,
        StoredEdge,
        Vector,
        Writer,
    )
    from askwell.stores.sqlite.vectors import VectorSearch
    from askwell.types import Chunk, Document, EdgeKind, Sighting

_T = TypeVar("_T")
_BATCH = 5_000
_TEXTS = 500
_REMEMBERED = 64
_REMEMBERED_TERMS = 20_000


class SqliteStore:
    """An open index. Safe to share between threads: each read has a connection to itself."""

    def __init__(self, path: Path, *, read_only: bool) -> None:
        self._path = path
        self._read_only = read_only
        self._readers = Readers(path)
        self._vectors: VectorSearch | None = None
        self._counted: dict[object, tuple[object, Any]] = {}  # Any: a key always stands for one kind of count

    def close(self) -> None:
        """Release files. Idempotent."""
        self._readers.close()
        if self._vectors is not None:
            self._vectors.forget()

    @contextmanager
    def write(self, *, wait: float = 0.0) -> Iterator[Writer]:
        """Become the writer.

        Raises:
            IndexLocked: another process writes and did not finish within `wait` seconds.
            StoreError: the store was opened for reading, or cannot be written.
        """
        from askwell.stores.sqlite.lock import writer_lock
        from askwell.stores.sqlite.writer import writing

        if self._read_only:
            raise StoreError(f"the index {str(self._path)!r} was opened for reading only")
        now = datetime.now(UTC).isoformat(timespec="seconds")
        with writer_lock(self._path, wait=wait, since=now), writing(self._path) as writer:
            yield writer

    # -- for a sync

    def states(self) -> Mapping[DocumentId, IndexedState]:
        """Return what is indexed."""
        with self._readers.reading() as db:
            return describing.states(db)

    def pending(self, space: str, *, limit: int, after: str = "") -> Sequence[Pending]:
        """Return at most `limit` distinct texts of chunks that have no vector in `space`, keys after `after`."""
        with self._readers.reading() as db:
            return describing.pending(db, space, limit=limit, after=after)

    def names(self) -> Iterator[Name]:
        """Yield what every document can be called."""
        return self._batched(describing.names)

    def edges(self) -> Iterator[StoredEdge]:
        """Yield every edge of every document."""
        return self._batched(_keyed_edges)

    def text_hashes(self) -> Iterator[tuple[str, DocumentId, PrivacyClass]]:
        """Yield the text key of every chunk with its document and class."""
        return self._batched(describing.text_hashes)

    def space(self) -> tuple[str, Vector] | None:
        """Return the embedding space and its probe vector, None before the first."""
        with self._readers.reading() as db:
            found = select(db, "SELECT name, probe FROM space WHERE current")
        if not found:
            return None
        import numpy as np

        name, probe = found[0]
        return name, np.frombuffer(probe, dtype="<f4").astype(np.float32)

    def note(self, key: str) -> str:
        """Return a value kept by `Writer.set_note`, empty if none."""
        with self._readers.reading() as db:
            found = select(db, "SELECT value FROM note WHERE key = ?", (clean(key),))
        return found[0][0] if found else ""

    # -- searching

    def search_lexical(self, terms: LexicalQuery, *, k: int, visible: Filter) -> Sequence[tuple[ChunkId, Sighting]]:
        """Return at most `k` sightings by BM25, best first, ties by chunk id."""
        with self._readers.reading() as db:
            return lexical.search(
                db, terms.terms, k=k, visible=visible, chunks=self._chunks(db, visible), counts=self._term_counts(db)
            )

    def search_vector(self, query: Vector, *, k: int, visible: Filter) -> Sequence[tuple[ChunkId, Sighting]]:
        """Return at most `k` sightings by cosine, exact, best first, ties by chunk id."""
        with self._readers.reading() as db:
            if self._vectors is None:
                from askwell.stores.sqlite.vectors import VectorSearch

                self._vectors = VectorSearch(self._path)
            return self._vectors.search(db, query, k=k, visible=visible)

    def frequencies(self, terms: Collection[str], *, visible: Filter) -> tuple[Mapping[str, int], int]:
        """Return per term the number of chunks of the filter's classes that hold it, and the number of chunks."""
        with self._readers.reading() as db:
            held = lexical.frequencies(db, terms, visible=visible, counts=self._term_counts(db))
            if not visible.classes:
                return held, 0
            total = self._chunks(db, visible)
            if visible.classes == frozenset({PrivacyClass.PERSONAL}):
                total -= self._chunks(db, Filter(classes=OPEN_ONLY))
            return held, total

    # -- reading

    def hits(self, ids: Sequence[ChunkId], *, visible: Filter) -> Mapping[ChunkId, tuple[Chunk, DocumentInfo]]:
        """Return chunks with their documents, in the order of `ids`; invisible and unknown ids are left out."""
        with self._readers.reading() as db:
            return reading.hits(db, ids, visible=visible)

    def document_chunks(self, id: DocumentId, *, visible: Filter) -> Sequence[Chunk]:
        """Return a document's chunks in order; empty if it is invisible or unknown."""
        with self._readers.reading() as db:
            return reading.document_chunks(db, id, visible=visible)

    def document(self, source: str, path: str, *, visible: Filter) -> Document | None:
        """Return a document by name: NFC, or as spelt. None if it is invisible or unknown."""
        with self._readers.reading() as db:
            return reading.document(db, source, path, visible=visible)

    def document_by_id(self, id: DocumentId, *, visible: Filter) -> Document | None:
        """Return a document by identity. None if it is invisible or unknown."""
        with self._readers.reading() as db:
            return reading.document_by_id(db, id, visible=visible)

    def documents(self, *, visible: Filter) -> Sequence[DocumentInfo]:
        """Return the documents that a filter admits, by source and path."""
        with self._readers.reading() as db:
            return reading.documents(db, visible=visible)

    def texts(self, ids: Collection[DocumentId], *, visible: Filter) -> Iterator[tuple[DocumentId, str]]:
        """Yield the texts of the documents among `ids`; no transaction is held open while the caller works on one."""
        wanted = list(ids)
        for start in range(0, len(wanted), _TEXTS):
            with self._readers.reading() as db:
                batch = reading.texts(db, wanted[start : start + _TEXTS], visible=visible)
            yield from batch

    def edges_from(self, ids: Collection[DocumentId], *, visible: Filter) -> Sequence[ResolvedEdge]:
        """Return edges whose origin is among `ids`; a target that is invisible reads as unresolved."""
        with self._readers.reading() as db:
            return graph.edges_from(db, ids, visible=visible)

    def edges_to(
        self, ids: Collection[DocumentId], *, visible: Filter, kinds: Collection[EdgeKind] = ()
    ) -> Sequence[ResolvedEdge]:
        """Return edges whose target is among `ids`, from visible origins only."""
        with self._readers.reading() as db:
            return graph.edges_to(db, ids, visible=visible, kinds=kinds)

    def unresolved(self, *, visible: Filter) -> Sequence[ResolvedEdge]:
        """Return every link, embed and topic edge without a visible target, from visible origins."""
        with self._readers.reading() as db:
            return graph.unresolved(db, visible=visible)

    def sections(self, *, visible: Filter) -> Sequence[str]:
        """Return the section names of the chunks that a filter admits, sorted."""
        with self._readers.reading() as db:
            return describing.sections(db, visible=visible)

    def same_text(self, ids: Sequence[ChunkId], *, visible: Filter) -> Mapping[ChunkId, Sequence[ChunkId]]:
        """Return per chunk the other visible chunks whose stripped text is the same; none is left out."""
        with self._readers.reading() as db:
            return reading.same_text(db, ids, visible=visible)

    # -- describing

    def sources(self, *, visible: Filter) -> Sequence[SourceInfo]:
        """Return each source's counts within the filter's classes."""
        with self._readers.reading() as db:
            return describing.sources(db, visible=visible)

    def faults(self, *, visible: Filter) -> Sequence[Fault]:
        """Return failed and skipped files of the filter's classes."""
        with self._readers.reading() as db:
            return describing.faults(db, visible=visible)

    def vector_counts(self, *, visible: Filter) -> tuple[int, int]:
        """Return how many chunks have a vector in the current space, and how many wait for one."""
        with self._readers.reading() as db:
            return self._counted_once(db, visible, lambda: describing.vector_counts(db, visible=visible))

    # -- within

    def _chunks(self, db: apsw.Connection, visible: Filter) -> int:
        """Return how many chunks the text index of an audience has."""
        key = "open" if visible.classes == OPEN_ONLY else "all"
        return self._counted_once(db, key, lambda: lexical.count_chunks(db, visible))

    def _term_counts(self, db: apsw.Connection) -> lexical.TermCounts:
        """Return what was counted of terms since the index has changed: one search asks for each of its terms twice."""
        counts = self._counted_once(db, "terms", lexical.TermCounts)
        if len(counts) >= _REMEMBERED_TERMS:
            counts.clear()
        return counts

    def _counted_once(self, db: apsw.Connection, key: object, count: Callable[[], _T]) -> _T:
        """Return a count, taken again only when the index has changed."""
        now = select(
            db, "SELECT s.value, c.value FROM stamp s, counter c WHERE s.name = 'index' AND c.name = 'generation'"
        )
        known = self._counted.get(key)
        if known is None or known[0] != now[0]:
            if len(self._counted) >= _REMEMBERED:
                self._counted.clear()
            known = self._counted[key] = (now[0], count())
        return known[1]

    def _batched(self, read: Callable[..., list[tuple[int, _T]]]) -> Iterator[_T]:
        """Yield items in batches by row id. No transaction is held open while the caller works on one."""
        last = 0
        while True:
            with self._readers.reading() as db:
                batch = read(db, after=last, limit=_BATCH)
            if not batch:
                return
            yield from (item for _, item in batch)
            last = batch[-1][0]


def _keyed_edges(db: apsw.Connection, *, after: int, limit: int) -> list[tuple[int, StoredEdge]]:
    return [(edge.key, edge) for edge in graph.stored_edges(db, after=after, limit=limit)]
