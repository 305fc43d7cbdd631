"""Answers without a model: the sentences and lines of the hits that answer the question, verbatim.

hits → units → score each by the question's rare words, the value asked for and the hit's place
     → best first, each one adding something → widened to what makes it readable → grouped by document
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from askwell.ask.asked import Asked
from askwell.ask.candidates import Candidate, Judged, judged
from askwell.terms import forms, index_terms
from askwell.types import Lines, Span

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from askwell.ask.regions import Region
    from askwell.types import Hit

PIECES = 5
"""Most pieces of an answer."""

BUDGET = 900
"""Characters of an answer's pieces together; one longer piece alone is cut to whole lines."""

_ENOUGH = 0.7  # of the best unit's score, for another to be shown; see the record
_WHOLE = 0.8  # of the question's weight, above which the pieces shown hold what was asked
_ALIKE = 0.6  # of the best unit's score, for another to be shown that then adds nothing
_MORE = 0.1  # of the question's weight, that a piece adds if it holds more of it
_RARE = 0.2  # of the question's weight, for a word that no other place can do without
_HELD = 0.4  # how much of a word a unit holds if it stands in it or beside it
_PIECE = 600  # characters that a unit is widened to with its list or fence
_COMMENTED = 400  # the same for a setting with its comment, a sentence with its paragraph
_VALUES = {Asked.SETTING, Asked.NUMBER, Asked.VERSION, Asked.PATH, Asked.FLAG}

