"""Writes a bug report of an answer, when it is told to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from askwell.errors import ConfigError

if TYPE_CHECKING:
    from pathlib import Path

    from askwell.settings import Config
    from askwell.types import Outcome


def folder_of(config: Config) -> Path:
    """Return where reports go.

    Raises:
        ConfigError: nowhere.
    """
    from askwell.compose.observing import reports_folder

    folder = reports_folder(config)
    if folder is None:
        raise ConfigError("no bug report can be written", hint="name a folder in `troubleshoot.reports`")
    return folder


def filed(folder: Path, question: str, outcome: Outcome) -> str:
    """Write a report and return its path. It holds what the asker was shown, without credentials, and nothing else.

    Raises:
        ConfigError: the folder cannot be written to.
    """
    import datetime

    from askwell.ask.bug_report import bug_report, name_of
    from askwell.records.reports import write_report
    from askwell.sources.secrets import redact

    now = datetime.datetime.now(datetime.UTC).astimezone()
    text = redact(bug_report(question, outcome, at=now.isoformat(timespec="seconds")))
    return str(write_report(folder, f"{now:%Y-%m-%d-%H%M%S}-{name_of(redact(question))}", text))
