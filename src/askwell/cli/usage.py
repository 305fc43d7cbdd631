"""What answers cost in tokens: today, in seven days and of all time, by host and by profile.

`askwell usage pull` first fetches the ledgers of the machines in `records.partners`. A partner's ledger counts only the
rows of its own host, and one that cannot be reached is told, not an error.
"""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING

from askwell.cli import options
from askwell.cli.output import emit, say, styled, talk

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Mapping

    from askwell.types import Partner, Total, Totals, UsageReport

_ROW = "{:<24}{:>8}{:>12}{:>12}{:>9}"


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("what", nargs="?", choices=["pull"], help="`pull` fetches the partners' ledgers first")
    options.common(parser)


def run(args: argparse.Namespace) -> int:
    """Run the command; return its exit code."""
    from askwell import wire
    from askwell.records.usage import report

    config = options.config_of(args)
    if options.off(config, as_json=args.json):
        return 0
    records = options.records_of(config)
    if records is None:
        return options.unrecorded(as_json=args.json)
    partners = records.pull() if args.what == "pull" else records.partners()
    today = datetime.datetime.now().astimezone().date()
    usage = report(records.ledger(), today=today, partners=partners)
    faults = options.faults_of(records)
    if args.json:
        emit(wire.usage(usage, faults=faults))
        return 0
    _tell(usage)
    for partner in partners:
        talk(_partner(partner))
    if usage.skipped:
        talk(f"{usage.skipped} lines are left out: they are no rows, or their file may not contribute them")
    return 0


def _tell(usage: UsageReport) -> None:
    windows: tuple[tuple[str, Callable[[Totals], Total]], ...] = (
        ("today", lambda totals: totals.today),
        ("7 days", lambda totals: totals.seven_days),
        ("all time", lambda totals: totals.all_time),
    )
    for title, pick in windows:
        say(styled(_ROW.format(title, "turns", "prompt", "completion", "tok/s"), "bold"))
        say(_line("all hosts", pick(usage.total)))
        for what, groups in (("host", usage.by_host), ("profile", usage.by_profile)):
            _tell_groups({f"{what} {name}": pick(totals) for name, totals in groups.items()})


def _tell_groups(groups: Mapping[str, Total]) -> None:
    for name, total in groups.items():
        if total.turns:
            say(_line(f"  {name}", total))


def _line(name: str, total: Total) -> str:
    speed = f"{total.tokens_per_second:.1f}" if total.tokens_per_second else "-"
    short = name if len(name) <= 23 else name[:22] + "…"
    return _ROW.format(short, total.turns, total.prompt_tokens, total.completion_tokens, speed)


def _partner(partner: Partner) -> str:
    held = f"{partner.rows} rows of {partner.pulled}" if partner.pulled else "not collected here"
    if partner.error:
        return f"{partner.host}: {partner.error}; {held}"
    return f"{partner.host}: {held}" + (f", {partner.skipped} lines left out" if partner.skipped else "")
