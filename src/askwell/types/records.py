"""What is kept of questions and answers, apart from the index: conversations, turns, tokens, what left the machine."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from askwell.types.answers import Usage

if TYPE_CHECKING:
    from collections.abc import Mapping

    from askwell.ids import ConversationId
    from askwell.types.requests import Turn
    from askwell.types.words import PrivacyClass, Profile

Purpose: TypeAlias = Literal["generation", "embedding", "rerank", "web search", "web page", "usage pull"]
"""What something was sent for."""

Ending: TypeAlias = Literal["answer", "abstention", "failed", "cancelled"]
"""How a turn ended; the last two without an outcome."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """Turns that belong together, as far as a reader may see them.

    Times are those of the first and last turn that is here: what is left out shows in none of the values.
    """

    id: ConversationId
    created: str  # ISO, with offset
    updated: str
    turns: tuple[Turn, ...]  # oldest first
    refused: tuple[str, ...] = ()  # stored turns that could not be read, each with the reason in words

    @property
    def title(self) -> str:
        """The first question on one line, at most 80 characters."""
        words = " ".join(self.turns[0].question.split()) if self.turns else ""
        return words if len(words) <= 80 else words[:79] + "…"


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnRecord:
    """One question and how it went, without the answer's text."""

    question: str  # empty where the words are not kept
    classes: frozenset[PrivacyClass]  # the audience: what the turn could see, and so who may read this
    ending: Ending
    profile: Profile
    at: str = ""  # ISO, with offset; set when it is recorded
    web: bool = False  # whether the web was allowed
    signals: Mapping[str, float] = field(default_factory=dict)  # those that exist: best_cosine, rare_coverage …
    reason: str = ""  # why there was no answer: the abstention's reason, or the name of the error
    sources: tuple[str, ...] = ()  # SOURCE/PATH:FIRST-LAST of what was cited, in order
    corpus: tuple[str, ...] = ()  # names of the sources that were asked
    model: str = ""
    usage: Usage = field(default_factory=Usage)
    latency_ms: float = 0.0
    tokens_per_second: float = 0.0  # from the first piece of text to the end; 0.0 where no model wrote


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerRow:
    """What one turn cost. All fields of one line of the token ledger."""

    date: str  # ISO, local
    time: str  # HH:MM:SS, local
    host: str  # where the turn ran
    profile: str
    source: str  # which interface: cli, server …
    prompt_tokens: int
    completion_tokens: int
    tokens_per_second: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerRows:
    """The rows of one or several ledgers."""

    rows: tuple[LedgerRow, ...]
    skipped: int = 0  # lines that are no rows, or rows that their file may not contribute


@dataclass(frozen=True, slots=True, kw_only=True)
class Partner:
    """Another machine's ledger, and what the last pull made of it."""

    host: str
    rows: int  # that count
    skipped: int
    pulled: str = ""  # ISO, with offset: when the copy was made; empty if there is none
    error: str = ""  # why it could not be fetched now; the copy that was there stays


@dataclass(frozen=True, slots=True, kw_only=True)
class Outgoing:
    """Something that was sent to another machine."""

    destination: str  # HOST or HOST:PORT
    purpose: Purpose
    size: int  # bytes of the request's body, or of its address where it has none
    class_: PrivacyClass  # personal if personal text may have been in it
    at: str = ""  # ISO, with offset; set when it is recorded


@dataclass(frozen=True, slots=True, kw_only=True)
class Total:
    """What some turns cost together."""

    turns: int
    prompt_tokens: int
    completion_tokens: int
    tokens_per_second: float  # 0.0 where none is known


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """The same turns in three windows that end now."""

    today: Total
    seven_days: Total  # today and the six days before
    all_time: Total


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageReport:
    """What every ledger that can be seen adds up to."""

    total: Totals
    by_host: Mapping[str, Totals]
    by_profile: Mapping[str, Totals]
    partners: tuple[Partner, ...]
    skipped: int  # lines that are no rows, or that their file may not contribute
