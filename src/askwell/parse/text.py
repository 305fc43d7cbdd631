"""Plain text by paragraphs, under underlined or numbered titles where there are some."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from askwell.parse.rows import rows_of
from askwell.types import Block, Parsed, Span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askwell.parse.rows import Row

_UNDERLINES = frozenset("=-~^*+#\"'`_")
_MAN_SECTION = re.compile(r"\.S[HS][ \t]+(?P<title>\S.{0,100})$")
_LONGEST_TITLE = 100


def parse(text: str, *, path: str, note: str = "") -> Parsed:
    """Return a text's paragraphs, one block each; a title is a heading and not part of a paragraph.

    A title is a line that a line of one repeated punctuation character underlines, or a man page's `.SH`.
    """
    rows = rows_of(text)
    blocks: list[Block] = []
    headings: tuple[str, ...] = ()
    marks: list[str] = []  # the underline of each open level, outermost first
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
            span = Span(rows[index].start, rows[stop - 1].end)
            blocks.append(Block(span=span, headings=headings, section=title, role="heading"))
            index = stop
            continue
        stop = index + 1
        while stop < len(rows) and not rows[stop].blank and not title_at(rows, stop)[0]:
            stop += 1
        span = Span(rows[index].start, rows[stop - 1].end)
        blocks.append(Block(span=span, headings=headings, section=headings[-1] if headings else ""))
        index = stop
    return Parsed(format="text", title=path.rsplit("/", 1)[-1], blocks=tuple(blocks), note=note)


def title_at(rows: Sequence[Row], index: int) -> tuple[str, str, int]:
    """Return the title at a row, the mark that tells its level, and the row after it; an empty title if none.

    The mark of a title between two lines differs from that of the same line below only, as in reStructuredText.
    """
    text = rows[index].text
    man = _MAN_SECTION.match(text)
    if man is not None:
        return man["title"].strip('" '), text[:3], index + 1
    if index + 2 < len(rows) and (mark := underline(rows[index])) and underline(rows[index + 2]) == mark:
        title = rows[index + 1].text.strip()
        if title and len(title) <= _LONGEST_TITLE and not underline(rows[index + 1]):
            return title, mark * 2, index + 3
    if index + 1 < len(rows) and text and not text[0].isspace() and len(text.rstrip()) <= _LONGEST_TITLE:
        mark = underline(rows[index + 1])
        opens = index == 0 or rows[index - 1].blank or bool(underline(rows[index - 1]))
        if mark and opens and not underline(rows[index]) and any(char.isalnum() for char in text):
            drawn = len(rows[index + 1].text.rstrip())
            if drawn >= min(len(text.rstrip()), 3):
                return text.strip(), mark, index + 2
    return "", "", index


def underline(row: Row) -> str:
    """Return the character a row consists of, if it is one repeated punctuation character, else an empty string."""
    text = row.text.rstrip()
    if len(text) < 3 or text[0] not in _UNDERLINES or text.count(text[0]) != len(text):
        return ""
    return text[0]
