from __future__ import annotations

import pytest

from askwell.ask.facts import facts
from askwell.ask.held import evidence, holds


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("It is kept for 60 days.", "renewed by default every **60 days**"),
        ("It waits 5 minutes.", "MOVER_WAIT_SECONDS=300"),
        ("It waits 300.", 'USER_INPUT_TIMEOUT="${USER_INPUT_TIMEOUT:-300}"'),
        ("It waits 5 minutes.", "the timeout is 300 s"),
        ("The limit is 4 GB.", "with a limit of 4\u00a0GB per site"),
        ("At 200 MB.", "200MB"),
        ("100,000 downloads.", "mehr als 100.000 Downloads"),
        ("It costs 3.24 %.", "(3,24%)"),
        ("Two copies and three disks; 3 disks.", "2 copies, three disks"),
        ("Run `restic  prune`.", "then run restic prune again"),
        ("Use --dry-run first.", "the flag `--dry-run` shows"),
        ("See /etc/rear/site.conf.", "edit `/etc/rear/site.conf` then"),
        ("It is v1.30.4+k3s1.", "k3s_version: v1.30.4+k3s1"),
        ("At 192.168.1.100.", "endpoint: 192.168.1.100"),
        ("Set MOVER_STOP_TIMEOUT.", "MOVER_STOP_TIMEOUT=1"),
        ("It says “always on”.", "it is 'always  on' here"),
        ("On 2024-12-18.", "date: 2024-12-18"),
        ("It ends after two\u202fweeks.", "after 14 days"),
    ],
)
def test_a_fact_is_held_in_any_spelling(claim: str, passage: str) -> None:
    found = facts(claim)
    assert all(holds(evidence(passage), fact) for fact in found)
    assert found or "300." in claim or "copies" in claim


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("It waits 300 minutes.", "It waits 300 seconds."),
        ("It waits 30 s.", "It waits 300 s."),
        ("The limit is 4 MB.", "The limit is 4 GB."),
        ("Version 1.2.3.", "Version 1.2.31"),
        ("Version 1.2.3.", "Version 11.2.3"),
        ("Use --dry.", "Use --dry-run."),
        ("Set MOVER_STOP.", "Set MOVER_STOP_TIMEOUT."),
        ("At 10.0.0.1.", "At 10.0.0.12."),
        ("On 2024-12-18.", "On 2024-12-19."),
        ("In /etc/rear.", "In /etc/raer."),
        ('It says "never".', "It says always."),
        ("At 09:00.", "At 19:00."),
        ("It is 1,500.", "It is 15."),
    ],
)
def test_another_value_is_not_the_fact(claim: str, passage: str) -> None:
    found = facts(claim)
    assert found
    assert not all(holds(evidence(passage), fact) for fact in found)


def test_markers_and_list_numbers_are_no_facts() -> None:
    assert facts("1. Stop it [12].") == ()
    assert facts("- Stop it [3][4]") == ()
    assert facts("") == ()


@pytest.mark.parametrize("part", ["1,", "1.", "A_", "/a", '"', "`", "-", "1 ", "a.b/", "'a", "x://", "*"])
def test_hostile_text_takes_linear_time(part: str) -> None:
    text = part * 20_000
    assert evidence(text) is not None
    assert facts(text) is not None
