"""What the index says of documents, edges, files and texts without their content."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from askwell.ids import DocumentId
    from askwell.types import Edge, FileStat, Kind, Metadata, PrivacyClass, SourceType


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


@dataclass(frozen=True, slots=True, kw_only=True)
class LexicalQuery:
    """A question as the lexical arm reads it: analysed terms with weights, none of them an operator."""

    terms: Mapping[str, float]  # analysed term → weight > 0; empty finds nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class Veil:
    """What an open request may know of a chunk whose links name what such a request must not see."""

    text: str
    lead: str
    prelude: str
