"""Writes a set of words as one text."""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """Return the words of `text`, which white space divides."""
    return frozenset(text.split())
