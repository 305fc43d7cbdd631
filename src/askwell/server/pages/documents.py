"""A document as the viewer shows it: rendered, or line by line as it was read, with the cited lines marked."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from askwell.parse.frontmatter import frontmatter
from askwell.parse.slug import slug
from askwell.server.pages.links import document_href
from askwell.server.pages.markdown import Drawing, rendered
from askwell.types import Lines

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from markupsafe import Markup

    from askwell.ports import DocumentInfo
    from askwell.types import Document

RENDERED = 400_000
"""Characters up to which Markdown is rendered; more than that is shown line by line, which costs a browser less."""

WINDOW = 2000
"""Lines on one page of the raw view."""

_RANGE = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of the raw view."""

    number: int
    text: str
    cited: bool
    first: bool  # of the cited ones: where a link leads


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A document, ready for a template: rendered, or as rows."""

    html: Markup | None
    front: str  # the frontmatter as written, empty if there is none
    front_cited: bool
    rows: tuple[Row, ...]
    before: int | None  # line that the page before begins with
    after: int | None


def wanted_lines(document: Document, lines: str, at: str) -> Lines | None:
    """Return the lines that an address names, by number or by anchor; None if it names none that exist."""
    count = document.text.count("\n") + 1
    if match := _RANGE.fullmatch(lines):
        first, last = int(match[1]), int(match[2] or match[1])
        return Lines(min(first, count), min(last, count)) if 1 <= first <= last else None
    if not at:
        return None
    found = document.anchors.get(at) or document.anchors.get(slug(at))
    if found is None:
        return None
    return found if at.startswith("^") else Lines(found.first, found.first)


def seen(
    document: Document, *, pointing: Mapping[str, DocumentInfo], cited: Lines | None, raw: bool, start: int = 0
) -> Seen:
    """Return a document as the viewer shows it.

    Args:
        document: Within the reader's audience.
        pointing: Target of a link as written → the visible document that it means.
        cited: Lines to mark.
        raw: Line by line, as it was read.
        start: Line that the raw view begins with; where the cited ones are if 0.
    """
    if raw or document.format != "markdown" or len(document.text) > RENDERED:
        return _rows(document, cited, start)
    front = frontmatter(document.text).span
    above = document.text.count("\n", 0, front.end)
    drawing = Drawing(
        target=_targets(document, pointing),
        cited=Lines(max(1, cited.first - above), cited.last - above) if cited and cited.last > above else None,
    )
    return Seen(
        html=rendered(document.text[front.end :], drawing),
        front=front.slice(document.text),
        front_cited=cited is not None and bool(front.end) and cited.first <= above + 1,
        rows=(),
        before=None,
        after=None,
    )


def _rows(document: Document, cited: Lines | None, start: int) -> Seen:
    lines = document.text.split("\n")
    if len(lines) > 1 and not lines[-1]:
        lines.pop()  # after the last line end there is no line
    near = start or (cited.first if cited else 1)
    first = (max(1, min(near, len(lines))) - 1) // WINDOW * WINDOW
    shown = lines[first : first + WINDOW]
    rows = tuple(
        Row(
            number=number,
            text=line,
            cited=cited is not None and cited.first <= number <= cited.last,
            first=cited is not None and number == max(cited.first, first + 1),
        )
        for number, line in enumerate(shown, start=first + 1)
    )
    return Seen(
        html=None,
        front="",
        front_cited=False,
        rows=rows,
        before=first + 1 - WINDOW if first else None,
        after=first + 1 + WINDOW if first + WINDOW < len(lines) else None,
    )


def _targets(document: Document, pointing: Mapping[str, DocumentInfo]) -> Callable[[str, str], str]:
    """Return what says where a link of this document leads."""

    def target(written: str, fragment: str) -> str:
        if not written:
            return document_href(document.source, document.path, at=fragment) if fragment else ""
        info = pointing.get(written)
        return document_href(info.source, info.path, at=fragment) if info is not None else ""

    return target
