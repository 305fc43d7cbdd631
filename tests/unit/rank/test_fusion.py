from __future__ import annotations

import pytest

from askwell.rank.fusion import BLEND_C, convex_combination, floor_of, fuse, reciprocal_rank_fusion
from askwell.types import Arm, Sighting


def sightings(arm: Arm, *pairs: tuple[str, float]) -> list[tuple[str, Sighting]]:
    return [(id, Sighting(arm=arm, rank=rank, score=score)) for rank, (id, score) in enumerate(pairs, start=1)]


def test_reciprocal_rank_counts_from_one() -> None:
    assert reciprocal_rank_fusion([["a", "b"]]) == {"a": 1 / 61, "b": 1 / 62}


def test_what_two_arms_found_outranks_what_one_found_first() -> None:
    assert next(iter(reciprocal_rank_fusion([["a", "both"], ["b", "both"]]))) == "both"


def test_a_heavier_arm_decides_between_first_ranks() -> None:
    assert list(reciprocal_rank_fusion([["a"], ["b"]], weights=[1, 2])) == ["b", "a"]


def test_equal_scores_keep_the_order_of_first_sight() -> None:
    assert list(reciprocal_rank_fusion([["x", "y"], ["y", "x"]])) == ["x", "y"]


def test_weights_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="2 rankings but 1 weights"):
        reciprocal_rank_fusion([["a"], ["b"]], weights=[1.0])
    with pytest.raises(ValueError, match="1 rankings but 2 floors"):
        convex_combination([[("a", 1.0)]], floors=[0, 0])


def test_convex_combination_scales_each_arm_by_its_own_best() -> None:
    scores = convex_combination([[("a", 20.0), ("b", 10.0)], [("b", 0.8), ("c", 0.4)]], floors=[0, 0])
    assert scores == pytest.approx({"b": 0.75, "a": 0.5, "c": 0.25})
    assert list(scores) == ["b", "a", "c"]


def test_a_floor_spreads_what_lies_above_it_and_zeroes_what_lies_below() -> None:
    scores = convex_combination([[("a", 0.8), ("b", 0.6), ("c", 0.2)]], floors=[0.4])
    assert scores == pytest.approx({"a": 1.0, "b": 0.5, "c": 0.0})


def test_without_a_floor_the_lowest_score_counts_like_what_was_left_out() -> None:
    assert convex_combination([[("a", 0.9), ("b", 0.8), ("c", 0.7)]]) == pytest.approx({"a": 1.0, "b": 0.5, "c": 0.0})


def test_equal_scores_are_all_the_best_unless_they_do_not_pass_the_floor() -> None:
    assert convex_combination([[("a", 0.3), ("b", 0.3)]]) == {"a": 1.0, "b": 1.0}
    assert convex_combination([[("a", 0.0), ("b", 0.0)]], floors=[0.0]) == {"a": 0.0, "b": 0.0}
    assert convex_combination([[("a", 0.2)]], floors=[0.1]) == {"a": 1.0}


@pytest.mark.parametrize("by", ["rrf", "convex"])
def test_fused_candidates_keep_what_each_arm_said(by: str) -> None:
    rankings = {
        Arm.LEXICAL: sightings(Arm.LEXICAL, ("a", 9.0), ("b", 3.0)),
        Arm.VECTOR: sightings(Arm.VECTOR, ("b", 0.9)),
    }
    fused = fuse(rankings, by="rrf" if by == "rrf" else "convex", weights={}, floors={})
    by_id = {one.id: one for one in fused}
    assert fused[0].id == "b"
    assert [(s.arm, s.rank, s.score) for s in by_id["b"].sightings] == [(Arm.LEXICAL, 2, 3.0), (Arm.VECTOR, 1, 0.9)]
    assert [s.arm for s in by_id["a"].sightings] == [Arm.LEXICAL]


def test_a_blend_is_half_by_rank_and_half_by_score() -> None:
    rankings = {
        Arm.LEXICAL: sightings(Arm.LEXICAL, ("a", 9.0), ("b", 8.0), ("c", 1.0)),
        Arm.VECTOR: sightings(Arm.VECTOR, ("c", 0.9), ("a", 0.1)),
    }
    fused = fuse(rankings, by="blend", weights={Arm.LEXICAL: 3.0}, floors={Arm.LEXICAL: 0.0})
    assert [one.id for one in fused] == ["a", "b", "c"]
    second = (BLEND_C + 1) / (BLEND_C + 2)
    assert fused[0].parts == pytest.approx({Arm.LEXICAL: 0.75, Arm.VECTOR: 0.25 * second / 2})
    assert fused[1].score == pytest.approx(0.75 * (second + 8 / 9) / 2)
    assert sum(fused[2].parts.values()) == pytest.approx(fused[2].score)


def test_no_arm_no_candidate() -> None:
    assert fuse({}, by="rrf", weights={}, floors={}) == ()
    assert convex_combination([]) == {}


def test_only_words_have_a_zero_of_their_own() -> None:
    assert floor_of(Arm.LEXICAL, full=False) == 0.0
    assert floor_of(Arm.LEXICAL, full=True) is None
    assert floor_of(Arm.VECTOR, full=False) is None
