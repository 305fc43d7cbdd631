"""Settings files and config templates: one block a variable, with the comment that explains it.

# Seconds a file may take to finish.     ┐ the comment above, or beside, belongs to the setting;
# Must be over 5.                        │ settings right under each other share it
STOP_TIMEOUT=30                          ┘
#STOP_HARD=no                              commented out, and a setting all the same

[section], ━━━ RULED ━━━ and boxed titles are headings. A comment without a setting is prose. What stands in
braces or in a tag is one block up to a size, else its content is cut as if it stood alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from askwell.parse.headings import drawn_heading, is_rule
from askwell.parse.rows import rows_of
from askwell.parse.template_rows import Line, Nesting, What, line_at, nesting_of, remark_of
from askwell.parse.template_units import Walk, mentions
from askwell.types import Parsed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askwell.parse.rows import Row

_LARGE_GROUP = 40  # rows in braces, in a tag or in a table that are still one block
_SHARING = 40  # settings that may share one comment
_BARE = 12  # settings without a comment that stand together
_NEAR = 20  # rows of a comment that may belong to the setting after a blank row
_CLOSERS = frozenset({"}", "};", "})", "}}", "</"})


def parse(text: str, *, path: str) -> Parsed:
    """Return a settings file's blocks; `defines` holds every name it sets, commented out or not."""
    rows = rows_of(text)
    nesting = nesting_of(rows)
    walk = Walk(rows)
    index = 0
    while index < len(rows):
        walk.leave(index)
        index = _step(walk, line_at(rows, index, nesting), index, nesting)
    walk.leave(index)
    walk.close()
    walk.flush()
    title = path.rsplit("/", 1)[-1]
    return Parsed(format="template", title=title, blocks=tuple(walk.blocks), defines=tuple(walk.defines))


def _step(walk: Walk, line: Line, index: int, nesting: Nesting) -> int:
    """Take one row, or the rows of one value, and return the row after it."""
    rows = walk.rows
    if line.what is What.BLANK:
        walk.close()
        if walk.remarks and not _explains_next(rows, walk.remarks[-1], line.stop, nesting):
            walk.flush()
        return line.stop
    if line.what is What.GAP:
        return _gap(walk, line, index)
    if line.what in (What.TEXT, What.OFF):
        stop = _heading(walk, index)
        if stop is not None:
            return stop
        if line.what is What.TEXT or not _is_off(rows, line, nesting):
            return _text(walk, line, index)
    if line.what is What.SECTION:
        return _section(walk, line, index, nesting)
    return _setting(walk, line, index, nesting)


def _gap(walk: Walk, line: Line, index: int) -> int:
    """Take a bare marker or a ruling: paragraphs end at it, and a ruling before a blank row ends its banner."""
    walk.close()
    rows = walk.rows
    last = line.stop >= len(rows) or rows[line.stop].blank
    if is_rule(line.content) and last and index > 0 and not rows[index - 1].blank:
        walk.flush()
        walk.banner = ""
    return line.stop


def _heading(walk: Walk, index: int) -> int | None:
    rows = walk.rows
    around = [remark_of(rows[at].text) if 0 <= at < len(rows) else "" for at in (index - 1, index, index + 1)]
    heading = drawn_heading(around, 1)
    if heading is None:
        return None
    walk.close()
    walk.flush()
    walk.banner, walk.section = heading.title, ""
    return index + heading.stop - 1


def _text(walk: Walk, line: Line, index: int) -> int:
    unit = walk.unit
    if unit is not None and unit.code and walk.rows[index].indent > walk.rows[unit.first].indent:
        unit.stop = line.stop  # a remark inside a block of shell
        return line.stop
    walk.close()
    walk.remark(index, line.stop)
    return line.stop


def _section(walk: Walk, line: Line, index: int, nesting: Nesting) -> int:
    """Take a `[section]` row: a small table without comments is one block, else its name is a heading."""
    walk.close()
    walk.section = line.name
    names: list[str] = []
    at, stop, remarked = index + 1, index + 1, False
    while at < len(walk.rows) and at - index <= _LARGE_GROUP:
        inner = line_at(walk.rows, at, nesting)
        if inner.what is What.SECTION:
            break
        if inner.what in (What.TEXT, What.OFF, What.GAP):
            remarked = True
        elif inner.what is not What.BLANK:
            if remarked:
                stop = 0
                break
            names.append(inner.name)
            stop = inner.stop
        at = inner.stop
    if stop == 0 or at - index > _LARGE_GROUP:
        walk.flush()
        return index + 1
    unit = walk.open(index, line.name)
    unit.stop, unit.above = stop, True
    walk.defines.update(dict.fromkeys(name for name in names if name))
    walk.close()
    return stop


def _setting(walk: Walk, line: Line, index: int, nesting: Nesting) -> int:
    """Take a setting, one that is commented out, or code."""
    text = walk.rows[index].text.strip()
    if walk.unit is None and not walk.remarks and (text in _CLOSERS or text.startswith("</")):
        return line.stop
    closing = nesting.groups[index]
    if closing - index >= _LARGE_GROUP:
        walk.close()
        walk.flush()
        walk.enter(text.rstrip("{ \t").strip("<>")[:80], closing)
        return line.stop
    unit = walk.unit
    if unit is not None:
        full = unit.items >= (_SHARING if unit.above else _BARE)
        if full or (not unit.above and (line.beside or unit.beside)):
            walk.close()
            unit = None
    if unit is None:
        unit = walk.open(index, line.name)
    unit.items += 1
    unit.beside = unit.beside or line.beside
    unit.stop = max(line.stop, closing + 1)
    if line.what is What.CODE:
        unit.code = True
    else:
        unit.names.append(line.name)
        walk.defines.setdefault(line.name)
    return unit.stop


def _is_off(rows: Sequence[Row], line: Line, nesting: Nesting) -> bool:
    """Return whether a remark that looks like a setting is one that is commented out, not a part of a sentence.

    Right behind the marker it is. After a space it is where its paragraph ends, unless the setting of the
    same name follows: then it is an example of it.
    """
    if line.content[:1] not in (" ", "\t"):
        return True
    if line.stop >= len(rows):
        return True
    after = line_at(rows, line.stop, nesting)
    return after.what is not What.TEXT and not (after.what is What.SET and after.name == line.name)


def _explains_next(rows: Sequence[Row], paragraph: tuple[int, int], index: int, nesting: Nesting) -> bool:
    """Return whether the comment before a blank row names the setting after it."""
    first, stop = paragraph
    if index >= len(rows) or stop - first > _NEAR:
        return False
    after = line_at(rows, index, nesting)
    return after.what in (What.SET, What.OFF) and mentions(rows, first, stop, after.name)
