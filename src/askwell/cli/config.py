"""Show every setting, its value and where that came from."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

from askwell.cli import options
from askwell.cli.output import emit, say, styled
from askwell.settings import SECTIONS

if TYPE_CHECKING:
    import argparse

    from askwell.settings import Config


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    options.common(parser)
    parser.add_argument("setting", nargs="?", help="show only this one, such as `retrieval.k`")


def run(args: argparse.Namespace) -> int:
    """Run the command; return its exit code."""
    config = options.config_of(args)
    rows = settings(config)
    if args.setting:
        from askwell.engine import named_values

        wanted = named_values([args.setting], list(rows), what="setting")
        rows = {name: row for name, row in rows.items() if name in wanted}
    if args.json:
        emit(
            {"file": str(config.file or ""), "settings": {n: {"value": v, "from": o} for n, (v, o, _) in rows.items()}}
        )
        return 0
    say(f"file: {config.file or 'none'}")
    for name, (value, origin, text) in rows.items():
        say(f"{styled(name, 'bold')} = {value!r}  ({origin})")
        if args.setting:
            say(f"  {text}")
    for source in config.sources:
        say(f"{styled('source', 'bold')} {source.name or source.path}  ({config.origins.get('source', 'default')})")
    return 0


def settings(config: Config) -> dict[str, tuple[object, str, str]]:
    """Return `section.key` → value, where it came from, what it is for."""
    rows: dict[str, tuple[object, str, str]] = {
        "enabled": (
            config.enabled,
            config.origins.get("enabled", "default"),
            "false turns everything off: commands say so and contact nothing",
        )
    }
    for section in SECTIONS:
        part = getattr(config, section)
        for item in fields(part):
            value = getattr(part, item.name)
            name = f"{section}.{item.name}"
            shown = list(value) if isinstance(value, tuple) else value
            rows[name] = (shown, config.origins.get(name, "default"), item.metadata["help"])
    return rows
