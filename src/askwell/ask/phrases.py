"""The noun phrases of a short question, found by its function words alone: enough to say what a follow-up is about.

English first; German and Swedish have the same shape, Turkish only its words. A question that does not fit gives
fewer phrases, never an error.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from askwell.rank.language import language_of
from askwell.stopwords import STOP_WORDS
from askwell.terms import fold

if TYPE_CHECKING:
    from collections.abc import Sequence

EDGES = ".,;:!?\"'`()[]{}<>¿¡…“”„«»*"
"""Punctuation that is no part of a word at its ends."""

READ = 60
"""Words of a question that are looked at: what a follow-up refers to is said before that."""


def word_set(text: str) -> frozenset[str]:
    """Return the words of a list that is written as one text."""
    return frozenset(text.split())


WH = word_set("which what whose welche welcher welches welchen welchem vilken vilket vilka hangi how wie hur")
QUANTITY = word_set("many much long often big large old far viele viel lange oft gross mycket manga ofta lange stor")
DEFINITE = word_set(
    "the my our your his her its their this that these those der die das den dem des mein meine meinen meinem meiner "
    "unser unsere unseren unserem dein deine dieser diese dieses diesen diesem min mitt mina var vart vara din ditt "
    "det "
    "denna detta dessa"
)
INDEFINITE = word_set("a an another each every some any ein eine einen einem einer eines jede jeder jedes en ett")
PLACES = word_set("in on at under inside within into onto auf bei unter im am pa hos inom vid")
TARGETS = word_set("for of fur fuer von vom for av till to zu zum zur")
MEANS = word_set("with without via using mit ohne per uber med utan from aus fran by during after before seit")
PREPOSITIONS = PLACES | TARGETS | MEANS
DO = word_set(
    "do does did can could should would will must may might shall kann konnen soll muss darf wird kan ska maste"
)
BE = word_set("is are was were am be been has have had ist sind war waren hat haben ar var blir har")
PERSONS = word_set("i we you one ich wir man du vi jag ben biz they he she it")
_STOPPED_VERBS = word_set("do go get say have give know like")
"""Verbs that are stop words: they end a phrase by themselves."""
_VERB_SECOND = frozenset({"de", "sv"})
_BARE_WH = word_set("was wie wo wann warum wieso wer vad hur var nar varfor vem")
_PARTICIPLES = word_set(
    "set kept run put made done built sent read held left shut stored shown used called named known"
)
_NAME = re.compile(r"\w[_./]\w|\w-\w+-|[a-z][A-Z]|\d|^--?\w|^[A-Z]{2,}")


ATTRIBUTES = word_set(
    "port password user username path version size cost price default name address ip url log logs schedule time date "
    "timeout limit owner license author retention config configuration setting settings location key host hostname "
    "number passwort benutzer pfad preis grosse kosten adresse uhrzeit losenord anvandare sokvag storlek pris"
)
"""What a thing has: `what about the password` asks for another one of these, not about another thing."""


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a question: as typed, without the punctuation around it, and folded."""

    text: str
    core: str
    word: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    """A noun phrase: words `start` to `end` (exclusive), its determiner included, its preposition not."""

    start: int
    end: int
    determiner: Literal["definite", "indefinite", ""] = ""
    preposition: int | None = None  # index of the word before it
    asked: bool = False  # it stands behind `which`, `what`, `how many`


def tokens_of(text: str) -> list[Token]:
    """Return the words of `text`, at most the first sixty, each with its folded form."""
    found = []
    for raw in text.split(maxsplit=READ)[:READ]:
        core = raw.strip(EDGES)
        if core:
            found.append(Token(raw, core, fold(core).replace("’", "'")))
    return found


def is_name(token: Token) -> bool:
    """Return whether a word is a name by its shape: an identifier, a flag, a path, a number, a setting."""
    return bool(_NAME.search(token.core))


def is_content(token: Token, language: str) -> bool:
    """Return whether a word has a subject of its own."""
    word = token.word.replace("'", "")
    if is_name(token):
        return True
    stops = STOP_WORDS.get(language, frozenset()) | (STOP_WORDS["en"] if not language else frozenset())
    outside = word in DO or word in BE or word in PREPOSITIONS or word in WH or word in PERSONS or word in QUANTITY
    return any(c.isalnum() for c in word) and word not in stops and not outside


