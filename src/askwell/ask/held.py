"""Whether a passage has a fact of a sentence.

Two texts agree on a fact under spelling alone: grouping of digits (`100,000`, `100.000`, `100000`), decimal comma or
point, a small number as a word, a time or size in another unit (`5 minutes`, `300 s`), a date or a time of day in
another notation. What has to be guessed is `open`: a number whose unit the passage does not name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from askwell.ask.amounts import NUMBER, SMALL, UNITS, Agreement, agreement, scales, signed, spoken
from askwell.ask.dates import WEEKDAYS, WEEKDAYS_SHORT, dates, same_day, times
from askwell.ask.facts import facts, folded
from askwell.terms import fold, stem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askwell.ask.dates import Day
    from askwell.ask.facts import Fact

_WORD = re.compile(r"[^\W_]+")
_JOINERS = tuple(".-")
_SUBSTRING = 5  # letters from which a name counts as held within a longer word


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage, or a piece of one, made ready for `held`: read once, asked often."""

    text: str  # folded
    squeezed: str  # without blanks
    numbers: tuple[tuple[str, str], ...]  # each number and its unit, as written
    scales: frozenset[str]  # units named for numbers that are written without
    words: frozenset[str]
    stems: frozenset[str]
    days: tuple[frozenset[Day], ...]
    minutes: frozenset[float]

    @property
    def weekdays(self) -> frozenset[int]:
        """Days of the week that are named."""
        names = WEEKDAYS | WEEKDAYS_SHORT
        return frozenset(names[word] for word in self.words & names.keys())


def evidence(text: str) -> Evidence:
    """Return `text` prepared for looking facts up in it. Linear."""
    flat = folded(text)
    numbers = [(signed(m), (m["unit"] or "").casefold()) for m in NUMBER.finditer(flat.replace("_", " "))]
    words = _WORD.findall(flat)
    for word, after in zip(words, [*words[1:], ""], strict=False):
        if word in SMALL:
            numbers.append((str(SMALL[word]), after))
    numbers += spoken(flat)
    return Evidence(
        text=flat,
        squeezed=flat.replace(" ", ""),
        numbers=tuple(numbers),
        scales=scales(flat),
        words=frozenset(words),
        stems=frozenset(stem(fold(word)) for word in set(words)),
        days=tuple(dates(flat)),
        minutes=frozenset(times(flat)),
    )


def holds(passage: Evidence, fact: Fact) -> bool:
    """Say whether a passage has a fact, perhaps only under a guess."""
    return held(passage, fact) != "no"


def held(passage: Evidence, fact: Fact, *, near: frozenset[str] = frozenset()) -> Agreement:
    """Say whether a passage has a fact, or has it if something that it does not say is guessed.

    A number's unit must agree where both have one that is known; `near` are
    units that are named beside the passage.
    """
    match fact.kind:
        case "number":
            found = {
                agreement(fact.text, fact.unit, other=number, other_unit=unit, near=passage.scales | near)
                for number, unit in passage.numbers
            }
            if "open" in found and any(unit == fact.unit for _, unit in passage.numbers):
                same = (agreement(fact.text, "", other=number, other_unit="") for number, _ in passage.numbers)
                found = {"yes"} if "yes" in set(same) else found  # the unit is named once: `4.5 bar in front, 5 behind`
            return "yes" if "yes" in found else "open" if "open" in found else "no"
        case "date":
            return _is(any(same_day(fact.days, days) for days in passage.days))
        case "time":
            return _is(fact.minutes in passage.minutes or _whole(fact.text, passage.text))
        case "weekday":
            return _is(WEEKDAYS[fact.text] in passage.weekdays)
        case "proper":
            return _is(_named(fact.text, passage))
        case "quotation":
            return _is(_whole(fact.text, passage.text) or _squeezed(fact.text, passage))
        case "path":
            return _is(_whole(fact.text.rstrip("/"), passage.text, path=True))
        case _:
            return _is(_whole(fact.text, passage.text, dashed=fact.kind == "flag"))


def missing(needed: Sequence[Fact], places: Sequence[Evidence]) -> list[Fact]:
    """Return the facts that none of the places has, not even under a guess; those that must stand there as written."""
    return [fact for fact in needed if not fact.soft and not any(holds(place, fact) for place in places)]


def rivals(passage: Evidence, fact: Fact, *, but: Sequence[Fact]) -> bool:
    """Say whether a passage has another value of a fact's kind: a number of that unit, a date, a time of day.

    Values that are facts in `but` too are no rivals.
    """
    match fact.kind:
        case "number":
            measured = UNITS[fact.unit][0] if fact.unit else ""
            known = [other for other in but if other.kind == "number"]
            return any(
                (UNITS[unit][0] if unit in UNITS else "") == measured
                and not any(agreement(o.text, o.unit, other=number, other_unit=unit) != "no" for o in known)
                for number, unit in passage.numbers
            )
        case "date":
            return any(not any(same_day(o.days, days) for o in but if o.kind == "date") for days in passage.days)
        case "time":
            return bool(passage.minutes - {o.minutes for o in but})
        case "weekday":
            return bool(passage.weekdays - {WEEKDAYS[o.text] for o in but if o.kind == "weekday"})
        case "name" | "flag" | "path" | "address" | "version":
            mine = {o.text for o in but}
            return any(o.kind == fact.kind and o.text not in mine for o in facts(passage.text))
        case _:
            return False


def _is(true: bool) -> Agreement:
    return "yes" if true else "no"


def _squeezed(text: str, passage: Evidence) -> bool:
    """Say whether a quotation stands there with other blanks: `key = value` for `key=value`."""
    plain = text.replace(" ", "")
    return len(plain) >= _SUBSTRING and plain in passage.squeezed


def _named(word: str, passage: Evidence) -> bool:
    """Say whether a name stands there, in any inflection, or as a part of a longer one."""
    if word in passage.words or stem(fold(word)) in passage.stems:
        return True
    parts = _WORD.findall(word)
    if len(parts) > 1:
        return all(part in passage.words or part in passage.text for part in parts)
    return len(word) >= _SUBSTRING and (word in passage.squeezed or word.rstrip("sn") in passage.squeezed)


def _whole(text: str, passage: str, *, dashed: bool = False, path: bool = False) -> bool:
    """Say whether `text` stands in `passage` with no letter, digit or joined part at either end of it.

    Where `dashed`, a word joined by a dash is a part too: `--dry` is not in `--dry-run`. Of a `path`, whole parts
    may stand before and behind it: `/etc/rear` is in `/etc/rear/site.conf`.
    """
    if not text:
        return False
    at = passage.find(text)
    word_before = text[0].isalnum() or text[0] == "_"
    word_after = text[-1].isalnum() or text[-1] == "_"
    while at >= 0:
        before = passage[at - 1 : at]
        after = passage[at + len(text) : at + len(text) + 2]
        joined = word_after and (
            after[:1].isalnum()
            or after[:1] == "_"
            or (after[:1] in _JOINERS and (after[1:].isdigit() or (path and after[1:].isalnum())))
            or (dashed and after[:1] == "-" and after[1:].isalnum())
        )
        led = (word_before and (before.isalnum() or before == "_")) or (dashed and before == "-")
        led = led or (path and before.isalnum())
        if not led and not joined:
            return True
        at = passage.find(text, at + 1)
    return False
