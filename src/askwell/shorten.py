"""Where to cut a text that is too long for a model."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_SHRINK = 0.7
_CUTS = 16  # at most; the last one is at 0.3 % of the first
_BREAKS = (re.compile(r"\n\n"), re.compile(r"\n"), re.compile(r"[.!?。！？]"), re.compile(r"\s"))


def beginnings(text: str, *, fits: Callable[[str], bool]) -> Iterator[str]:
    """Yield shorter and shorter beginnings of `text`, cut where a reader would cut; none is empty.

    Args:
        text: Over the model's window.
        fits: Whether a text is in the window as we count. The first beginning is the longest that fits; the following
            ones are for a model that counts otherwise.
    """
    low, high = 1, len(text) - 1  # the longest beginning that fits has at least `low` and at most `high` characters
    while low < high:
        middle = (low + high + 1) // 2
        if fits(text[:middle]):
            low = middle
        else:
            high = middle - 1
    size = min(low, len(text) - 1)
    for _ in range(_CUTS):
        if size < 1:
            return
        shorter = _cut_at_boundary(text, size)
        yield shorter
        size = min(int(size * _SHRINK), len(shorter) - 1)


def _cut_at_boundary(text: str, size: int) -> str:
    """Return at most `size` characters, ending at a paragraph, else line, sentence, word in the last half of them."""
    head = text[:size]
    for boundary in _BREAKS:
        ends = [match.start() + 1 for match in boundary.finditer(head, size // 2)]
        if ends and (kept := head[: ends[-1]].rstrip()):
            return kept
    return head
