"""What of the regions may answer a question: their units, each with how much of the question it holds.

score = (words held, by rarity, + meaning + value asked for) x place of the hit x fitness of the form
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from askwell.ask.asked import Asked, asked_of, has_value
from askwell.ask.code_units import code_units
from askwell.ask.units import Unit, is_prose, prose_units
from askwell.rank.signals import rarity
from askwell.terms import content_words, forms, index_terms
from askwell.types import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from askwell.ask.regions import Region

# What a question's word counts for, by where it stands.
# Measured, as the weights below: docs/measurements/extraction.md
_INTRO = 0.6
_NEAR = 0.45
_ABOVE = 0.4
_PLACE = 0.05  # how much a hit's place costs its units, a rank
_BESIDE = 0.85  # what a unit next to a hit counts for
_NAMED = 1.5  # what a document that the question names by its file name counts for
_VALUE = 0.3
_MEANING = 1.5
_WORDS = 32  # of a question
_EMBEDDED = 48

# Verbs and nouns of questions: rare in a corpus, and yet hardly what is asked for. They count for less.
_FAINT = 0.35
_FRAME = """
    list mean means meant get got give gives make makes made use used using put take taken want need needs able way
    thing things stuff end ends stay stays happen happens say says tell show set sets work works keep keep come comes
    find know default normal normally usually possible allow allowed long many much often big good best right directly
    straight hat gibt mache macht machen brauche soll geht yap yapar olur göra gör finns behöver
"""
_FRAMES = frozenset(_FRAME.split())

_FILE_NAME = re.compile(r"[\w.+-]{3,80}[._-][\w.+-]{1,40}")
_PURPOSE = 3.0  # above what the words of a question can add up to
_META = re.compile(r"^[\s#/*;]{0,40}(?:author|date|shellcheck|usage_args|copyright|licen[cs]e)\b", re.I | re.MULTILINE)
_QUESTION = re.compile(r"[?？][\"'*_)\]]*\Z")


@dataclass(slots=True)
class Candidate:
    """A unit on its way into the answer."""

    unit: Unit
    region: Region
    place: int  # of the region, from 0
    prose: bool
    units: Sequence[Unit]  # all of the same region
    at: int  # position among them
    has: Mapping[str, float]  # the question's words → what it holds of each, in [0, 1]
    found: bool  # stands in what was found, not next to it
    named: bool  # the question names its document
    score: float = 0.0

    @property
    def text(self) -> str:
        """The unit, verbatim."""
        return self.unit.span.slice(self.region.text)


@dataclass(frozen=True, slots=True)
class Judged:
    """The candidates for a question with what they are judged by."""

    candidates: tuple[Candidate, ...]  # best first
    weights: Mapping[str, float]  # the question's words → how much each tells the candidates apart, summing to 1
    asked: frozenset[Asked]


def judged(
    question: str,
    regions: Sequence[Region],
    *,
    similarity: Callable[[str, Sequence[str]], Sequence[float]] | None = None,
) -> Judged:
    """Return every unit of `regions` with its score, best first, those without anything in common left out."""
    words = content_words(question)[:_WORDS]
    asked = asked_of(question)
    found = _candidates(question, words, regions)
    weights = _weights(words, found)
    meanings = _meanings(question, found, weights, similarity)
    for n, candidate in enumerate(found):
        candidate.score = _score(candidate, weights, asked, meanings.get(n))
    ranked = sorted((c for c in found if c.score > 0), key=lambda c: (-c.score, c.place, c.at))
    return Judged(tuple(ranked), weights, asked)


def _candidates(question: str, words: Sequence[str], regions: Sequence[Region]) -> list[Candidate]:
    asked = f" {question.casefold()} "
    spellings = {word: forms(word) for word in words}
    found: list[Candidate] = []
    seen: set[str] = set()
    for place, region in enumerate(regions):
        hit, text = region.hit, region.text
        if hit.chunk.boilerplate:
            continue
        name = hit.path.rpartition("/")[2].casefold()
        named = _FILE_NAME.fullmatch(name) is not None and name in asked
        prose = is_prose(hit.path, hit.chunk.kind)
        units = _units(region, prose=prose)
        terms = [frozenset(index_terms(unit.span.slice(text))) for unit in units]
        title = frozenset(index_terms(" ".join((hit.title, hit.path.rpartition("/")[2], *hit.chunk.headings))))
        heading: frozenset[str] = frozenset()
        for at, unit in enumerate(units):
            if unit.role == "heading":
                heading = terms[at]
            key = " ".join(unit.span.slice(text).split())
            if unit.role in ("heading", "markup") or not terms[at] or key in seen:
                continue
            seen.add(key)
            around = _around(unit, at, units, terms, text, above=title | heading)
            has = {word: _held(spellings[word], terms[at], around) for word in words}
            found.append(
                Candidate(
                    unit=unit,
                    region=region,
                    place=place,
                    prose=prose,
                    units=units,
                    at=at,
                    has={word: value for word, value in has.items() if value > 0},
                    named=named,
                    found=any(core.start < unit.span.end and unit.span.start < core.end for core in region.core),
                )
            )
    return found


def _units(region: Region, *, prose: bool) -> tuple[Unit, ...]:
    """Return a region's units; one that goes on with a fence opened before it has that to its closing line."""
    text = region.text
    if not prose:
        return code_units(text)
    opened = re.match(r"\s*(`{3,}|~{3,})", region.hit.chunk.lead)
    if opened is None or region.core[0].start > 0:
        return prose_units(text)
    at = text.find(opened[1])
    stop = len(text) if at < 0 else at + len(opened[1])
    shifted = tuple(_shifted(unit, stop) for unit in prose_units(text[stop:]))
    return (Unit(span=Span(0, len(text[:stop].rstrip())), role="fence", group=0), *shifted)


