"""What of an answer has to be carried by lines: its sentences, items, rows and code blocks, each with its markers.

A sentence that only says what the documents do not, or that leads into a list, claims nothing that lines could carry.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from askwell.ask.facts import facts
from askwell.ask.units import prose_units

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askwell.ask.markers import Placed
    from askwell.ask.units import Role
    from askwell.types import Span

MARKER = re.compile(r"[ \t]?\[\d{1,5}\]")

_ABSENT = re.compile(
    r"\b(?:do|does|did)(?: not|n't) (?:\w+ly )?(?:say|mention|state|contain|give|specify|cover|include|explain|name|"
    r"describe|tell|show|provide|list|answer)\b"
    r"|\b(?:is|are|was|were)(?: not|n't) (?:\w+ly )?(?:mentioned|stated|given|specified|covered|named|documented|"
    r"described|listed|explained|known from|in the (?:passages|documents|notes))\b"
    r"|\b(?:no|nothing) (?:information|mention|details?|passages?|documents?|notes?|is said|is stated)\b"
    r"|\bnicht (?:\w+ )?(?:erwähnt|genannt|angegeben|enthalten|beschrieben|dokumentiert|hervor)\b"
    r"|\b(?:sagen|nennen|erwähnen|enthalten|geben|steht|stehen) [^.\n]{0,60}\b(?:nicht|nichts|keine)\b"
    r"|\bkeine (?:Angaben?|Informationen?|Auskunft)\b"
    r"|\b(?:nämns|anges|står|framgår|beskrivs|sägs) (?:\w+ ){0,3}inte\b|\binte (?:nämn|ange|beskriv|framgå|säg)\w*\b"
    r"|\b(?:ingen uppgift|inga uppgifter|ingen information)\b"
    r"|\b(?:belirtilm|bahsedilm|yer alm|geçm|açıklanm|söylenm)\w+|\bbilgi (?:yok|bulunm)\w*",
    re.IGNORECASE,
)
_LEADS = re.compile(r"[:：]\s*\Z")


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence of an answer and where it stands: ``[start, end)`` with the markers that belong to it."""

    span: Span
    end: int  # with the markers behind it
    role: Role
    markers: tuple[Placed, ...]


def claims(text: str, placed: Sequence[Placed]) -> list[Said]:
    """Return the sentences of an answer with the markers in each; markers alone belong to what stands before them.

    Headings and markup are none, unless they cite something.
    """
    found: list[tuple[Span, int, Role, list[Placed]]] = []
    at = 0
    for unit in prose_units(text):
        markers: list[Placed] = []
        while at < len(placed) and placed[at].start < unit.span.end:
            markers.append(placed[at])
            at += 1
        said = MARKER.sub("", unit.span.slice(text)).strip()
        if unit.role in ("heading", "markup") and not markers:
            continue
        if not any(char.isalnum() for char in said):
            if found and markers:
                span, _, role, before = found[-1]
                found[-1] = (span, markers[-1].end, role, [*before, *markers])
            continue
        found.append((unit.span, unit.span.end, unit.role, markers))
    if found and at < len(placed):
        span, _, role, before = found[-1]
        found[-1] = (span, max(found[-1][1], placed[-1].end), role, [*before, *placed[at:]])
    return [Said(span, end, role, tuple(markers)) for span, end, role, markers in found]


def claims_nothing(text: str) -> str:
    """Return why a sentence needs no lines: it says what is missing, or leads into what follows. Empty if it does."""
    if _ABSENT.search(text[:1000]):
        return "says what the passages do not"
    if _LEADS.search(text[-40:]) and len(text) < 300 and not facts(text):
        return "leads into what follows"
    return ""
