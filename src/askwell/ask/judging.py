"""How well passages carry one sentence, and where: hard facts first, then what is turned round, then words and meaning.

facts nowhere in what is cited ─────────────────────────▶ unsupported
facts elsewhere than the rest, a guess, a word exchanged,
a negation more, another source named ──────────────────▶ weak at best
most words together ────────────────────────────────────▶ supported
half of them, or the meaning, or facts across languages ▶ weak, else unsupported
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from askwell.ask.alignment import Aligned, aligned, displaced, exchanged_values, region
from askwell.ask.amounts import UNITS
from askwell.ask.attribution import attributed, is_from
from askwell.ask.facts import Fact, facts, folded
from askwell.ask.held import held, holds, missing, rivals
from askwell.ask.polarity import backward, turned
from askwell.rank.language import language_of
from askwell.terms import content_words, fold, forms
from askwell.types import Lines, Support

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from askwell.ask.reading import Reading
    from askwell.ask.units import Role

    Similarity = Callable[[str, Sequence[str]], Sequence[float]]

SUPPORTED = 0.6
"""Share of a sentence's words, by form, that must stand together in a passage for it to be supported."""

WEAK = 0.3
"""The same, for it to be weak; under it a sentence says something else."""

CLOSE = 0.6
"""Cosine of a sentence to a piece of its passage from which a paraphrase counts as `WEAK` or better."""

ORDER = {Support.UNSUPPORTED: 0, Support.WEAK: 1, Support.SUPPORTED: 2}

OPPOSITE = "the lines seem to say the opposite"
"""Why a sentence that negates, or compares, otherwise than its lines is not supported."""

SWAPPED = "the lines say it of something else"
"""Why a sentence is not supported that has the words of its lines in each other's places."""

_WINDOW = 2  # units around the best one whose words count as standing together
_NEAR = 2  # pieces whose meaning is compared: each costs an embedding
_LONGEST = 2_000
_SHORT = 200  # characters of lines that a sentence lies over nowhere: it may still be the opposite of them
_RECORDS = ("row", "setting", "line")
_CLAUSES = re.compile(
    r"[,;:]\s|\s[-–—]\s"
    r"|\s(?:and|but|because|if|when|while|so|und|aber|weil|wenn|och|men|eftersom|om|när|ve|ama|çünkü)\s"
)
_FENCE = re.compile(r"[ \t>]*(?:`{3,}|~{3,})")
_SPLIT = re.compile(
    r"(?:[,;:]|\s[-–—])\s+(?:(?:and|but|while|whereas|und|aber|während|och|men|medan|ve|ama)\s)?"
    r"|\s(?:and|but|while|whereas|und|aber|während|och|men|medan|ve|ama)\s"
)


@dataclass(frozen=True, slots=True)
class Claim:
    """One sentence made ready to be judged."""

    text: str
    facts: tuple[Fact, ...]
    spellings: Mapping[str, frozenset[str]]  # each word that is no fact, with the terms that stand for it
    sources: tuple[str, ...]  # what it says that it is from
    language: str


@dataclass(frozen=True, slots=True)
class Judged:
    """How well one passage carries one sentence, and where."""

    marker: int  # of the passage
    support: Support
    lines: Lines
    quote: str
    why: str = ""  # what is missing or doubtful, in a few words; empty if supported
    score: float = 0.0


def claim_of(text: str) -> Claim:
    """Return a sentence prepared; of a very long one only the beginning is read."""
    sources, text = attributed(text[:_LONGEST])
    found = facts(text)
    stated = {fact.unit for fact in found} | {fact.text.casefold() for fact in found if fact.kind == "number"}
    words = [word for word in content_words(text)[:64] if word not in stated]  # amounts are compared as facts
    return Claim(text, found, {word: frozenset(forms(word)) for word in words}, sources, language_of(text))


def judge(
    claim: Claim, readings: Sequence[Reading], similarity: Similarity | None, *, split: bool = True
) -> tuple[Support, str, list[Judged]]:
    """Return how well passages together carry a claim, why not better, and how well and where each does.

    Where no passage carries all of it, each half of a sentence may be carried by its own lines.
    """
    judged = [_judge_one(claim, reading, similarity) for reading in readings]
    lacking = missing(claim.facts, [reading.whole for reading in readings])
    if lacking:
        names = ", ".join(f"`{fact.shown}`" for fact in lacking[:4])
        return Support.UNSUPPORTED, f"not in what it cites: {names}", judged
    best = max(judged, key=lambda one: (ORDER[one.support], one.score), default=None)
    if best is None:
        return Support.UNSUPPORTED, "there is no passage", judged
    if best.support is Support.SUPPORTED:
        return best.support, "", judged
    if split and best.why not in (OPPOSITE, SWAPPED) and (halves := _halves(claim, readings, similarity)):
        return Support.SUPPORTED, "", halves
    support = best.support
    if len(readings) > 1 and support is Support.UNSUPPORTED and _together(claim, readings) >= WEAK:
        support = Support.WEAK  # every fact is carried, by no passage alone
    return support, best.why, judged


