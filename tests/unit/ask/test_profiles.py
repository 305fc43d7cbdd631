from __future__ import annotations

import pytest

from askwell.ask.profiles import PROFILES, Capability, profile_named
from askwell.errors import BadRequest
from askwell.types import Profile


def test_every_profile_is_defined_once() -> None:
    assert list(PROFILES) == list(Profile)
    assert {profile: rules.turns for profile, rules in PROFILES.items()} == {
        Profile.DOCS: 3,
        Profile.CHAT: 8,
        Profile.CODE: 4,
        Profile.TROUBLESHOOT: 2,
    }


def test_chat_may_do_nothing_and_says_so_to_the_model() -> None:
    assert PROFILES[Profile.CHAT].capabilities == frozenset()
    assert "Claim nothing about them" in PROFILES[Profile.CHAT].contract


def test_only_what_reads_the_index_can_do_without_a_model() -> None:
    assert [profile for profile, rules in PROFILES.items() if rules.needs_model] == [Profile.CHAT, Profile.CODE]
    assert all((Capability.RETRIEVAL in rules.capabilities) is rules.retrieves for rules in PROFILES.values())


@pytest.mark.parametrize(
    ("name", "hint"), [("cht", "`chat`"), ("troubleshot", "`troubleshoot`"), ("zzz", "known: docs")]
)
def test_a_profile_that_does_not_exist_names_the_nearest(name: str, hint: str) -> None:
    with pytest.raises(BadRequest) as raised:
        profile_named(name)
    assert hint in raised.value.hint


def test_a_profile_is_named_in_any_case() -> None:
    assert profile_named(" Docs ") is Profile.DOCS
