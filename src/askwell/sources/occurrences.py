"""Finds where any of many fixed strings stands in a text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection


def positions(text: str, needles: Collection[str]) -> list[int]:
    """Return every position at which one of `needles` stands, ascending, each once."""
    found: set[int] = set()
    for needle in needles:
        at = text.find(needle)
        while at >= 0:
            found.add(at)
            at = text.find(needle, at + 1)
    return sorted(found)
