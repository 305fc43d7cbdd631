"""The two outcomes of a question, and what they are made of."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Literal, TypeAlias

from askwell.types.words import Profile

if TYPE_CHECKING:
    from askwell.ids import DocumentId
    from askwell.types.rankings import Hit, Ranking
    from askwell.types.words import Lines, PrivacyClass


Reference: TypeAlias = Literal["document", "log", "record", "setting"]
"""What a place is in: an indexed document; or a file read when the question was asked, which has no source."""


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
    kind: Reference = "document"


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """A claim's pointer to lines. `quote` is verbatim text of those lines."""

    marker: int
    source: str
    path: str
    lines: Lines
    quote: str
    support: Support
    kind: Reference = "document"  # of any other kind `source` is empty and `path` is a file's own


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One sentence of an answer with the markers it cites."""

    text: str
    support: Support
    markers: tuple[int, ...]
    places: tuple[Citation, ...] = ()  # the lines that carry it best, or come nearest, whether it cites them or not
    replaced: tuple[int, ...] = ()  # markers the model gave that carry nothing; `markers` has one that does instead
    why: str = ""  # what is missing or doubtful, in a few words; empty if it is supported


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens a model counted; zero where no model was called."""

    prompt_tokens: int = 0
    completion_tokens: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """An operation in a drafted script that destroys something if it is run."""

    what: str  # its kind, such as `recursive delete`
    why: str  # what would happen, in a few words
    line: int  # 1-based, in the text that was scanned
    command: str  # as a shell would run it


@dataclass(frozen=True, slots=True, kw_only=True)
class WebQuote:
    """What a page of the web says, verbatim but for line breaks. Never evidence from the documents."""

    title: str
    url: str
    heading: str
    quote: str
    fetched: str  # ISO date


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What was answered, and what of it could be traced to the lines it cites."""

    text: str
    citations: tuple[Citation, ...]
    sentences: tuple[Sentence, ...]
    invented: int  # markers that no passage carries; they are dropped from `text`
    ranking: Ranking
    usage: Usage = Usage()
    removed: int = 0  # unsupported sentences that are left out of `text`
    contract: int = 0  # the version of the prompt's contract; 0 where no model was given passages
    scanned: int = 0  # blocks of code that were searched for destructive operations
    destructive: tuple[Finding, ...] = ()  # what was found in them, by line of `text`
    web: tuple[WebQuote, ...] = ()  # what the web adds, under its own heading at the end of `text`
    listed: str = ""  # the query that the index itself answered, completely; empty if passages answered
    profile: Profile = Profile.DOCS  # the one that answered
    routed: bool = False  # whether another profile was asked; then the first line of `text` names this one
    query: str = ""  # what was searched for, where a follow-up was completed; empty if it was the question


@dataclass(frozen=True, slots=True, kw_only=True)
class Abstention:
    """The corpus does not cover the question.

    `by` is "gate" when the evidence was too weak to answer from, "model" when the model, shown the
    passages, said so on the control line the prompt reserves, "check" when what it wrote is not carried by
    them and the settings show nothing of that kind. Never inferred from prose.
    """

    by: Literal["gate", "model", "check"]
    reason: str
    text: str  # what the reader is told
    nearest: tuple[Hit, ...]  # what came closest, never as evidence
    suggestions: tuple[str, ...]  # questions that the corpus does answer
    ranking: Ranking
    usage: Usage = Usage()
    profile: Profile = Profile.DOCS  # these three as in `Answer`
    routed: bool = False
    query: str = ""


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of answer text, as it arrives."""

    text: str


@dataclass(frozen=True, slots=True)
class Checked:
    """The verdict on a sentence, once all of it has arrived. Where it was `removed`, no delta holds its text."""

    sentence: Sentence
    removed: bool = False


Outcome: TypeAlias = Answer | Abstention
Event: TypeAlias = Delta | Checked | Answer | Abstention
