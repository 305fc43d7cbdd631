from __future__ import annotations

import math

import pytest

from askwell.eval.measures.auroc import auroc
from askwell.eval.measures.latency import percentile
from askwell.eval.measures.mrr import reciprocal_rank
from askwell.eval.measures.ndcg import ndcg
from askwell.eval.measures.recall import found_at, hit_at, recall


def test_one_of_the_answers_suffices() -> None:
    assert found_at(["x", "also", "gold"], gold=["gold"], also=["also"]) == 2
    assert found_at(["x"], gold=["gold"]) == 0
    assert found_at([], gold=["gold"]) == 0


def test_where_all_are_needed_the_last_one_counts_and_substitutes_do_not() -> None:
    assert found_at(["b", "x", "a"], gold=["a", "b"], every=True) == 3
    assert found_at(["b", "also"], gold=["a", "b"], also=["also"], every=True) == 0


def test_hit_at_needs_a_rank_within_the_cut() -> None:
    assert [hit_at(5, found) for found in (0, 1, 5, 6)] == [0.0, 1.0, 1.0, 0.0]


def test_classic_recall_is_a_share_of_the_relevant() -> None:
    assert recall(["a", "b", "c"], ["a", "c", "d", "e"], k=3) == 0.5
    assert recall(["a"], [], k=3) == 0.0


def test_reciprocal_rank_ends_at_its_depth() -> None:
    assert [reciprocal_rank(found, k=10) for found in (0, 1, 4, 11)] == [0.0, 1.0, 0.25, 0.0]


def test_ndcg_by_hand() -> None:
    # gains 3, 0, 1 over the ideal 3, 1
    expected = (3 + 1 / math.log2(4)) / (3 + 1 / math.log2(3))
    assert ndcg(["a", "x", "b"], {"a": 3, "b": 1}, k=10) == pytest.approx(expected)
    assert ndcg(["b", "a"], {"a": 1, "b": 1}, k=10) == 1.0
    assert ndcg(["a"], {}, k=10) == 0.0
    assert ndcg(["x", "a"], {"a": 1}, k=1) == 0.0


def test_auroc_counts_pairs_and_ties_half() -> None:
    assert auroc([3, 4], [1, 2]) == 1.0
    assert auroc([1, 2], [3, 4]) == 0.0
    assert auroc([1, 3], [2]) == 0.5
    assert auroc([1], [1]) == 0.5
    assert auroc([2, 1], [1]) == 0.75
    assert auroc([], [1]) is None


def test_percentile_is_a_value_that_was_measured() -> None:
    assert percentile([4, 1, 3, 2], 0.5) == 2
    assert percentile([4, 1, 3, 2], 0.95) == 4
    assert percentile([], 0.5) == 0.0
