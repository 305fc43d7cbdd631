"""Keeps what a model thinks out of what it answers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_NAMES = ("think", "thinking", "thought", "reasoning")
_OPEN = re.compile(rf"<({'|'.join(_NAMES)})>")


def without_thinking(pieces: Iterable[str]) -> Iterator[str]:
    """Yield the answer's text as it arrives, without `<think>…</think>` blocks at its beginning.

    Models think first, so a block is one only before the answer's first character: the same letters further on are
    text that the answer is about. Space before the answer is dropped. Tags may be split over pieces. A block that is
    never closed is all thinking.
    """
    held = ""  # what may still become a tag
    closing = ""  # the tag that ends the current block; empty outside
    answering = False
    for piece in pieces:
        if answering:
            yield piece
            continue
        held += piece
        while True:
            if closing:
                at = held.find(closing)
                if at < 0:
                    held = held[-len(closing) :]
                    break
                held, closing = held[at + len(closing) :], ""
            held = held.lstrip()
            opened = _OPEN.match(held)
            if opened is None:
                break
            held, closing = held[opened.end() :], f"</{opened[1]}>"
        if held and not closing and not _may_open(held):
            answering = True
            yield held
    if held and not closing and not answering:
        yield held


def _may_open(held: str) -> bool:
    """Return whether `held` is the start of a tag that is not complete."""
    return any(f"<{name}>".startswith(held) for name in _NAMES)
