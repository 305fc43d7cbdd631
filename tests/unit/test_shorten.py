from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from askwell.shorten import beginnings


@given(st.text(min_size=1, max_size=300), st.integers(1, 100))
def test_beginnings_are_beginnings_and_get_shorter(text: str, limit: int) -> None:
    found = list(beginnings(text, fits=lambda piece: len(piece) <= limit))
    assert all(found)
    assert all(text.startswith(piece) and len(piece) < len(text) for piece in found)
    assert all(len(b) < len(a) for a, b in itertools.pairwise(found))
    assert all(len(piece) <= limit for piece in found)
    assert len(found) <= 16


def test_the_first_is_as_long_as_a_boundary_allows() -> None:
    text = "First paragraph here.\n\nSecond one. It has a line\nand another line with words"
    firsts = [next(beginnings(text, fits=lambda piece, n=n: len(piece) <= n)) for n in (24, 38, 49, 60)]  # type: ignore[misc]
    assert firsts == [
        "First paragraph here.",
        "First paragraph here.",
        "First paragraph here.\n\nSecond one. It has a line",
        "First paragraph here.\n\nSecond one. It has a line",
    ]
    assert next(beginnings("one two three four", fits=lambda piece: len(piece) <= 10)) == "one two"
    assert next(beginnings("x" * 90, fits=lambda piece: len(piece) <= 10)) == "x" * 10


def test_counting_is_asked_for_rarely_even_in_a_huge_text() -> None:
    asked: list[int] = []

    def fits(piece: str) -> bool:
        asked.append(len(piece))
        return len(piece) <= 1000

    assert len(next(beginnings("word " * 1_000_000, fits=fits))) <= 1000
    assert len(asked) < 30


def test_one_character_cannot_be_shortened() -> None:
    assert list(beginnings("x", fits=lambda piece: False)) == []
