from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.ask.made import hit, ranking
from tests.unit.ask.turns import EVERYTHING, OPEN, turn

from askwell.ask.history import ANSWER_CHARS, QUESTION_CHARS, admitted, as_messages, turn_of
from askwell.privacy import audience
from askwell.types import (
    Abstention,
    Answer,
    Audience,
    Citation,
    Lines,
    Location,
    PrivacyClass,
    Profile,
    Support,
    Turn,
)

EVERYONE = audience(include_personal=True)
OPEN_ONLY = audience(include_personal=False)
WEB = audience(include_personal=True, allow_web=True)
CLOUD = audience(include_personal=True, destination="cloud")
AT = Location(source="notes", path="a.md", lines=Lines(1, 2))


@pytest.mark.parametrize("narrow", [OPEN_ONLY, WEB, CLOUD])
def test_a_turn_that_could_see_personal_text_takes_no_part_in_an_open_request(narrow: Audience) -> None:
    turns = [turn("open", classes=OPEN), turn("personal", classes=EVERYTHING)]
    assert [one.question for one in admitted(turns, audience=narrow, turns=8)] == ["open"]
    assert [one.question for one in admitted(turns, audience=EVERYONE, turns=8)] == ["open", "personal"]


def test_web_text_and_personal_text_do_not_meet() -> None:
    seen = turn("what is new", "found on the web", classes=OPEN, web=True, cited=(AT,), offered=("more?",))
    (kept,) = admitted([seen], audience=EVERYONE, turns=3)
    assert (kept.question, kept.answer, kept.cited, kept.offered) == ("what is new", "", (), ())
    assert admitted([seen], audience=OPEN_ONLY, turns=3) == (seen,)
    assert as_messages([kept]) == ()


def test_a_profile_reads_as_many_turns_as_it_keeps() -> None:
    turns = [turn(f"question {n}") for n in range(10)]
    assert [one.question for one in admitted(turns, audience=EVERYONE, turns=2)] == ["question 8", "question 9"]
    assert admitted(turns, audience=EVERYONE, turns=0) == ()


def test_ten_thousand_turns_cost_as_much_as_three() -> None:
    history = (turn("q" * 50_000, "a" * 50_000),) * 10_000
    started = time.process_time()
    kept = admitted(history, audience=EVERYONE, turns=3)
    assert time.process_time() - started < 0.1
    assert len(kept) == 3
    assert all(len(one.question) == QUESTION_CHARS and len(one.answer) == ANSWER_CHARS for one in kept)


classes = st.frozensets(st.sampled_from(PrivacyClass))


@given(st.lists(classes), classes, st.integers(0, 9))
def test_no_turn_that_saw_more_is_admitted(
    seen: list[frozenset[PrivacyClass]], may: frozenset[PrivacyClass], n: int
) -> None:
    turns = [turn(f"q{at}", classes=one) for at, one in enumerate(seen)]
    kept = admitted(turns, audience=Audience(classes=may), turns=n)
    assert all(one.classes <= may for one in kept)
    assert list(kept) == [one for one in turns[-n:] if n and one.classes <= may]


def answer(text: str, *, routed: bool = False) -> Answer:
    citations = tuple(
        Citation(marker=n, source="notes", path="a.md", lines=Lines(1, 2), quote="x", support=Support.SUPPORTED)
        for n in (1, 2)
    )
    return Answer(
        text=text,
        citations=citations,
        sentences=(),
        invented=0,
        ranking=ranking("q", []),
        profile=Profile.DOCS,
        routed=routed,
    )


def test_a_turn_keeps_the_answer_without_the_line_that_names_the_profile() -> None:
    made = turn_of("q", answer("(Answered by `docs`.)\n\nIt is [1].\n\nAnd more.", routed=True), audience=OPEN_ONLY)
    assert made == Turn(
        question="q",
        answer="It is [1].\n\nAnd more.",
        outcome="answer",
        classes=OPEN,
        profile=Profile.DOCS,
        cited=(AT,),
    )
    assert turn_of("q", answer("One.\n\nTwo."), audience=OPEN_ONLY).answer == "One.\n\nTwo."


def test_a_turn_keeps_what_an_abstention_offered_and_nothing_of_what_was_near() -> None:
    near = hit("canary text", path="near.md")
    value = Abstention(
        by="gate", reason="canary", text="Nothing.", nearest=(near,), suggestions=("s?",), ranking=ranking("q", [near])
    )
    made = turn_of("q", value, audience=EVERYONE)
    assert (made.outcome, made.offered, made.cited, made.classes) == ("abstention", ("s?",), (), EVERYTHING)
    assert "canary" not in repr(made)
