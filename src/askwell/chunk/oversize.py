"""Cuts what is larger than a chunk: at paragraph, line, sentence, word and at last anywhere."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from askwell.types import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_ITEM = re.compile(r"\n(?=([ \t]*)(?:[-*+]|[0-9]{1,9}[.)])[ \t])")
_SENTENCE = re.compile(r"[.!?…]+[\"'”’)\]]*(?=\s)|[。！？]+[」』”’）]*")
_SENTENCE_LINE = re.compile(r"[.!?…:;][\"'”’)\]*_]*\n")
_JOINT = re.compile(r"[,;|&/)}\]、，；]")
_BLANK = re.compile(r"\s*")
_SPACE = re.compile(r"\s")
_LINE_BY_LINE = frozenset({"table", "fence", "code", "setting", "data"})


def split(text: str, span: Span, *, role: str, fits: Callable[[int, int], bool], reach: int) -> Iterator[Span]:
    """Yield pieces of `span` that fit, in order, disjoint, together every non-blank character of it.

    Cuts between a table's rows, a list's items, a fence's paragraphs and lines, and else where prose breathes.
    Pieces are about even, so that the last one is no crumb. `fits` is called a few times a piece, on at most
    twice what fits, so the cost is linear in the span's length.

    Args:
        text: The document.
        span: What to cut.
        role: Of the block; decides where cuts are wanted.
        fits: Whether the piece from one offset to another is within the budget.
        reach: First guess of how many characters fit.
    """
    at, end = span.start, span.start + len(span.slice(text).rstrip())
    reach = max(1, reach)
    furthest = 4 * reach
    while at < end:
        left = end - at
        if left <= 2 * reach and fits(at, end):
            yield Span(at, end)
            return
        even = -(-left // max(2, -(-left // reach)))
        ahead = min(reach, even + even // 8)
        cut = _cut(text, at, min(end, at + ahead), role=role)
        grown = min(furthest, reach + reach // 8)
        while cut - at > 1 and not fits(at, cut):
            ahead = max(1, 3 * min(ahead, cut - at) // 4)
            grown = max(1, ahead)
            cut = _cut(text, at, at + ahead, role=role)
        reach = grown
        if piece := text[at:cut].rstrip():
            yield Span(at, at + len(piece))
        at = _past_blank(text, cut, end)


def _past_blank(text: str, at: int, end: int) -> int:
    """Return where the next line that is not blank begins; within a line, its next character that is not."""
    blank = _BLANK.match(text, at, end)
    after = blank.end() if blank is not None else at
    line = text.rfind("\n", max(0, at - 1), after)
    return after if line < 0 or after >= end else line + 1


def _cut(text: str, at: int, most: int, *, role: str) -> int:
    """Return the best place in ``(at, most]`` to end a piece that begins at `at`."""
    least = at + 1
    half = max(least, at + (most - at) // 2)
    if role in _LINE_BY_LINE:
        paragraph = -1 if role == "table" else _after(text, "\n\n", half, most)
        line = paragraph if paragraph > 0 else _after(text, "\n", least, most)
    elif role == "list":
        line = _item(text, least, most)
        line = line if line > 0 else _after(text, "\n", half, most)
    else:
        line = _after(text, "\n\n", half, most)
        if line < 0:
            line = _last(_SENTENCE_LINE, text, half, most)
        if line < 0:
            line = _after(text, "\n", half, most)
    return line if line > 0 else _inside_line(text, at, half, most)


def _inside_line(text: str, at: int, half: int, most: int) -> int:
    """Return where to cut a line that is too long: after a sentence, a word, a joint, or at `most`."""
    for pattern in (_SENTENCE, _SPACE, _JOINT):
        if (cut := _last(pattern, text, half, most)) > 0:
            return cut
    cut = most
    while cut > at + 1 and most - cut < 8 and cut < len(text) and _belongs(text[cut]):
        cut -= 1
    return cut


def _belongs(character: str) -> bool:
    """Whether a character only means something with the one before it."""
    return unicodedata.combining(character) != 0 or character in "\u200d\ufe0e\ufe0f"


def _after(text: str, mark: str, least: int, most: int) -> int:
    """Return the offset after the last `mark` that ends in ``[least, most]``, -1 if there is none."""
    found = text.rfind(mark, max(0, least - len(mark)), most)
    return found + len(mark) if found >= 0 else -1


def _last(pattern: re.Pattern[str], text: str, least: int, most: int) -> int:
    """Return where the last match within ``[least, most]`` ends, -1 if there is none."""
    cut = -1
    for match in pattern.finditer(text, least - 1, most):
        cut = match.end() if match.end() >= least else cut
    return cut


def _item(text: str, least: int, most: int) -> int:
    """Return where the last of the outermost list items that begin in ``[least, most]`` begins, -1 if none."""
    cut, outermost = -1, most
    for match in _ITEM.finditer(text, least - 1, most):
        indent = len(match[1].expandtabs(4))
        if indent <= outermost and match.end() >= least:
            cut, outermost = match.end(), indent
    return cut
