"""Protocols between the core and everything that is held open: sources, the index, models.

Each promise written here is a test in `askwell.testing`: one conformance suite a port, run over every
implementation. Cores call ports; ports never call cores.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

from askwell.types import (
    Arm,
    Chunk,
    Document,
    Edge,
    EdgeKind,
    FileStat,
    Filter,
    Kind,
    Lines,
    Listing,
    Metadata,
    PrivacyClass,
    RawFile,
    Sighting,
    SourceType,
    Usage,
)

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    import numpy as np
    import numpy.typing as npt

    from askwell.ids import ChunkId, DocumentId

    Vector: TypeAlias = npt.NDArray[np.float32]  # float32[d], L2-normalised
    Matrix: TypeAlias = npt.NDArray[np.float32]  # float32[n, d], C-contiguous, rows L2-normalised

# ---- sources ------------------------------------------------------------------------------------


class Source(Protocol):
    """A named place that documents come from. Nothing is ever written to it or executed from it."""

    @property
    def name(self) -> str:
        """Its name in citations, filters and document identities."""
        ...

    @property
    def type(self) -> SourceType:
        """How it is listed."""
        ...

    def list(self) -> Listing:
        """List every document, in path order.

        Raises:
            SourceError: the source as a whole cannot be listed.
        """
        ...

    def read(self, path: str) -> RawFile:
        """Read one listed document by its identity path; bytes and stat come from one open file.

        Raises:
            UnreadableFile: it is gone, refused, grew past the size limit or is no regular file.
        """
        ...

    def watched(self) -> Sequence[bytes]:
        """Return absolute on-disk paths whose stats decide what `list` and `read` return; call it after `list`.

        As long as no stat of theirs changes, neither does any document. Empty where a source cannot tell.
        """
        ...


# ---- the index ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexedState:
    """What a sync needs to know of one indexed document to decide what to do with it."""

    id: DocumentId
    source: str
    path: str
    content: str
    change_key: str
    stat: FileStat | None  # None: must be read again
    class_: PrivacyClass
    sensitivity: str | None  # as in Metadata: classes are recomputed from these without reading
    sensitivity_fault: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A file that failed or was held back in the last run."""

    source: str
    path: str
    reason: str
    status: Literal["failed", "skipped"]
    class_: PrivacyClass  # by path rules; a personal path's fault is invisible to an open request


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredEdge:
    """An edge with the key that `Writer.set_targets` takes."""

    key: int
    origin: DocumentId
    edge: Edge
    target: DocumentId | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Name:
    """By what a document can be linked or mentioned."""

    id: DocumentId
    source: str
    path: str
    title: str
    aliases: tuple[str, ...]
    permalink: str
    defines: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedEdge:
    """An edge as the index knows it now."""

    edge: Edge
    origin: DocumentId
    target: DocumentId | None  # None: unresolved, or a tag


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentInfo:
    """A document without its text."""

    id: DocumentId
    source: str
    path: str
    title: str
    kind: Kind
    class_: PrivacyClass
    format: str
    metadata: Metadata
    chunks: int
    lines: int
    indexed_at: str  # ISO, UTC


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceInfo:
    """One source's share of the index, counted within a filter's classes."""

    name: str
    type: SourceType
    root: str
    documents: int
    chunks: int
    failed: int
    skipped: int
    last_run: str  # ISO, UTC; empty if a run never finished


@dataclass(frozen=True, slots=True)
class Pending:
    """A text that has no vector yet."""

    key: str  # ids.fingerprint(embed_text)
    text: str
    class_: PrivacyClass  # personal if any chunk with this text is


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


@dataclass(frozen=True, slots=True, kw_only=True)
class LexicalQuery:
    """A question as the lexical arm reads it: analysed terms with weights, none of them an operator."""

    terms: Mapping[str, float]  # analysed term → weight > 0; empty finds nothing


# ---- models -------------------------------------------------------------------------------------


class Embedder(Protocol):
    """Text to vectors. Query and document sides may use different prefixes."""

    @property
    def space(self) -> str:
        """Name of the vector space: model, revision, prefixes, dimension. Vectors mix only within one space."""
        ...

    @property
    def max_tokens(self) -> int:
        """The window: tokens of one text that the model reads, special tokens not counted."""
        ...

    @property
    def trust(self) -> Trust:
        """Whether texts stay with the user."""
        ...

    def count_tokens(self, text: str) -> int:
        """Return how many tokens of the window `text` takes; an upper bound where the tokenizer is not known."""
        ...

    def embed_query(self, text: str) -> Vector:
        """Return float32[d], L2-normalised.

        Raises:
            ModelUnavailable: it cannot be reached. ModelRefused: what it returned is not a usable vector.
        """
        ...

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        """Return float32[n, d], L2-normalised, in order. An empty input makes no request.

        Raises:
            InputTooLong: a text is over the window of a model that refuses instead of cutting.
            ModelUnavailable, ModelRefused: as above; also for a wrong count, width or order, NaN and zero vectors.
        """
        ...


Trust: TypeAlias = Literal["local", "cloud"]


@dataclass(frozen=True, slots=True)
class Message:
    """One turn as a model reads it."""

    role: Literal["system", "user", "assistant"]
    content: str


class Generator(Protocol):
    """A chat model."""

    @property
    def name(self) -> str:
        """The model's id, for records."""
        ...

    @property
    def trust(self) -> Trust:
        """Whether prompts stay with the user."""
        ...

    def stream(self, messages: Sequence[Message]) -> Generation:
        """Start one completion. Raises as soon as it is known that nothing will come.

        Raises:
            ModelUnavailable: refused connection, timeout, broken off. ModelRefused: an unusable reply.
        """
        ...


class Generation(Protocol):
    """A running completion. `close()` cancels the request; iterating raises like `Generator.stream`."""

    def __iter__(self) -> Iterator[str]:
        """Yield text as it arrives; ends only when the model said that it was done."""
        ...

    def close(self) -> None:
        """Cancel. Idempotent."""
        ...

    @property
    def usage(self) -> Usage:
        """Tokens as the server counted them, once the iteration has ended."""
        ...

    @property
    def finish(self) -> Finish:
        """Why the model stopped, once the iteration has ended."""
        ...


Finish: TypeAlias = Literal["stop", "length", "filtered"]
"""Its own decision; the output limit; the server's content filter. After the last two the text is not complete."""


class Reranker(Protocol):
    """Scores passages against a question."""

    @property
    def trust(self) -> Trust:
        """Whether texts stay with the user."""
        ...

    def rerank(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """Return one relevance a text, higher is better, in order. An empty input makes no request."""
        ...


Progress: TypeAlias = Callable[[str, int, int], None]
"""Called with (phase, done, total) as work advances; cheap to call often."""

__all__ = [
    "Arm",
    "DocumentInfo",
    "Embedder",
    "Fault",
    "Finish",
    "Generation",
    "Generator",
    "IndexedState",
    "LexicalQuery",
    "Lines",
    "Message",
    "Pending",
    "Progress",
    "Reranker",
    "ResolvedEdge",
    "Source",
    "SourceInfo",
    "Store",
    "Trust",
    "Writer",
]