def _together(claim: Claim, readings: Sequence[Reading]) -> float:
    """Return the share of a claim's words that stand in any of the passages."""
    terms = [frozenset().union(*reading.terms) for reading in readings]
    there = [word for word, spelling in claim.spellings.items() if any(spelling & one for one in terms)]
    return len(there) / len(claim.spellings) if claim.spellings else 1.0


def _halves(claim: Claim, readings: Sequence[Reading], similarity: Similarity | None) -> list[Judged]:
    """Return where the parts of a sentence are carried, one after another; empty unless all are."""
    parts: list[str] = []
    for part in _SPLIT.split(claim.text):
        if parts and len(content_words(part)) < 2:
            parts[-1] += f", {part}"
        else:
            parts.append(part)
    if not 2 <= len(parts) <= 4:
        return []
    found: list[Judged] = []
    for part in parts:
        support, _, judged = judge(claim_of(part), readings, similarity, split=False)
        if support is not Support.SUPPORTED:
            return []
        found.append(max(judged, key=lambda one: (ORDER[one.support], one.score)))
    return found


def _judge_one(claim: Claim, reading: Reading, similarity: Similarity | None) -> Judged:
    marker = reading.passage.marker
    if not reading.spans:
        nothing = reading.passage.text.strip()[:300]
        return Judged(marker, Support.UNSUPPORTED, reading.passage.lines, nothing, "says something else")
    words = [
        sum(bool(spelling & (terms | beside)) for spelling in claim.spellings.values())
        for terms, beside in zip(reading.terms, reading.beside, strict=True)
    ]
    carried = _carried(claim, reading, words)
    scores = [2.0 * c + w for c, w in zip(carried, words, strict=True)]
    best = max(range(len(scores)), key=lambda n: (scores[n], -n))
    meaning = 0.0
    if similarity is not None and words[best] < SUPPORTED * max(1, len(claim.spellings)):
        near = sorted(range(len(scores)), key=lambda n: -scores[n])[:_NEAR]
        cosines = similarity(claim.text[:600], [reading.pieces[n][:600] for n in near])
        meaning = max(cosines, default=0.0)
        if scores[best] == 0 and meaning >= CLOSE:
            best = near[max(range(len(near)), key=lambda n: cosines[n])]
    first, last = _widened(best, claim.facts, reading)
    lines, quote = reading.lines(first, last)
    window = frozenset().union(
        *reading.terms[max(0, first - _WINDOW) : last + _WINDOW + 1], *reading.beside[first : last + 1]
    )
    share = _share(claim, reading, range(first, last + 1), window)
    support = _support(claim, reading, share, meaning)
    score = scores[best] + share
    if support is not Support.SUPPORTED:
        lacking = [fact.shown for fact in claim.facts if not holds(reading.whole, fact)]
        named = f"not in what it cites: {', '.join(f'`{name}`' for name in lacking[:4])}"
        partly = "only partly in these words" if support is Support.WEAK else "says something else"
        return Judged(marker, support, lines, quote, named if lacking else partly, score)
    doubt = _doubt(claim, reading, (first, last), quote, words)
    return Judged(marker, Support.WEAK if doubt else support, lines, quote, doubt, score)


def _share(claim: Claim, reading: Reading, at: range, window: frozenset[str]) -> float:
    """Return the share of a claim's words and facts that stand in a window of terms, and in the units of `at`."""
    there = sum(bool(spelling & window) for spelling in claim.spellings.values())
    if claim.language not in ("", "en"):  # inflected in ways that terms do not know
        left = [word for word, spelling in claim.spellings.items() if not spelling & window]
        there += sum(any(_akin(word, term) for term in window) for word in left)
    hard = [fact for fact in claim.facts if not fact.soft and fact.kind not in ("proper", "quotation")]
    held_here = sum(any(held(reading.part(n), fact) == "yes" for n in at) for fact in hard)
    whole = len(claim.spellings) + len(hard)
    return (there + held_here) / whole if whole else 1.0


