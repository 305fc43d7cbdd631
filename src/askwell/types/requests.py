"""What a request may see and what it asks for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from askwell.types.words import Kind, PrivacyClass, Profile

if TYPE_CHECKING:
    from askwell.types.rankings import Location


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One earlier question of a conversation with what was answered.

    `classes` is what the turn was allowed to see, whatever it showed: its words may be personal if a personal document
    could be seen. It has no default, and who does not know (a transcript that a client sends) says every class.
    """

    question: str
    answer: str  # as shown, without the line that names the profile
    outcome: Literal["answer", "abstention"]
    classes: frozenset[PrivacyClass]
    profile: Profile = Profile.DOCS
    cited: tuple[Location, ...] = ()  # the lines that the answer cited, in order
    query: str = ""  # what was searched for, where a follow-up was completed; empty if it was `question`
    offered: tuple[str, ...] = ()  # the questions that it suggested instead
    web: bool = False  # whether text from the web was shown to it
