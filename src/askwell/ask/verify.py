"""What of an answer its passages carry: each sentence judged, each marker resolved to lines and a quotation.

    answer + where its markers stand → units → facts held? words held? → Support
                                             → best lines of the cited passage → Citation

A sentence is `unsupported` if one of its facts is in none of the passages it cites, or if it has next to nothing in
common with them; `supported` if its facts and most of its words stand close together in one; else `weak`. A sentence
without a marker is judged against all passages and is `weak` at best: nobody can open what it rests on.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from askwell.ask.code_units import code_units
from askwell.ask.facts import Evidence, Fact, evidence, facts, holds
from askwell.ask.units import is_prose, prose_units
from askwell.rank.language import language_of
from askwell.terms import content_words, forms, index_terms
from askwell.types import Citation, Kind, Lines, Sentence, Span, Support

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from askwell.ask.markers import Placed
    from askwell.types import Passage

SUPPORTED = 0.6
"""Share of a sentence's words, by form, that must stand together in a passage for it to be supported."""

WEAK = 0.3
"""The same, for it to be weak; under it a sentence says something else."""

CLOSE = 0.6
"""Cosine of a sentence to a piece of its passage from which a paraphrase counts as `WEAK` or better."""

_MARKER = re.compile(r"[ \t]?\[\d{1,5}\]")
_RULE = re.compile(r"[ \t]*-{3,}[ \t]*")
_WINDOW = 2  # units around the best one whose words count as standing together
_MOST_UNITS = 4_000


@dataclass(frozen=True, slots=True)
class Verified:
    """An answer's citations in reading order and its sentences with their support."""

    citations: tuple[Citation, ...]
    sentences: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class _Read:
    """A passage made ready for many sentences."""

    passage: Passage
    spans: tuple[Span, ...]  # of its units
    terms: tuple[frozenset[str], ...]
    parts: tuple[Evidence, ...]
    whole: Evidence
    language: str


@dataclass(frozen=True, slots=True)
class _Judged:
    """How well one passage carries one sentence, and where."""

    support: Support
    lines: Lines
    quote: str
    words: frozenset[str] = frozenset()  # the claim's words that stand there


def verify(
    text: str,
    placed: Sequence[Placed],
    passages: Sequence[Passage],
    *,
    similarity: Callable[[str, Sequence[str]], Sequence[float]] | None = None,
) -> Verified:
    """Return what of `text` the passages carry.

    Args:
        text: The answer.
        placed: Its citations, as `ask.markers` found them, in order.
        passages: What the model was shown.
        similarity: Gives the cosine of a sentence to each text; None judges by words alone.

    Returns:
        One citation for each marker and place it leads to, the best supported of those that coincide. Quotations are
        verbatim text of the passage at the lines given.
    """
    read: dict[int, _Read] = {}
    by_marker = {passage.marker: passage for passage in passages}
    sentences: list[Sentence] = []
    citations: dict[tuple[int, int, int], Citation] = {}
    for span, markers in _claims(text, placed):
        claim = _MARKER.sub("", span.slice(text)).strip()
        known = [by_marker[marker] for marker in dict.fromkeys(markers) if marker in by_marker]
        for passage in known or passages:
            if passage.marker not in read:
                read[passage.marker] = _prepare(passage)
        support, judged = _judge(claim, [read[p.marker] for p in known or passages], similarity)
        if not known:
            support = Support.WEAK if support is Support.SUPPORTED else support
        sentences.append(Sentence(text=span.slice(text), support=support, markers=tuple(p.marker for p in known)))
        for passage, one in zip(known, judged, strict=False):
            at = _best_of(support, one.support, several=len(known) > 1)
            key = (passage.marker, one.lines.first, one.lines.last)
            if key not in citations or _ORDER[at] > _ORDER[citations[key].support]:
                citations[key] = Citation(
                    marker=passage.marker,
                    source=passage.source,
                    path=passage.path,
                    lines=one.lines,
                    quote=one.quote,
                    support=at,
                )
    return Verified(tuple(citations.values()), tuple(sentences))


_ORDER = {Support.UNSUPPORTED: 0, Support.WEAK: 1, Support.SUPPORTED: 2}


def _best_of(sentence: Support, own: Support, *, several: bool) -> Support:
    """Return a citation's support: of several, each may carry a part, so none is worse than weak if all carry it."""
    if several and sentence is not Support.UNSUPPORTED:
        return max(own, Support.WEAK, key=_ORDER.__getitem__)
    return own if several else sentence


def _claims(text: str, placed: Sequence[Placed]) -> list[tuple[Span, tuple[int, ...]]]:
    """Return the sentences of an answer with the markers in each; markers alone belong to what stands before them."""
    found: list[tuple[Span, list[int]]] = []
    at = 0
    for unit in prose_units(text):
        markers: list[int] = []
        while at < len(placed) and placed[at].start < unit.span.end:
            markers.append(placed[at].marker)
            at += 1
        said = _MARKER.sub("", unit.span.slice(text)).strip()
        if unit.role in ("heading", "markup") and not markers:
            continue
        if not any(char.isalnum() for char in said):
            if found:
                found[-1][1].extend(markers)
            continue
        found.append((unit.span, markers))
    if found:
        found[-1][1].extend(mark.marker for mark in placed[at:])
    return [(span, tuple(markers)) for span, markers in found]


