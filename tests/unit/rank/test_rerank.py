from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.unit.rank.make import hit

from askwell.rank.expand import from_graph
from askwell.rank.fusion import BLEND_C
from askwell.rank.rerank import joined, reordered
from askwell.types import Arm

if TYPE_CHECKING:
    from askwell.rank.fusion import FusionName

HITS = (hit("a", 0.9), hit("b", 0.8), hit("c", 0.7), hit("d", 0.1))


def test_a_ranking_that_joins_adds_its_weight_to_its_best_and_less_to_the_others() -> None:
    found, parts = joined(HITS, [0.2, 0.1, 0.6], arm=Arm.WORDS, weight=0.3, by="blend")
    assert [one.chunk.id for one in found] == ["a", "c", "b", "d"]
    added = {str(id): part[Arm.WORDS] for id, part in parts.items()}
    assert added["c"] == pytest.approx(0.3)
    assert added["a"] == pytest.approx(0.3 * (0.5 * (BLEND_C + 1) / (BLEND_C + 2) + 0.5 * 0.2))
    assert added["b"] == pytest.approx(0.3 * 0.5 * (BLEND_C + 1) / (BLEND_C + 3))
    scores = {str(one.chunk.id): one.score for one in found}
    assert scores == pytest.approx({"a": 0.9 + added["a"], "b": 0.8 + added["b"], "c": 0.7 + added["c"], "d": 0.1})


@pytest.mark.parametrize(("by", "best"), [("convex", 0.3), ("blend", 0.3), ("rrf", 0.3 / 61)])
def test_what_joins_is_measured_like_the_arms(by: FusionName, best: float) -> None:
    _, parts = joined(HITS, [1.0, 0.5], arm=Arm.WORDS, weight=0.3, by=by)
    assert max(part[Arm.WORDS] for part in parts.values()) == pytest.approx(best)


def test_every_hit_that_was_compared_says_so_and_no_other_does() -> None:
    found, _ = joined(HITS, [0.2, 0.6], arm=Arm.WORDS, weight=0.3, by="blend")
    said = {str(one.chunk.id): one.seen_by(Arm.WORDS) for one in found}
    assert said["c"] is None
    assert said["d"] is None
    assert [(said[id].rank, said[id].score) for id in ("b", "a") if said[id] is not None] == [(1, 0.6), (2, 0.2)]  # type: ignore[union-attr]  # narrowed by the condition


def test_equal_relevances_keep_the_order() -> None:
    assert [one.chunk.id for one in joined(HITS, [0.5] * 4, arm=Arm.WORDS, weight=1.0, by="convex")[0]] == [*"abcd"]
    assert [one.chunk.id for one in reordered(HITS, [0.5] * 4, arm=Arm.RERANK)] == [*"abcd"]


def test_the_last_word_reorders_the_first_and_scores_still_descend() -> None:
    found = reordered(HITS, [-3.0, 2.0, 7.5], arm=Arm.RERANK)
    assert [one.chunk.id for one in found] == ["c", "b", "a", "d"]
    assert [one.score for one in found] == [0.9, 0.8, 0.7, 0.1]
    sighting = found[0].seen_by(Arm.RERANK)
    assert sighting is not None
    assert (sighting.rank, sighting.score) == (1, 7.5)
    assert found[3].seen_by(Arm.RERANK) is None


def test_a_hit_that_only_a_link_brought_in_stays_one_when_it_is_compared() -> None:
    linked = hit("a", 0.9, arms=(Arm.GRAPH,))
    assert from_graph(linked)
    assert from_graph(linked.seen_also(Arm.WORDS, rank=1, score=0.5).seen_also(Arm.RERANK, rank=1, score=0.5))
    assert not from_graph(hit("a", 0.9).seen_also(Arm.RERANK, rank=1, score=0.5))
