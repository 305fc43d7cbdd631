"""An outcome as `/api/ask` sends it → what a page shows: the text with its marks, and the evidence beside it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from askwell.server.pages.links import document_href
from askwell.server.pages.markdown import CLOSE, OPEN, Drawing, rendered
from askwell.types import Lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markupsafe import Markup

Support = Literal["supported", "weak", "unsupported"]
Pair = Annotated[tuple[int, int], Field(description="first and last line")]

_LEAD = re.compile(r"[ \t]*(?:(?:[-*+]|\d{1,9}[.)]|#{1,6}|>)[ \t]+)*")
_CODE = re.compile(r"[ \t]*(?:`{3,}|~{3,})")
_ROW_END = re.compile(r"\|[ \t]*\Z")
_PRIVATE = re.compile("[\ue000\ue001]")

LABELS = {"weak": "weak", "unsupported": "no source"}
"""What stands behind a sentence that is not carried; one that is carried needs no label."""


class _Sent(BaseModel):
    model_config = ConfigDict(extra="ignore")  # the wire may have more than a page shows


class Cited(_Sent):
    """One citation."""

    marker: int
    source: str
    path: str
    lines: Pair
    quote: str = ""
    support: Support = "supported"
    kind: str = "document"
    file: str = "unknown"

    @property
    def href(self) -> str:
        """The viewer at the cited lines; empty for a log and the like, which are not in the index."""
        return "" if self.kind != "document" else document_href(self.source, self.path, lines=Lines(*self.lines))


class Said(_Sent):
    """One sentence with its verdict."""

    text: str
    support: Support
    why: str = ""
    markers: list[int] = []


class Near(_Sent):
    """A hit that came near, no evidence."""

    source: str
    path: str
    title: str
    lines: Pair
    text: str = ""

    @property
    def href(self) -> str:
        """The viewer at its lines."""
        return document_href(self.source, self.path, lines=Lines(*self.lines))


class Seen(_Sent):
    """The audience, as far as a reader is told."""

    allow_web: bool = False
    narrowed: str = ""


class Missing(_Sent):
    """An arm that did not take part."""

    arm: str
    reason: str


class Done(_Sent):
    """The `done` event."""

    outcome: Literal["answer", "abstention"]
    text: str
    citations: list[Cited] = []
    sentences: list[Said] = []
    suggestions: list[str] = []
    nearest: list[Near] = []
    invented: int = 0
    removed: int = 0
    profile: str = ""
    query: str = ""
    model: str = "none"
    audience: Seen = Seen()
    missing_arms: list[Missing] = []
    warnings: list[str] = []
    reason: str = ""
    timings: dict[str, float] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """What one number of an answer stands for: the places that carry it."""

    marker: int
    source: str
    path: str
    support: str  # the best of its places
    file: str
    places: tuple[Cited, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """An outcome, ready for a template."""

    done: Done
    html: Markup
    notes: tuple[Note, ...]
    counts: tuple[tuple[str, int], ...]  # (support, sentences), only those that occur
    seconds: float


def shown(done: Done) -> Shown:
    """Return an outcome as a page shows it."""
    notes = _notes(done.citations)
    chips = {note.marker: _chip(note) for note in notes}
    text, verdicts, marks = _marked(done.text, done.sentences)
    drawing = Drawing(chips=chips, verdicts=verdicts, marks=marks)
    kinds = [said.support for said in done.sentences]
    return Shown(
        done=done,
        html=rendered(text, drawing),
        notes=notes,
        counts=tuple((k, kinds.count(k)) for k in ("supported", "weak", "unsupported") if k in kinds),
        seconds=done.timings.get("total_ms", 0.0) / 1000,
    )


def plain_turn(text: str) -> Markup:
    """Return the text of an earlier answer: what it cited is not kept, so its numbers lead nowhere."""
    return rendered(_PRIVATE.sub("", text), Drawing())


def _notes(citations: Sequence[Cited]) -> tuple[Note, ...]:
    by_marker: dict[int, list[Cited]] = {}
    for cited in citations:
        by_marker.setdefault(cited.marker, []).append(cited)
    order = ("unsupported", "weak", "supported")
    return tuple(
        Note(
            marker=marker,
            source=places[0].source,
            path=places[0].path if places[0].kind == "document" else f"{places[0].kind}:{places[0].path}",
            support=max((place.support for place in places), key=order.index),
            file=places[0].file,
            places=tuple(places),
        )
        for marker, places in by_marker.items()
    )


def _chip(note: Note) -> str:
    first = note.places[0]
    where = f"{note.path}, {_lines(first.lines)}"
    if not first.href:
        return f'<span class="chip {note.support}" title="{escape(where)}">{note.marker}</span>'
    return (
        f'<a class="chip {note.support}" href="{escape(first.href)}" data-n="{note.marker}" title="{escape(where)}" '
        f'aria-label="source {note.marker}: {escape(where)}">{note.marker}</a>'
    )


def _lines(lines: tuple[int, int]) -> str:
    return f"line {lines[0]}" if lines[0] == lines[1] else f"lines {lines[0]} to {lines[1]}"


def _marked(text: str, sentences: Sequence[Said]) -> tuple[str, list[str], list[str]]:
    """Return the text with marks around the sentences that are judged, and for each its CSS class and its label.

    A sentence that does not stand in the text, in order, is left out: better no mark than one at the wrong place.
    """
    text = _PRIVATE.sub("", text)
    parts: list[str] = []
    verdicts: list[str] = []
    marks: list[str] = []
    at = 0
    for said in sentences:
        written = _PRIVATE.sub("", said.text)
        start = text.find(written, at) if written else -1
        if start < 0:
            continue
        parts.append(text[at:start])
        parts.append(_enclosed(written))
        at = start + len(written)
        verdicts.append(said.support)
        marks.append(_label(said))
    return "".join([*parts, text[at:]]), verdicts, marks


def _enclosed(written: str) -> str:
    """Return a sentence between its marks, which disturb no Markdown."""
    if _CODE.match(written):
        return f"{written}\n\n{OPEN}{CLOSE}\n\n"
    if written.lstrip().startswith("|"):
        end = _ROW_END.search(written)
        return written if end is None else f"{written[: end.start()]}{OPEN}{CLOSE}{written[end.start() :]}"
    lead = _LEAD.match(written)
    begin = lead.end() if lead else 0
    return f"{written[:begin]}{OPEN}{written[begin:].rstrip()}{CLOSE}{written[len(written.rstrip()) :]}"


def _label(said: Said) -> str:
    if said.support not in LABELS:
        return ""
    why = f": {said.why}" if said.why else ""
    return (
        f' <span class="verdict {said.support}" title="{escape(LABELS[said.support] + why)}">'
        f"{LABELS[said.support]}</span>"
    )
