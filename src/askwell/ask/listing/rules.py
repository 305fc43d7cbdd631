"""The rules that read a counting or listing question: one walk over it, with its language's words.

lead ─▶ determiners, adjectives ─▶ noun ─▶ (criterion | filler)… ─▶ end
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from askwell.ask.listing import arguments
from askwell.ask.listing.query import (
    DefinedIn,
    Defines,
    Form,
    ListingQuery,
    Mentions,
    OfClass,
    PointsTo,
    Tagged,
    Takes,
    Untagged,
)
from askwell.types import PrivacyClass

if TYPE_CHECKING:
    from collections.abc import Iterator

    from askwell.ask.listing.grammar import Grammar
    from askwell.ask.listing.query import Criterion, What

LONGEST = 300
"""Characters of a question that may be a listing; a longer one is not."""

_MOST = 4  # criteria of one question
_STEPS = 500  # of reading; a question that takes more is no plain one
_POLITE = re.compile(
    r"(?:(?:please|hi|hello|hey|ok|okay|so|can you|could you|would you|will you|i want to know|tell me|bitte|"
    r"kannst du|können sie|sag mir|snälla|lütfen)[ ,]+)+",
    re.IGNORECASE,
)
_QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "\u00a0": " "})
_LEADS = tuple(
    (language, form, re.compile(rf"(?:{lead}) +", re.IGNORECASE))
    for language, form, lead in (
        (
            "en",
            "count",
            r"how many|(?:what is |what's |give me )?(?:the )?(?:total )?(?:number|count) of|count",
        ),
        (
            "en",
            "list",
            r"(?:list|enumerate|name|show|give)(?: me| us)?(?: a)?(?: (?:full |complete )?list of)?",
        ),
        ("en", "list", r"(?:an? |the )?(?:full |complete )?list of"),
        ("en", "which", r"(?:in |from )?(?:which|what)"),
        ("de", "count", r"wie ?viele|(?:die )?anzahl(?: der| aller)?|zähle?(?: mir)?"),
        ("de", "list", r"(?:liste|nenne?|zeige?)(?: mir| uns)?(?: bitte)?"),
        ("de", "which", r"(?:in )?welche[nrs]?"),
        ("sv", "count", r"hur många|antalet?"),
        ("sv", "list", r"(?:lista|visa|räkna upp|nämn)(?: mig)?"),
        ("sv", "which", r"(?:i )?(?:vilka|vilken|vilket)"),
    )
)
_BACKLINKS = re.compile(r"back-?links (?:of|to|for)(?= )", re.IGNORECASE)
_FAULTS = re.compile(
    r"(?:which|what|how many|list (?:all |the |every )?|welche|wie viele) ?(?:of )?(?:the |my )?"
    r"(?:files?|documents?|notes?|scripts?|dateien|dokumente|notizen)"
    r"(?: that| which)?(?: (?:have|were|could|wurden|konnten))*"
    r" (?:(?P<failed>failed(?: to (?:be )?(?:index|parse|read|indexed|parsed|load))?|not be (?:read|indexed|parsed)|"
    r"nicht (?:gelesen|indexiert)(?: werden)?)|(?P<skipped>(?:been )?skipped|left out|held back|übersprungen))"
    r"(?: (?:in|during|by|from) (?:the )?(?:last |latest )?(?:run|index|indexing))?",
    re.IGNORECASE,
)
_EXTENSION = re.compile(r"[`'\"]?\*?\.(?P<extension>[A-Za-z0-9]{1,10})[`'\"]?[ -]")
_ENDING = re.compile(r"[ ,;.!?]*\Z")
_FORMED = frozenset({"document", "file", "page", "note", "script"})
_SETS = (Tagged, Takes, Defines, PointsTo)


def listing_query(question: str) -> ListingQuery | None:
    """Return the query that a question asks of the index, None if it is an ordinary question.

    Nothing is looked up: whether the folder or the note that is named exists is the caller's to find out, and a
    question about one that does not is an ordinary one.
    """
    if len(question) > LONGEST:
        return None
    text = " ".join(unicodedata.normalize("NFC", question).translate(_QUOTES).split()).rstrip("?!. ")
    polite = _POLITE.match(text)
    text = _BACKLINKS.sub("notes that link to", text[polite.end() :] if polite else text)
    if (faults := _FAULTS.fullmatch(text)) is not None:
        return ListingQuery(rule="en:faults", language="en", what="failed" if faults["failed"] else "skipped")
    for language, form, pattern in _LEADS:
        lead = pattern.match(text)
        if lead is not None and (found := _Walk(text, language, form).read(lead.end())) is not None:
            return found
    for language in ("en", "de"):
        if (found := _Walk(text, language, "").read(0)) is not None:
            return found
    if re.search(r"(?:kaç|hangi|listele|göster)", text, re.IGNORECASE):
        from askwell.ask.listing.turkish import turkish

        return turkish(text)
    return None


def _grammar(language: str) -> Grammar:
    """Return a language's words, which are made when a question first needs them."""
    match language:
        case "de":
            from askwell.ask.listing.german import german

            return german()
        case "sv":
            from askwell.ask.listing.swedish import swedish

            return swedish()
        case _:
            from askwell.ask.listing.english import english

            return english()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Head:
    """A noun phrase."""

    what: What
    plural: bool
    every: bool
    form: Form | None
    criteria: tuple[Criterion, ...]
    end: int


