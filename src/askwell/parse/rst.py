"""reStructuredText by its underlined titles; directives, literal blocks and tables are kept whole."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from askwell.parse.rows import rows_of
from askwell.parse.text import title_at
from askwell.types import Block, Parsed, Span

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Literal

    from askwell.parse.rows import Row

_EXPLICIT = re.compile(r"\.\.(?:[ \t]|$)")
_CODE = re.compile(r"\.\. (?:code|code-block|sourcecode|literalinclude|parsed-literal|highlight)::")
_LIST = re.compile(r"(?:[-*+•]|\(?(?:\d{1,4}|#|[A-Za-z])[.)])[ \t]+\S")
_TABLE = re.compile(r"(?:\+[-=+]{2,}\+|={2,}(?:[ \t]+={2,})+)[ \t]*$")


def parse(text: str, *, path: str) -> Parsed:
    """Return the document's paragraphs, directives, lists and tables, each under the titles it stands in.

    The document's title is its first heading, else the file's name.
    """
    rows = rows_of(text)
    blocks: list[Block] = []
    headings: tuple[str, ...] = ()
    marks: list[str] = []
    index = 0
    while index < len(rows):
        if rows[index].blank:
            index += 1
            continue
        title, mark, stop = title_at(rows, index)
        if title:
            depth = marks.index(mark) if mark in marks else len(marks)
            del marks[depth:]
            marks.append(mark)
            headings = (*headings[:depth], title)
            role: Literal["heading", "fence", "list", "table", "prose"] = "heading"
        else:
            role, stop = _element(rows, index)
        span = Span(rows[index].start, rows[stop - 1].end)
        blocks.append(Block(span=span, headings=headings, section=headings[-1] if headings else "", role=role))
        index = stop
    first = next((block.section for block in blocks if block.role == "heading"), "")
    return Parsed(format="rst", title=first or path.rsplit("/", 1)[-1], blocks=tuple(blocks))


def _element(rows: Sequence[Row], index: int) -> tuple[Literal["fence", "list", "table", "prose"], int]:
    """Return the role of what starts at a written row that is no title, and the row after it."""
    text = rows[index].text
    if _EXPLICIT.match(text):
        return ("fence" if _CODE.match(text) else "prose"), _after_indented(rows, index + 1, rows[index].indent)
    stop = _after_paragraph(rows, index)
    if _TABLE.match(text):
        return "table", _after_table(rows, index)
    if _LIST.match(text.lstrip()):
        return "list", stop
    if rows[stop - 1].text.rstrip().endswith("::"):
        return "prose", max(stop, _after_indented(rows, stop, rows[index].indent))
    return "prose", stop


def _after_paragraph(rows: Sequence[Row], index: int) -> int:
    stop = index + 1
    while stop < len(rows) and not rows[stop].blank and not _EXPLICIT.match(rows[stop].text):
        if title_at(rows, stop)[0]:
            break
        stop += 1
    return stop


def _after_table(rows: Sequence[Row], index: int) -> int:
    """Return the row after a table, which a blank row ends."""
    stop = index + 1
    while stop < len(rows) and not rows[stop].blank:
        stop += 1
    return stop


def _after_indented(rows: Sequence[Row], index: int, indent: int) -> int:
    """Return the row after the indented rows from `index` on, blank rows between them included."""
    stop = index
    for at in range(index, len(rows)):
        if rows[at].blank:
            continue
        if rows[at].indent <= indent:
            break
        stop = at + 1
    return max(stop, index)