def _carried(claim: Claim, reading: Reading, words: Sequence[int]) -> list[int]:
    """Return how many facts each unit has; of units without a word in common only where a fact is nowhere else."""
    if not claim.facts:
        return [0] * len(words)
    likely = [n for n, count in enumerate(words) if count]
    likely = sorted({m for n in likely for m in range(max(0, n - 1), min(len(words), n + 2))})
    found = dict.fromkeys(range(len(words)), 0)
    left = [fact for fact in claim.facts if holds(reading.whole, fact)]
    for places in (likely, range(len(words))):
        if not left:
            break
        for n in places:
            if places is not likely and words[n]:
                continue
            found[n] += sum(holds(reading.part(n), fact) for fact in left)
        left = [fact for fact in left if not any(holds(reading.part(n), fact) for n in places)]
    return list(found.values())


def _support(claim: Claim, reading: Reading, share: float, meaning: float) -> Support:
    """Return what words, meaning and the facts of a passage as a whole allow."""
    if missing(claim.facts, [reading.whole]):
        return Support.UNSUPPORTED
    if share >= SUPPORTED or (share >= WEAK and meaning >= CLOSE):
        return Support.SUPPORTED
    if share >= WEAK or meaning >= CLOSE or not claim.spellings:
        return Support.WEAK
    # Across languages words say nothing; facts that are all there still do.
    other = claim.language and reading.language and claim.language != reading.language
    return Support.WEAK if claim.facts and other else Support.UNSUPPORTED


def _doubt(claim: Claim, reading: Reading, at: tuple[int, int], quote: str, words: Sequence[int]) -> str:
    """Return why a sentence whose words stand in a passage may still say something else; empty if nothing tells so."""
    if folded(claim.text).strip(" .") in folded(quote) and not claim.sources:
        return ""
    return _doubtful_fact(claim, reading, at, words) or _doubtful_sense(claim, reading, at, quote)


def _doubtful_fact(claim: Claim, reading: Reading, at: tuple[int, int], words: Sequence[int]) -> str:
    """Return which fact of a claim its lines lack, or have only under a guess; or that the closest ones differ."""
    here = [reading.part(n) for n in range(at[0], at[1] + 1)]
    near = frozenset().union(*(reading.part(n).scales for n in range(max(0, at[0] - 1), min(len(words), at[1] + 2))))
    if reading.roles[at[0]] == "row":  # a unit stands in the header
        near |= {term for term in reading.beside[at[0]] if len(term) > 1 and term in UNITS}
    for fact in claim.facts:
        agreed = {held(part, fact, near=near) for part in here}
        if "yes" in agreed or (fact.soft and not any(rivals(part, fact, but=claim.facts) for part in here)):
            continue
        if "open" in agreed:
            return f"the lines do not say the unit of `{fact.shown}`"
        if fact.kind in ("path", "proper", "name") and _in_context(fact, reading, at):
            continue
        return f"`{fact.shown}` is not in these lines"
    closest = max(range(len(words)), key=lambda n: (words[n], at[0] <= n <= at[1]))
    if any(_rival(fact, claim, reading, closest) for fact in claim.facts):
        return "the lines closest to it have another value"
    return ""


def _doubtful_sense(claim: Claim, reading: Reading, at: tuple[int, int], quote: str) -> str:
    """Return how a claim may be at odds with its lines: another source, the opposite, a word in another's place."""
    passage = reading.passage
    names = (passage.title, passage.path, passage.path.rpartition("/")[2], *passage.headings)
    for who in claim.sources:
        if not is_from(who, names) and who.casefold() not in quote.casefold():
            return f"the lines are not from {who}"
    laid = aligned(claim.text, quote)
    parts = _CLAUSES.split(claim.text)
    whole = (claim.text, laid.region or quote[:_SHORT])
    if any(turned(text, said) for text, said in (whole, *_regions(parts, quote)) if said):
        return OPPOSITE
    if displaced(claim.text, quote) or backward(claim.text, quote):
        return SWAPPED
    if pair := exchanged_values(claim.text, quote):
        return f"`{pair[0]}` stands where the lines say `{pair[1]}`"
    if reading.roles[at[0]] in _RECORDS and (word := _stray(claim, reading, at)):
        return f"`{word}` is not in these lines"
    if pair := _exchanged(laid, claim, reading, at):
        return f"`{pair[0]}` stands where the lines say `{pair[1]}`"
    return ""


def _regions(clauses: Sequence[str], quote: str) -> Iterator[tuple[str, str]]:
    """Yield the clauses of a sentence that has several, each with the part of the lines that it is about."""
    if len(clauses) > 1:
        for clause in clauses:
            yield clause, region(clause, quote)


