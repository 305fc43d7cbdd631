"""The lines of a text as spans: what every line-based parser walks over."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from askwell.types import Span

if TYPE_CHECKING:
    from collections.abc import Sequence


class Row(NamedTuple):
    """One line: its span without the line end, and its characters. Only a line feed ends a line."""

    start: int
    end: int
    text: str

    @property
    def blank(self) -> bool:
        """Whether it holds nothing but whitespace."""
        return not self.text or self.text.isspace()

    @property
    def indent(self) -> int:
        """Columns before its first character, a tab counted to the next multiple of 4. Whole width if blank."""
        column = 0
        for char in self.text:
            if char == " ":
                column += 1
            elif char == "\t":
                column += 4 - column % 4
            else:
                break
        return column


def rows_of(text: str) -> list[Row]:
    """Return the lines of `text` in order; empty for an empty text. A final line end starts no further line."""
    found: list[Row] = []
    start = 0
    for line in text.split("\n"):
        found.append(Row(start, start + len(line), line))
        start += len(line) + 1
    if not found[-1].text:
        found.pop()
    return found


def span_of(rows: Sequence[Row], first: int, stop: int) -> Span | None:
    """Return the span of ``rows[first:stop]`` without blank rows at either end, None if all are blank."""
    while first < stop and rows[first].blank:
        first += 1
    while stop > first and rows[stop - 1].blank:
        stop -= 1
    return Span(rows[first].start, rows[stop - 1].end) if first < stop else None
