"""Prefer the sections and kinds that answer this sort of question. A boost reorders, it never filters."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from askwell.rank.intents import Intent
from askwell.terms import content_words
from askwell.types import Kind

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from askwell.types import Hit


@dataclass(frozen=True, slots=True, kw_only=True)
class Preference:
    """Factors that an intent puts on a hit; the largest that applies counts."""

    sections: Mapping[str, float] = field(default_factory=dict)  # section name, upper case
    kinds: Mapping[Kind, float] = field(default_factory=dict)


STRONG = 1.15
"""Factor for the text that is written to answer such a question."""

MILD = 1.07
"""Factor for text that often answers it."""

OPENING = 1.8
"""Factor for the opening of a document that is named after the very thing whose definition is asked for. A script
named so has `STRONG`: its header says what it does, prose of the same name says what the thing is."""

ONE_LINER = 0.93
"""Factor for a one-line PURPOSE where a definition is asked for: it names the thing and explains nothing."""

MECHANISM = 0.9
"""Factor for bare values, and for what a script does outside its named sections: text that explains comes first.
Measured: docs/measurements/0001-fusion.md"""

BOILERPLATE = 0.5
"""Factor for text that stands in many documents: last among hits, still there when nothing else matches."""

PREFERENCES: Mapping[Intent, Preference] = {
    Intent.SAFEGUARD: Preference(
        sections={
            "OPERATIONAL SAFEGUARDS": STRONG,
            "SAFEGUARDS": STRONG,
            "SAFETY": STRONG,
            "WARNINGS": MILD,
            "OPERATIONAL MODEL": MILD,
        }
    ),
    Intent.VARIABLE: Preference(
        sections={"CONFIGURATION": STRONG, "ENVIRONMENT": STRONG, "VARIABLES": STRONG, "SETTINGS": STRONG},
        kinds={Kind.TEMPLATE: MILD},
    ),
    Intent.FLAG: Preference(
        sections={"RUNTIME MODES": STRONG, "OPTIONS": STRONG, "USAGE": STRONG, "ARGUMENTS": STRONG, "EXAMPLES": MILD}
    ),
    Intent.WHY: Preference(
        sections={"DESIGN PRINCIPLES": STRONG, "RATIONALE": STRONG, "DESIGN": STRONG, "NOTES": MILD, "FAQ": MILD}
    ),
    Intent.HOW: Preference(
        sections={"OPERATIONAL MODEL": STRONG, "USAGE": MILD, "EXAMPLES": MILD}, kinds={Kind.MANUAL: MILD}
    ),
    Intent.NAME: Preference(),
    Intent.DEFINITION: Preference(kinds={Kind.README: STRONG, Kind.MANUAL: STRONG, Kind.DOC: MILD, Kind.NOTE: MILD}),
}
"""What each intent prefers."""


_MECHANICAL = frozenset({Kind.DATA, Kind.CODE})


def boost(hits: Sequence[Hit], intents: Collection[Intent], *, subject: Collection[str] = ()) -> tuple[Hit, ...]:
    """Return `hits` with their fused scores multiplied by what `intents` prefer, best first again.

    `subject` is the question's content words: a definition is sought where a document is named by them.

    Each factor that is not 1 is noted in the hit's moves. Equal scores keep the order they had.
    Boilerplate is discounted whatever the intents, mechanism unless a name is asked for: a name stands where it
    stands. No hit is added or dropped.
    """
    words = frozenset(subject)
    moved = [_boosted(hit, intents, words) for hit in hits]
    return tuple(sorted(moved, key=lambda hit: -hit.score))


def _boosted(hit: Hit, intents: Collection[Intent], subject: frozenset[str]) -> Hit:
    for intent in intents:
        factor, because = _factor(hit, intent, subject)
        if factor != 1.0:
            hit = hit.moved(hit.score * factor, f"x{factor:g} {intent.value} question: {because}")
    if Intent.NAME not in intents and _is_mechanism(hit):
        hit = hit.moved(hit.score * MECHANISM, f"x{MECHANISM:g} mechanism, not explanation")
    if hit.chunk.boilerplate:
        hit = hit.moved(hit.score * BOILERPLATE, f"x{BOILERPLATE:g} stands in many documents")
    return hit


def _factor(hit: Hit, intent: Intent, subject: frozenset[str]) -> tuple[float, str]:
    """Return the factor of one intent and the property of the hit that earned it; 1.0 where there is none."""
    preference = PREFERENCES[intent]
    section = hit.chunk.section.upper()
    found = (preference.sections.get(section, 1.0), f"section {hit.chunk.section}")
    of_kind = preference.kinds.get(hit.chunk.kind, 1.0)
    if of_kind > found[0]:
        found = (of_kind, f"kind {hit.chunk.kind.value}")
    if intent is Intent.DEFINITION and subject and _opens(hit, subject):
        return (STRONG if hit.chunk.kind is Kind.HEADER else OPENING), "the opening of what is named so"
    if intent is Intent.DEFINITION and section == "PURPOSE" and hit.chunk.text.strip().count("\n") <= 1:
        return ONE_LINER, "a one-line PURPOSE"
    return found


def _is_mechanism(hit: Hit) -> bool:
    """Whether a chunk holds values or program text, and nothing that was written to explain."""
    return hit.chunk.kind in _MECHANICAL or (hit.chunk.kind is Kind.HEADER and not hit.chunk.section)


def _opens(hit: Hit, subject: frozenset[str]) -> bool:
    """Whether a chunk is the beginning of a document whose title is the subject, no more and no less."""
    chunk = hit.chunk
    at_top = chunk.ordinal <= 1 and len(chunk.headings) <= 1 and bool(chunk.embed_text)
    return at_top and frozenset(content_words(hit.title)) == subject
