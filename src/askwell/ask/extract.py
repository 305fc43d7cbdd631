"""Answers without a model: the sentences and lines of the hits that answer the question, verbatim.

hits → units → score each by the question's rare words, the value asked for and the hit's place
     → best first, each one adding something → widened to what makes it readable → grouped by document
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
from askwell.types import Lines, Span

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from askwell.types import Hit

PIECES = 5
"""Most pieces of an answer."""

BUDGET = 900
"""Characters of an answer's pieces together; one longer piece alone is cut to whole lines."""

# What a question's word counts for, by where it stands. Measured on the question sets, as the weights below.
_INTRO = 0.6
_NEAR = 0.45
_ABOVE = 0.4
_PLACE = 0.06  # how much a hit's place costs its units, a rank
_VALUE = 0.25
_MEANING = 0.8
_ENOUGH = 0.55  # of the best unit's score, for another to be shown
_PIECE = 600  # characters that a unit is widened to with its list or fence
_COMMENTED = 400  # the same for a setting with its comment, a sentence with its paragraph
_VALUES = {Asked.SETTING, Asked.NUMBER, Asked.VERSION, Asked.PATH, Asked.FLAG}
_WORDS = 32
_EMBEDDED = 40

_QUESTION = re.compile(r"[?？][\"'*_)\]]*\Z")
_KEY = re.compile(r"[A-Z][A-Z0-9]*_[A-Z0-9_]+|(?<![\w.])[a-z]+(?:_[a-z0-9]+)+(?![\w.(])")
_ASSIGNED = re.compile(
    r"[ \t]*(?:#[ \t]*)?(?:- )?(?:export |set )?[\"']?(?P<key>[A-Za-z_][\w.\-]{2,100})[\"']?"
    r"[ \t]*(?:\+?=|:(?=[ \t]))[ \t]*(?P<value>[^\n#]{1,200})"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A part of a hit's chunk that answers: ``text == span.slice(hit.chunk.text)``, standing at `lines` of the file."""

    text: str
    hit: Hit
    span: Span
    lines: Lines
    score: float
    prose: bool  # Markdown or text, not a program or settings


@dataclass(slots=True)
class _Candidate:
    """A unit on its way into the answer."""

    unit: Unit
    hit: Hit
    place: int  # of the hit, from 0
    prose: bool
    units: Sequence[Unit]  # all of the same hit
    at: int  # position among them
    terms: frozenset[str]
    around: Mapping[str, float]  # terms that explain it → what they count for
    has: Mapping[str, float]  # the question's words → what it holds of each, in [0, 1]
    score: float = 0.0

    @property
    def text(self) -> str:
        return self.unit.span.slice(self.hit.chunk.text)


def extract(
    question: str,
    hits: Sequence[Hit],
    *,
    limit: int = PIECES,
    budget: int = BUDGET,
    similarity: Callable[[str, Sequence[str]], Sequence[float]] | None = None,
) -> tuple[Piece, ...]:
    """Return the pieces of `hits` that answer the question, grouped by document, the best document first.

    Within a document they stand in its order; no two overlap. A heading, a rule or boilerplate alone is never one. If
    a setting is shown and another document gives it another value, that is shown too.

    Args:
        question: As typed.
        hits: Best first.
        limit: Most pieces.
        budget: Characters of the pieces together.
        similarity: Gives the cosine of the question to each text; None judges by words alone.

    Returns:
        Empty if no unit has anything to do with the question.
    """
    words = content_words(question)[:_WORDS]
    asked = asked_of(question)
    candidates = _candidates(words, hits)
    if not candidates:
        return ()
    weights = _weights(words, candidates)
    meanings = _meanings(question, candidates, weights, similarity)
    for n, candidate in enumerate(candidates):
        candidate.score = _score(candidate, weights, asked, meanings.get(n))
    chosen = _choose(candidates, weights, asked, limit=limit, budget=budget)
    return _grouped(chosen)


# -- candidates


def _candidates(words: Sequence[str], hits: Sequence[Hit]) -> list[_Candidate]:
    spellings = {word: forms(word) for word in words}
    found: list[_Candidate] = []
    seen: set[str] = set()
    for place, hit in enumerate(hits):
        if hit.chunk.boilerplate:
            continue
        prose = is_prose(hit.path, hit.chunk.kind)
        text = hit.chunk.text
        units = _units(hit, prose=prose)
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
                _Candidate(
                    unit=unit,
                    hit=hit,
                    place=place,
                    prose=prose,
                    units=units,
                    at=at,
                    terms=terms[at],
                    around=around,
                    has={word: value for word, value in has.items() if value > 0},
                )
            )
    return found


