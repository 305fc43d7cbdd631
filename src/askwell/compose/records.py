"""Settings → where records are kept. Nothing is made before something is written."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import TYPE_CHECKING

from askwell.overrides import state_folder

if TYPE_CHECKING:
    import datetime
    from collections.abc import Mapping

    from askwell.records.keeping import FileRecords
    from askwell.settings import Config


def make_records(
    config: Config, *, interface: str = "cli", prune: bool = False, environ: Mapping[str, str] = os.environ
) -> FileRecords | None:
    """Return the records of a configuration, None where nothing is kept.

    Args:
        config: Settings in force.
        interface: Who writes, for the ledger.
        prune: Whether this process shortens the ledger: the server, and nobody else.
        environ: The process environment.

    Raises:
        ConfigError: a partner's address has no right form.
    """
    if not (config.enabled and config.records.enabled):
        return None
    from askwell.records.keeping import FileRecords, RecordSettings
    from askwell.records.partners import addresses

    host = config.records.host or own_name()
    settings = RecordSettings(
        folder=folder(config, environ=environ),
        host=host,
        interface=interface,
        prune=prune,
        conversations=config.records.conversations,
        questions=config.records.questions,
        partners=addresses(config.records.partners, own=host),
        key=environ.get(config.records.partner_key_env, ""),
        sources=tuple(Path(source.path) for source in config.sources),
    )
    return FileRecords(settings, now=_now)


def folder(config: Config, *, environ: Mapping[str, str] = os.environ) -> Path:
    """Return where records are: as set, else a folder in the user's place for what programs keep."""
    return state_folder(config.records.path, environ=environ)


def own_name() -> str:
    """Return this machine's name without its domain."""
    return socket.gethostname().partition(".")[0] or "localhost"


def _now() -> datetime.datetime:
    import datetime

    return datetime.datetime.now().astimezone()
