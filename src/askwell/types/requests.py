"""What a request may see and what it asks for."""

from __future__ import annotations

from dataclasses import dataclass

from askwell.types.words import Kind, PrivacyClass


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
