from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from askwell.rank.fusion import convex_combination, reciprocal_rank_fusion

ids = st.lists(st.integers(0, 30), unique=True, max_size=12)
scored = ids.flatmap(
    lambda keys: st.lists(st.floats(-1, 50), min_size=len(keys), max_size=len(keys)).map(
        lambda scores: list(zip(keys, sorted(scores, reverse=True), strict=True))
    )
)


@given(ids)
def test_one_ranking_keeps_its_order(ranking: list[int]) -> None:
    assert list(reciprocal_rank_fusion([ranking])) == ranking


@given(st.lists(ids, max_size=4))
def test_rank_scores_stay_in_range_and_lose_no_one(rankings: list[list[int]]) -> None:
    scores = reciprocal_rank_fusion(rankings)
    assert set(scores) == {key for ranking in rankings for key in ranking}
    assert all(0 < score <= len(rankings) / 61 + 1e-12 for score in scores.values())
    assert list(scores.values()) == sorted(scores.values(), reverse=True)


@given(st.lists(scored, max_size=4))
def test_convex_scores_stay_between_zero_and_one_and_lose_no_one(rankings: list[list[tuple[int, float]]]) -> None:
    scores = convex_combination(rankings)
    assert set(scores) == {key for ranking in rankings for key, _ in ranking}
    assert all(-1e-12 <= score <= 1 + 1e-12 for score in scores.values())
    assert list(scores.values()) == sorted(scores.values(), reverse=True)
