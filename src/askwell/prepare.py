"""One file's bytes → its document, chunks and edges. Pure but for the functions it is handed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from askwell.chunk import chunks
from askwell.errors import UnreadableFile
from askwell.ids import content_hash, document_id
from askwell.links.mentions import calls, mentions
from askwell.links.topics import is_topic_path, topics
from askwell.parse.decode import decode
from askwell.parse.kinds import kind_of
from askwell.parse.registry import parse
from askwell.privacy import class_of
from askwell.rules import change_key
from askwell.types import Document, EdgeKind

if TYPE_CHECKING:
    from askwell.rules import Rules
    from askwell.types import Chunk, Edge, RawFile


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """What goes into the index for one file, in one piece."""

    document: Document
    chunks: tuple[Chunk, ...]
    edges: tuple[Edge, ...]
    note: str  # why a fall-back parser was used, empty if none was


def readable(file: RawFile) -> str:
    """Return a file's text.

    Raises:
        UnreadableFile: the bytes are no text.
    """
    text = decode(file.raw)
    if "\0" in text[:8192]:
        raise UnreadableFile("binary content")
    return text


def prepare(file: RawFile, *, path: str, rules: Rules) -> Prepared:
    """Return what the index is given for one file.

    Raises:
        UnreadableFile: the bytes are no text.
    """
    text = rules.redact(readable(file))
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
    if is_topic_path(path, rules.topics):
        members = [replace(edge, kind=EdgeKind.TOPIC) for edge in parsed.edges if edge.kind is EdgeKind.LINK]
    else:
        members = list(topics(text, parsed.edges))
    edges = [*parsed.edges, *members]
    if parsed.format in ("script", "python"):
        edges += calls(text, path=path)
    edges += mentions(text, defined=parsed.defines)
    return Prepared(
        document=document,
        chunks=chunks(document, parsed, budget=rules.budget, size=rules.size),
        edges=tuple(edges),
        note=parsed.note,
    )
