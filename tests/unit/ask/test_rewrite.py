from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.ask.turns import turn

from askwell.ask.rewrite import LONGEST, fit, rewrite

FIXTURES = Path(__file__).parents[2] / "fixtures"


def cases(name: str) -> list[list[str]]:
    lines = (FIXTURES / name).read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


def words(text: str) -> set[str]:
    for mark in ("'s", "?", "(", ")", ","):
        text = text.replace(mark, " ")
    return set(text.casefold().split())


def test_there_are_enough_of_both() -> None:
    assert len(cases("followups.tsv")) >= 40
    assert len(cases("standalone.tsv")) >= 40


@pytest.mark.parametrize(("before", "question", "held"), cases("followups.tsv"))
def test_a_follow_up_is_made_whole(before: str, question: str, held: str) -> None:
    made = rewrite(question, [turn(before)])
    assert made.by == "rules"
    for word in held.casefold().split():
        if word.startswith("!"):
            assert word[1:] not in words(made.query), made.query
        else:
            assert word in words(made.query), made.query


@pytest.mark.parametrize(("before", "question"), cases("standalone.tsv"))
def test_what_can_stand_alone_is_searched_for_as_typed(before: str, question: str) -> None:
    made = rewrite(question, [turn(before)])
    assert (made.query, made.by, made.sure) == (question, "", True)


@pytest.mark.parametrize("question", [case[1] for case in cases("followups.tsv")])
def test_without_anything_before_it_a_question_stays_as_typed(question: str) -> None:
    assert rewrite(question, []).query == question
    assert rewrite(question, [turn("thanks!"), turn("ok")]).query == question


def test_a_conversation_is_followed_from_question_to_question() -> None:
    first = turn("How much is a tyre change for the van?")
    second = turn("what about a service?", query=rewrite("what about a service?", [first]).query)
    assert second.query == "How much is a service for the van?"
    assert rewrite("and for the bike?", [first, second]).query == "How much is a service for the bike?"


def test_small_talk_between_does_not_hide_what_it_is_about() -> None:
    turns = [turn("Which port does the exporter listen on?"), turn("thanks!")]
    assert rewrite("how do I restart it?", turns).query == "how do I restart the exporter?"


def test_a_question_that_was_offered_is_taken_up() -> None:
    offered = ("where does the mover log", "how is the mover stopped")
    abstained = turn("does the mover sing", outcome="abstention", offered=offered)
    assert rewrite("the second one", [abstained]).query == offered[1]
    assert rewrite("the last one please", [abstained]).query == offered[1]
    assert rewrite("yes", [turn("does the mover sing", offered=offered[:1])]).query == offered[0]


def test_yes_takes_up_what_the_answer_ended_with() -> None:
    asked = turn("what is the drain", "It moves files [1]. Do you want to see how the drain is stopped?")
    assert rewrite("yes please", [asked]).query == "how the drain is stopped?"


def test_an_item_of_a_list_is_taken_up_without_its_marker() -> None:
    listed = turn(
        "which scripts are there", "Three:\n\n1. photo_import.sh [1]\n2. tier_drain.sh [2]\n3. `db_dump.sh` [3]"
    )
    assert rewrite("the third one", [listed]).query == "db_dump.sh"
    assert not rewrite("the fifth one", [listed]).sure


def test_whoever_offers_nothing_is_not_read_into() -> None:
    made = rewrite("yes", [turn("what is the drain", "It moves files [1].")])
    assert (made.query, made.sure) == ("what is the drain", False)


def test_an_addition_does_not_pile_up() -> None:
    first = turn("how do I enable the timer")
    second = turn("why?", query=rewrite("why?", [first]).query)
    assert rewrite("why is that", [first, second]).query.count("(") == 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n",
        "Sure! The exporter listens on port 9117 and was installed in 2021 by the admin of the house.",
        "I'm sorry, but I cannot help with that request.",
        "ls -la /etc",
        "?" * 50,
        "x" * 5_000,
        "how do I cook lentil soup",
    ],
)
def test_what_a_model_makes_is_left_unless_it_is_the_question(text: str) -> None:
    assert fit(text, "how do I undo that", [turn("how do I enable the nightly timer")]) == ""


def test_a_completed_question_of_a_model_is_taken() -> None:
    text = '"How do I undo enabling the nightly timer?"\nBecause the user asked.'
    made = fit(text, "how do I undo that", [turn("how do I enable the nightly timer")])
    assert made == "How do I undo enabling the nightly timer?"


@settings(max_examples=150, deadline=None)
@given(before=st.text(max_size=80), question=st.text(max_size=80), answer=st.text(max_size=120))
def test_any_text_is_a_legal_turn(before: str, question: str, answer: str) -> None:
    made = rewrite(question, [turn(before, answer)])
    assert made.by or made.query == question
    assert len(made.query) <= max(LONGEST, len(question))


@pytest.mark.parametrize("text", ["why " * 200_000, "x" * 3_000_000, "and " * 10, "(" * 100_000, "the " * 60 + "it"])
def test_length_costs_nothing(text: str) -> None:
    started = time.process_time()
    rewrite(text, [turn(text[:2000], text[:4000])])
    rewrite("why?", [turn(text[:2000], text[:4000])])
    assert time.process_time() - started < 1.0