_KEY = re.compile(r"[A-Z][A-Z0-9]*_[A-Z0-9_]+|(?<![\w.])[a-z]+(?:_[a-z0-9]+)+(?![\w.(])")
_ASSIGNED = re.compile(
    r"[ \t]*(?:#[ \t]*)?(?:- )?(?:export |set )?[\"']?(?P<key>[A-Za-z_][\w.\-]{2,100})[\"']?"
    r"[ \t]*(?:\+?=|:(?=[ \t]))[ \t]*(?P<value>[^\n#]{1,200})"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A part of a document that answers: ``text == span.slice(document.text)``, standing at `lines` of the file."""

    text: str
    hit: Hit
    span: Span
    lines: Lines
    score: float
    prose: bool  # Markdown or text, not a program or settings


def extract(
    question: str,
    regions: Sequence[Region],
    *,
    limit: int = PIECES,
    budget: int = BUDGET,
    similarity: Callable[[str, Sequence[str]], Sequence[float]] | None = None,
) -> tuple[Piece, ...]:
    """Return the pieces of `regions` that answer the question, grouped by document, the best document first.

    Within a document the best comes first; no two overlap. A heading, a rule or boilerplate alone is never one. If
    a setting is shown and another document gives it another value, that is shown too.

    Args:
        question: As typed.
        regions: Best first.
        limit: Most pieces.
        budget: Characters of the pieces together.
        similarity: Gives the cosine of the question to each text; None judges by words alone.

    Returns:
        Empty if no unit has anything to do with the question.
    """
    known = judged(question, regions, similarity=similarity)
    return _grouped(_choose(known, limit=limit, budget=budget))


def _choose(known: Judged, *, limit: int, budget: int) -> list[Piece]:
    """Return pieces, best first, each adding words or standing near the best in score."""
    ranked, weights, asked = known.candidates, known.weights, known.asked
    pieces: list[Piece] = []
    covered: dict[str, float] = {}
    spent = 0
    for candidate in ranked:
        if len(pieces) >= limit or spent >= budget * 0.95:
            break
        new = sum(weights.get(w, 0.0) * max(0.0, v - covered.get(w, 0.0)) for w, v in candidate.has.items())
        if pieces and candidate.score < ranked[0].score * (_ENOUGH if new < _MORE else _ENOUGH * 0.8):
            continue
        if pieces and new < _MORE and _beside_the_point(candidate, ranked[0], weights, covered):
            continue
        for span in _widened(candidate, asked, room=budget - spent):
            piece = _piece(candidate, span, room=budget - spent)
            if piece is None or len(pieces) >= limit or any(_overlap(piece, other) for other in pieces):
                continue
            pieces.append(piece)
            spent += len(piece.text)
        for word, value in candidate.has.items():
            covered[word] = max(value, covered.get(word, 0.0))
    return _with_contradictions(pieces, ranked, limit=limit)


def _beside_the_point(
    candidate: Candidate, best: Candidate, weights: Mapping[str, float], covered: Mapping[str, float]
) -> bool:
    """Say whether a unit only repeats common words of a question whose rare ones were shown in another place."""
    if candidate.region is best.region or candidate.score >= best.score * _ALIKE:
        return False
    rare = [word for word, weight in weights.items() if weight >= _RARE and best.has.get(word, 0.0) >= _HELD]
    if rare and all(candidate.has.get(word, 0.0) < _HELD for word in rare):
        return True
    return sum(weight * covered.get(word, 0.0) for word, weight in weights.items()) >= _WHOLE


def _widened(candidate: Candidate, asked: frozenset[Asked], *, room: int) -> list[Span]:
    """Return the spans to quote for a unit: with its list, its fence, its comment, its setting."""
    unit = candidate.unit
    room = min(room, _PIECE)
    if (whole := _led_into(candidate)) is not None and _length(whole) <= room:
        return [whole]
    match unit.role:
        case "row" if unit.intro is not None:
            rows = [u.span.end for u in candidate.units if u.group == unit.group and u.role == "row"]
            for end in (rows[-1], unit.span.end):
                if end - unit.intro.start <= min(room, _COMMENTED):
                    return [Span(unit.intro.start, end)]
            return [_header(candidate, unit.intro), unit.span]
        case "item" | "row":
            group = [u for u in candidate.units if u.group == unit.group and u.role == unit.role]
            whole = Span(group[0].span.start, group[-1].span.end)
            return [whole if asked & {Asked.LIST, Asked.STEPS} and _length(whole) <= room else unit.span]
        case "fence" if unit.intro is not None:
            whole = Span(unit.intro.start, unit.span.end)
            return [whole if _length(whole) <= room else unit.span]
        case "setting" if unit.intro is not None:
            whole = Span(unit.intro.start, unit.span.end)
            return [whole if _length(whole) <= min(room, _COMMENTED) else unit.span]
        case "comment" if unit.setting is not None and asked & _VALUES:
            whole = Span(unit.span.start, unit.setting.end)
            if _length(whole) <= min(room, _COMMENTED):
                return [whole]
            return [unit.span, unit.setting] if _length(unit.setting) <= _COMMENTED else [unit.span]
        case "sentence":
            return [_paragraph(candidate, room=min(room, _COMMENTED))]
        case _:
            return [unit.span]


def _header(candidate: Candidate, row: Span) -> Span:
    """Return a table's header row with the line under it."""
    end = candidate.region.text.find("\n", row.end + 1)
    return Span(row.start, end if end > 0 else row.end)


def _length(span: Span) -> int:
    return span.end - span.start


def _led_into(candidate: Candidate) -> Span | None:
    """Return a sentence or item with the list, fence or paragraph that it leads into; None if it leads nowhere."""
    unit, units = candidate.unit, candidate.units
    if unit.role not in ("sentence", "item", "comment"):
        return None
    following = [u for u in units[candidate.at + 1 : candidate.at + 16] if u.role != "markup"]
    if not candidate.text.rstrip(" *_").endswith((":", "：")):
        following = [u for u in following[:1] if u.role == "fence" and u.intro == unit.span]
        return Span(unit.span.start, following[0].span.end) if following else None
    led = [u for u in following if u.intro == unit.span]
    for one in following if not led else ():
        if one.role == "heading" or (led and "\n\n" in candidate.region.text[led[-1].span.end : one.span.start]):
            break
        led.append(one)
    return Span(unit.span.start, led[-1].span.end) if led else None


def _paragraph(candidate: Candidate, *, room: int) -> Span:
    """Return the sentence with its paragraph, with the sentence after it, or alone: the longest that has room."""
    unit, units = candidate.unit, candidate.units
    first = last = candidate.at
    while first > 0 and units[first - 1].group == unit.group and units[first - 1].role == "sentence":
        first -= 1
    while last + 1 < len(units) and units[last + 1].group == unit.group and units[last + 1].role == "sentence":
        last += 1
    if candidate.text[:1].islower() and first > 0 and units[first - 1].role == "fence":
        first -= 1  # the sentence goes on after the block
    for start, end in ((first, last), (candidate.at, min(last, candidate.at + 1))):
        span = Span(units[start].span.start, units[end].span.end)
        if _length(span) <= room:
            return span
    return unit.span


def _piece(candidate: Candidate, span: Span, *, room: int) -> Piece | None:
    """Return a span of a region as a piece; one that is too long is cut to the whole lines around its best one."""
    region = candidate.region
    if _length(span) > room:
        if room < 120:
            return None
        span = _best_lines(candidate, span, room)
    text = span.slice(region.text)
    if not text.strip():
        return None
    first = region.line + region.text.count("\n", 0, span.start)
    return Piece(
        text=text,
        hit=region.hit,
        span=Span(region.start + span.start, region.start + span.end),
        lines=Lines(first, first + text.count("\n")),
        score=candidate.score,
        prose=candidate.prose,
    )


def _best_lines(candidate: Candidate, span: Span, room: int) -> Span:
    """Return the lines of a span, at most `room` characters, around the one with most of the question in it."""
    text = span.slice(candidate.region.text)
    words = {term for word in candidate.has for term in forms(word)}
    bounds: list[tuple[int, int]] = []
    at = 0
    for line in text.split("\n"):
        bounds.append((at, at + len(line)))
        at += len(line) + 1
    best = max(range(len(bounds)), key=lambda n: (len(words & set(index_terms(text[slice(*bounds[n])]))), -n))
    first = last = best
    while True:
        if last + 1 < len(bounds) and bounds[last + 1][1] - bounds[first][0] <= room:
            last += 1
        elif first > 0 and bounds[last][1] - bounds[first - 1][0] <= room:
            first -= 1
        else:
            break
    start, end = bounds[first][0], min(bounds[last][1], bounds[first][0] + room)
    return Span(span.start + start, span.start + end)


def _overlap(one: Piece, other: Piece) -> bool:
    if one.hit.chunk.document_id != other.hit.chunk.document_id:
        return one.text.strip() == other.text.strip()
    return one.span.start < other.span.end and other.span.start < one.span.end


def _with_contradictions(pieces: list[Piece], candidates: Sequence[Candidate], *, limit: int) -> list[Piece]:
    """Return the pieces with, for each setting shown, the first other document that gives it another value."""
    shown = {(key, piece.hit.chunk.document_id): value for piece in pieces for key, value in _assigned(piece.text)}
    if not shown:
        return pieces
    found: list[Piece] = []
    for candidate in candidates:
        if candidate.unit.role not in ("setting", "comment", "line", "sentence", "item", "row", "fence"):
            continue
        document = candidate.region.hit.chunk.document_id
        for key, value in _assigned(candidate.text):
            others = {v for (k, d), v in shown.items() if k == key and d != document}
            if not others or value in others or (key, document) in shown:
                continue
            piece = _piece(candidate, candidate.unit.span, room=300)
            if piece is not None and not any(_overlap(piece, other) for other in (*pieces, *found)):
                found.append(piece)
                shown[key, document] = value
    room = max(1, limit - len(found[:2]))
    return [*pieces[:room], *found[:2]]


def _assigned(text: str) -> list[tuple[str, str]]:
    """Return the settings of a text with their values, spelling of quotes and blanks aside."""
    found: list[tuple[str, str]] = []
    for line in text.split("\n")[:40]:
        match = _ASSIGNED.match(line[:400])
        if match and _KEY.fullmatch(match["key"]):
            value = re.sub(r"\$\{\w+:?-([^}]*)\}", r"\1", match["value"]).strip().strip("\"'`;, ")
            if value:
                found.append((match["key"].casefold(), value.casefold()))
    return found


def _grouped(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """Return pieces by document, the one with the best piece first; the best first within, then as they stand."""
    order = {piece.hit.chunk.document_id: n for n, piece in reversed(list(enumerate(pieces)))}
    return tuple(sorted(pieces, key=lambda p: (order[p.hit.chunk.document_id], -p.score, p.span.start)))
