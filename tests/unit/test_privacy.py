from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askwell.privacy import (
    EVERYTHING,
    OPEN_ONLY,
    ClassRules,
    audience,
    class_of,
    class_of_path,
    idle_patterns,
)
from askwell.types import PrivacyClass

RULES = ClassRules(personal=("journal/", "people/**"))


@pytest.mark.parametrize(
    ("path", "flag", "fault", "expected"),
    [
        ("notes/a.md", None, False, "open"),
        ("journal/a.md", None, False, "personal"),
        ("journal/a.md", "open", False, "open"),
        ("journal/a.md", " Public ", False, "open"),
        ("notes/a.md", "personal", False, "personal"),
        ("notes/a.md", "maybe", False, "personal"),
        ("notes/a.md", "", False, "personal"),
        ("notes/a.md", "opened", False, "personal"),
        ("notes/a.md", "open", True, "personal"),
        ("notes/a.md", None, True, "personal"),
    ],
)
def test_a_flag_wins_and_anything_unclear_is_personal(path: str, flag: str | None, fault: bool, expected: str) -> None:
    assert class_of(path, sensitivity=flag, fault=fault, rules=RULES) == expected


@given(st.text(max_size=20))
def test_only_two_words_open_a_document(flag: str) -> None:
    made = class_of("journal/a.md", sensitivity=flag, fault=False, rules=RULES)
    assert (made is PrivacyClass.OPEN) == (flag.strip().casefold() in {"open", "public"})


def test_a_file_that_was_not_read_is_judged_by_its_path() -> None:
    assert class_of_path("people/x.bin", rules=RULES) is PrivacyClass.PERSONAL


def test_a_pattern_that_protects_nothing_is_named_with_its_near_match() -> None:
    rules = ClassRules(personal=("cellar/**", "work/**", "nowhere/"))
    assert idle_patterns(rules, ["Cellar/wine.md", "work/plan.md"]) == (
        ("cellar/**", "Cellar/wine.md"),
        ("nowhere/", ""),
    )


def test_the_web_and_personal_never_meet() -> None:
    made = audience(include_personal=True, allow_web=True, allow_cloud=True)
    assert made.classes == OPEN_ONLY
    assert "web" in made.narrowed


def test_a_cloud_model_narrows_unless_the_user_wrote_otherwise() -> None:
    narrowed = audience(include_personal=True, destination="cloud")
    assert narrowed.classes == OPEN_ONLY
    assert "privacy.allow_cloud" in narrowed.narrowed
    assert audience(include_personal=True, destination="cloud", allow_cloud=True).classes == EVERYTHING


def test_an_open_request_is_not_told_that_it_was_narrowed() -> None:
    assert audience(include_personal=False, destination="cloud").narrowed == ""
