from __future__ import annotations

import pytest
from tests.unit.rank.make import hit

from askwell.rank.boost import PREFERENCES, boost
from askwell.rank.intents import Intent
from askwell.types import Kind


@pytest.mark.parametrize(
    ("intent", "section"),
    [
        (Intent.SAFEGUARD, "OPERATIONAL SAFEGUARDS"),
        (Intent.VARIABLE, "CONFIGURATION"),
        (Intent.FLAG, "RUNTIME MODES"),
        (Intent.WHY, "DESIGN PRINCIPLES"),
        (Intent.HOW, "OPERATIONAL MODEL"),
    ],
)
def test_the_section_written_for_the_question_overtakes_an_equal(intent: Intent, section: str) -> None:
    ranked = boost([hit("other", 1.0, section="HISTORY"), hit("right", 0.99, section=section)], [intent])
    assert [one.chunk.id for one in ranked] == ["right", "other"]
    assert intent.value in ranked[0].moves[0]


def test_a_definition_comes_from_a_readme_above_a_one_line_purpose() -> None:
    ranked = boost(
        [
            hit("one-liner", 1.0, section="PURPOSE", kind=Kind.HEADER, text="Moves files."),
            hit("readme", 0.95, kind=Kind.README),
        ],
        [Intent.DEFINITION],
    )
    assert [one.chunk.id for one in ranked] == ["readme", "one-liner"]


def test_a_boost_neither_filters_nor_reaches_far() -> None:
    hits = [hit(str(n), 1.0 - n / 10) for n in range(5)] + [hit("far", 0.1, section="CONFIGURATION")]
    ranked = boost(hits, [Intent.VARIABLE])
    assert len(ranked) == 6
    assert ranked[-1].chunk.id == "far"


def test_without_intent_nothing_moves_and_equals_keep_their_order() -> None:
    hits = [hit("b"), hit("a"), hit("c")]
    assert list(boost(hits, [])) == hits


def test_boilerplate_falls_behind_but_stays() -> None:
    ranked = boost([hit("footer", 1.0, boilerplate=True), hit("text", 0.6)], [])
    assert [one.chunk.id for one in ranked] == ["text", "footer"]


def test_every_intent_has_a_preference() -> None:
    assert set(PREFERENCES) == set(Intent)


def test_a_definition_comes_from_the_opening_of_what_is_named_so() -> None:
    hits = [hit("lanthorn.conf"), hit("Lanthorn", 0.6)]
    ranked = boost(hits, [Intent.DEFINITION], subject=["lanthorn"])
    assert [one.chunk.id for one in ranked] == ["Lanthorn", "lanthorn.conf"]
    for intent, subject in ((Intent.DEFINITION, ["lanthorn", "schedule"]), (Intent.HOW, ["lanthorn"])):
        assert boost(hits, [intent], subject=subject)[0].chunk.id == "lanthorn.conf"


def test_an_explanation_outranks_an_equally_good_value_or_script_body() -> None:
    hits = [
        hit("value", 1.0, kind=Kind.DATA),
        hit("body", 0.99, kind=Kind.HEADER),
        hit("section", 0.98, kind=Kind.HEADER, section="PURPOSE", text="one\ntwo\nthree"),
        hit("page", 0.97, kind=Kind.DOC),
    ]
    assert [one.chunk.id for one in boost(hits, [])] == ["section", "page", "value", "body"]
    assert boost([hit("value", 1.0, kind=Kind.DATA), hit("page", 0.8)], [])[0].chunk.id == "value"


def test_a_name_is_looked_for_in_values_and_script_bodies_too() -> None:
    hits = [hit("value", 1.0, kind=Kind.DATA), hit("page", 0.95)]
    assert [one.chunk.id for one in boost(hits, [Intent.NAME])] == ["value", "page"]
