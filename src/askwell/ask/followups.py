"""Whether a question needs the one before it, and for what. One that can stand alone is left alone.

    bare       "why?", "yes", "more"                     the earlier question itself
    choice     "the second one"                          an item of the earlier answer
    instead    "what about X", "and for X?", "on X?"     the earlier question with X in the place of something
    pronoun    "how do I restart it"                     what the earlier question is about
    there      "what runs there?"                        where it happens
    pointing   "how do I undo that", "this script"       what was asked or answered

A pronoun whose noun stands earlier in the same question, an `it` that stands for nothing ("is it safe to …") and a
`that` which opens a clause refer to nothing outside. Long questions are never follow-ups.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from askwell.ask.phrases import BE, DEFINITE, DO, INDEFINITE, PREPOSITIONS, WH, is_content, is_name, tokens_of
from askwell.ask.referring import (
    AFTER_THAT,
    BARE,
    CHOOSES,
    CLAUSE_VERBS,
    COURTESY,
    DAFUR,
    EXPLETIVE,
    GREETING,
    HERE,
    IT,
    LEADS,
    MORE,
    ONE,
    OPENS,
    ORDINALS,
    OTHER,
    POINTERS,
    TAKES,
    THAT_ALONE,
    THERE,
    THEY,
    TO,
    WEAK,
    WISHES,
    YES,
    phrase_set,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askwell.ask.phrases import Token

LONGEST = 24
"""Words from which a question says what it is about."""

_SHORT = 8
"""Most words of a question that only names what is different."""


class Need(StrEnum):
    """What a follow-up lacks."""

    BARE = "bare"
    YES = "yes"
    MORE = "more"
    CHOICE = "choice"
    INSTEAD = "instead"
    PRONOUN = "pronoun"
    THERE = "there"
    POINTING = "pointing"


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowUp:
    """A question that leans on an earlier one.

    Attributes:
        at: Index of the word that refers, or of the first word of what is put in place.
        choice: For `CHOICE`, which item, from 0; -1 for the last.
    """

    need: Need
    at: int = 0
    choice: int = 0


def need_of(question: str, *, language: str) -> FollowUp | None:
    """Return what a question needs of an earlier one, None if it can stand alone.

    Args:
        question: As typed.
        language: Its language, or the conversation's where it does not tell.
    """
    tokens = tokens_of(question)
    if not tokens or len(tokens) > LONGEST:
        return None
    words = [token.word for token in tokens]
    whole = " ".join(word for word in words if word not in COURTESY) or " ".join(words)
    for known, need in ((BARE, Need.BARE), (YES, Need.YES), (MORE, Need.MORE)):
        if whole in known:
            return FollowUp(need=need)
    return (
        _choice(words)
        or _instead(tokens, words, question, language)
        or _pointing(tokens, words, language)
        or _pronoun(tokens, words, language)
    )


def _choice(words: Sequence[str]) -> FollowUp | None:
    """Read `the second one`, `and the last?`, `the other one`."""
    rest = [word for word in words if word not in DEFINITE | WEAK | COURTESY | CHOOSES]
    if 1 <= len(rest) <= 2 and len(words) <= _SHORT and (len(rest) == 1 or rest[1] in ONE):
        if rest[0] in ORDINALS and (len(words) > 1 or rest[0] not in {"son", "andra"}):
            return FollowUp(need=Need.CHOICE, choice=ORDINALS[rest[0]])
        if rest[0] in OTHER and len(words) > 1:
            return FollowUp(need=Need.CHOICE, choice=1)
    return None


def _instead(tokens: Sequence[Token], words: Sequence[str], question: str, language: str) -> FollowUp | None:
    """Read `what about X`, `and for X`, `on X?`, `peki X?`."""
    lead = next((lead for lead in LEADS if tuple(words[: len(lead)]) == lead), ())
    rest = words[len(lead) :]
    if not rest:
        return None
    full = any(word in DO or word in BE or word in _ASKS for word in rest) and not _which(rest)
    if lead:
        weak = " ".join(lead) in WEAK
        if len(rest) > _SHORT or (weak and full):
            return None
        if weak and not (
            rest[0] in PREPOSITIONS | DEFINITE | INDEFINITE or _names(tokens[len(lead) :]) or len(rest) <= 3
        ):
            return None
        if all(word in IT | THEY | THERE | THAT_ALONE for word in rest):
            return FollowUp(need=Need.BARE)
        return FollowUp(need=Need.INSTEAD, at=len(lead))
    if len(words) >= 2 and words[-1] in {"peki", "ya"} and len(words) <= 4:
        return FollowUp(need=Need.INSTEAD)
    if 3 <= len(words) <= 4 and words[0] in PREPOSITIONS and words[1] in WH and words[-1] not in DO | BE:
        return FollowUp(need=Need.POINTING)  # `with which user?`
    if full or len(words) > 6 or question.rstrip()[-1:] not in "?!":
        return FollowUp(need=Need.INSTEAD) if _placed(tokens, words) and not full and len(words) <= 4 else None
    if _placed(tokens, words):
        return FollowUp(need=Need.INSTEAD)
    if (
        language == "tr"
        and len(words) <= 3
        and re.search(r"'(?:d[ae]|t[ae]|d[ae]n|t[ae]n|y?[aeiu])$|\bicin$", words[-1])
    ):
        return FollowUp(need=Need.INSTEAD)
    return None


_ASKS = phrase_set(
    "which what how why when where who wie was wann wo wer warum welche nasil neden nerede hur vad nar varfor".replace(
        " ", "|"
    )
)


def _which(rest: Sequence[str]) -> bool:
    """Return whether `rest` is only `which user`: another thing that is asked of the same subject."""
    return len(rest) == 2 and rest[0] in WH and rest[1] not in DO | BE


def _names(tokens: Sequence[Token]) -> bool:
    return any(is_name(token) or token.core[:1].isupper() for token in tokens)


def _placed(tokens: Sequence[Token], words: Sequence[str]) -> bool:
    """Return whether a fragment is a preposition with one thing: `on Debian`, `for the bike`, `without sudo`."""
    if words[0] not in PREPOSITIONS or len(words) < 2:
        return False
    rest = [word for word in words[1:] if word not in {"too", "also", "then", "instead", "auch", "ocksa", "please"}]
    if not rest:
        return False
    if rest[0] in DEFINITE | INDEFINITE:
        return 2 <= len(rest) <= 4
    return len(rest) == 1 or (len(rest) <= 3 and _names(tokens[1:]))


def _pointing(tokens: Sequence[Token], words: Sequence[str], language: str) -> FollowUp | None:
    """Read `that` and `this` where they stand for something that was said."""
    for at, word in enumerate(words):
        before = words[at - 1] if at else ""
        after = words[at + 1] if at + 1 < len(words) else ""
        if before and tokens[at - 1].text[-1:] == ",":
            continue
        if word in DAFUR and len(words) <= _SHORT and not _noun_before(tokens, at, language):
            return FollowUp(need=Need.POINTING, at=at)
        if before in CLAUSE_VERBS:
            continue
        if word in POINTERS and after and after not in AFTER_THAT and is_content(tokens[at + 1], language):
            relative = word in {"that"} and at > 0 and before not in TAKES
            relative = relative or (before not in DO and len(words) > at + 3 and words[at + 2] in PREPOSITIONS)
            if not relative and after not in HERE and not _named_elsewhere(tokens, at + 2):
                return FollowUp(need=Need.POINTING, at=at)
        elif (
            word in THAT_ALONE
            and (not after or after in AFTER_THAT or word == "das")
            and not _noun_before(tokens, at, language)
        ):
            verbless = at + 2 == len(words) and tokens[at + 1].core.islower()
            alone = not after or word != "das" or after in BE or verbless
            if alone and (not before or before in TAKES or not is_content(tokens[at - 1], language) or not after):
                return FollowUp(need=Need.POINTING, at=at)
    return None


def _named_elsewhere(tokens: Sequence[Token], start: int) -> bool:
    return any(is_name(token) for token in tokens[start:])


def _pronoun(tokens: Sequence[Token], words: Sequence[str], language: str) -> FollowUp | None:
    for at, word in enumerate(words):
        before = words[at - 1] if at else ""
        after = words[at + 1] if at + 1 < len(words) else ""
        if word in THERE:
            existential = (before in BE and after) or after in BE or before in GREETING or (word == "dar" and after)
            if not existential and not _noun_before(tokens, at, language):
                return FollowUp(need=Need.THERE, at=at)
        elif word in THEY or word in IT:
            if not _spoken(word, language) or (word in {"den", "det", "dem", "de"} and not _free(at, words)):
                continue
            if word in IT and _stands_for_nothing(words, at):
                continue
            if not _noun_before(tokens, at, language, possessive=word in _POSSESSIVE):
                return FollowUp(need=Need.PRONOUN, at=at)
        elif (
            word in {"one", "ones"} and before in DEFINITE | OTHER | {"which", "other"} and after not in {"of", "that"}
        ):
            return FollowUp(need=Need.POINTING, at=at)
    if language == "tr" and 2 <= len(words) <= 3 and words[0] in _TURKISH_ASKS and _TURKISH_VERB.search(words[-1]):
        return FollowUp(need=Need.BARE)
    return None


_TURKISH_ASKS = phrase_set("nasil|neden|niye|nicin|nerede|nereden")
_TURKISH_VERB = re.compile(r"(?:yor|yorum|yoruz|irim|arim|urum|erim|iriz|ariz|uruz|eriz|[iaue]r|ilir|ulur|inir|unur)$")
_OF_LANGUAGE = {
    "er": "de", "es": "de", "ihn": "de", "ihm": "de", "onu": "tr", "ona": "tr", "onun": "tr", "onlar": "tr",
    "den": "sv", "det": "sv", "dem": "sv", "de": "sv", "dess": "sv", "deras": "sv", "han": "sv", "hon": "sv",
    "dar": "sv",
}  # fmt: skip


def _spoken(word: str, language: str) -> bool:
    """Return whether a pronoun is one in this language: `den` is an article in German."""
    return _OF_LANGUAGE.get(word, language) == language


def _free(at: int, words: Sequence[str]) -> bool:
    """Return whether Swedish `den` stands alone and not before its noun."""
    after = words[at + 1] if at + 1 < len(words) else ""
    return (
        not after
        or at + 2 == len(words)
        or after in {"igen", "ocksa", "inte", "da", "nar", "om", "pa", "i", "till", "av", "fran", "sen"}
    )


def _stands_for_nothing(words: Sequence[str], at: int) -> bool:
    """Return whether `it` only fills its place: `is it safe to …`, `how long does it take to …`, `gibt es`."""
    before = words[at - 1] if at else ""
    after = words[at + 1 :]
    if words[at] in {"es", "det"}:
        return before in EXPLETIVE or bool(after[:1] and after[0] in EXPLETIVE)
    if words[at] != "it":
        return False
    if (
        after[:1] == ["possible"]
        or (after[:1] in (["worth"], ["about"]) and after[1:])
        or (before == "is" and at and words[:2] == ["what", "time"])
    ):
        return True
    if before in WISHES and after and after[0] not in PREPOSITIONS:
        return True  # `which plants need it warm`
    takes = bool(after) and (
        after[0] in BE or before in BE or after[0] in {"take", "cost", "make", "matter", "seem", "mean"}
    )
    return takes and any(word in TO for word in after[1:5])


def _noun_before(tokens: Sequence[Token], at: int, language: str, *, possessive: bool = False) -> bool:
    """Return whether an earlier clause of the same question names something that a pronoun may stand for.

    Within one clause a pronoun is not its own subject: `does the exporter need it` refers to something else; its
    possessive is: `where does the mover keep its log`.
    """
    bounds = [n for n in range(at) if tokens[n].word in OPENS or (n < at and tokens[n].text[-1:] in ",;:.?!")]
    limit = at if possessive else (bounds[-1] + (tokens[bounds[-1]].word not in OPENS) if bounds else 0)
    for n in range(limit):
        token = tokens[n]
        before = tokens[n - 1].word if n else ""
        if not is_content(token, language):
            continue
        if is_name(token) or (n and token.core[:1].isupper()):
            return True
        if before in DEFINITE | INDEFINITE | DO | BE or (n > 1 and tokens[n - 2].word in DEFINITE | INDEFINITE):
            return True
        if token.word.endswith("s") and before not in _BEFORE_A_VERB:
            return True
        if n and before in PREPOSITIONS:
            return True
    first = tokens[at].word in _OF_THEY
    later = bool(bounds) and tokens[0].word in {"when", "if", "wenn", "nar", "om"} and not first
    return later and any(t.word in DEFINITE for t in tokens[at + 1 :]) and not possessive


_BEFORE_A_VERB = frozenset({"i", "we", "you", "what", "who", "that", "it", "he", "she"})
_POSSESSIVE = frozenset({"its", "their", "his", "her", "dess", "deras"})
_OF_THEY = frozenset({"they"})
