"""What `search` and `ask` do about an index that is missing or behind its sources."""

from __future__ import annotations

from typing import TYPE_CHECKING

from askwell.cli.output import talk
from askwell.errors import AskwellError, IndexLocked, IndexMissing
from askwell.privacy import EVERYTHING
from askwell.types import Filter

if TYPE_CHECKING:
    from askwell.engine import Engine
    from askwell.settings import Config

PATIENCE = 25.0
"""Seconds that a first question waits for vectors: after that words must do, and the reply says so."""


def ready(engine: Engine, config: Config, *, open_only: bool = False) -> None:
    """Make sure there is an index to ask: build it if there is none, say so if it is behind.

    An index that is there is only read: a question never waits for a writer and never becomes one.

    Args:
        engine: Its store is opened.
        config: The settings that the engine was made from.
        open_only: Whether the request leaves personal documents out: then nothing is said that counts them.

    Raises:
        SourceError, StoreError: it cannot be built.
    """
    if not _holds_a_source(engine):
        _build(config, open_only=open_only)
    elif config.ad_hoc and not open_only:
        _tell_if_stale(engine)


def _holds_a_source(engine: Engine) -> bool:
    """Whether there is an index that knows one of the sources, or any index where no source is configured.

    Raises:
        IndexMissing: there is none, and nothing to build it from.
    """
    try:
        known = {info.name for info in engine.store.sources(visible=Filter(classes=EVERYTHING))}
    except IndexMissing:
        if not engine.known_sources:
            raise
        return False
    return not engine.known_sources or not known.isdisjoint(engine.known_sources)


def _build(config: Config, *, open_only: bool) -> None:
    from askwell.cli.index import index
    from askwell.indexing import RunOptions

    talk("no index yet: building it")
    options = RunOptions(allow_cloud=config.privacy.allow_cloud, patience=PATIENCE)
    try:
        report, _ = index(config, options, bar=False if open_only else None)
    except IndexLocked as error:
        talk(f"{error}: only what it has read so far is found")
        return
    if report.pending:
        talk("not everything has a vector yet; `askwell index` goes on")


def _tell_if_stale(engine: Engine) -> None:
    from askwell.indexing import behind

    try:
        changed = behind(engine.sources, engine.store)
    except AskwellError as error:
        talk(f"the index may be behind its source: {error}")
        return
    if changed:
        talk(f"{changed} documents changed since they were indexed; `askwell index` brings them in")
