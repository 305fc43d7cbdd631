"""The parts of a language's counting and listing questions, and how a criterion is read from one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from askwell.ask.listing import arguments
from askwell.ask.listing.query import FORMS, Dated, Mentions, PointsTo, Tagged

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from askwell.ask.listing.arguments import Reader
    from askwell.ask.listing.query import Criterion, Field, Form, Pointing, What

_T = TypeVar("_T")

Maker: TypeAlias = "Callable[[str, bool], Criterion | None]"
Noun: TypeAlias = "tuple[What, bool]"
"""What it means, and whether it is a plural."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """A criterion's words: what stands before its argument, how that is read, and what stands after it."""

    before: str
    argument: Reader
    make: Maker
    after: str
    of_settings: bool

    def read(self, text: str, at: int) -> Iterator[tuple[Criterion, int]]:
        """Yield what the words at `at` may mean, each with where it ends; the shortest argument first."""
        before = _compiled(self.before).match(text, at)
        if before is None:
            return
        for value, sure, end in self.argument(text, before.end()):
            after = _compiled(self.after).match(text, end)
            if after is not None and (criterion := self.make(value, sure)) is not None:
                yield criterion, after.end()


@dataclass(frozen=True, slots=True, kw_only=True)
class Grammar:
    """One language's words, as regular expressions without anchors.

    Attributes:
        determiners: What may stand before the noun; a group `every` says that all are meant.
        adjectives: Word → a privacy class, or `untagged`.
        nouns: As `nouns` makes them.
        criteria: In the order in which they are tried.
        conjunction: The word for `and`.
        scope: Words for everything that is indexed; tried before any criterion.
        fillers: Words that add nothing; tried last.
    """

    determiners: str
    adjectives: Mapping[str, str]
    nouns: Mapping[str, Noun]
    criteria: tuple[Pattern, ...]
    conjunction: str
    scope: str
    fillers: str

    def determiner(self, text: str, at: int) -> tuple[bool, int] | None:
        """Return whether the determiner at `at` means all of them, and where it ends."""
        found = _compiled(rf"(?:{self.determiners}) +").match(text, at)
        return (found["every"] is not None, found.end()) if found else None

    def form(self, text: str, at: int) -> tuple[Form, int] | None:
        """Return the format or language that is named at `at`, and where it ends."""
        found = _compiled(_FORM).match(text, at)
        return (FORMS[found["form"].lower()], found.end()) if found else None

    def adjective(self, text: str, at: int) -> tuple[str, int] | None:
        """Return what the adjective at `at` means and where it ends."""
        return _looked_up(self.adjectives, text, at)

    def noun(self, text: str, at: int) -> tuple[Noun, int] | None:
        """Return what the noun at `at` means and where it ends."""
        return _looked_up(self.nouns, text, at)

    def joint(self, text: str, at: int) -> int | None:
        """Return where an `and` at `at` ends."""
        found = _compiled(rf"(?: *, *| +){self.conjunction} +|, *").match(text, at)
        return found.end() if found else None

    def everywhere(self, text: str, at: int) -> int | None:
        """Return where words for all that is indexed end, if they stand at `at`."""
        found = _compiled(rf"[ ,]*(?:{self.scope})(?![\w'-])").match(text, at)
        return found.end() if found else None

    def filler(self, text: str, at: int) -> int | None:
        """Return where a filler at `at` ends, None if there is none."""
        found = _compiled(rf"[ ,]*(?:{self.fillers})(?![\w'-])").match(text, at)
        return found.end() if found else None


@cache
def _compiled(expression: str) -> re.Pattern[str]:
    return re.compile(expression, re.IGNORECASE)


_FORM = f"[`']?(?P<form>{'|'.join(sorted(map(re.escape, FORMS), key=len, reverse=True))})[`']?[ -]"


def pattern(before: str, argument: Reader, make: Maker, after: str = "", *, of_settings: bool = False) -> Pattern:
    """Return a criterion from the words before and after its argument."""
    gap = r"(?![\w-])" if argument is arguments.nothing else " +"
    return Pattern(
        before=rf"[ ,]*(?:{before}){gap}",
        argument=argument,
        make=make,
        after=rf" +(?:{after})(?![\w-])" if after else "",
        of_settings=of_settings,
    )


def nouns(**words: str) -> dict[str, Noun]:
    """Return nouns by their spelling: `note="note|notes"`, the singulars before a `;`, the plurals after it."""
    found: dict[str, Noun] = {}
    for what, spelled in words.items():
        singular, _, plural = spelled.partition(";")
        for spellings, is_plural in ((singular, False), (plural, True)):
            meaning: What = what  # type: ignore[assignment]  # the keywords are written as `What` has them
            found.update((spelling.strip(), (meaning, is_plural)) for spelling in spellings.split("|") if spelling)
    return found


def tagged(value: str, _sure: bool) -> Criterion | None:
    """Make a criterion on tags."""
    return Tagged(tag=value.strip("#/ ")) if value.strip("#/ ") else None


def mentions(value: str, sure: bool) -> Criterion:
    """Make a criterion on words."""
    return Mentions(text=value, sure=sure)


def mentions_word(value: str, _sure: bool) -> Criterion:
    """Make a criterion on words that the question itself calls a word, a phrase or a setting."""
    return Mentions(text=value, sure=True)


def points(by: Pointing) -> Maker:
    """Return the maker of a criterion on what a document points to."""
    return lambda value, _sure: PointsTo(name=value, by=by)


def dated(field: Field) -> Maker:
    """Return the maker of a criterion on dates."""

    def make(value: str, _sure: bool) -> Criterion:
        first, _, last = value.partition("/")
        return Dated(field=field, first=first, last=last)

    return make


def of(make: Callable[[str], Criterion]) -> Maker:
    """Return a maker of what depends on the value alone."""
    return lambda value, _sure: make(value)


_WORDS = re.compile(r"[\w'-]+(?: [\w'-]+)?")


def _looked_up(words: Mapping[str, _T], text: str, at: int) -> tuple[_T, int] | None:
    """Return what the longest of `words` at `at`, of one or two words, means and where it ends."""
    found = _WORDS.match(text, at)
    while found is not None:
        known = words.get(found[0].casefold())
        if known is not None:
            return known, found.end()
        if " " not in found[0]:
            return None
        found = _WORDS.match(text, at, at + found[0].index(" "))
    return None
