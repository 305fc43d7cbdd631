"""Totals by window, host and profile."""

from __future__ import annotations

import datetime
from dataclasses import replace

import pytest
from tests.unit.records.test_ledger import ROW

from askwell.records.usage import report
from askwell.types import LedgerRows

TODAY = datetime.date(2026, 3, 3)


def test_windows_end_today_and_a_day_in_the_future_counts_for_all_time_alone() -> None:
    days = ["2026-03-04", "2026-03-03", "2026-03-02", "2026-02-25", "2026-02-24", "2025-03-03"]
    rows = tuple(replace(ROW, date=day, prompt_tokens=1, completion_tokens=0) for day in days)
    total = report(LedgerRows(rows=rows), today=TODAY).total
    assert (total.today.turns, total.seven_days.turns, total.all_time.turns) == (1, 3, 6)


def test_hosts_and_profiles_add_up_to_the_total() -> None:
    rows = tuple(
        replace(ROW, date="2026-03-03", host=host, profile=profile, prompt_tokens=tokens)
        for host, profile, tokens in [("b", "docs", 1), ("a", "chat", 10), ("a", "docs", 100)]
    )
    usage = report(LedgerRows(rows=rows, skipped=4), today=TODAY)
    assert {name: totals.today.prompt_tokens for name, totals in usage.by_host.items()} == {"a": 110, "b": 1}
    assert list(usage.by_host) == ["a", "b"]
    assert {name: totals.today.prompt_tokens for name, totals in usage.by_profile.items()} == {"chat": 10, "docs": 101}
    assert usage.total.today.prompt_tokens == 111
    assert usage.skipped == 4


def test_the_speed_is_that_of_all_tokens_together() -> None:
    fast = replace(ROW, completion_tokens=100, tokens_per_second=100.0)  # one second
    slow = replace(ROW, completion_tokens=10, tokens_per_second=1.0)  # ten seconds
    unknown = replace(ROW, completion_tokens=1000, tokens_per_second=0.0)
    total = report(LedgerRows(rows=(fast, slow, unknown)), today=TODAY).total.all_time
    assert total.tokens_per_second == pytest.approx(110 / 11)


def test_nothing_is_nothing() -> None:
    usage = report(LedgerRows(rows=()), today=TODAY)
    assert (usage.total.all_time.turns, usage.total.all_time.tokens_per_second, usage.by_host) == (0, 0.0, {})
