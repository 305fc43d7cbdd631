"""A follow-up made into a question that can be searched for, by rules alone.

    "Which port does the exporter listen on?"   "and the panel?"          Which port does the panel listen on?
                                                "how do I restart it"     how do I restart the exporter
                                                "why?"                    why (Which port does the exporter listen on)

What only the earlier turns may contribute has passed `history.admitted`. A question that can stand alone comes back as
it was typed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from askwell.ask.followups import FollowUp, Need, need_of
from askwell.ask.phrases import (
    ATTRIBUTES,
    EDGES,
    PLACES,
    PREPOSITIONS,
    TARGETS,
    WH,
    Phrase,
    Token,
    is_content,
    is_name,
    phrases_of,
    place_of,
    question_language,
    said,
    tokens_of,
    topic_of,
    word_set,
)
from askwell.ask.query import Rewritten
from askwell.terms import fold, stem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askwell.types import Turn

LONGEST = 400
"""Characters of a rewritten question."""

_LONGEST_FOLLOW_UP = 300
"""Characters of a question that may lean on another one."""

_GIST = 240
"""Characters of an earlier question that are put behind a follow-up."""


def rewrite(question: str, turns: Sequence[Turn]) -> Rewritten:
    """Return what to search for. A question that can stand alone, or has nothing before it, stays as typed.

    Args:
        question: As the person asked it.
        turns: Earlier turns that may take part, oldest first.
    """
    if len(question) > _LONGEST_FOLLOW_UP:
        return Rewritten(query=question)
    earlier = next((turn for turn in reversed(turns) if _says_something(turn)), None)
    if earlier is None:
        return Rewritten(query=question)
    before = earlier.query or earlier.question
    asked = _THANKS.sub("", question)
    language = question_language(asked, before)
    need = need_of(asked, language=language)
    if need is None:
        return Rewritten(query=question)
    query, sure = _completed(asked, need, earlier, before, language)
    query = " ".join(query.split())[:LONGEST]
    if not query or query == question:
        return Rewritten(query=question)
    return Rewritten(query=query, by="rules", why=need.need.value, sure=sure)


def fit(text: str, question: str, turns: Sequence[Turn]) -> str:
    """Return what a model made of a follow-up if it can be searched for, else nothing.

    It must be one line of ordinary length that keeps the question's own words and brings in none that neither the
    question nor the conversation has: then it is no answer, no refusal and no other question.
    """
    line = text.strip().partition("\n")[0].strip().strip("\"'`*").removeprefix("Completed question:").strip()
    if not line or len(line) > LONGEST or not any(c.isalnum() for c in line):
        return ""
    language = question_language(question, line)
    asked = _subjects(question, language)
    known = asked | {
        word
        for turn in turns
        for part in (turn.question, turn.query, turn.answer)
        for word in _subjects(part, language)
    }
    made = _subjects(line, language)
    strange = {word for word in made if not _akin(word, known)}
    lost = {word for word in asked if not _akin(word, made)}
    if not made or 4 * len(strange) > len(made) or 2 * len(lost) > len(asked):
        return ""
    return line


def _subjects(text: str, language: str) -> frozenset[str]:
    words = (Token(raw, raw.strip(EDGES), fold(raw.strip(EDGES))) for raw in text[:8_000].split())
    return frozenset(token.word for token in words if token.core and is_content(token, language))


def _akin(word: str, known: frozenset[str]) -> bool:
    """Return whether a word, or another inflection of it, is among `known`."""
    return word in known or any(stem(word) == stem(other) or word[:5] == other[:5] for other in known)


_THANKS = re.compile(
    r"\A\W*(?:(?:thanks?(?: you)?(?: a lot)?|thx|ok(?:ay)?|great|cool|nice|perfect|danke|super|tack|teşekkürler|tamam)"
    r"[!.,;]+\s+)+(?=\w)",
    re.IGNORECASE,
)


def _says_something(turn: Turn) -> bool:
    """Return whether an earlier question has a subject: `thanks` and `ok` have none."""
    text = turn.query or turn.question
    language = question_language(text)
    tokens = tokens_of(text)
    return any(is_content(token, language) and token.word not in _EMPTY for token in tokens)


_EMPTY = word_set("thanks thank ok okay yes no hi hello hey great cool nice please danke ja nein tack tamam evet")


def _completed(question: str, need: FollowUp, earlier: Turn, before: str, language: str) -> tuple[str, bool]:
    """Return the question made whole, and whether nothing was guessed."""
    tokens, old = tokens_of(question), tokens_of(before)
    phrases = phrases_of(old, language=language)
    beside = f"{question.strip().rstrip('?!. ')} ({_gist(before)})"
    match need.need:
        case Need.YES:
            offer = _offer(earlier)
            return (offer, True) if offer else (_gist(before), False)
        case Need.CHOICE:
            item = _item(earlier, need.choice)
            return (item, True) if item else (beside, False)
        case Need.INSTEAD:
            changed = _instead(tokens[need.at :], old, phrases, language)
            return (changed, True) if changed else (beside, False)
        case Need.PRONOUN:
            plural = tokens[need.at].word in {"they", "them", "their", "theirs", "dem", "deras"}
            topic = topic_of(old, phrases, plural=plural)
            if topic is None or topic.asked or (plural and not old[topic.end - 1].word.endswith("s")):
                return beside, False
            return _put(tokens, need.at, said(old, topic), language), True
        case Need.THERE:
            place = place_of(phrases, old)
            if place is None or place.preposition is None:
                return beside, False
            return _put(tokens, need.at, f"{old[place.preposition].core} {said(old, place)}", language), True
        case Need.BARE | Need.MORE | Need.POINTING:
            return beside, False


def _gist(text: str) -> str:
    """Return an earlier question to be put behind another one, without what an earlier rewriting put there."""
    plain = re.sub(r" \([^()]*\)$", "", text.strip())
    return " ".join(plain.split())[:_GIST].rstrip("?!. ")


def _put(tokens: Sequence[Token], at: int, value: str, language: str) -> str:
    """Return the question with the word at `at` replaced; a possessive stays one."""
    word = tokens[at]
    possessive = word.word in {"its", "their", "his", "her"}
    ending = word.text[len(word.text.rstrip("?!.,;:")) :]
    value += ("'" if value.endswith("s") else "'s") if possessive and language == "en" else ""
    return " ".join([*(t.text for t in tokens[:at]), value + ending, *(t.text for t in tokens[at + 1 :])])


def _offer(earlier: Turn) -> str:
    """Return the question that `yes` says yes to: the one suggested, or the one that the answer ended with."""
    if len(earlier.offered) == 1:
        return earlier.offered[0]
    last = earlier.answer.strip().rsplit("\n", 1)[-1]
    if not last.endswith("?") or len(last) > LONGEST:
        return ""
    question = re.split(r"(?<=[.!?])\s+", last)[-1]
    return _SHALL.sub("", question).strip() if len(question.split()) > 2 else ""


_SHALL = re.compile(
    r"\A(?:(?:do you want|would you like|shall|should) (?:me to|to see|to know|I)|(?:soll|möchtest du|vill du))\s+",
    re.IGNORECASE,
)
_ITEM = re.compile(r"^[ \t]{0,8}(?:\d{1,3}[.)]|[-*•])[ \t]+(\S[^\n]{0,400})", re.MULTILINE)
_MARKS = re.compile(r"\s?\[\d{1,5}\]|\*{1,2}|`")


def _item(earlier: Turn, choice: int) -> str:
    """Return the item of the earlier answer, or of what it offered, that a choice names; empty if there is none."""
    items = earlier.offered or tuple(_MARKS.sub("", item).strip() for item in _ITEM.findall(earlier.answer))
    return items[choice] if -len(items) <= choice < len(items) else ""


def _instead(new: Sequence[Token], old: Sequence[Token], phrases: Sequence[Phrase], language: str) -> str:
    """Return the earlier question with `new` in the place of the phrase that it is like; empty if it is like none."""
    if not new or not phrases:
        return ""
    text = " ".join(token.text for token in new).strip().rstrip("?!. ")
    if new[0].word in PREPOSITIONS and len(new) > 1:
        return _at_preposition(new, text, old, phrases)
    if language == "tr" and (case := _SUFFIX.search(new[-1].word)):
        alike = next((n for n, token in enumerate(old) if (s := _SUFFIX.search(token.word)) and s[1] == case[1]), None)
        if alike is None:
            return f"{text} {' '.join(token.text for token in old)}"
        return _replaced(old, alike, alike + 1, text)
    asked = next((phrase for phrase in phrases if phrase.asked), None)
    if new[0].word in WH:
        if asked is None:
            return ""
        return _replaced(old, asked.start - 1, asked.end, text)
    if new[-1].word in ATTRIBUTES:
        others = [phrase for phrase in phrases if old[phrase.end - 1].word not in ATTRIBUTES]
        topic = topic_of(old, others)
        return f"{text} {_OF.get(language, 'of')} {said(old, topic)}" if topic else ""
    fitting = [(_likeness(new, old, phrase), -n, phrase) for n, phrase in enumerate(phrases) if not phrase.asked]
    if not fitting:
        return ""
    score, _, phrase = max(fitting, key=lambda one: one[:2])
    return _replaced(old, phrase.start, phrase.end, text) if score >= 0 else ""


_SUFFIX = re.compile(r"'([dtn])?[aeiuy]\w?$")
_OF = {"en": "of", "de": "von", "sv": "för", "tr": "-"}


def _at_preposition(new: Sequence[Token], text: str, old: Sequence[Token], phrases: Sequence[Phrase]) -> str:
    """Return the earlier question with `for X` in the place of its `for Y`, else with it at the end."""
    for exact in (True, False):
        for phrase in reversed(phrases):
            if phrase.preposition is None:
                continue
            before = old[phrase.preposition].word
            if before == new[0].word or (not exact and _kind(before) == _kind(new[0].word) != 2):
                return _replaced(old, phrase.preposition, phrase.end, text)
    return f"{' '.join(token.text for token in old).rstrip('?!. ')} {text}"


def _kind(preposition: str) -> int:
    return 0 if preposition in PLACES else 1 if preposition in TARGETS else 2


def _likeness(new: Sequence[Token], old: Sequence[Token], phrase: Phrase) -> int:
    """Return how much a new phrase is like an old one: same determiner, same shape, same last word."""
    mine = phrases_of(new, language="") or (Phrase(start=0, end=len(new)),)
    score = 2 * (mine[0].determiner == phrase.determiner)
    last = old[phrase.end - 1]
    score += 3 * (new[-1].word == last.word) - 3 * (last.word in ATTRIBUTES and phrase.end - phrase.start > 1)
    if any(map(is_name, new)):
        score += 3 * any(is_name(token) for token in old[phrase.start : phrase.end])
    score += phrase.preposition is not None and old[phrase.preposition].word in TARGETS
    score += new[-1].core[:1].isupper() and last.core[:1].isupper()
    return score


def _replaced(old: Sequence[Token], start: int, end: int, text: str) -> str:
    """Return the earlier question with words `start` to `end` replaced, its punctuation kept."""
    last = old[end - 1].text
    ending = last[len(last.rstrip("?!.,;:")) :]
    return " ".join([*(t.text for t in old[:start]), text + ending, *(t.text for t in old[end:])])
