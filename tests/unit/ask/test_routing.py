from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askwell.ask.routing import route
from askwell.ask.subject import Known
from askwell.types import Profile

HERE = Known(names=frozenset({"tier drain", "lanthorn", "backup"}), words=frozenset({"grafana"}))
NOWHERE = Known()


def to(question: str, around: Known = HERE) -> Profile:
    return route(question, around=around).profile


def test_the_verb_decides_what_is_to_be_written() -> None:
    assert to("write me a script that prunes logs") is Profile.CODE
    assert to("what does this script write") is not Profile.CODE
    assert to("who wrote the script that prunes logs") is not Profile.CODE
    assert to("does the backup script create a config file") is Profile.DOCS


def test_a_request_after_its_reason_is_found() -> None:
    assert to("My disk is full of old logs. Could you write a script that removes them?") is Profile.CODE


def test_most_specific_first() -> None:
    assert to("the tier drain failed again, write me a script that restarts it") is Profile.CODE
    assert to("why did the tier drain fail again") is Profile.TROUBLESHOOT
    assert to("how did the tier drain go") is Profile.DOCS


def test_a_fault_with_nothing_here_stays() -> None:
    assert to("why did the roman empire fail") is Profile.CHAT
    assert to("why did the tier drain fail", NOWHERE) is Profile.CHAT


def test_an_ordinary_word_is_a_name_only_behind_a_determiner() -> None:
    assert to("is a good backup of memories possible") is Profile.CHAT
    assert to("how is the backup made") is Profile.DOCS


def test_what_was_written_is_changed_where_it_was_written() -> None:
    change = "now make it recursive"
    assert route(change, around=NOWHERE, previous=Profile.CODE, follow_up=True).profile is Profile.CODE
    assert route(change, around=NOWHERE, previous=Profile.CHAT, follow_up=True).profile is Profile.CHAT


def test_a_follow_up_of_a_turn_about_here_is_about_here() -> None:
    assert route("why", around=NOWHERE, previous=Profile.DOCS, follow_up=True).profile is Profile.DOCS
    assert route("why do cats purr", around=NOWHERE, previous=Profile.DOCS, follow_up=False).profile is Profile.CHAT


def test_the_sign_is_named() -> None:
    assert "tier drain" in route("how did the tier drain go", around=HERE).why


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=200))
def test_any_text_has_a_route(text: str) -> None:
    assert route(text, around=HERE).profile in Profile


@pytest.mark.parametrize(
    "part",
    [
        "why ",
        "write a ",
        "the server is ",
        "can you please ",
        "(",
        "a_b ",
        "/a",
        "what happens if ",
        "ich brauche einen ",
    ],
)
def test_length_costs_nothing(part: str) -> None:
    started = time.process_time()
    route(part * 200_000, around=HERE)
    assert time.process_time() - started < 1.0