def _units(hit: Hit, *, prose: bool) -> tuple[Unit, ...]:
    """Return a hit's units; a chunk that goes on with a fence opened before it is one to its closing line."""
    text = hit.chunk.text
    if not prose:
        return code_units(text)
    opened = re.match(r"\s*(`{3,}|~{3,})", hit.chunk.lead)
    if opened is None:
        return prose_units(text)
    at = text.find(opened[1])
    stop = len(text) if at < 0 else at + len(opened[1])
    rest = prose_units(text[stop:])
    shifted = tuple(
        Unit(
            span=Span(unit.span.start + stop, unit.span.end + stop),
            role=unit.role,
            group=unit.group + 1,
            intro=Span(unit.intro.start + stop, unit.intro.end + stop) if unit.intro else None,
        )
        for unit in rest
    )
    return (Unit(span=Span(0, len(text[:stop].rstrip())), role="fence", group=0), *shifted)


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


# -- scores


def _weights(words: Sequence[str], candidates: Sequence[_Candidate]) -> dict[str, float]:
    """Return by word of the question how much it tells the candidates apart, summing to 1."""
    counts = Counter(word for candidate in candidates for word, value in candidate.has.items() if value >= 0.6)
    raw = {word: rarity(counts[word], len(candidates)) for word in words if any(word in c.has for c in candidates)}
    whole = sum(raw.values())
    return {word: weight / whole for word, weight in raw.items()} if whole > 0 else {}


def _coverage(candidate: _Candidate, weights: Mapping[str, float]) -> float:
    return sum(weights.get(word, 0.0) * value for word, value in candidate.has.items())


