"""From what a source says to what the index is given."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from askwell.ids import ChunkId, DocumentId
    from askwell.types.words import Kind, Lines, PrivacyClass, Span


@dataclass(frozen=True, slots=True)
class FileStat:
    """What may be compared to skip *reading* a file. All zero where a source has no files."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One document that a source lists."""

    path: str  # identity: NFC, `/`-separated, relative to the source's root, valid UTF-8
    stat: FileStat


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """One file that a source lists or meets, and holds back, with the reason a person reads."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """Everything a source has right now.

    `incomplete` is empty when every part of the source could be listed; else it says what could not.
    Nothing is deleted from the index on the word of an incomplete listing.
    """

    entries: tuple[Entry, ...]
    skipped: tuple[Skipped, ...] = ()
    incomplete: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RawFile:
    """A file's bytes and the stat of the same open file: text and stamp never come from two reads.

    `settled` is False when the file was modified so shortly before it was read that an edit could
    still hide behind the same stamp; such a stat is not kept.
    """

    raw: bytes
    stat: FileStat
    settled: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """What a document says of itself, mostly in frontmatter. Wrong shapes are dropped, never an error."""

    aliases: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()  # without `#`, case kept, nested tags as `a/b`
    permalink: str = ""
    created: str = ""  # ISO date or date-time as written, empty if none
    updated: str = ""
    sensitivity: str | None = None  # the flag as written; None when there is no such key
    sensitivity_fault: bool = False  # frontmatter unreadable, or the key duplicated or not a string


class EdgeKind(StrEnum):
    """Why one document points at another."""

    LINK = "link"  # a wikilink or a Markdown link
    EMBED = "embed"  # `![[…]]`, an include: what it brings in is shown inside the document
    TOPIC = "topic"  # from a topic note to its member
    TAG = "tag"  # to a tag, which is no document: target is `#tag`
    CALL = "call"  # a script calls a script
    MENTION = "mention"  # a document names a setting that another defines


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """One document's pointer to another, as written: resolution is the index's, done when both are known."""

    kind: EdgeKind
    target: str  # as written, decoded: `Folder/Note`, `../x.md`, `backup.sh`, `#tag`, `SETTING_NAME`
    fragment: str = ""  # heading text, or `^block-id`
    alias: str = ""  # the text shown in place of the target
    line: int = 1  # where it stands, 1-based


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """The smallest piece a parser will not cut: a paragraph, a table, a fence, a named paragraph, a variable.

    Blocks of a document are in order and disjoint. `own` asks the chunker never to merge the block with
    a neighbour. `lead` is verbatim text from elsewhere in the document that a later piece of this block
    repeats to be understood (a table's header rows, a fence's opening line).
    """

    span: Span
    headings: tuple[str, ...] = ()  # heading path, outermost first, a top heading that is the title included
    section: str = ""  # name of the section it stands in: `CONFIGURATION`, or the nearest heading
    role: Literal["heading", "prose", "table", "fence", "list", "quote", "setting", "code", "data", "comment"] = "prose"
    own: bool = False
    lead: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """What a parser made of one file's text."""

    format: str  # `markdown`, `script`, `template`, `yaml`, `json`, `python`, `text`
    title: str
    blocks: tuple[Block, ...]
    metadata: Metadata = Metadata()
    edges: tuple[Edge, ...] = ()
    defines: tuple[str, ...] = ()  # names that others may mention: settings, variables
    anchors: Mapping[str, Lines] = field(default_factory=dict)  # `^block-id` and heading slug → its lines
    note: str = ""  # why a fall-back parser was used, empty if none was


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One file or note, whole."""

    id: DocumentId
    source: str
    path: str
    title: str
    text: str  # decoded and redacted; as many lines as the file on disk, every line end `\n`
    kind: Kind
    class_: PrivacyClass
    format: str
    metadata: Metadata
    content: str  # hash of the bytes on disk
    change_key: str  # content, parser version and chunking rules: what a sync compares
    stat: FileStat | None  # None: too young to be trusted, read again next time
    anchors: Mapping[str, Lines] = field(default_factory=dict)
    defines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """The unit that is embedded and ranked. ``text == span.slice(document.text)``, always."""

    id: ChunkId
    document_id: DocumentId
    ordinal: int  # 0-based position in the document
    span: Span
    lines: Lines
    headings: tuple[str, ...]
    section: str
    kind: Kind
    class_: PrivacyClass
    text: str
    lead: str  # repeated context (table header …), not part of `text`, shown before it
    prelude: str  # title, path, headings, topics, dates: searched, never shown as the document
    embed_text: str  # exactly what the embedder is given; empty for a chunk that is not embedded
    boilerplate: bool = False  # stands in many documents; findable, but does not fill results
