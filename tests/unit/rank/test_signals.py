from __future__ import annotations

import pytest
from tests.unit.rank.make import hit

from askwell.rank.signals import is_latin, rarity, signals_of, weight
from askwell.types import Arm, Sighting, Signals


def vector(*cosines: float) -> list[Sighting]:
    return [Sighting(arm=Arm.VECTOR, rank=rank, score=score) for rank, score in enumerate(cosines, start=1)]


def covered(held: list[set[str]], counts: dict[str, int], *, total: int = 100) -> Signals:
    return signals_of(
        question="",
        hits=[hit(str(n)) for n in range(len(held))],
        held=held,
        words={word: {word} for word in counts},
        frequencies=counts,
        total=total,
        vector=None,
    )


def test_a_rare_word_weighs_more_than_a_common_one_and_rare_ones_alike() -> None:
    assert rarity(1, 1000) > rarity(500, 1000) > rarity(1000, 1000) > 0
    assert rarity(0, 0) > 0
    assert weight(0, 1000) == weight(90, 1000) == 1.0
    assert 0 < weight(1000, 1000) < weight(500, 1000) < 1


def test_coverage_is_what_one_hit_holds_together() -> None:
    apart = covered([{"heron"}, {"weir"}], {"heron": 1, "weir": 2})
    together = covered([{"heron", "weir"}], {"heron": 1, "weir": 2})
    assert (apart.rare_coverage, together.rare_coverage) == (0.5, 1.0)
    assert apart.rare_missing == together.rare_missing == ()


def test_three_rare_words_in_one_hit_suffice_for_a_long_question() -> None:
    counts = dict.fromkeys(["a", "b", "c", "d", "e", "f"], 1)
    assert covered([{"a", "b", "c"}], counts).rare_coverage == 1.0
    assert covered([{"a", "b"}], counts).rare_coverage == pytest.approx(2 / 3)


def test_a_word_that_stands_everywhere_is_little_evidence() -> None:
    found = covered([{"favourite"}], {"favourite": 9, "pigeon": 0}, total=9)
    assert found.rare_coverage < 0.05
    assert found.rare_missing == ("pigeon",)


def test_missing_words_are_named_rarest_first() -> None:
    assert covered([{"x"}], {"disk": 40, "pigeon": 0, "heron": 1}).rare_missing == ("pigeon", "heron", "disk")


def test_any_term_that_stands_for_a_word_holds_it() -> None:
    found = signals_of(
        question="",
        hits=[hit("a")],
        held=[{"mover"}],
        words={"movers": {"movers", "mover"}},
        frequencies={},
        total=1,
        vector=None,
    )
    assert found.rare_coverage == 1.0


def test_no_content_word_is_no_evidence() -> None:
    found = signals_of(question="", hits=[hit("a")], held=[{"the"}], words={}, frequencies={}, total=9, vector=None)
    assert (found.rare_coverage, found.rare_missing, found.best_cosine) == (0.0, (), None)


def test_cosines_are_the_vector_arms_own() -> None:
    found = signals_of(
        question="", hits=[], held=[], words={}, frequencies={}, total=0, vector=vector(0.8, 0.6, 0.3, 0.1)
    )
    assert found.best_cosine == 0.8
    assert found.cosine_margin == pytest.approx(0.8 - 0.2)


def test_an_empty_vector_arm_has_no_cosine() -> None:
    assert signals_of(question="", hits=[], held=[], words={}, frequencies={}, total=0, vector=[]).best_cosine is None


def test_agreement_is_the_share_of_hits_that_both_arms_saw() -> None:
    hits = [hit("a", arms=(Arm.LEXICAL, Arm.VECTOR)), hit("b"), hit("c", arms=(Arm.VECTOR,)), hit("d", arms=())]
    assert signals_of(question="", hits=hits, held=[], words={}, frequencies={}, total=0, vector=None).agreement == 0.25


@pytest.mark.parametrize(
    ("text", "latin"),
    [
        ("how often", True),
        ("Wie lüften, 9117?", True),
        ("ısıtma", True),
        ("", True),
        ("12 %", True),
        ("как часто запускается nightly", False),
        ("كم مرة", False),
        ("備份", False),
        ("what is 備份", True),
    ],
)
def test_the_script_of_a_question_is_that_of_most_of_its_letters(text: str, *, latin: bool) -> None:
    assert is_latin(text) is latin