class _Walk:
    """One reading of a question."""

    def __init__(self, text: str, language: str, form: str) -> None:
        self._text = text
        self._language = language
        self._form = form
        self._grammar = _grammar(language)
        self._steps = _STEPS

    def read(self, at: int) -> ListingQuery | None:
        """Return the query, `at` being where the lead ends."""
        head = self._head(at)
        if head is None:
            return None
        rest = self._criteria(head.end, before=None, of_settings=head.what == "setting", left=_MOST)
        if rest is None or not self._is_set(head, rest):
            return None
        return ListingQuery(
            rule=f"{self._language}:{self._form or 'bare'}",
            language=self._language,
            what=head.what,
            form=head.form,
            criteria=(*head.criteria, *rest),
        )

    def _head(self, at: int) -> _Head | None:
        """Read determiners, adjectives and the noun."""
        text, grammar = self._text, self._grammar
        every = False
        while (found := grammar.determiner(text, at)) is not None:
            is_every, at = found
            every = every or is_every
        form: Form | None = None
        criteria: list[Criterion] = []
        for _ in range(_MOST):
            if (known := _EXTENSION.match(text, at)) is not None:
                extension = known["extension"].lower()
                form = Form(name=f".{extension}", extensions=frozenset({extension}))
                at = known.end()
            elif (named := grammar.form(text, at)) is not None:
                form, at = named
            elif (adjective := grammar.adjective(text, at)) is not None:
                meaning, at = adjective
                criteria.append(Untagged() if meaning == "untagged" else OfClass(class_=PrivacyClass(meaning)))
                at += text[at : at + 1] == " "
            else:
                break
        noun = grammar.noun(text, at)
        if noun is None:
            return None
        (what, plural), end = noun
        if form is not None and what not in _FORMED:
            return None
        return _Head(what=what, plural=plural, every=every, form=form, criteria=tuple(criteria), end=end)

    def _criteria(
        self, at: int, *, before: Criterion | None, of_settings: bool, left: int
    ) -> tuple[Criterion, ...] | None:
        """Return the criteria that the rest of a question consists of, None if it holds anything else.

        Args:
            at: Where the rest begins.
            before: The criterion that ends there; `and` may go on with its verb (`mention salt and rye`).
            of_settings: Whether the question is about settings, which have criteria of their own.
            left: How many criteria there may still be.
        """
        self._steps -= 1
        if self._steps < 0:
            return None
        if _ENDING.match(self._text, at) is not None:
            return ()
        if (end := self._grammar.everywhere(self._text, at)) is not None:
            rest = self._criteria(end, before=None, of_settings=of_settings, left=left)
            if rest is not None:
                return rest
        for criterion, end in self._next(at, before, of_settings=of_settings) if left else ():
            rest = self._criteria(end, before=criterion, of_settings=of_settings, left=left - 1)
            if rest is not None:
                return (criterion, *rest)
        end = self._grammar.filler(self._text, at)
        if end is None:
            return None
        return self._criteria(end, before=None, of_settings=of_settings, left=left)

    def _next(self, at: int, before: Criterion | None, *, of_settings: bool) -> Iterator[tuple[Criterion, int]]:
        """Yield every criterion that may stand at `at`, with where it ends."""
        for pattern in self._grammar.criteria:
            if pattern.of_settings == of_settings:
                yield from pattern.read(self._text, at)
        start = self._grammar.joint(self._text, at)
        match before:
            case Mentions() if start is not None:
                yield from ((Mentions(text=v, sure=sure), end) for v, sure, end in arguments.phrase(self._text, start))
            case Tagged() if start is not None:
                yield from ((Tagged(tag=v.strip("#/")), end) for v, _, end in arguments.tag(self._text, start))

    def _is_set(self, head: _Head, rest: tuple[Criterion, ...]) -> bool:
        """Say whether what was read asks for a set, not for one document in which something is looked for."""
        if head.what == "setting":
            return len(rest) == 1 and isinstance(rest[0], DefinedIn)
        if self._form == "which" and not (*head.criteria, *rest):
            return head.plural and head.end < len(self._text)
        if not self._form:
            return head.every or (head.plural and bool(rest) and isinstance(rest[0], _SETS))
        if head.plural or (head.every and self._form != "which"):
            return True
        # "which note mentions the pump" looks for an answer; "which script takes --force" asks for a set of one.
        return bool(rest) and all(isinstance(one, _SETS) or (isinstance(one, Mentions) and one.sure) for one in rest)