def _meanings(
    question: str,
    candidates: Sequence[_Candidate],
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


def _in_context(candidate: _Candidate) -> str:
    """Return a unit as the embedder reads it: under its headings, with what leads into it."""
    text = candidate.hit.chunk.text
    unit = candidate.unit
    lead = [candidate.hit.title, *candidate.hit.chunk.headings[-1:]]
    spans = [span for span in (*unit.parents[-2:], unit.intro) if span is not None]
    return "\n".join((*lead, *(span.slice(text)[-200:] for span in spans), candidate.text[:600]))


def _score(
    candidate: _Candidate, weights: Mapping[str, float], asked: frozenset[Asked], meaning: float | None
) -> float:
    score = _coverage(candidate, weights)
    if meaning is not None:
        score += _MEANING * max(0.0, meaning)
    if score <= 0:
        return 0.0
    text = candidate.text
    score += _VALUE * has_value(text, asked)
    score *= 1 - min(0.5, _PLACE * candidate.place)
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
        score *= 0.7
    if len(text) > 500:
        score *= 0.85
    return score


# -- choice


def _choose(
    candidates: Sequence[_Candidate],
    weights: Mapping[str, float],
    asked: frozenset[Asked],
    *,
    limit: int,
    budget: int,
) -> list[Piece]:
    """Return pieces, best first, each adding words or standing near the best in score."""
    ranked = sorted((c for c in candidates if c.score > 0), key=lambda c: (-c.score, c.place, c.at))
    pieces: list[Piece] = []
    covered: dict[str, float] = {}
    spent = 0
    for candidate in ranked:
        if len(pieces) >= limit or spent >= budget * 0.95:
            break
        new = sum(weights.get(w, 0.0) * max(0.0, v - covered.get(w, 0.0)) for w, v in candidate.has.items())
        if pieces and candidate.score < ranked[0].score * (_ENOUGH if new < 0.1 else _ENOUGH * 0.8):
            continue
        for span in _widened(candidate, asked, room=budget - spent):
            piece = _piece(candidate, span, room=budget - spent)
            if piece is None or len(pieces) >= limit or any(_overlap(piece, other) for other in pieces):
                continue
            pieces.append(piece)
            spent += len(piece.text)
        for word, value in candidate.has.items():
            covered[word] = max(value, covered.get(word, 0.0))
    return _with_contradictions(pieces, candidates, limit=limit)


def _widened(candidate: _Candidate, asked: frozenset[Asked], *, room: int) -> list[Span]:
    """Return the spans to quote for a unit: with its list, its fence, its comment, its setting."""
    unit = candidate.unit
    room = min(room, _PIECE)
    if (whole := _led_into(candidate)) is not None and _length(whole) <= room:
        return [whole]
    match unit.role:
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


def _length(span: Span) -> int:
    return span.end - span.start


def _led_into(candidate: _Candidate) -> Span | None:
    """Return a sentence or item with the list, fence or paragraph that it leads into; None if it leads nowhere."""
    unit, units = candidate.unit, candidate.units
    if unit.role not in ("sentence", "item", "comment"):
        return None
    following = [u for u in units[candidate.at + 1 : candidate.at + 16] if u.role != "markup"]
    if not candidate.text.rstrip(" *_").endswith((":", "：")):
        following = [u for u in following[:1] if u.role == "fence" and u.intro == unit.span]
        return Span(unit.span.start, following[0].span.end) if following else None
    led = [u for u in following if u.intro == unit.span]
    if not led and following and following[0].role != "heading":
        led = [u for u in following if u.group == following[0].group]
    return Span(unit.span.start, led[-1].span.end) if led else None


def _paragraph(candidate: _Candidate, *, room: int) -> Span:
    """Return the sentence with its paragraph, with the sentence after it, or alone: the longest that has room."""
    unit, units = candidate.unit, candidate.units
    first = last = candidate.at
    while first > 0 and units[first - 1].group == unit.group and units[first - 1].role == "sentence":
        first -= 1
    while last + 1 < len(units) and units[last + 1].group == unit.group and units[last + 1].role == "sentence":
        last += 1
    for start, end in ((first, last), (candidate.at, min(last, candidate.at + 1))):
        span = Span(units[start].span.start, units[end].span.end)
        if _length(span) <= room:
            return span
    return unit.span


def _piece(candidate: _Candidate, span: Span, *, room: int) -> Piece | None:
    """Return a span as a piece; one that is too long is cut to the whole lines around its best one."""
    hit = candidate.hit
    text = span.slice(hit.chunk.text)
    if len(text) > room:
        if room < 120:
            return None
        span = _best_lines(candidate, span, room)
        text = span.slice(hit.chunk.text)
    if not text.strip():
        return None
    first = hit.chunk.lines.first + hit.chunk.text.count("\n", 0, span.start)
    return Piece(
        text=text,
        hit=hit,
        span=span,
        lines=Lines(first, first + text.count("\n")),
        score=candidate.score,
        prose=candidate.prose,
    )


def _best_lines(candidate: _Candidate, span: Span, room: int) -> Span:
    """Return the lines of a span, at most `room` characters, around the one with most of the question in it."""
    text = span.slice(candidate.hit.chunk.text)
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
    if one.hit.chunk.id == other.hit.chunk.id:
        return one.span.start < other.span.end and other.span.start < one.span.end
    return one.text.strip() in other.text or other.text.strip() in one.text


# -- contradictions


def _with_contradictions(pieces: list[Piece], candidates: Sequence[_Candidate], *, limit: int) -> list[Piece]:
    """Return the pieces with, for each setting shown, the first other document that gives it another value."""
    shown = {(key, piece.hit.chunk.document_id): value for piece in pieces for key, value in _assigned(piece.text)}
    if not shown:
        return pieces
    found: list[Piece] = []
    for candidate in candidates:
        if candidate.unit.role not in ("setting", "comment", "line", "sentence", "item", "row", "fence"):
            continue
        document = candidate.hit.chunk.document_id
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


# -- order


def _grouped(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """Return pieces by document, the one with the best piece first; in the document's order within."""
    order = {piece.hit.chunk.document_id: n for n, piece in reversed(list(enumerate(pieces)))}
    return tuple(sorted(pieces, key=lambda p: (order[p.hit.chunk.document_id], p.hit.chunk.ordinal, p.span.start)))
