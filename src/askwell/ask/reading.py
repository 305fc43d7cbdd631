"""A passage made ready for many sentences: its units, their terms and, when they are asked for, their facts."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from askwell.ask.code_units import code_units
from askwell.ask.held import Evidence, evidence
from askwell.ask.units import is_prose, prose_units
from askwell.rank.language import language_of
from askwell.terms import index_terms
from askwell.types import Kind, Lines, Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from askwell.ask.units import Role, Unit
    from askwell.types import Passage

_RULE = re.compile(r"[ \t]*-{3,}[ \t]*")
_MOST_UNITS = 4_000


@dataclass(slots=True, kw_only=True)
class Reading:
    """One passage. `spans`, `pieces` and `terms` are parallel, in reading order."""

    passage: Passage
    spans: tuple[Span, ...]
    pieces: tuple[str, ...]
    terms: tuple[frozenset[str], ...]
    roles: tuple[Role, ...]
    beside: tuple[frozenset[str], ...]  # terms of what each unit stands under: headings, a table's header, a lead-in
    whole: Evidence
    around: frozenset[str]  # terms of the title, the path, the headings and the lead
    language: str
    _parts: dict[int, Evidence] = field(default_factory=dict)

    def part(self, n: int) -> Evidence:
        """Return the facts of unit `n`."""
        if n not in self._parts:
            self._parts[n] = evidence(self.pieces[n])
        return self._parts[n]

    def lines(self, first: int, last: int) -> tuple[Lines, str]:
        """Return the lines of units `first` to `last` in their document, and their text."""
        span = Span(self.spans[first].start, max(self.spans[n].end for n in range(first, last + 1)))
        line = self.passage.lines.first + self.passage.text.count("\n", 0, span.start)
        quote = span.slice(self.passage.text)
        return Lines(line, line + quote.count("\n")), quote


def read(passage: Passage) -> Reading:
    """Return a passage prepared. Linear."""
    text = passage.text
    units = prose_units(text) if is_prose(passage.path, Kind.CODE) else code_units(text)
    said = [(_unfenced(u.span, text), u) for u in units[:_MOST_UNITS] if _says(u.span.slice(text))]
    said = said or [(u.span, u) for u in units[:1] if u.span.slice(text).strip()]
    pieces = tuple(span.slice(text) for span, _ in said)
    terms = tuple(frozenset(index_terms(piece)) for piece in pieces)
    by_start = {span.start: n for n, (span, _) in enumerate(said)}
    where = "\n".join((passage.title, passage.path, *passage.headings, passage.lead))
    return Reading(
        passage=passage,
        spans=tuple(span for span, _ in said),
        pieces=pieces,
        terms=terms,
        roles=tuple(unit.role for _, unit in said),
        beside=tuple(_beside([unit for _, unit in said], pieces, terms, by_start)),
        whole=evidence(f"{where}\n{text}"),
        around=frozenset(index_terms(where)),
        language=language_of(text),
    )


def _beside(
    units: Sequence[Unit], pieces: Sequence[str], terms: Sequence[frozenset[str]], by_start: Mapping[int, int]
) -> Iterator[frozenset[str]]:
    """Yield for each unit the terms of the headings above it, and of the unit that introduces it."""
    above: list[tuple[int, frozenset[str]]] = []  # depth of a heading, and its terms
    for unit, piece, own in zip(units, pieces, terms, strict=True):
        if unit.role == "heading":
            depth = len(piece) - len(piece.lstrip("#"))
            above = [item for item in above if item[0] < depth]
            yield frozenset().union(*(found for _, found in above))
            above.append((depth, own))
            continue
        intro = by_start.get(unit.intro.start) if unit.intro is not None else None
        yield frozenset().union(*(found for _, found in above), terms[intro] if intro is not None else ())


def _says(text: str) -> bool:
    return any(char.isalnum() for char in text)


def _unfenced(span: Span, text: str) -> Span:
    """Return a unit without the rule under it, such as the one that ends a frontmatter."""
    head, line_end, last = span.slice(text).rpartition("\n")
    return Span(span.start, span.start + len(head)) if line_end and _RULE.fullmatch(last) else span
