"""Config → what reads logs, records and live settings when a question is asked."""

from __future__ import annotations

import os
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from askwell.errors import ConfigError
from askwell.types import Observations

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from askwell.settings import Config
    from askwell.types import Reference


def make_observe(config: Config) -> Callable[[str, Collection[Reference]], Observations]:
    """Return what reads a named log (none if empty) and the files that the configuration names, of given kinds."""
    return partial(_observe, config)


def reports_folder(config: Config) -> Path | None:
    """Return where bug reports are written, None if nowhere.

    Raises:
        ConfigError: the folder lies in a source, where a report would be indexed as if it were a document.
    """
    named = config.troubleshoot.reports
    if not named:
        return None
    folder = Path(_absolute((named,), config)[0])
    real = Path(os.path.realpath(folder))
    for source in config.sources:
        if real.is_relative_to(os.path.realpath(Path(source.path).expanduser())):
            raise ConfigError(
                f"bug reports would be indexed: {folder} lies in the source {source.path}",
                hint="name a folder outside of every source in `troubleshoot.reports`",
            )
    return folder


def _observe(config: Config, log: str, kinds: Collection[Reference]) -> Observations:
    from askwell.sources.live import read_log, read_named

    wanted, now = config.troubleshoot, time.time()
    allowed = _absolute(wanted.logs, config)
    named: tuple[tuple[Reference, tuple[str, ...]], ...] = (("record", wanted.files), ("setting", wanted.settings))
    found = [read_log(log, allowed=allowed, limit=wanted.log_kb * 1024, now=now)] if log and "log" in kinds else []
    faults = [f"{one.path} is empty" for one in found if not one.text.strip()]
    for kind, patterns in named:
        files, unread = read_named(kind, _absolute(patterns, config), now=now) if kind in kinds else ((), ())
        found += files
        faults += unread
    return Observations(found=tuple(found), faults=tuple(faults))


def _absolute(paths: Sequence[str], config: Config) -> tuple[str, ...]:
    """Return paths as absolute ones; relative ones are so to the file that names them."""
    base = config.file.parent if config.file else Path.cwd()
    return tuple(os.path.normpath(base.absolute() / Path(path).expanduser()) for path in paths if path)