def _stray(claim: Claim, reading: Reading, at: tuple[int, int]) -> str:
    """Return a word of a claim that is in another record, and not in this one; empty if there is none."""
    role = reading.roles[at[0]]
    here = frozenset().union(reading.around, *reading.terms[at[0] : at[1] + 1], *reading.beside[at[0] : at[1] + 1])
    others = frozenset().union(
        *(terms for terms, other in zip(reading.terms, reading.roles, strict=True) if other == role)
    )
    strays = (word for word, spelling in claim.spellings.items() if spelling & others and not spelling & here)
    return next((word for word in strays if not _known(word, claim, reading, at)), "")


def _in_context(fact: Fact, reading: Reading, at: tuple[int, int]) -> bool:
    """Say whether a name is that of the document or of a heading: a sentence may name what its lines leave unsaid."""
    above = frozenset().union(reading.around, *reading.beside[at[0] : at[1] + 1])
    return bool(frozenset(forms(fact.text)) & above)


def _rival(fact: Fact, claim: Claim, reading: Reading, n: int) -> bool:
    """Say whether unit `n` has another value where the claim has this one."""
    part = reading.part(n)
    return not holds(part, fact) and rivals(part, fact, but=claim.facts)


def _known(word: str, claim: Claim, reading: Reading, at: tuple[int, int]) -> bool:
    """Say whether a word is of a fact that the lines have, in another notation."""
    of = [fact for fact in claim.facts if fact.kind != "quotation" and word in fold(fact.shown).split()]
    return any(held(reading.part(n), fact) == "yes" for fact in of for n in range(at[0], at[1] + 1))


def _exchanged(laid: Aligned, claim: Claim, reading: Reading, at: tuple[int, int]) -> tuple[str, str] | None:
    """Return a word of a claim that stands in place of another of the lines, if it is likely to change the sense."""
    here = frozenset().union(reading.around, *reading.terms[at[0] : at[1] + 1], *reading.beside[at[0] : at[1] + 1])
    for new, old in laid.exchanged:
        spelling = frozenset(forms(new))
        if spelling & here or _akin(new, old) or _known(new, claim, reading, at):
            continue
        elsewhere = any(spelling & terms for terms in reading.terms)
        if elsewhere or laid.share >= 0.5:
            return new, old
    return None


def _akin(one: str, other: str) -> bool:
    """Say whether two words begin alike: inflections and derivations of one word."""
    common = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        common += 1
    return common >= 4 and 2 * common >= min(len(one), len(other))


def _widened(best: int, needed: Sequence[Fact], reading: Reading) -> tuple[int, int]:
    """Return the range of units around the best one that has the facts it lacks, at most `_WINDOW` away."""
    first = last = best
    lacking = [fact for fact in needed if not holds(reading.part(best), fact)]
    for step in range(1, _WINDOW + 1):
        for n in (best + step, best - step):
            if not 0 <= n < len(reading.spans) or _separate(reading.roles[best], reading.roles[n]):
                continue
            if any(holds(reading.part(n), fact) for fact in lacking):
                first, last = min(first, n), max(last, n)
                lacking = [fact for fact in lacking if not holds(reading.part(n), fact)]
    return first, last


def _separate(one: Role, other: Role) -> bool:
    """Say whether two units are records of their own, whose values must not be mixed."""
    return one == other and one in (*_RECORDS, "item", "heading")


def judge_code(block: str, readings: Sequence[Reading]) -> tuple[Support, str, list[Judged]]:
    """Return how well passages carry a code block: its lines must stand there as they are, blanks aside."""
    lines = ["".join(folded(line).split()) for line in block.split("\n") if not _FENCE.match(line)]
    lines = [line for line in lines if any(map(str.isalnum, line))][:200]
    judged: list[Judged] = []
    for reading in readings:
        squeezed = ["".join(folded(piece).split()) for piece in reading.pieces]
        there = [any(line in piece for piece in squeezed) or line in reading.whole.squeezed for line in lines]
        share = sum(there) / len(there) if there else 0.0
        near = [n for n, piece in enumerate(squeezed) if any(line in piece for line in lines)] or [0]
        if not reading.spans:
            continue
        at, quote = reading.lines(near[0], near[-1] if near[-1] - near[0] <= len(lines) else near[0])
        support = Support.SUPPORTED if share == 1.0 else Support.WEAK if share >= SUPPORTED else Support.UNSUPPORTED
        why = "" if share == 1.0 else f"{there.count(False)} of its lines are not in what it cites"
        judged.append(Judged(reading.passage.marker, support, at, quote, why, share))
    if not judged:
        return Support.UNSUPPORTED, "there is no passage", judged
    best = max(judged, key=lambda one: one.score)
    return best.support, best.why, judged
