"""What of a sentence must stand in its passage: numbers, versions, paths, flags, names, dates, times, quotations.

`ask.held` says whether a passage has them. Both read a text in one folded spelling: kinds of blanks, dashes and quotes,
letter case and emphasis tell nothing.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from askwell.ask.amounts import NUMBER, SMALL, UNITS, signed, spoken
from askwell.ask.dates import DATE, MONTHS, TIME, WEEKDAYS, days_of, minutes_of, month_alone

if TYPE_CHECKING:
    from askwell.ask.dates import Day

FactKind = Literal[
    "number", "version", "path", "flag", "name", "proper", "date", "weekday", "time", "address", "quotation"
]


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that is either in a passage or not, in its folded spelling."""

    kind: FactKind
    text: str
    unit: str = ""  # of a number: folded, empty if none was written that is known
    soft: bool = False  # whether it may be worded otherwise: then its absence is a doubt and no contradiction
    days: frozenset[Day] = frozenset()  # of a date: its readings
    minutes: float = -1.0  # of a time of day: since midnight

    @property
    def shown(self) -> str:
        """As it may be named to a reader."""
        return f"{self.text} {self.unit}".strip()


_TRANSLATED = {
    **{ord(c): " " for c in "\u00a0\u2007\u2009\u200a\u202f\u3000\t"},
    **{ord(c): None for c in "\u200b\u200c\u200d\u2060\ufeff\u00ad"},
    **{ord(c): "-" for c in "\u2010\u2011\u2012\u2013\u2212"},
    **{ord(c): "'" for c in "‘’‚‛′"},
    **{ord(c): '"' for c in "“”„‟«»″"},
    ord("\u2026"): "...",
}
_BLANKS = re.compile(r"\s+")
_EMPHASIS = re.compile(r"\*{1,3}|`+|~~|(?<![\w])_{1,2}(?=\w)|(?<=\w)_{1,2}(?![\w])|\\(?=[^\w\s])")
_LINE_LEAD = re.compile(r"^[ \t]*(?:#+|//+|--(?= )|;+|>+|\*(?= ))[ \t]?", re.MULTILINE)

_LONGEST = 4_000
"""Characters of a sentence that are looked at: a longer one is no sentence."""

_MARKER = re.compile(r"\[\d{1,5}\]")
_BULLET = re.compile(r"^[ \t]*(?:\d{1,3}[.)]|[-*+])[ \t]")
_QUOTED = re.compile(
    r'"([^"\n]{2,200})"|(?<![\w])\'([^\'\n]{2,200})\'(?![\w])|(?<!`)(`{1,8})(?!`)([^`\n]{1,200})\3(?!`)'
)
_URL = re.compile(r"\b[a-z][a-z0-9+.-]{1,10}://[^\s)>\]\"'`]{1,400}", re.IGNORECASE)
_EMAIL = re.compile(r"\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}\b")
_FLAG = re.compile(r"(?<![\w-])--?[A-Za-z][\w-]{0,60}")
_PATH = re.compile(
    r"(?<![\w/.~])(?:~|\.{1,2})?/[\w.@%+~$*{}-][\w.@%+~$*{}/-]{0,200}|\b[\w.-]{1,80}/[\w./-]{1,200}\.\w{1,8}\b"
)
_FILE = re.compile(
    r"\b[\w-]{1,80}(?:\.[\w-]{1,40}){0,4}"
    r"\.(?:md|ya?ml|json|toml|ini|conf|cfg|sh|py|php|pl|ps1|sql|txt|log|env|service|timer|rst|html?|pdf|csv)\b",
    re.IGNORECASE,
)
_NAME = re.compile(
    r"\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b|\b[A-Z]{4,}[0-9]*\b"
    r"|\b[a-z][a-z0-9]{0,40}(?:_[a-z0-9]{1,40}){1,8}\b"
    r"|\b[a-z]{1,30}[A-Z][a-zA-Z0-9]{0,40}\b"
    r"|\b[A-Za-z]{1,30}-?\d{1,6}[A-Za-z0-9]{0,12}(?:-\w{1,12}){0,3}\b"
)
_ADDRESS = re.compile(
    r"\b\d{1,3}(?:\.\d{1,3}){3}(?:/\d{1,2})?(?::\d{1,5})?\b|(?<![\w:])(?:[0-9a-f]{2}:){5}[0-9a-f]{2}\b"
)
_VERSION = re.compile(r"\bv?\d+(?:\.\d+){2,}(?:[-+][\w.+-]*\w)?\b|\bv\d+(?:\.\d+)*\b", re.IGNORECASE)
_PROPER = re.compile(r"(?<![\w.!?:\"(\[*>|])[^\W\d_][\w'-]{0,60}")
_OPENING = re.compile(r"(?:^|[.!?:;|(\"])\s*[\"'(*]*\Z")
_GERMAN = re.compile(r"\b(?:der|die|das|den|dem|des|und|ist|nicht|ein|eine|einen|im|wird|werden|mit|für|zu|auf)\b")
_WORD_NUMBER = re.compile(r"\b([^\W\d_]{3,9})\b(?=(?:[ -](\w{1,14}))?)")

