"""Whether two numbers are the same amount: readings of a number as written, units and what they measure.

A number may be read in two ways (`1.500` is 1.5 or 1500). A unit that is a power of 1024 is never one of 1000: 1 GB is
not 1 GiB.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable

Agreement = Literal["yes", "open", "no"]
"""Whether a passage has a fact: `open` where it has the number and leaves the unit, or the sign, to be guessed."""

NUMBER = re.compile(
    r"(?<![\w.,])(?P<sign>[-+](?=\d)|(?:minus|eksi) )?"
    r"(?P<n>\d{1,3}(?:[., ']\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)?)(?!\d)(?:\s?-?(?P<unit>%|°[cf]?|[^\W\d_]{1,14}\b))?",
    re.IGNORECASE,
)

_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve",
    "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
    "noll ett två tre fyra fem sex sju åtta nio tio elva tolv",
    "sıfır bir iki üç dört beş altı yedi sekiz dokuz on onbir oniki",
)
_TENS = (
    "twenty thirty forty fifty sixty seventy eighty ninety",
    "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig",
    "tjugo trettio fyrtio femtio sextio sjuttio åttio nittio",
    "yirmi otuz kırk elli altmış yetmiş seksen doksan",
)
_TEENS = (
    "thirteen fourteen fifteen sixteen seventeen eighteen nineteen",
    "dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn",
    "tretton fjorton femton sexton sjutton arton nitton",
)
# A word for one, and "on", are articles and prepositions far more often than numbers.
SMALL = {
    **{w: n for line in _WORDS for n, w in enumerate(line.split()) if n != 1 and w not in ("on", "null", "bir", "elf")},
    **{w: n for line in _TEENS for n, w in enumerate(line.split(), start=13)},
    **{w.casefold(): 10 * n for line in _TENS for n, w in enumerate(line.split(), start=2)},
}
"""Number words → their value."""

# What is measured → the smallest unit's multiple → its spellings, folded.
_TABLE: dict[str, dict[float, str]] = {
    "time": {
        0.001: "ms millisecond milliseconds millisekunde millisekunden millisekunder milisaniye",
        1: "s sec secs second seconds sekunde sekunden sekund sekunder saniye saniyede",
        60: "min mins minute minutes minuten minut minuter dakika dakikada",
        3600: "h hr hrs hour hours stunde stunden timme timmar saat saatte",
        86400: "d day days tag tage tagen dag dagar dagars gün günde gündür",
        604800: "w week weeks woche wochen vecka veckor hafta haftada",
    },
    "months": {
        1: "month months monat monate monaten månad månader ay ayda",
        12: "year years yr yrs jahr jahre jahren år yıl yılda",
    },
    "size": {
        1: "b byte bytes bayt",
        1e3: "kb kilobyte kilobytes",
        1e6: "mb megabyte megabytes",
        1e9: "gb gigabyte gigabytes",
        1e12: "tb terabyte terabytes",
        2**10: "kib ki",
        2**20: "mib mi",
        2**30: "gib gi",
        2**40: "tib ti",
    },
    "share": {1: "% percent prozent procent yüzde"},
    "rate": {1e3: "kbps", 1e6: "mbps", 1e9: "gbps"},
    "length": {
        1: "mm millimetre millimetres millimeter",
        1000: "m metre metres meter meters",
        10: "cm centimetre centimetres zentimeter",
        1e6: "km",
    },
    "mass": {
        1: "mg",
        1000: "g gram grams gramm",
        1e9: "ton tons tonne tonnes",
        1e6: "kg kilo kilos kilogram kilograms",
    },
    "volume": {1: "ml", 10: "cl", 100: "dl", 1000: "l litre litres liter litern litrelik"},
    "power": {1: "w watt watts", 1e3: "kw"},
    "energy": {1: "wh", 1e3: "kwh"},
    "voltage": {1: "v volt volts"},
    "frequency": {1: "hz", 1e3: "khz", 1e6: "mhz", 1e9: "ghz"},
    "celsius": {1: "°c celsius"},
    "fahrenheit": {1: "°f fahrenheit"},
    "pixels": {1: "px pixel pixels"},
    "turns": {1: "rpm"},
    "pressure": {1: "bar"},
}
UNITS = {
    word: (measured, float(n))
    for measured, table in _TABLE.items()
    for n, words in table.items()
    for word in words.split()
}
"""Unit as written, folded → what is measured, and how many of its smallest unit."""

_TIME_WORDS = "|".join(
    word for table in ("time", "months") for words in _TABLE[table].values() for word in words.split() if len(word) > 1
)
_ARTICLES = "a|an|one|per|each|ein|eine|einem|einen|einer|pro|je|en|ett|bir"
_ARTICLE = re.compile(rf"(?<!of )(?<!half )\b(?:{_ARTICLES})\s(?P<unit>{_TIME_WORDS})\b")
_PARTS = (
    (re.compile(r"\bhalf an? hour\b|\bhalf-hour\b|\bhalbe[nr]? stunde\b|\bhalvtimme\b|\byarım saat\w*"), "30", "min"),
    (re.compile(r"\bquarter of an hour\b|\bviertelstunde\b|\bkvart\b|\bçeyrek saat\w*"), "15", "min"),
    (re.compile(r"\bhalf a minute\b|\bhalbe[nr]? minute\b|\bhalv minut\b|\byarım dakika\w*"), "30", "s"),
    (re.compile(r"\bhalf a day\b|\bhalbe[nr]? tag\b|\bhalv dag\b"), "12", "h"),
    (re.compile(r"\bhalf a year\b|\bhalbe[ns]? jahr\b|\bhalvår\b|\byarım yıl\w*"), "6", "months"),
)
_SIZED = "|".join(
    sorted((word for word, (of, _) in UNITS.items() if of in ("time", "size", "months") and len(word) > 1))
)
_SCALE = re.compile(rf"(?:\bin |_|\(|# ?|; |, |\A|\w_\w{{1,40}} )(?P<unit>{_SIZED})(?=\b|_)")

_GROUPED = re.compile(r"[1-9]\d{0,2}[.,]\d{3}")
_AMBIGUOUS = frozenset(("g", "m"))  # grams or gigabytes, metres or minutes: settings are written so
_SCALED = ("time", "size", "months")  # a setting without a unit may be in any of these


def readings(number: str) -> frozenset[float]:
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
    if _GROUPED.fullmatch(plain):
        values.add(joined)
    return frozenset(values)


def signed(match: re.Match[str]) -> str:
    """Return the number of a match of `NUMBER` with its sign, if it is below zero."""
    return f"-{match['n']}" if match["sign"] and match["sign"][0] in "-mMeE" else match["n"]


def agreement(number: str, unit: str, *, other: str, other_unit: str, near: Iterable[str] = ()) -> Agreement:
    """Return whether a number of a passage is the amount that a sentence gives.

    Args:
        number: Of the sentence; `-` before it if it is below zero.
        unit: Of the sentence, folded; one that is not known counts as none.
        other: Of the passage.
        other_unit: Of the passage.
        near: Units that are named for numbers without one: `WAIT_SECONDS=300` is 5 minutes.
    """
    below, other_below = number.startswith("-"), other.startswith("-")
    mine, theirs = readings(number.lstrip("-")), readings(other.lstrip("-"))
    wanted, have = UNITS.get(unit), UNITS.get(other_unit)
    if below is not other_below:
        warm = {"celsius", "fahrenheit"} & {known[0] for known in (wanted, have) if known}
        return "no" if warm or not mine & theirs else "open"
    if wanted is None:
        return "yes" if mine & theirs else "no"
    amounts = [n * wanted[1] for n in mine]
    if have is not None and have[0] != wanted[0] and {unit, other_unit} & _AMBIGUOUS:
        return "open" if mine & theirs else "no"
    if have is not None:
        same = have[0] == wanted[0] and any(_equal(a, n * have[1]) for a in amounts for n in theirs)
        return "yes" if same else "no"
    named = {UNITS[word] for word in near if not other_unit}
    factors = {factor for measured, factor in named if measured == wanted[0]}
    if any(_equal(a, n * factor) for a in amounts for n in theirs for factor in factors):
        return "yes"
    if mine & theirs:
        return "open"
    scales = [factor for measured, factor in UNITS.values() if measured == wanted[0]] if wanted[0] in _SCALED else []
    guessed = any(_equal(a, n * factor) for a in amounts for n in theirs if n for factor in scales)
    return "open" if guessed else "no"


def _equal(a: float, b: float) -> bool:
    return abs(a - b) <= 1e-9 * max(abs(a), abs(b), 1.0)


def spoken(text: str) -> list[tuple[str, str]]:
    """Return amounts of a folded text that are put in words, with their unit: `half an hour`, `a month`."""
    found = [(number, unit) for pattern, number, unit in _PARTS if pattern.search(text)]
    return found + [("1", match["unit"]) for match in _ARTICLE.finditer(text)]


def scales(text: str) -> frozenset[str]:
    """Return the units named in a folded text for numbers that have none: `…, in seconds`, `WAIT_SECONDS`."""
    return frozenset(match["unit"] for match in _SCALE.finditer(text))
