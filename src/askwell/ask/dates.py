"""Dates and times of day in the notations of several languages, as values that can be compared.

2024-12-18   18.12.2024   18/12/2024   18 December 2024   Dec 18, 2024   18. Dezember   18 Aralık 2024   18 december
03:30   3.30 Uhr   kl. 03.30   3:30 am   15 Uhr   `30 3 * * *`
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator

Day: TypeAlias = "tuple[int, int, int]"
"""Year, month, day; 0 for what is not written."""

_MONTHS = (
    "january jan januar januari ocak",
    "february feb februar februari şubat",
    "march mar märz mars mart",
    "april apr nisan",
    "may mai maj mayıs",
    "june jun juni haziran",
    "july jul juli temmuz",
    "august aug augusti ağustos",
    "september sep sept eylül",
    "october oct oktober okt ekim",
    "november nov kasım",
    "december dec dezember dez aralık",
)
MONTHS = {word: n for n, words in enumerate(_MONTHS, start=1) for word in words.split()}
"""Name of a month, folded → 1 to 12."""

_WEEKDAYS = (
    "monday mondays montag montags måndag måndagar pazartesi",
    "tuesday tuesdays dienstag dienstags tisdag tisdagar salı",
    "wednesday wednesdays mittwoch mittwochs onsdag onsdagar çarşamba",
    "thursday thursdays donnerstag donnerstags torsdag torsdagar perşembe",
    "friday fridays freitag freitags fredag fredagar cuma",
    "saturday saturdays samstag samstags sonnabend lördag lördagar cumartesi",
    "sunday sundays sonntag sonntags söndag söndagar pazar",
)
WEEKDAYS = {word: n for n, words in enumerate(_WEEKDAYS) for word in words.split()}
"""Name of a day of the week, folded → 0 (Monday) to 6."""

WEEKDAYS_SHORT = {name: n for n, name in enumerate(["mon", "tue", "wed", "thu", "fri", "sat", "sun"])}
"""As schedules write them; in a sentence they are words of other meanings."""

_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
DATE = re.compile(
    r"\b(?P<ym>(?:19|20)\d{2}-(?:0[1-9]|1[0-2]))\b(?![-\d])|\b(?P<iso>\d{4}-\d{2}-\d{2})(?=\b|t\d)"
    r"|\b(?P<a>\d{1,2})(?P<sep>[./])(?P<b>\d{1,2})(?P=sep)(?P<y>\d{4})\b"
    rf"|\b(?P<d>\d{{1,2}})(?:\.|st|nd|rd|th)?(?:\s(?:of\s)?)(?P<m>{_MONTH})\b\.?(?:,?\s(?P<dy>\d{{4}})\b)?"
    rf"|\b(?P<m2>{_MONTH})\b\.?\s(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?\b(?!:)(?:,?\s(?P<dy2>\d{{4}})\b)?"
    rf"|\b(?P<m3>{_MONTH})\b\.?,?\s(?P<y3>\d{{4}})\b",
    re.IGNORECASE,
)
_MONTH_ALONE = re.compile(
    rf"\b(?:in|im|i|since|until|till|from|by|seit|bis|ab|sedan|från|every|each|jeden|varje|her|late|early)\s(?P<m>{_MONTH})\b",
    re.IGNORECASE,
)
TIME = re.compile(
    r"(?<![\d:.,])(?P<h>[01]?\d|2[0-4]):(?P<min>[0-5]\d)(?::(?P<s>[0-5]\d))?(?!\d)(?:\s?(?P<half>[ap])\.?m\b\.?)?"
    r"|(?<![\d:.,])(?P<h2>\d{1,2})\s?(?P<half2>[ap])\.?m\b\.?"
    r"|(?<![\d:.,])(?P<h3>[01]?\d|2[0-4])(?:[.](?P<min3>[0-5]\d))?\s?uhr\b"
    r"|\b(?:kl|saat)\b\.?\s(?P<h4>[01]?\d|2[0-4])[.](?P<min4>[0-5]\d)(?!\d)",
    re.IGNORECASE,
)
_NAMED = {"noon": 720.0, "midday": 720.0, "midnight": 0.0, "mitternacht": 0.0, "midnatt": 0.0, "gece yarısı": 0.0}
_NAMED_TIME = re.compile(r"\b(?:noon|midday|midnight|mitternacht|midnatt|gece yarısı)\b", re.IGNORECASE)
_CRON = re.compile(r"(?<![\d/*])(\d{1,2}) (\d{1,2})(?= [\d*/,-]+ [\d*/,a-z-]+ [\d*/,a-z-]+(?![\d*/]))")


def days_of(match: re.Match[str]) -> frozenset[Day]:
    """Return what a match of `DATE` may mean: `03/04/2024` is of March and of April; empty if it is no date."""
    if match["iso"]:
        year, month, day = map(int, match["iso"].split("-"))
        return _valid({(year, month, day)})
    if match["ym"]:
        year, month = map(int, match["ym"].split("-"))
        return frozenset({(year, month, 0)})
    if match["a"]:
        a, b, year = int(match["a"]), int(match["b"]), int(match["y"])
        return _valid({(year, b, a)} | ({(year, a, b)} if match["sep"] == "/" else set()))
    if match["m3"]:
        return _valid({(int(match["y3"]), MONTHS[match["m3"].casefold()], 0)})
    month = MONTHS[(match["m"] or match["m2"]).casefold()]
    return _valid({(int(match["dy"] or match["dy2"] or 0), month, int(match["d"] or match["d2"]))})


def _valid(days: set[Day]) -> frozenset[Day]:
    return frozenset(day for day in days if 1 <= day[1] <= 12 and 0 <= day[2] <= 31)


def dates(text: str) -> Iterator[frozenset[Day]]:
    """Yield the readings of each date of a text, in order, months named alone after them."""
    for match in DATE.finditer(text):
        if found := days_of(match):
            yield found
    for match in _MONTH_ALONE.finditer(text):
        yield frozenset({(0, MONTHS[match["m"].casefold()], 0)})


def month_alone(text: str) -> Iterator[tuple[str, Day]]:
    """Yield the months that stand without a day or a year (`in May`), as written and as a date."""
    for match in _MONTH_ALONE.finditer(text):
        yield match["m"], (0, MONTHS[match["m"].casefold()], 0)


def same_day(one: frozenset[Day], other: frozenset[Day]) -> bool:
    """Return whether two dates agree in all that both write, and `other` writes the day if `one` does."""
    return any(
        a[1] == b[1] and (a[2] == b[2] or not a[2]) and (a[0] == b[0] or not (a[0] and b[0]))
        for a in one
        for b in other
    )


def minutes_of(match: re.Match[str]) -> float:
    """Return a match of `TIME` in minutes since midnight; the seconds are a fraction."""
    hour = int(match["h"] or match["h2"] or match["h3"] or match["h4"])
    minute = int(match["min"] or match["min3"] or match["min4"] or 0)
    if half := (match["half"] or match["half2"] or "").casefold():
        hour = hour % 12 + (12 if half == "p" else 0)
    return hour % 24 * 60 + minute + int(match["s"] or 0) / 60


def times(text: str) -> Iterator[float]:
    """Yield the times of day of a text in minutes since midnight, those of cron lines among them."""
    for match in TIME.finditer(text):
        yield minutes_of(match)
    for match in _NAMED_TIME.finditer(text):
        yield _NAMED[match[0].casefold()]
    for match in _CRON.finditer(text):
        minute, hour = int(match[1]), int(match[2])
        if minute < 60 and hour < 24:
            yield float(hour * 60 + minute)
