from __future__ import annotations

import pytest
from tests.unit.rank.make import hit

from askwell.rank.signals import rarity, signals_of
from askwell.types import Arm, Sighting


def vector(*cosines: float) -> list[Sighting]:
    return [Sighting(arm=Arm.VECTOR, rank=rank, score=score) for rank, score in enumerate(cosines, start=1)]


def test_a_rare_word_weighs_more_than_a_common_one() -> None:
    assert rarity(1, 1000) > rarity(500, 1000) > rarity(1000, 1000) > 0
    assert rarity(0, 0) > 0


def test_coverage_is_the_weight_of_the_words_that_the_best_hits_hold_together() -> None:
    found = signals_of(
        hits=[hit("a"), hit("b")],
        held=[{"heron"}, {"disk"}],
        words={"heron": {"heron"}, "disk": {"disk"}, "pigeon": {"pigeon"}},
        frequencies={"heron": 1, "disk": 50},
        total=100,
        vector=None,
    )
    whole = rarity(1, 100) + rarity(50, 100) + rarity(0, 100)
    assert found.rare_coverage == pytest.approx(1 - rarity(0, 100) / whole)
    assert found.rare_missing == ("pigeon",)


def test_any_term_that_stands_for_a_word_holds_it() -> None:
    found = signals_of(
        hits=[hit("a")], held=[{"mover"}], words={"movers": {"movers", "mover"}}, frequencies={}, total=1, vector=None
    )
    assert found.rare_coverage == 1.0


def test_no_content_word_is_no_evidence() -> None:
    found = signals_of(hits=[hit("a")], held=[{"the"}], words={}, frequencies={}, total=9, vector=None)
    assert (found.rare_coverage, found.rare_missing, found.best_cosine) == (0.0, (), None)


def test_cosines_are_the_vector_arms_own() -> None:
    found = signals_of(hits=[], held=[], words={}, frequencies={}, total=0, vector=vector(0.8, 0.6, 0.3, 0.1))
    assert found.best_cosine == 0.8
    assert found.cosine_margin == pytest.approx(0.8 - 0.2)


def test_an_empty_vector_arm_has_no_cosine() -> None:
    assert signals_of(hits=[], held=[], words={}, frequencies={}, total=0, vector=[]).best_cosine is None


def test_agreement_is_the_share_of_hits_that_both_arms_saw() -> None:
    hits = [hit("a", arms=(Arm.LEXICAL, Arm.VECTOR)), hit("b"), hit("c", arms=(Arm.VECTOR,)), hit("d", arms=())]
    assert signals_of(hits=hits, held=[], words={}, frequencies={}, total=0, vector=None).agreement == 0.25