def phrases_of(tokens: Sequence[Token], *, language: str) -> tuple[Phrase, ...]:
    """Return the noun phrases of a question in order.

    A verb is told from the words around it: the last word of a phrase behind `does`, the first one behind `do I`.
    """
    found: list[Phrase] = []
    at, auxiliary = 0, ""
    while at < len(tokens):
        word = tokens[at].word
        if word in DO or word in BE:
            auxiliary = "do" if word in DO else "be"
        if word == "that" and at and is_content(tokens[at - 1], language):
            at += 2  # `script that takes`: a verb follows
            continue
        end = _end(tokens, at, language)
        if end is None:
            if word in PERSONS and auxiliary:
                auxiliary = "person"
            at += 1
            continue
        phrase = _phrase(tokens, at, end, auxiliary, language)
        auxiliary = "" if phrase is None or not phrase.asked else auxiliary
        if phrase is not None:
            found.append(phrase)
        at = end
        if phrase is not None and phrase.end < end and phrase.asked:
            at = phrase.end + 1  # `which scripts take --dry-run`: behind the verb
    return tuple(found)


def _end(tokens: Sequence[Token], at: int, language: str) -> int | None:
    """Return where the phrase that starts at `at` ends, None if none starts there."""
    first = tokens[at].word in DEFINITE or tokens[at].word in INDEFINITE
    end = at + 1 if first else at
    while end < len(tokens) and is_content(tokens[end], language):
        if end > at and tokens[end - 1].text[-1:] in ",;:":
            break
        if tokens[end].word in DEFINITE | INDEFINITE:
            break
        end += 1
    return end if end > at + first else None


def _phrase(tokens: Sequence[Token], start: int, end: int, auxiliary: str, language: str) -> Phrase | None:
    before = tokens[start - 1].word if start else ""
    asked = before in WH or (before in QUANTITY and start > 1 and tokens[start - 2].word in WH)
    if language in _VERB_SECOND and start == 1 and before in _BARE_WH:
        return None  # `was kostet …`: the verb
    preposition = start - 1 if start and before in PREPOSITIONS else None
    if language == "tr" and end == len(tokens) and len(tokens) > 1:
        end -= 1  # the verb
    if asked and (end == len(tokens) or tokens[end].word not in DO | BE):
        end = min(end, start + 1)
    determiner: Literal["definite", "indefinite", ""] = ""
    if tokens[start].word in DEFINITE:
        determiner = "definite"
    elif tokens[start].word in INDEFINITE:
        determiner = "indefinite"
    if not asked and auxiliary == "person" and not determiner:
        start += 1  # the verb of `do I`
    elif not asked and auxiliary == "do":
        words = end - start - bool(determiner)
        if words > 1 and not (end < len(tokens) and tokens[end].word in _STOPPED_VERBS):
            end = end - 1 if determiner else start + 1
    elif not asked and auxiliary == "be" and not determiner and end - start > 1 and _participle(tokens[start].word):
        start += 1  # `are tagged bees`
    elif not asked and language == "en" and _participle(tokens[end - 1].word):
        end -= 1
    if start + bool(determiner) >= end:
        return None
    return Phrase(start=start, end=end, determiner=determiner, preposition=preposition, asked=asked)


def _participle(word: str) -> bool:
    return word in _PARTICIPLES or (len(word) > 4 and word.endswith(("ed", "ing")))


def topic_of(tokens: Sequence[Token], phrases: Sequence[Phrase], *, plural: bool = False) -> Phrase | None:
    """Return the phrase that a pronoun most likely stands for: a name, else the subject, else what was asked for."""

    def weight(phrase: Phrase) -> tuple[bool, int]:
        name = any(is_name(tokens[n]) for n in range(phrase.start, phrase.end))
        bare = phrase.end - phrase.start - bool(phrase.determiner) == 1
        attribute = bare and tokens[phrase.end - 1].word in ATTRIBUTES and len(phrases) > 1
        score = (
            -4 * attribute
            + 4 * name
            + 3 * bool(phrase.determiner)
            + 2 * (phrase.preposition is None)
            - 3 * phrase.asked
        )
        many = plural and tokens[phrase.end - 1].word.endswith("s")
        return many, score - (phrase.start == 0 and not name) + 6 * (many and phrase.asked)

    return max(phrases, key=weight, default=None)


def place_of(phrases: Sequence[Phrase], tokens: Sequence[Token]) -> Phrase | None:
    """Return the last phrase behind a preposition of place."""
    places = [p for p in phrases if p.preposition is not None and tokens[p.preposition].word in PLACES]
    return places[-1] if places else None


def said(tokens: Sequence[Token], phrase: Phrase) -> str:
    """Return a phrase as typed, without punctuation around it."""
    return " ".join(token.core for token in tokens[phrase.start : phrase.end])


def question_language(*texts: str) -> str:
    """Return the language of the first text that is in one whose follow-ups are known, English if none is."""
    return next((code for text in texts if (code := language_of(text)) in _KNOWN), "en")


_KNOWN = frozenset({"en", "de", "tr", "sv"})
