"""What a log's newest failure is searched for with, and whether a text is about that failure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from askwell.ask.observed import failing_lines
from askwell.terms import fold, is_stop_word, stem

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from askwell.types import Observed

WORDS = 16
"""Words that are added: a message says in fewer what went wrong, and more would drown the question."""

RUN = 3
"""Words in a row that quote a message: two are common to many ("permission denied", "connection refused")."""

SHARE = 0.75
"""Of a message's words, in a text that tells it in another order: of three words all, of eight six."""

_REDACTED = re.compile(r"\[redacted[^\]]*\]?")
_DATES = re.compile(r"\d{2,4}[-/.]\d\d[-/.]\d{2,4}(?:[T ]?\d\d:\d\d\S*)?|\d\d:\d\d(?::\d\d)?\S*")
_WORD = re.compile(r"[^\W\d_][\w.\-]*")
_GENERIC = re.compile(
    r"err|errors?|fatal|panic|emerg(?:ency)?|alert|crit(?:ical)?|warn(?:ing)?|info|debug|notice|trace|level|msg|message"
    r"|time|ts|timestamp|fail(?:ed|ure)?|exception|traceback|most|recent|call|last|mon|tue|wed|thu|fri|sat|sun|jan|feb"
    r"|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|utc|true|false|null|none",
    re.IGNORECASE,
)
"""Words that every failure of any program has, and those of dates: they find nothing in particular."""


def failure_words(query: str, observed: Sequence[Observed]) -> tuple[str, ...]:
    """Return at most `WORDS` words of the newest failure of a log, in its order; empty if there is none.

    Numbers, dates, identifiers of one run and what was redacted are dropped, and what the query says already.
    """
    said = {word.casefold() for word in _WORD.findall(query)}
    added: list[str] = []
    for line in failures_told(observed):
        for word in _words_of(line):
            if word.casefold() not in said:
                said.add(word.casefold())
                added.append(word)
    return tuple(added[:WORDS])


def failures_told(observed: Sequence[Observed]) -> tuple[str, ...]:
    """Return the lines that tell of the newest failure of each log."""
    return tuple(line for one in observed if one.kind == "log" for line in failing_lines(one))


def is_about(text: str, lines: Sequence[str]) -> bool:
    """Return whether a text is about a failure that one of some lines tells of.

    It is if it quotes the line, `RUN` of its words in their order with nothing but stop words between, or if it holds
    `SHARE` of them, two at least. Words are compared by their stems.
    """
    told = _stems(_WORD.findall(text))
    held, runs = frozenset(told), frozenset(_runs(told))
    for line in lines:
        words = _stems(_words_of(line))
        distinct = frozenset(words)
        found = len(distinct & held)
        if (found >= 2 and found >= SHARE * len(distinct)) or not runs.isdisjoint(_runs(words)):
            return True
    return False


def _stems(words: Sequence[str]) -> list[str]:
    return [stem(fold(word)) for word in words if not is_stop_word(word)]


def _runs(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    return (tuple(words[n : n + RUN]) for n in range(len(words) - RUN + 1))


def _words_of(line: str) -> list[str]:
    bare = _DATES.sub(" ", _REDACTED.sub(" ", line))
    words = (found.strip(".-_") for found in _WORD.findall(bare))
    return [word for word in words if not _of_one_run(word) and not _GENERIC.fullmatch(word)]


def _of_one_run(word: str) -> bool:
    """Return whether a word is a number, an id or a letter: at least a third of it are digits, or nothing is left."""
    return len(word) < 2 or 3 * sum(char.isdigit() for char in word) >= len(word)
