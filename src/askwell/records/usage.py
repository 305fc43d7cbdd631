"""From rows of the ledgers to totals: today, seven days, all time, by host and by profile. Pure."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING

from askwell.types import Total, Totals, UsageReport

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from askwell.types import LedgerRow, LedgerRows, Partner

DAYS = 7
"""Days of the second window, today included."""


def report(ledger: LedgerRows, *, today: datetime.date, partners: Sequence[Partner] = ()) -> UsageReport:
    """Return the totals of all rows, and by host and profile, each in the order of the alphabet.

    Rows dated after `today` (a clock that is wrong) count for all time alone.
    """
    return UsageReport(
        total=totals(ledger.rows, today=today),
        by_host=_grouped(ledger.rows, lambda row: row.host, today=today),
        by_profile=_grouped(ledger.rows, lambda row: row.profile, today=today),
        partners=tuple(partners),
        skipped=ledger.skipped,
    )


def totals(rows: Sequence[LedgerRow], *, today: datetime.date) -> Totals:
    """Return what rows add up to in each window."""
    last = today.isoformat()
    first = (today - datetime.timedelta(days=DAYS - 1)).isoformat()
    return Totals(
        today=total([row for row in rows if row.date == last]),
        seven_days=total([row for row in rows if first <= row.date <= last]),
        all_time=total(rows),
    )


def total(rows: Sequence[LedgerRow]) -> Total:
    """Return what rows add up to. The speed is that of all their tokens together, 0.0 where no row knows one."""
    timed = [row for row in rows if row.tokens_per_second > 0 and row.completion_tokens > 0]
    seconds = sum(row.completion_tokens / row.tokens_per_second for row in timed)
    return Total(
        turns=len(rows),
        prompt_tokens=sum(row.prompt_tokens for row in rows),
        completion_tokens=sum(row.completion_tokens for row in rows),
        tokens_per_second=sum(row.completion_tokens for row in timed) / seconds if seconds else 0.0,
    )


def _grouped(rows: Sequence[LedgerRow], name: Callable[[LedgerRow], str], *, today: datetime.date) -> dict[str, Totals]:
    groups: dict[str, list[LedgerRow]] = {}
    for row in rows:
        groups.setdefault(name(row), []).append(row)
    return {key: totals(groups[key], today=today) for key in sorted(groups)}
