"""Show every setting, its value and where that came from; change what is tuned.

    askwell config                        every setting
    askwell config retrieval.k            one, with what it is for
    askwell config set retrieval.k 12     keep another value, over the settings file and under the environment;
                                          several settings in one go: SETTING VALUE SETTING VALUE
    askwell config unset retrieval.k      take it back

A server that runs uses a changed value from its next start on.
"""

from __future__ import annotations

import os
from dataclasses import fields
from typing import TYPE_CHECKING

from askwell.cli import options
from askwell.cli.output import emit, say, styled, talk
from askwell.errors import ConfigError
from askwell.settings import SECTIONS

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from askwell.settings import Config


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    options.common(parser)
    parser.add_argument(
        "words",
        nargs="*",
        metavar="SETTING",
        help="show only this one, such as `retrieval.k`; or `set SETTING VALUE …`, or `unset SETTING …`",
    )


def run(args: argparse.Namespace) -> int:
    """Run the command; return its exit code."""
    config = options.config_of(args)
    match args.words:
        case []:
            return _show(config, settings(config), args)
        case ["set", _, _, *_] if len(args.words) % 2:
            return _change(config, dict(zip(args.words[1::2], args.words[2::2], strict=True)), args)
        case ["unset", _, *_]:
            return _change(config, dict.fromkeys(args.words[1:]), args)
        case [setting] if setting not in ("set", "unset"):
            from askwell.engine import named_values

            rows = settings(config)
            (wanted,) = named_values([setting], list(rows), what="setting")
            return _show(config, {wanted: rows[wanted]}, args)
        case _:
            raise ConfigError(
                f"`config {' '.join(args.words)}` is no command",
                hint="write `config`, `config SETTING`, `config set SETTING VALUE …` or `config unset SETTING …`",
            )


def _change(config: Config, changes: Mapping[str, str | None], args: argparse.Namespace) -> int:
    from askwell.compose.changing import save

    save(config, changes)
    rows = settings(options.config_of(args))
    changed = [name for name in changes if name in rows]  # what is taken back may be no setting
    if args.json:
        emit({"settings": {name: {"value": rows[name][0], "from": rows[name][1]} for name in changed}})
        return 0
    for name in changed:
        value, origin, _ = rows[name]
        say(f"{styled(name, 'bold')} = {value!r}  ({origin})")
    talk("a server that runs uses this from its next start on")
    return 0


def _show(config: Config, rows: dict[str, tuple[object, str, str]], args: argparse.Namespace) -> int:
    from askwell.overrides import place

    overrides = place(config, environ=os.environ)
    if args.json:
        shown = {name: {"value": value, "from": origin} for name, (value, origin, _) in rows.items()}
        emit({"file": str(config.file or ""), "overrides": str(overrides), "settings": shown})
        return 0
    say(f"file: {config.file or 'none'}")
    if overrides.exists():
        say(f"overrides: {overrides}")
    for name, (value, origin, text) in rows.items():
        say(f"{styled(name, 'bold')} = {value!r}  ({origin})")
        if args.words:
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
