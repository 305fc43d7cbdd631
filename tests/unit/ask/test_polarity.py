from __future__ import annotations

import pytest

from askwell.ask.alignment import displaced
from askwell.ask.polarity import backward, turned


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("The replica is not read-only.", "It is read-only."),
        ("Moving the router was necessary.", "Moving the router was not necessary."),
        ("They are fetched unless they are not pinned.", "They are fetched unless they are pinned."),
        ("Die Pumpe wird nicht ausgeschaltet.", "Die Pumpe wird ausgeschaltet."),
        ("Surdegen klarar inte tre veckor.", "Surdegen klarar tre veckor."),
        ("Üç hafta dayanmaz.", "Üç hafta dayanır."),
        ("It runs before the snapshot.", "It runs after the snapshot."),
        ("It is full at less than 70 %.", "It is full at more than 70 %."),
    ],
)
def test_the_opposite_is_told(claim: str, said: str) -> None:
    assert turned(claim, said)
    assert turned(said, claim)


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("There is no agent and no web interface.", "There is no agent, no database of state and no web interface."),
        ("It was not read for five days.", "When it has not been\nread for five days it moves."),
        ("It moves nothing.", "Nothing is moved: it moves nothing."),
        ("It waits at most 20 minutes.", "It waits no longer than 20 minutes."),
        ("It runs the sample check.", "no upload, only the sample check runs"),
    ],
)
def test_the_same_with_other_negations_around_it_is_not_the_opposite(claim: str, said: str) -> None:
    assert not turned(claim, said)


def test_a_denial_that_the_lines_do_not_have_is_told() -> None:
    assert turned("The job has no owner.", "The job runs at night.")
    assert not turned("The job runs at night.", "The job has no owner, it runs at night.")


def test_from_and_to_are_told_apart() -> None:
    assert backward("It moved from the loft to the garden shed.", "It moved from the garden shed to the loft.")
    assert not backward("It moved to the loft from the garden shed.", "It moved from the garden shed to the loft.")


@pytest.mark.parametrize(
    ("claim", "piece"),
    [
        (
            "If header and template differ, the header wins.",
            "If they differ, the template wins and the header is a bug.",
        ),
        (
            "The snapshots protect against fire, the replica against ourselves.",
            "The replica protects against fire, the snapshots against ourselves.",
        ),
    ],
)
def test_words_in_each_others_place_are_told(claim: str, piece: str) -> None:
    assert displaced(claim, piece)


def test_an_order_of_clauses_is_no_displacement() -> None:
    assert not displaced("The replica is read-only, the snapshots age.", "Snapshots age. The replica is read-only.")
