"""Which terms of a question are scored, and what a term is worth."""

from __future__ import annotations

import math

import pytest

from askwell.stores.bm25 import IDF_FLOOR, MOST_TERMS, idf, is_common, scored_terms


def test_idf_falls_with_the_frequency_and_never_below_its_floor() -> None:
    values = [idf(frequency, 100) for frequency in range(101)]
    assert values == sorted(values, reverse=True)
    assert values[1] == math.log(99.5 / 1.5)
    assert values[50] == values[100] == IDF_FLOOR


@pytest.mark.parametrize(
    ("frequency", "chunks", "common"),
    [(40, 49, False), (50, 100, False), (51, 100, True), (15_000, 100_000, False), (15_001, 100_000, True)],
)
def test_a_term_is_common_by_share_and_in_a_large_index_by_a_smaller_one(
    frequency: int, chunks: int, common: bool
) -> None:
    assert is_common(frequency, chunks) is common


def test_terms_that_nothing_holds_are_left_out_and_common_ones_come_second() -> None:
    weights = {"rare": 1.0, "everywhere": 1.0, "nowhere": 1.0, "weightless": 0.0}
    frequencies = {"rare": 3, "everywhere": 90, "weightless": 5}
    first, every = scored_terms(weights, frequencies, 100)
    assert first == {"rare": 1.0}
    assert every == {"everywhere": 1.0, "rare": 1.0}
    alone, _ = scored_terms({"everywhere": 0.5}, frequencies, 100)
    assert alone == {"everywhere": 0.5}
    assert scored_terms({"nowhere": 1.0}, frequencies, 100) == ({}, {})


def test_of_a_long_question_the_most_telling_terms_are_kept() -> None:
    weights = {f"w{n:03}": 1.0 for n in range(200)} | {"light": 0.01}
    frequencies = {f"w{n:03}": 200 - n for n in range(200)} | {"light": 1}
    _, every = scored_terms(weights, frequencies, 1_000)
    assert set(every) == {f"w{n:03}" for n in range(200 - MOST_TERMS, 200)}