def _shifted(unit: Unit, by: int) -> Unit:
    intro = Span(unit.intro.start + by, unit.intro.end + by) if unit.intro else None
    span = Span(unit.span.start + by, unit.span.end + by)
    return Unit(span=span, role=unit.role, group=unit.group + 1, intro=intro)


def _around(
    unit: Unit, at: int, units: Sequence[Unit], terms: Sequence[frozenset[str]], text: str, *, above: frozenset[str]
) -> dict[str, float]:
    """Return the terms that explain a unit, each with what it counts for."""
    found = dict.fromkeys(above, _ABOVE)
    for step in (-1, 1, -2):
        if 0 <= at + step < len(units) and units[at + step].role != "markup":
            near = _NEAR if abs(step) == 1 else _NEAR / 2
            if units[at + step].group == unit.group or units[at + step].role in ("sentence", "comment", "setting"):
                found.update((term, max(near, found.get(term, 0.0))) for term in terms[at + step])
    for span in (unit.intro, unit.setting, *unit.parents):
        if span is not None:
            found.update(dict.fromkeys(index_terms(text[span.start : min(span.end, span.start + 4000)]), _INTRO))
    return found


def _held(spellings: Mapping[str, float], terms: Collection[str], around: Mapping[str, float]) -> float:
    """Return how much of one word of the question a unit holds: itself, by a form, or next to it; in [0, 1]."""
    best = 0.0
    for term, weight in spellings.items():
        strength = 1.0 if weight >= 1.0 else 0.75 if weight < 0.5 or term.startswith("~") else 0.6
        if term in terms:
            best = max(best, strength)
        elif term in around:
            best = max(best, strength * around[term])
    return best


def _weights(words: Sequence[str], candidates: Sequence[Candidate]) -> dict[str, float]:
    """Return by word of the question how much it tells the candidates apart, summing to 1."""
    counts = Counter(word for candidate in candidates for word, value in candidate.has.items() if value >= 0.6)
    raw = {
        word: rarity(counts[word], len(candidates)) * (_FAINT if word in _FRAMES else 1.0)
        for word in words
        if any(word in candidate.has for candidate in candidates)
    }
    whole = sum(raw.values())
    return {word: weight / whole for word, weight in raw.items()} if whole > 0 else {}


def _coverage(candidate: Candidate, weights: Mapping[str, float]) -> float:
    return sum(weights.get(word, 0.0) * value for word, value in candidate.has.items())


def _meanings(
    question: str,
    candidates: Sequence[Candidate],
    weights: Mapping[str, float],
    similarity: Callable[[str, Sequence[str]], Sequence[float]] | None,
) -> dict[int, float]:
    """Return the cosine of the question to the most promising candidates, by position."""
    if similarity is None:
        return {}
    promising = sorted(
        range(len(candidates)), key=lambda n: -_coverage(candidates[n], weights) + _PLACE * candidates[n].place
    )
    best = promising[:_EMBEDDED]
    texts = [_in_context(candidates[n]) for n in best]
    return dict(zip(best, similarity(question, texts), strict=True))


def _in_context(candidate: Candidate) -> str:
    """Return a unit as the embedder reads it: under its headings, with what leads into it."""
    text = candidate.region.text
    unit = candidate.unit
    lead = [candidate.region.hit.title, *candidate.region.hit.chunk.headings[-1:]]
    spans = [span for span in (*unit.parents[-2:], unit.intro) if span is not None]
    return "\n".join((*lead, *(span.slice(text)[-200:] for span in spans), candidate.text[:600]))


def _told(candidate: Candidate, score: float) -> float:
    """Return the score of a unit where a question asks what its file is for: what stands under PURPOSE comes first."""
    if _META.search(candidate.text):
        return 0.0
    above = next((u for u in reversed(candidate.units[: candidate.at]) if u.role == "heading"), None)
    title = above.span.slice(candidate.region.text).strip("#/*-;= \t:") if above else candidate.region.hit.chunk.section
    return score + _PURPOSE if title.casefold() in ("purpose", "synopsis", "description", "summary") else score


def _score(candidate: Candidate, weights: Mapping[str, float], asked: frozenset[Asked], meaning: float | None) -> float:
    score = _coverage(candidate, weights)
    if meaning is not None:
        score += _MEANING * max(0.0, meaning)
    if score <= 0:
        return 0.0
    text = candidate.text
    score += _VALUE * has_value(text, asked)
    score *= 1 - min(0.5, _PLACE * candidate.place)
    if not candidate.found:
        score *= _BESIDE
    if candidate.named:
        score *= _NAMED
        if Asked.DEFINITION in asked:
            score = _told(candidate, score)
    if _QUESTION.search(text.rstrip()):
        score *= 0.3
    words = len(text.split())
    if words < 3 and candidate.unit.role in ("sentence", "comment", "line"):
        score *= 0.5
    if candidate.unit.role == "fence":
        score *= 1.1 if asked & {Asked.STEPS, Asked.COMMAND, Asked.SETTING, Asked.FLAG} else 0.7
    elif candidate.unit.role == "setting":
        score *= 1.1 if asked & {Asked.SETTING, Asked.NUMBER, Asked.VERSION, Asked.ADDRESS, Asked.DATE} else 0.9
    elif candidate.unit.role == "line":
        score *= 0.45  # a statement of a program says what it does, hardly ever what was asked
    if len(text) > 500:
        score *= 0.85
    return score
