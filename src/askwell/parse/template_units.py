"""Gathers settings with the comments that explain them, while a walk goes over a settings file's rows."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from askwell.parse.rows import span_of
from askwell.types import Block, Span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askwell.parse.rows import Row

_LONG_REMARK = 1_500  # characters above a setting; of more, only what follows its first mention belongs to it
_DEEPEST = 4  # groups around a setting that its heading path names, the innermost


@dataclass(slots=True)
class Unit:
    """A setting, or several that share a comment, being gathered."""

    first: int
    stop: int
    above: bool  # a comment stands above
    beside: bool = False  # a comment stands on the same row
    names: list[str] = field(default_factory=list)
    items: int = 0
    code: bool = False


@dataclass(slots=True)
class Walk:
    """Where the walk over the rows stands: what is open, what waits, what is done."""

    rows: Sequence[Row]
    blocks: list[Block] = field(default_factory=list)
    outer: tuple[str, ...] = ()  # headings of the braces or tags around
    banner: str = ""
    section: str = ""
    remarks: list[tuple[int, int]] = field(default_factory=list)  # paragraphs of comment not yet given to anything
    unit: Unit | None = None
    groups: list[tuple[int, tuple[str, ...], str, str]] = field(default_factory=list)  # closing row, what was open
    defines: dict[str, None] = field(default_factory=dict)

    @property
    def headings(self) -> tuple[str, ...]:
        """The heading path of whatever comes next."""
        return (*self.outer, *(name for name in (self.banner, self.section) if name))

    def close(self) -> None:
        """End the unit being gathered, if there is one."""
        unit, self.unit = self.unit, None
        if unit is None:
            return
        span = span_of(self.rows, unit.first, unit.stop)
        if span is not None:
            names = list(dict.fromkeys(unit.names))
            own = (", ".join(names),) if 0 < len(names) <= 3 else ()
            self._add(span, (*self.headings, *own), "code" if unit.code and not names else "setting", unit)

    def _add(self, span: Span, headings: tuple[str, ...], role: Literal["setting", "code"], unit: Unit) -> None:
        section = self.headings[-1] if self.headings else ""
        own = unit.above or unit.beside
        self.blocks.append(Block(span=span, headings=headings, section=section, role=role, own=own))

    def flush(self, count: int | None = None) -> None:
        """Make the first `count` waiting remarks prose, all by default."""
        count = len(self.remarks) if count is None else count
        if count:
            span = span_of(self.rows, self.remarks[0][0], self.remarks[count - 1][1])
            headings = self.headings
            if span is not None:
                self.blocks.append(Block(span=span, headings=headings, section=headings[-1] if headings else ""))
        del self.remarks[:count]

    def remark(self, first: int, stop: int) -> None:
        """Let a comment row wait; it goes on with the paragraph before if nothing stands between."""
        if self.remarks and self.remarks[-1][1] == first:
            self.remarks[-1] = (self.remarks[-1][0], stop)
        else:
            self.remarks.append((first, stop))

    def open(self, index: int, name: str) -> Unit:
        """Start a unit at a row, with the waiting remarks that belong to it."""
        rows = self.rows
        if self.remarks and rows[self.remarks[-1][1] - 1].end - rows[self.remarks[0][0]].start > _LONG_REMARK:
            named = (at for at, (first, stop) in enumerate(self.remarks) if mentions(rows, first, stop, name))
            self.flush(next(named, 0) if name else 0)
        unit = Unit(first=self.remarks[0][0] if self.remarks else index, stop=index, above=bool(self.remarks))
        self.unit = unit
        self.remarks.clear()
        return unit

    def enter(self, label: str, closing: int) -> None:
        """Go inside braces or a tag that end at row `closing`."""
        self.groups.append((closing, self.outer, self.banner, self.section))
        self.outer, self.banner, self.section = (*self.headings, label)[-_DEEPEST:], "", ""

    def leave(self, index: int) -> None:
        """Leave every group that ends at or before row `index`."""
        while self.groups and self.groups[-1][0] <= index:
            self.close()
            self.flush()
            _, self.outer, self.banner, self.section = self.groups.pop()


def mentions(rows: Sequence[Row], first: int, stop: int, name: str) -> bool:
    """Return whether ``rows[first:stop]`` hold `name` as a whole word."""
    word = re.compile(rf"(?<![\w.-]){re.escape(name)}(?![\w-])")
    return any(word.search(rows[at].text) for at in range(first, stop))
