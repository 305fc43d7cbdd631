"""The nouns. Frozen values that travel one way: source → document → chunk → hit → passage → answer.

Entry       a file as a source lists it          Document   a file, read, decoded and described
Block       what a parser must not cut           Chunk      the unit embedded and ranked; verbatim text
Sighting    what one arm said of a chunk         Hit        a chunk in a ranking
Passage     a chunk in a prompt, numbered        Citation   a claim's pointer to lines
Audience    what a request may see; fixed first  Answer | Abstention   the two outcomes
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from askwell.ids import ChunkId, DocumentId


class Kind(StrEnum):
    """What sort of document: decides boosts and `--kind`, not how it is parsed."""

    HEADER = "header"
    README = "readme"
    MANUAL = "manual"
    TEMPLATE = "template"
    DOC = "doc"
    NOTE = "note"
    UI = "ui"
    CODE = "code"
    DATA = "data"


class PrivacyClass(StrEnum):
    """Who may see a document. The word is *class* everywhere a person reads it."""

    OPEN = "open"
    PERSONAL = "personal"


class Arm(StrEnum):
    """One retriever."""

    LEXICAL = "lexical"
    VECTOR = "vector"
    GRAPH = "graph"


class SourceType(StrEnum):
    """How a source is listed and read."""

    GIT = "git"
    FOLDER = "folder"
    VAULT = "vault"
    LIVESYNC = "livesync"


class CodeMode(StrEnum):
    """How much of a program file is indexed."""

    HEADERS = "headers"
    DOCSTRINGS = "docstrings"
    FULL = "full"


@dataclass(frozen=True, slots=True)
class Span:
    """Half-open character range ``[start, end)`` into ``Document.text``."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"span needs 0 <= start <= end, got {self.start}..{self.end}")

    def slice(self, text: str) -> str:
        """Return the characters of `text` this span covers."""
        return text[self.start : self.end]


@dataclass(frozen=True, slots=True)
class Lines:
    """Inclusive range of line numbers, 1-based, of the file on disk."""

    first: int
    last: int


# ---- what a source says -------------------------------------------------------------------------


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


# ---- documents and chunks -----------------------------------------------------------------------


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


# ---- a request ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Audience:
    """What a request may see and where it may be sent. Fixed before retrieval, never widened after."""

    classes: frozenset[PrivacyClass]
    allow_web: bool = False
    narrowed: str = ""  # why it sees less than was asked for, in words for the reader; empty if it does not

    @property
    def include_personal(self) -> bool:
        """Whether personal documents are visible."""
        return PrivacyClass.PERSONAL in self.classes


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """What a search may return. Every condition holds at once; an empty collection means no condition.

    `classes` has no default: whoever reads the index says what may be seen.
    """

    classes: frozenset[PrivacyClass]
    sources: frozenset[str] = frozenset()
    kinds: frozenset[Kind] = frozenset()
    sections: frozenset[str] = frozenset()  # compared case-insensitively
    paths: tuple[str, ...] = ()  # globs over the document's path, `**` crosses folders; any may match
    tags: frozenset[str] = frozenset()  # `a` also matches `a/b`; case-insensitive; any may match
    after: str = ""  # ISO date; the document's updated, else created date is on or after it
    before: str = ""


# ---- rankings -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """What one arm said about a chunk. Raw scores are never compared across arms."""

    arm: Arm
    rank: int  # 1 = best
    score: float  # the arm's own unit: bm25 (higher is better) for LEXICAL, cosine in [-1, 1] for VECTOR


@dataclass(frozen=True, slots=True, kw_only=True)
class Location:
    """Where else the same text stands."""

    source: str
    path: str
    lines: Lines


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A chunk in a ranking, with every sighting that put it there and every step that moved it."""

    chunk: Chunk
    source: str
    path: str
    title: str
    score: float  # fused; orders this ranking and means nothing outside it
    sightings: tuple[Sighting, ...] = ()
    also_at: tuple[Location, ...] = ()
    moves: tuple[str, ...] = ()  # what boosted, discounted or added it, for `--explain`

    def seen_by(self, arm: Arm) -> Sighting | None:
        """Return this hit's sighting by `arm`, or None if that arm did not return it."""
        return next((s for s in self.sightings if s.arm is arm), None)

    def moved(self, score: float, why: str) -> Hit:
        """Return a copy with a new fused score and the reason; the sightings are kept."""
        return replace(self, score=score, moves=(*self.moves, why))


@dataclass(frozen=True, slots=True, kw_only=True)
class Removed:
    """A candidate that did not make the ranking, and the step that removed it."""

    hit: Hit
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Signals:
    """Raw evidence that the corpus covers a question: what the gate reads. Never a fused score."""

    best_cosine: float | None  # None when the vector arm is missing
    cosine_margin: float | None  # best minus the mean of the vector arm's tail
    rare_coverage: float  # weight of the question's rare words that one of the best hits holds together, in [0, 1]
    rare_missing: tuple[str, ...]  # words of the question that none of the best hits holds, rarest first
    agreement: float  # share of the top hits that both arms saw, in [0, 1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """Ordered hits, best first, and how they came about."""

    question: str
    hits: tuple[Hit, ...]
    signals: Signals
    missing_arms: Mapping[Arm, str] = field(default_factory=dict)  # arm → why, in words
    removed: tuple[Removed, ...] = ()
    intents: tuple[str, ...] = ()  # what the question's shape was taken for
    timings: Mapping[str, float] = field(default_factory=dict)  # milliseconds per step
    warnings: tuple[str, ...] = ()  # what took part incompletely: chunks without vectors, a reranker that is away
    why_not: str = ""  # why the document that the reader expected is not among the hits; empty if not asked


# ---- answers ------------------------------------------------------------------------------------


class Support(StrEnum):
    """How well a sentence is carried by the lines it cites."""

    SUPPORTED = "supported"
    WEAK = "weak"
    UNSUPPORTED = "unsupported"


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A piece of one document as placed in the prompt, under the marker it must be cited by."""

    marker: int  # 1-based, dense, in prompt order
    document_id: DocumentId
    source: str
    path: str
    title: str
    headings: tuple[str, ...]
    lines: Lines
    text: str
    lead: str
    class_: PrivacyClass
    truncated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """A claim's pointer to lines. `quote` is verbatim text of those lines."""

    marker: int
    source: str
    path: str
    lines: Lines
    quote: str
    support: Support


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One sentence of an answer with the markers it cites."""

    text: str
    support: Support
    markers: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens a model counted; zero where no model was called."""

    prompt_tokens: int = 0
    completion_tokens: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What was answered, and what of it could be traced to the lines it cites."""

    text: str
    citations: tuple[Citation, ...]
    sentences: tuple[Sentence, ...]
    invented: int  # markers that no passage carries; they are dropped from `text`
    ranking: Ranking
    usage: Usage = Usage()


@dataclass(frozen=True, slots=True, kw_only=True)
class Abstention:
    """The corpus does not cover the question.

    `by` is "gate" when the evidence was too weak to answer from, "model" when the model, shown the
    passages, said so on the control line the prompt reserves. Never inferred from prose.
    """

    by: Literal["gate", "model"]
    reason: str
    text: str  # what the reader is told
    nearest: tuple[Hit, ...]  # what came closest, never as evidence
    suggestions: tuple[str, ...]  # questions that the corpus does answer
    ranking: Ranking
    usage: Usage = Usage()


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of answer text, as it arrives."""

    text: str


Outcome: TypeAlias = Answer | Abstention
Event: TypeAlias = Delta | Answer | Abstention
