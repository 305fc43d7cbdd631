"""Check everything that can go wrong: settings, sources, index, models, patterns, disk. Changes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from askwell.cli import options
from askwell.cli.output import emit, say, styled

if TYPE_CHECKING:
    import argparse

_SIGNS = {"ok": ("ok  ", "green"), "warn": ("warn", "yellow"), "fail": ("FAIL", "red")}


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    options.common(parser)


def run(args: argparse.Namespace) -> int:
    """Run the command; exit with 1 if a check failed."""
    from askwell import checkup
    from askwell.cli.config import settings

    config = options.config_of(args)
    if options.off(config, as_json=args.json):
        return 0
    checks = checkup.examine(config)
    failed = any(check.result == "fail" for check in checks)
    chosen = {name: row for name, row in settings(config).items() if row[1] != "default"}
    if args.json:
        emit(
            {
                "ok": not failed,
                "checks": [{"name": c.name, "result": c.result, "detail": c.detail, "hint": c.hint} for c in checks],
                "settings": {name: {"value": value, "from": origin} for name, (value, origin, _) in chosen.items()},
            }
        )
        return int(failed)
    for check in checks:
        sign, colour = _SIGNS[check.result]
        say(f"{styled(sign, colour)} {check.name}: {check.detail}")
        if check.hint:
            say(f"       {check.hint}")
    for name, (value, origin, _) in chosen.items():
        say(f"     {name} = {value!r} ({origin})")
    return int(failed)
