"""Places inside a note that links can name: sections by their heading, blocks by their `^block-id`."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING

from askwell.parse.slug import slug
from askwell.parse.wikilinks import without_code
from askwell.types import Lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askwell.parse.elements import Element

_BLOCK_ID = re.compile(r"(?:^|[ \t])\^([A-Za-z0-9-]+)[ \t]*$", re.MULTILINE)
_ALONE = re.compile(r"[ \t>]*\^[A-Za-z0-9-]+[ \t]*$")
_CUSTOM_ID = re.compile(r"\{#([^{}\s]+)\}[ \t]*$")
_NEAR = 64  # list items that are looked at, backwards, for the one a line stands in


def section_anchors(
    elements: Sequence[Element], names: Sequence[str], *, offset: int, lines: Sequence[str]
) -> dict[str, Lines]:
    """Return each heading's slug with the lines of its section, subsections included.

    A slug that occurs again gets `-1`, `-2` …, as hosting sites number them. Linear.

    Args:
        elements: Top-level elements, lines from 0.
        names: The heading's name at the same index, empty for other elements.
        offset: Number in the file of the elements' line 0.
        lines: The body's lines.
    """
    anchors: dict[str, Lines] = {}
    taken: dict[str, int] = {}
    above: list[tuple[int, list[str], int]] = []  # level, keys, first line
    last = 0

    def close(level: int) -> None:
        while above and above[-1][0] >= level:
            _, keys, first = above.pop()
            for key in keys:
                anchors.setdefault(key, Lines(offset + first, offset + last))

    for element, name in zip(elements, names, strict=True):
        if element.role == "heading":
            close(element.level)
            keys = []
            if key := slug(name):
                count = taken.get(key, 0)
                taken[key] = count + 1
                keys.append(f"{key}-{count}" if count else key)
            if custom := _CUSTOM_ID.search(element.text[-200:]):
                keys.append(custom[1])
            above.append((element.level, keys, element.first))
        last = element.end - 1
    close(0)
    return anchors


def block_anchors(
    lines: Sequence[str],
    elements: Sequence[Element],
    inline: Sequence[tuple[int, int]],
    items: Sequence[tuple[int, int]],
    *,
    offset: int,
) -> dict[str, Lines]:
    """Return each `^block-id` with the lines it names; the first of two equal ids counts.

    At the end of a paragraph or an item it names that; on a line of its own, the list, table or quote above.
    """
    anchors: dict[str, Lines] = {}
    starts = [element.first for element in elements]
    items = sorted(items)
    item_starts = [first for first, _ in items]
    for first, end in inline:
        if not any("^" in lines[number] for number in range(first, end)):
            continue
        text = without_code("\n".join(lines[first:end]))
        counted, number = 0, first
        for match in _BLOCK_ID.finditer(text):
            number += text.count("\n", counted, match.start(1))
            counted = match.start(1)
            if _ALONE.match(lines[number]):
                here = bisect_right(starts, number) - 1
                whole = elements[here if elements[here].first < number or here == 0 else here - 1]
                named = (whole.first, whole.end)
            else:
                named = _item(items, item_starts, number) or (first, end)
            anchors.setdefault(f"^{match[1]}", Lines(offset + named[0], offset + _trimmed(lines, *named) - 1))
    return anchors


def _item(items: Sequence[tuple[int, int]], starts: Sequence[int], line: int) -> tuple[int, int] | None:
    """Return the innermost list item that holds `line`."""
    last = bisect_right(starts, line)
    return next((item for item in reversed(items[max(0, last - _NEAR) : last]) if item[1] > line), None)


def _trimmed(lines: Sequence[str], first: int, end: int) -> int:
    while end > first + 1 and not lines[end - 1].strip():
        end -= 1
    return end
