"""Writes a bug report of an answer, when it is told to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from askwell.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from askwell.engine import Engine
    from askwell.settings import Config
    from askwell.types import Outcome


def folder_of(config: Config) -> Path:
    """Return where reports go.

    Raises:
        ConfigError: nowhere, or in a source.
    """
    from askwell.compose.observing import reports_folder

    folder = reports_folder(config)
    if folder is None:
        raise ConfigError("no bug report can be written", hint="name a folder in `troubleshoot.reports`")
    return folder


def versions(engine: Engine) -> tuple[str, ...]:
    """Return what an answer was made with, a line each: this program, its model, what the index is searched by."""
    import platform

    from askwell import __version__

    generator, space = engine.generator(), engine.store.space()
    return (
        f"Askwell {__version__}, Python {platform.python_version()}, {platform.system()} {platform.release()}",
        f"model: {generator.name if generator is not None else 'none'}",
        f"vectors: {space[0] if space else 'none'}",
    )


def filed(folder: Path, question: str, outcome: Outcome, *, made_with: Sequence[str]) -> str:
    """Write a report and return its path. It holds what the asker was shown, without credentials, and nothing else.

    Args:
        folder: Where it goes.
        question: As the person asked it.
        outcome: What they were shown.
        made_with: From `versions`.

    Raises:
        ConfigError: the folder cannot be written to.
    """
    import datetime

    from askwell.ask.bug_report import bug_report, name_of
    from askwell.records.reports import write_report
    from askwell.sources.secrets import redact

    now = datetime.datetime.now(datetime.UTC).astimezone()
    text = redact(bug_report(question, outcome, at=now.isoformat(timespec="seconds"), made_with=made_with))
    return str(write_report(folder, f"{now:%Y-%m-%d-%H%M%S}-{name_of(redact(question))}", text))
