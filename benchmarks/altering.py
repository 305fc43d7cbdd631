"""Sentences with one thing changed: what a check of citations must not call supported.

    number   18 → 19, 1.5 → 3.5          path, flag, name   a part exchanged for another
    unit     hours → minutes, MB → GB     date               another day, month, hour
    negation  "not" put in or taken out   comparison         before → after, more → less

`python -m benchmarks.altering FOLDER [N] [-v]` takes sentences of the Markdown files of a folder, changes each, and
prints what of both is called what. `python -m benchmarks.altering CLAIMS.tsv FOLDER` does it with labelled sentences:
the path below FOLDER, what was changed, the sentence, and `yes` or `no` for whether the document carries it. Nothing is
written.
"""

from __future__ import annotations

import random
import re
import sys
import time
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from askwell.ask.judging import claim_of, judge
from askwell.ask.reading import Reading, read
from askwell.ask.units import prose_units
from askwell.ids import document_id
from askwell.types import Lines, Passage, PrivacyClass, Support

if TYPE_CHECKING:
    from collections.abc import Iterator

_NUMBER = re.compile(r"(?<![\w.,/:#-])\d{1,5}(?:\.\d{1,2})?(?![\w.,/:-]*\d)(?![\w/-])")
_UNIT = re.compile(
    r"(?<=\d)(?P<blank>\s?)(?P<unit>seconds?|minutes?|hours?|days?|weeks?|months?|years?|"
    r"ms|MB|GB|KB|TB|GiB|MiB|kg|km|mm|cm|px|Sekunden?|Minuten?|Stunden?|Tage?|Wochen?|sekunder|minuter|timmar|dagar|veckor|dakika|saat|gün|hafta)\b"
)
_UNITS = (
    "second minute hour day week month year",
    "seconds minutes hours days weeks months years",
    "KB MB GB TB",
    "MiB GiB",
    "mm cm km",
    "Sekunden Minuten Stunden Tage Wochen",
    "sekunder minuter timmar dagar veckor",
    "dakika saat gün hafta",
)
_PATH = re.compile(r"(?:[\w.-]+/)+[\w.-]+\w|\b[\w-]+\.(?:md|ya?ml|json|toml|js|css|sh|py|conf|html)\b")
_FLAG = re.compile(r"(?<![\w-])--[a-z][\w-]+")
_NAME = re.compile(
    r"(?<=[a-zäöüå,] )[A-Z][a-z]{3,}(?![\w'])|\b[A-Z][a-z]+[A-Z]\w+\b|\b[a-z]+_[a-z_]+\b|\b[A-Z]{2,}_[A-Z_]+\b"
)
_DATE = re.compile(
    r"\b(?:January|February|March|April|June|July|August|September|October|November|December|Monday|Tuesday|Wednesday|"
    r"Thursday|Friday|Saturday|Sunday)\b|\b(?:[01]\d|2[0-3]):[0-5]\d\b|\b20[12]\d-[01]\d-[0-3]\d\b"
)
_NEGATED = re.compile(
    r"\b(?P<verb>is|are|was|were|can|will|does|do|should|must|may|cannot|ist|sind|wird|kann|är|kan|ska|blir)\b"
    r"(?P<not> not| nicht| inte)?"
)
_ENUMERATED = re.compile(r"(?:\d{1,3}[.)]|[-*+])\s+")  # a list's own counting claims nothing
_COMPARED = (
    "before after", "more less", "larger smaller", "higher lower", "above below", "first last", "maximum minimum",
    "always never", "enabled disabled", "enable disable", "with without", "inside outside", "allow deny", "add remove",
    "start stop", "older newer", "open close", "left right", "required optional", "true false", "vor nach",
    "mehr weniger", "immer nie", "mit ohne", "före efter", "mer mindre", "alltid aldrig", "med utan", "önce sonra",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Altered:
    """A sentence that one thing was changed in."""

    kind: str
    text: str


def altered(sentence: str, dice: random.Random, *, others: list[str]) -> Iterator[Altered]:
    """Yield a change of each kind that a sentence offers something for.

    Args:
        sentence: As it stands in a document.
        dice: Chooses.
        others: Sentences of the same document: names, paths and flags are exchanged for theirs where they have any.
    """
    if match := _pick(_NUMBER, sentence, dice):
        yield Altered("number", _put(sentence, match, _another_number(match[0], dice)))
    if match := _pick(_UNIT, sentence, dice):
        line = next(line.split() for line in _UNITS if match["unit"] in line.split()) if _listed(match["unit"]) else []
        if units := [unit for unit in line if unit != match["unit"]]:
            yield Altered("unit", _put(sentence, match, match["blank"] + dice.choice(units)))
    for kind, pattern in (("path", _PATH), ("flag", _FLAG), ("name", _NAME)):
        if match := _pick(pattern, sentence, dice):
            known = sorted({m[0] for other in others for m in pattern.finditer(other)} - set(pattern.findall(sentence)))
            new = dice.choice(known) if known and dice.random() < 0.5 else _mangled(match[0], dice)
            if new.casefold() not in sentence.casefold():
                yield Altered(kind, _put(sentence, match, new))
    if match := _pick(_DATE, sentence, dice):
        yield Altered("date", _put(sentence, match, _another_date(match[0], dice)))
    if match := _pick(_NEGATED, sentence, dice):
        word = {"ist": "nicht", "sind": "nicht", "wird": "nicht", "kann": "nicht"}.get(match["verb"], "not")
        word = "inte" if match["verb"] in ("är", "kan", "ska", "blir") else word
        yield Altered("negation", _put(sentence, match, match["verb"] + ("" if match["not"] else f" {word}")))
    pairs = [pair.split() for pair in _COMPARED]
    for one, other in [*pairs, *(pair[::-1] for pair in pairs)]:
        if re.search(rf"\b{one}\b", sentence) and not re.search(rf"\b{other}\b", sentence):
            yield Altered("comparison", re.sub(rf"\b{one}\b", other, sentence, count=1))
            break


def _listed(unit: str) -> bool:
    return any(unit in line.split() for line in _UNITS)


def _pick(pattern: re.Pattern[str], text: str, dice: random.Random) -> re.Match[str] | None:
    found = list(pattern.finditer(text))
    return dice.choice(found) if found else None


def _put(text: str, match: re.Match[str], new: str) -> str:
    return text[: match.start()] + new + text[match.end() :]


def _another_number(number: str, dice: random.Random) -> str:
    digits = [n for n, char in enumerate(number) if char.isdigit()]
    at = dice.choice(digits)
    new = dice.choice([d for d in "123456789" if d != number[at]])
    return number[:at] + new + number[at + 1 :]


def _mangled(name: str, dice: random.Random) -> str:
    """Return a name with one of its parts exchanged."""
    parts = re.findall(r"[A-Za-z]{3,}", name)
    part = dice.choice(parts) if parts else name
    word = dice.choice(["harbour", "quartz", "mosaic", "lantern", "velvet"])
    word = word.upper() if part.isupper() else word.title() if part[:1].isupper() else word
    return name.replace(part, word, 1)


def _another_date(date: str, dice: random.Random) -> str:
    if date[0].isdigit():
        return date[:-1] + dice.choice([d for d in "0123456789" if d != date[-1]])
    months = [
        "January",
        "February",
        "March",
        "April",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ]
    days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    return dice.choice([name for name in (months if date in months else days) if name != date])


def sentences_of(text: str) -> list[str]:
    """Return the sentences, items and rows of Markdown that have some words, without those that only list links."""
    found = []
    for unit in prose_units(text):
        said = " ".join(unit.span.slice(text).split())
        if item := _ENUMERATED.match(said):
            said = said[item.end() :]
        if (
            unit.role in ("sentence", "item")
            and 40 <= len(said) <= 300
            and said.count("](") < 3
            and said.count("[[") < 3
        ):
            found.append(said)
    return found


def passage_of(path: str, text: str) -> Passage:
    """Return a document as the one passage of a prompt."""
    return Passage(
        marker=1, document_id=document_id("src", path), source="src", path=path, title=Path(path).stem, headings=(),
        lines=Lines(1, 1 + text.count("\n")), text=text, lead="", class_=PrivacyClass.OPEN,
    )  # fmt: skip


def main() -> None:
    """Measure on a folder, or on labelled sentences."""
    given = [word for word in sys.argv[1:] if word != "-v"]
    first = Path(given[0])
    spent: list[float] = []
    if first.suffix == ".tsv":
        verdicts = labelled(first, Path(given[1]), spent)
    else:
        verdicts = drawn(first, int(given[1]) if len(given) > 1 else 400, spent)
    for kind, counts in verdicts.items():
        shares = "  ".join(f"{support.value} {counts[support] / counts.total():.3f}" for support in Support)
        print(f"{kind:<11} {counts.total():5}  {shares}")
    print(f"{1000 * sum(spent) / len(spent):.1f} ms a sentence, {1000 * max(spent):.1f} at most")


def labelled(claims: Path, folder: Path, spent: list[float]) -> dict[str, Counter[Support]]:
    """Return by what was changed in sentences how many got which verdict; `true` are those that are carried."""
    verdicts: dict[str, Counter[Support]] = defaultdict(Counter)
    readings: dict[str, Reading] = {}
    for row in claims.read_text(encoding="utf-8").splitlines()[1:]:
        path, kind, sentence, carried = row.split("\t")
        if path not in readings:
            readings[path] = read(passage_of(path, (folder / path).read_text(encoding="utf-8")))
        support = _verdict(sentence, readings[path], spent)
        verdicts["true" if carried == "yes" else kind][support] += 1
        if "-v" in sys.argv and (support is Support.SUPPORTED) != (carried == "yes"):
            print(f"{support.value}, {carried} ({kind}): {sentence}")
    return verdicts


def drawn(folder: Path, most: int, spent: list[float]) -> dict[str, Counter[Support]]:
    """Return the same for sentences of a folder's Markdown files and for what `altered` makes of them."""
    dice = random.Random(7)
    files = sorted(folder.rglob("*.md"))
    dice.shuffle(files)
    verdicts: dict[str, Counter[Support]] = defaultdict(Counter)
    for file in files:
        text = file.read_text(encoding="utf-8", errors="replace")[:24_000]
        said = sentences_of(text)
        if len(said) < 3:
            continue
        reading = read(passage_of(file.relative_to(folder).as_posix(), text))
        for sentence in dice.sample(said, min(3, len(said))):
            verdicts["true"][_verdict(sentence, reading, spent)] += 1
            for change in altered(sentence, dice, others=said):
                support = _verdict(change.text, reading, spent)
                verdicts[change.kind][support] += 1
                if support is Support.SUPPORTED and "-v" in sys.argv:
                    print(f"{change.kind}: {change.text}\n    {sentence}")
        if verdicts["true"].total() >= most:
            break
    return verdicts


def _verdict(sentence: str, reading: Reading, spent: list[float]) -> Support:
    started = time.process_time()
    support, _, _ = judge(claim_of(sentence), [reading], None)
    spent.append(time.process_time() - started)
    return support


if __name__ == "__main__":
    main()
