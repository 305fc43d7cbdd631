from __future__ import annotations

import math

import pytest

from askwell.eval.measures.auroc import auroc
from askwell.eval.measures.average_precision import average_precision
from askwell.eval.measures.bootstrap import interval
from askwell.eval.measures.latency import percentile
from askwell.eval.measures.mrr import reciprocal_rank
from askwell.eval.measures.ndcg import ndcg
from askwell.eval.measures.recall import found_at, hit_at, recall
from askwell.eval.measures.risk_coverage import area, risk_coverage


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


def test_average_precision_counts_what_was_not_found() -> None:
    # found at 1 and 3 of three relevant documents
    assert average_precision(["a", "x", "b"], ["a", "b", "c"]) == pytest.approx((1 + 2 / 3) / 3)
    assert average_precision(["x"], ["a"]) == 0.0
    assert average_precision(["a"], []) == 0.0


def test_an_interval_holds_the_average_and_narrows_with_more_questions() -> None:
    few, many = interval([[0.0, 1.0] * 5]), interval([[0.0, 1.0] * 200])
    assert few is not None
    assert many is not None
    assert few[0] < many[0] < 0.5 < many[1] < few[1]
    # 400 coin flips: the normal interval is 0.5 -+ 0.049
    assert many == pytest.approx((0.451, 0.549), abs=0.004)


def test_an_interval_is_the_same_for_the_same_seed() -> None:
    values = [[0.1, 0.4, -0.3, 0.0, 0.2]]
    assert interval(values, seed=1) == interval(values, seed=1)
    assert interval(values, seed=1) != interval(values, seed=2)


def test_sets_count_the_same_in_an_interval_whatever_their_size() -> None:
    assert interval([[1.0] * 99, [0.0] * 2]) == pytest.approx((0.5, 0.5))


def test_one_value_has_no_interval() -> None:
    assert interval([[0.5]]) is None
    assert interval([[], []]) is None
    assert interval([[0.5], [1.0, 0.0]]) is not None


def test_risk_is_what_answering_down_to_a_threshold_costs() -> None:
    points = risk_coverage([0.9, 0.2, 0.5, 0.5], [False, True, True, False])
    assert points == ((0.25, 0.0), (0.75, 1 / 3), (1.0, 0.5))
    assert area(points) == pytest.approx(0.25 * 0 + 0.5 / 3 + 0.25 * 0.5)
    assert risk_coverage([], []) == ()
    assert area(()) is None
