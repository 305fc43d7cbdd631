"""One file's bytes → its document, chunks and edges. Pure but for the functions it is handed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from askwell.chunk import CHUNK_VERSION, chunks
from askwell.errors import UnreadableFile
from askwell.ids import content_hash, document_id, fingerprint
from askwell.links.mentions import calls, mentions
from askwell.links.topics import topics
from askwell.parse.decode import decode
from askwell.parse.kinds import kind_of
from askwell.parse.registry import PARSER_VERSION, parse
from askwell.privacy import ClassRules, class_of
from askwell.types import Chunk, CodeMode, Document, Edge, Kind, SourceType

if TYPE_CHECKING:
    from collections.abc import Callable

    from askwell.types import RawFile


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Everything besides its bytes that decides what becomes of a file of one source.

    Attributes:
        budget: Largest chunk, in the unit of `size`.
        size: Measures a chunk's embed text; in tokens of the embedder.
        redact: Replaces credential-shaped strings, keeping the number of lines.
        redaction_version: Changes when `redact` does.
    """

    source: str
    type: SourceType
    code: CodeMode
    classes: ClassRules
    budget: int
    size: Callable[[str], int]
    redact: Callable[[str], str]
    redaction_version: str
    kinds: tuple[tuple[str, Kind], ...] = ()
    header_sections: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """What a document must be parsed again for when it changes: everything but classes and bytes."""
        return fingerprint(
            PARSER_VERSION,
            CHUNK_VERSION,
            self.redaction_version,
            self.type,
            self.code,
            self.classes.sensitivity_key,
            str(self.budget),
            repr(self.kinds),
            repr(self.header_sections),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """What goes into the index for one file, in one piece."""

    document: Document
    chunks: tuple[Chunk, ...]
    edges: tuple[Edge, ...]
    note: str  # why a fall-back parser was used, empty if none was


def change_key(rules_key: str, content: str) -> str:
    """Return what a sync compares: rules first, so that stale rules are seen without reading the file."""
    return f"{rules_key}:{content}"


def prepare(file: RawFile, *, path: str, rules: Rules) -> Prepared:
    """Return what the index is given for one file.

    Raises:
        UnreadableFile: the bytes are no text.
    """
    text = rules.redact(decode(file.raw))
    if "\0" in text[:8192]:
        raise UnreadableFile("binary content")
    parsed = parse(
        text,
        path=path,
        head=file.raw[:4096],
        code=rules.code,
        sensitivity_key=rules.classes.sensitivity_key,
        **({"header_sections": rules.header_sections} if rules.header_sections else {}),
    )
    metadata = parsed.metadata
    content = content_hash(file.raw)
    document = Document(
        id=document_id(rules.source, path),
        source=rules.source,
        path=path,
        title=parsed.title,
        text=text,
        kind=kind_of(path, format=parsed.format, source_type=rules.type, patterns=rules.kinds),
        class_=class_of(path, sensitivity=metadata.sensitivity, fault=metadata.sensitivity_fault, rules=rules.classes),
        format=parsed.format,
        metadata=metadata,
        content=content,
        change_key=change_key(rules.key, content),
        stat=file.stat,
        anchors=parsed.anchors,
        defines=parsed.defines,
    )
    edges = [*parsed.edges, *topics(text, parsed.edges)]
    if parsed.format in ("script", "python"):
        edges += calls(text, path=path)
    edges += mentions(text, parsed.defines)
    return Prepared(
        document=document,
        chunks=chunks(document, parsed, budget=rules.budget, size=rules.size),
        edges=tuple(edges),
        note=parsed.note,
    )
