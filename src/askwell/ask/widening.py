"""What a log adds to the query: the words of its newest failure, without what is of that one run alone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from askwell.ask.observed import failing_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askwell.types import Observed

WORDS = 16
"""Words that are added: a message says in fewer what went wrong, and more would drown the question."""

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
    for one in observed:
        for line in failing_lines(one) if one.kind == "log" else ():
            for word in _words_of(line):
                if word.casefold() not in said and not _GENERIC.fullmatch(word):
                    said.add(word.casefold())
                    added.append(word)
    return tuple(added[:WORDS])


def _words_of(line: str) -> list[str]:
    bare = _DATES.sub(" ", _REDACTED.sub(" ", line))
    return [word for found in _WORD.findall(bare) if not _of_one_run(word := found.strip(".-_"))]


def _of_one_run(word: str) -> bool:
    """Return whether a word is a number, an id or a letter: at least a third of it are digits, or nothing is left."""
    return len(word) < 2 or 3 * sum(char.isdigit() for char in word) >= len(word)
