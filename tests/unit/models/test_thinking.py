from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askwell.models.thinking import without_thinking

CASES = [
    ("Port 9117", "Port 9117"),
    ("<think>secret</think>Hello", "Hello"),
    ("\n<think>\nsecret </thin </think>\n\nHello <think>kept</think>", "Hello <think>kept</think>"),
    ("<thinking>a</thinking><think>b</think> c", "c"),
    ("<think>never closed", ""),
    ("<think></think>", ""),
    ("<thin air", "<thin air"),
    ("<thi", "<thi"),
    ("<p>not a thought</p>", "<p>not a thought</p>"),
    ("  ", ""),
    ("", ""),
]


@pytest.mark.parametrize(("said", "answer"), CASES)
def test_only_the_answer_is_kept(said: str, answer: str) -> None:
    assert "".join(without_thinking([said])) == answer


@given(st.sampled_from(CASES), st.lists(st.integers(0, 60), max_size=10))
def test_pieces_may_be_cut_anywhere(case: tuple[str, str], cuts: list[int]) -> None:
    said, answer = case
    bounds = [0, *sorted(min(cut, len(said)) for cut in cuts), len(said)]
    pieces = [said[a:b] for a, b in itertools.pairwise(bounds)]
    assert "".join(without_thinking(pieces)) == answer


def test_an_ordinary_first_word_is_not_held_back() -> None:
    pieces = without_thinking(iter(["Port", " 9117"]))
    assert next(pieces) == "Port"


def test_a_long_thought_is_read_in_linear_time() -> None:
    assert "".join(without_thinking(["<think>", *["word "] * 200_000, "</think>", "ok"])) == "ok"