def _prepare(passage: Passage) -> _Read:
    text = passage.text
    units = prose_units(text) if is_prose(passage.path, Kind.CODE) else code_units(text)
    said = [_unfenced(unit.span, text) for unit in units[:_MOST_UNITS] if _says(unit.span.slice(text))]
    spans = tuple(said) or tuple(unit.span for unit in units[:1] if unit.span.slice(text).strip())
    pieces = [span.slice(text) for span in spans]
    return _Read(
        passage=passage,
        spans=spans,
        terms=tuple(frozenset(index_terms(piece)) for piece in pieces),
        parts=tuple(evidence(piece) for piece in pieces),
        whole=evidence("\n".join((passage.title, passage.path, *passage.headings, passage.lead, text))),
        language=language_of(text),
    )


def _says(text: str) -> bool:
    return any(char.isalnum() for char in text)


def _unfenced(span: Span, text: str) -> Span:
    """Return a unit without the rule under it, such as the one that ends a frontmatter."""
    head, line_end, last = span.slice(text).rpartition("\n")
    return Span(span.start, span.start + len(head)) if line_end and _RULE.fullmatch(last) else span


def _judge(
    claim: str, read: Sequence[_Read], similarity: Callable[[str, Sequence[str]], Sequence[float]] | None
) -> tuple[Support, list[_Judged]]:
    """Return how well passages together carry a claim, and how well and where each does."""
    needed = facts(claim)
    stated = {fact.unit for fact in needed} | {fact.text.casefold() for fact in needed if fact.kind == "number"}
    words = [word for word in content_words(claim)[:64] if word not in stated]  # amounts are compared as facts
    spellings = {word: frozenset(forms(word)) for word in words}
    judged = [_judge_one(claim, needed, spellings, one, similarity) for one in read]
    missing = [fact for fact in needed if not any(holds(one.whole, fact) for one in read)]
    if missing:
        return Support.UNSUPPORTED, judged
    best = max((one.support for one in judged), key=_ORDER.__getitem__, default=Support.UNSUPPORTED)
    if len(read) > 1 and best is not Support.SUPPORTED and words:
        share = len(frozenset().union(*(one.words for one in judged))) / len(words)
        if share >= WEAK:  # every fact is carried, by no passage alone
            best = Support.SUPPORTED if share >= SUPPORTED else Support.WEAK
    return best, judged


def _judge_one(
    claim: str,
    needed: Sequence[Fact],
    spellings: Mapping[str, frozenset[str]],
    read: _Read,
    similarity: Callable[[str, Sequence[str]], Sequence[float]] | None,
) -> _Judged:
    if not read.spans:
        return _Judged(Support.UNSUPPORTED, read.passage.lines, read.passage.text.strip()[:300])
    held = [sum(bool(spelling & terms) for spelling in spellings.values()) for terms in read.terms]
    carried = [sum(holds(part, fact) for fact in needed) for part in read.parts]
    scores = [2.0 * c + h for c, h in zip(carried, held, strict=True)]
    best = max(range(len(scores)), key=lambda n: (scores[n], -n))
    meaning = 0.0
    if similarity is not None and held[best] < SUPPORTED * max(1, len(spellings)):
        near = sorted(range(len(scores)), key=lambda n: -scores[n])[:16]
        cosines = similarity(claim, [read.spans[n].slice(read.passage.text)[:600] for n in near])
        meaning = max(cosines, default=0.0)
        if scores[best] == 0 and meaning >= CLOSE:
            best = near[max(range(len(near)), key=lambda n: cosines[n])]
    first, last = _widened(best, needed, read, carried)
    window = frozenset().union(*read.terms[max(0, first - _WINDOW) : last + _WINDOW + 1])
    there = frozenset(word for word, spelling in spellings.items() if spelling & window)
    share = len(there) / len(spellings) if spellings else 1.0
    span = Span(read.spans[first].start, max(read.spans[n].end for n in range(first, last + 1)))
    line = read.passage.lines.first + read.passage.text.count("\n", 0, span.start)
    quote = span.slice(read.passage.text)
    lines = Lines(line, line + quote.count("\n"))
    return _Judged(_support(claim, needed, share, meaning, read, spellings), lines, quote, there)


def _support(
    claim: str,
    needed: Sequence[Fact],
    share: float,
    meaning: float,
    read: _Read,
    spellings: Mapping[str, frozenset[str]],
) -> Support:
    if any(not holds(read.whole, fact) for fact in needed):
        return Support.UNSUPPORTED
    if share >= SUPPORTED or (share >= WEAK and meaning >= CLOSE):
        return Support.SUPPORTED
    if share >= WEAK or meaning >= CLOSE or not spellings:
        return Support.WEAK
    # Across languages words say nothing; facts that are all there still do.
    language = language_of(claim)
    return Support.WEAK if needed and language and read.language and language != read.language else Support.UNSUPPORTED


def _widened(best: int, needed: Sequence[Fact], read: _Read, carried: Sequence[int]) -> tuple[int, int]:
    """Return the range of units around the best one that has the facts it lacks, at most `_WINDOW` away."""
    first = last = best
    missing = [fact for fact in needed if not holds(read.parts[best], fact)]
    for step in range(1, _WINDOW + 1):
        for n in (best + step, best - step):
            if 0 <= n < len(carried) and any(holds(read.parts[n], fact) for fact in missing):
                first, last = min(first, n), max(last, n)
                missing = [fact for fact in missing if not holds(read.parts[n], fact)]
    return first, last
