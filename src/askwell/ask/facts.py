"""What of a sentence must stand in its passage: numbers, versions, paths, flags, names, dates, quotations.

Two texts agree on a fact under spelling alone: kinds of blanks, dashes and quotes, letter case, emphasis, grouping of
digits (`100,000`, `100.000`, `100000`), decimal comma or point, a small number as a word, and a time or size in
another unit (`5 minutes`, `300 s`).
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal

FactKind = Literal["number", "version", "path", "flag", "name", "date", "time", "address", "quotation"]


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that is either in a passage or not, in its folded spelling."""

    kind: FactKind
    text: str
    unit: str = ""  # of a number: folded, empty if none was written


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

_MARKER = re.compile(r"\[\d{1,5}\]")
_QUOTED = re.compile(
    r'"([^"\n]{2,200})"|(?<![\w])\'([^\'\n]{2,200})\'(?![\w])|(?<!`)(`{1,8})(?!`)([^`\n]{1,200})\3(?!`)'
)
_URL = re.compile(r"\b[a-z][a-z0-9+.-]{1,10}://[^\s)>\]\"'`]{1,400}", re.IGNORECASE)
_FLAG = re.compile(r"(?<![\w-])--?[A-Za-z][\w-]{0,60}")
_PATH = re.compile(
    r"(?<![\w/.~])(?:~|\.{1,2})?/[\w.@%+~$*{}-][\w.@%+~$*{}/-]{0,200}|\b[\w.-]{1,80}/[\w./-]{1,200}\.\w{1,8}\b"
)
_FILE = re.compile(
    r"\b[\w-]{1,80}(?:\.[\w-]{1,40}){0,4}"
    r"\.(?:md|ya?ml|json|toml|ini|conf|cfg|sh|py|php|pl|ps1|sql|txt|log|env|service|timer)\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"\b(?=[A-Z0-9_]*[A-Z])[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b|\b[A-Z]{4,}[0-9]*\b")
_ADDRESS = re.compile(r"\b\d{1,3}(?:\.\d{1,3}){3}(?:/\d{1,2})?(?::\d{1,5})?\b")
_DATE = re.compile(r"\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b")
_TIME = re.compile(r"\b\d{1,2}:\d{2}(?::\d{2})?\b")
_VERSION = re.compile(r"\bv?\d+(?:\.\d+){2,}(?:[-+][\w.+-]*\w)?\b|\bv\d+(?:\.\d+)*\b", re.IGNORECASE)
_NUMBER = re.compile(
    r"(?<![\w.,])[-+]?(?P<n>\d{1,3}(?:[., ']\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)?)(?!\d)"
    r"(?:\s?-?(?P<unit>%|°[cf]?|[^\W\d_]{1,14}\b))?",
    re.IGNORECASE,
)
_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve",
    "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
    "noll ett två tre fyra fem sex sju åtta nio tio elva tolv",
    "sıfır bir iki üç dört beş altı yedi sekiz dokuz on onbir oniki",
)
# A word for one, and "on", are articles and prepositions far more often than numbers.
_SMALL = {
    w: n for line in _WORDS for n, w in enumerate(line.split()) if n != 1 and w not in ("on", "null", "bir", "elf")
}

# Unit as written → (what is measured, how many of its smallest unit).
_TIMES = {
    1: "s sec secs second seconds sekunde sekunden sekund sekunder saniye",
    60: "min mins minute minutes minuten minut minuter dakika",
    3600: "h hr hrs hour hours stunde stunden timme timmar saat",
    86400: "d day days tag tage tagen dag dagar gün",
    604800: "w week weeks woche wochen vecka veckor hafta",
}
_SIZES = {1: "b byte bytes", 10**3: "kb", 10**6: "mb", 10**9: "gb", 10**12: "tb"}
_BINARY = {2**10: "kib ki", 2**20: "mib mi", 2**30: "gib gi", 2**40: "tib ti"}
_UNITS: dict[str, tuple[str, float]] = {
    **{word: ("time", float(n)) for n, words in _TIMES.items() for word in words.split()},
    **dict.fromkeys(("ms", "millisecond", "milliseconds"), ("time", 0.001)),
    **{word: ("size", float(n)) for table in (_SIZES, _BINARY) for n, words in table.items() for word in words.split()},
    "%": ("share", 1.0),
    **dict.fromkeys(("percent", "prozent", "procent", "yüzde"), ("share", 1.0)),
    **{
        word: ("months", n)
        for words, n in (("month months monat monate monaten månad månader ay", 1.0),)
        for word in words.split()
    },
    **dict.fromkeys(("year", "years", "jahr", "jahre", "jahren", "år", "yıl", "yr", "yrs"), ("months", 12.0)),
    **{w: (w, 1.0) for w in ("mm", "cm", "km", "kg", "px", "watt", "watts", "volt", "volts", "°c", "°f", "°")},
    **{w: ("rate", n) for w, n in (("kbps", 1e3), ("mbps", 1e6), ("gbps", 1e9))},
}


def folded(text: str) -> str:
    """Return `text` in the spelling that facts are compared in: one blank between words, lower case, plain signs."""
    text = unicodedata.normalize("NFC", text).translate(_TRANSLATED)
    text = _EMPHASIS.sub("", _LINE_LEAD.sub("", text))
    return _BLANKS.sub(" ", text).strip().casefold()


def facts(sentence: str) -> tuple[Fact, ...]:
    """Return the facts of a sentence, in reading order within a kind. Citation markers are none."""
    text = _MARKER.sub(" ", unicodedata.normalize("NFC", sentence).translate(_TRANSLATED))
    text = re.sub(r"^[ \t]*(?:\d{1,3}[.)]|[-*+])[ \t]", "", text)
    found: list[Fact] = []
    for match in _QUOTED.finditer(text):
        inner = match[1] or match[2] or match[4]
        if inner and (key := folded(inner).strip(" .,;:")):
            found.append(Fact("quotation", key))
    plain = _QUOTED.sub(lambda m: " " + (m[1] or m[2] or m[4]) + " ", text)
    plain = re.sub(r"\*{1,3}", "", plain)
    for kind, pattern in _PATTERNS:
        for match in pattern.finditer(plain):
            found.append(Fact(kind, match[0].strip(".,;:").casefold()))
        plain = pattern.sub(" ", plain)
    for match in _NUMBER.finditer(plain):
        unit = (match["unit"] or "").casefold()
        found.append(Fact("number", match["n"], unit if unit in _UNITS else ""))
    for word, unit in re.findall(r"\b(\w{2,9})(?=\s(\w{1,14}))", plain.casefold()):
        if word in _SMALL and unit in _UNITS:
            found.append(Fact("number", str(_SMALL[word]), unit))
    return tuple(dict.fromkeys(found))


_PATTERNS: tuple[tuple[FactKind, re.Pattern[str]], ...] = (
    ("path", _URL),
    ("address", _ADDRESS),
    ("date", _DATE),
    ("time", _TIME),
    ("version", _VERSION),
    ("path", _PATH),
    ("path", _FILE),
    ("flag", _FLAG),
    ("name", _NAME),
)


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage made ready for `holds`: read once, asked often."""

    text: str  # folded
    squeezed: str  # without blanks
    numbers: tuple[tuple[frozenset[float], str], ...]  # readings of each number, and its unit
    words: frozenset[str]


def evidence(text: str) -> Evidence:
    """Return `text` prepared for looking facts up in it. Linear."""
    flat = folded(text)
    numbers = [(_readings(m["n"]), (m["unit"] or "").casefold()) for m in _NUMBER.finditer(flat.replace("_", " "))]
    words = re.findall(r"[^\W_]+", flat)
    for word, after in zip(words, [*words[1:], ""], strict=False):
        if word in _SMALL:
            numbers.append((frozenset({float(_SMALL[word])}), after))
    return Evidence(flat, flat.replace(" ", ""), tuple(numbers), frozenset(words))


def holds(passage: Evidence, fact: Fact) -> bool:
    """Say whether a passage has a fact.

    A number's unit must agree where both have one that is known; a passage whose number has no unit, or none that is
    known, leaves the unit open.
    """
    if fact.kind == "number":
        return any(_same_amount(fact, readings, unit, passage.words) for readings, unit in passage.numbers)
    if fact.kind in ("version", "address", "date", "time", "name", "flag"):
        return _whole(fact.text, passage.text, dashed=fact.kind == "flag")
    if fact.kind == "quotation":
        return fact.text in passage.text or fact.text.replace(" ", "") in passage.squeezed
    return fact.text.rstrip("/") in passage.text


def _whole(text: str, passage: str, *, dashed: bool) -> bool:
    """Say whether `text` stands in `passage` with no letter, digit or joined part at either end of it.

    Where `dashed`, a word joined by a dash is a part too: `--dry` is not in `--dry-run`.
    """
    at = passage.find(text)
    while at >= 0:
        before = passage[at - 1 : at]
        after = passage[at + len(text) : at + len(text) + 2]
        joined = after[:1].isalnum() or after[:1] == "_" or (after[:1] in tuple(".-") and after[1:].isdigit())
        joined = joined or (dashed and after[:1] == "-" and after[1:].isalnum())
        if not (before.isalnum() or before == "_") and not joined:
            return True
        at = passage.find(text, at + 1)
    return False


def _readings(number: str) -> frozenset[float]:
    """Return the values that a number as written may have: `1.500` is 1.5 or 1500, `1,234.5` only one."""
    plain = number.replace(" ", "").replace("'", "")
    points, commas = plain.count("."), plain.count(",")
    if points and commas:
        decimal = max(".,", key=plain.rfind)
        other = "," if decimal == "." else "."
        plain = plain.replace(other, "")
        return frozenset({float(plain.replace(decimal, "."))}) if plain.count(decimal) == 1 else frozenset()
    if points + commas == 0:
        return frozenset({float(plain)})
    joined = float(plain.replace(",", "").replace(".", ""))
    if points + commas > 1:
        return frozenset({joined})
    values = {float(plain.replace(",", "."))}
    if re.fullmatch(r"[1-9]\d{0,2}[.,]\d{3}", plain):
        values.add(joined)
    return frozenset(values)


def _same_amount(fact: Fact, readings: frozenset[float], unit: str, words: frozenset[str]) -> bool:
    """Say whether a number of a passage is the fact's, in the same or another unit.

    A number without a unit may have the one that the passage names elsewhere: `WAIT_SECONDS=300` is 5 minutes.
    """
    mine = _readings(fact.text)
    wanted, have = _UNITS.get(fact.unit), _UNITS.get(unit)
    if wanted is None:
        return bool(mine & readings)
    if have is None and mine & readings:
        return True
    factors = {have[1]} if have is not None and have[0] == wanted[0] else set()
    if have is None:
        factors = {_UNITS[word][1] for word in words & _UNITS.keys() if _UNITS[word][0] == wanted[0]}
    amounts = {a * wanted[1] for a in mine}
    return any(abs(a - b * factor) <= 1e-9 * max(a, 1.0) for a in amounts for b in readings for factor in factors)