_EXACT: tuple[tuple[FactKind, re.Pattern[str]], ...] = (
    ("version", _VERSION),
    ("path", _PATH),
    ("path", _FILE),
    ("flag", _FLAG),
    ("name", _NAME),
)


def folded(text: str) -> str:
    """Return `text` in the spelling that facts are compared in: one blank between words, lower case, plain signs."""
    text = unicodedata.normalize("NFC", text).translate(_TRANSLATED)
    text = _EMPHASIS.sub("", _LINE_LEAD.sub("", text))
    return _BLANKS.sub(" ", text).strip().casefold()


def facts(sentence: str) -> tuple[Fact, ...]:
    """Return the facts of a sentence, in reading order within a kind. Citation markers are none."""
    text = unicodedata.normalize("NFC", sentence[:_LONGEST]).translate(_TRANSLATED)
    text = _BULLET.sub("", _MARKER.sub(" ", text))
    found: list[Fact] = []
    for match in _QUOTED.finditer(text):
        inner = match[1] or match[2] or match[4]
        if inner and (key := folded(inner).strip(" .,;:")):
            found.append(Fact("quotation", key))
    plain = _QUOTED.sub(lambda m: " " + (m[1] or m[2] or m[4]) + " ", text)
    plain = re.sub(r"\*{1,3}", "", plain)
    for pattern in (_URL, _EMAIL, _ADDRESS):
        kind: FactKind = "path" if pattern is _URL else "address"
        found += [Fact(kind, match[0].strip(".,;:").casefold()) for match in pattern.finditer(plain)]
        plain = pattern.sub(" ", plain)
    plain = _dated(plain, found)
    for kind, exact in _EXACT:
        found += [
            Fact(kind, match[0].strip(".,;:").casefold())
            for match in exact.finditer(plain)
            if match[0].casefold() not in UNITS
        ]
        plain = exact.sub(lambda m: m[0] if m[0].casefold() in UNITS else " ", plain)
    for match in NUMBER.finditer(plain):
        unit = (match["unit"] or "").casefold()
        found.append(Fact("number", signed(match), unit if unit in UNITS else ""))
    for word, after in _WORD_NUMBER.findall(plain.casefold()):
        if word in SMALL:
            unit = after if after in UNITS else ""
            found.append(Fact("number", str(SMALL[word]), unit, soft=not unit))
    found += [Fact("number", number, unit, soft=number == "1") for number, unit in spoken(plain.casefold())]
    found += _proper(plain)
    return tuple(dict.fromkeys(found))


def _dated(plain: str, found: list[Fact]) -> str:
    """Add the dates, times and weekdays of a text to `found`; return it without them."""
    for match in DATE.finditer(plain):
        if days := days_of(match):
            found.append(Fact("date", match[0].casefold(), days=days))
    plain = DATE.sub(lambda m: " " if days_of(m) else m[0], plain)
    found += [Fact("date", name.casefold(), soft=True, days=frozenset({day})) for name, day in month_alone(plain)]
    found += [Fact("time", match[0].casefold(), minutes=minutes_of(match)) for match in TIME.finditer(plain)]
    plain = TIME.sub(" ", plain)
    words = re.findall(r"[^\W\d_]+", plain.casefold())
    found += [Fact("weekday", word) for word in words if word in WEEKDAYS]
    return plain


def _proper(text: str) -> list[Fact]:
    """Return the capitalised words that open no sentence: names; in German they may be any noun."""
    words = [match for match in _PROPER.finditer(text) if len(match[0]) > 1]
    capital = [match for match in words if match[0][0].isupper()]
    long = [match for match in words if len(match[0]) > 3]
    german = len(_GERMAN.findall(text.casefold())) >= 2
    if not german and len(capital) * 2 > len(long) + 2:
        return []  # a heading, or something else that is set in capitals
    found: list[Fact] = []
    for match in capital:
        word = match[0].removesuffix("'s").rstrip("'-")
        if word.casefold() in MONTHS or word.casefold() in WEEKDAYS or word.casefold() in UNITS:
            continue
        if len(word) > 1 and not _OPENING.search(text[max(0, match.start() - 8) : match.start()]):
            found.append(Fact("proper", word.casefold(), soft=german))
    return found
