"""What `search` and `ask` do about an index that is missing or behind its sources."""

from __future__ import annotations

from typing import TYPE_CHECKING

from askwell.cli.output import talk
from askwell.errors import AskwellError, IndexLocked, IndexMissing, SourceError
from askwell.privacy import EVERYTHING
from askwell.types import Filter

if TYPE_CHECKING:
    from askwell.engine import Engine
    from askwell.ports import Source
    from askwell.settings import Config

PATIENCE = 25.0
"""Seconds that a first question waits for vectors: after that words must do, and the reply says so."""


def ready(engine: Engine, config: Config, *, open_only: bool = False, as_json: bool = False) -> None:
    """Make sure there is an index to ask: build it if there is none, say so if it is behind.

    An index that is there is only read: a question never waits for a writer and never becomes one.

    Args:
        engine: Its store is opened.
        config: The settings that the engine was made from.
        open_only: Whether the request leaves personal documents out: then nothing is said that counts them.
        as_json: Whether a program listens, which is told of no progress.

    Raises:
        SourceError, StoreError: it cannot be built.
    """
    if not _holds_a_source(engine):
        _build(engine, config, counted=not open_only, quiet=open_only or as_json)
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


def _build(engine: Engine, config: Config, *, counted: bool, quiet: bool) -> None:
    """Make the index, and say before of what and where.

    Raises:
        SourceError, StoreError, ConfigError: it cannot be made; nothing is left of it.
    """
    from askwell import compose
    from askwell.cli.index import index, plausible
    from askwell.indexing import RunOptions

    plausible(config)
    what = ", ".join(f"{bound.root}{_files(bound.source) if counted else ''}" for bound in engine.sources)
    talk(f"no index yet: indexing {what} into {compose.index_path(config)}")
    options = RunOptions(allow_cloud=config.privacy.allow_cloud, patience=PATIENCE)
    try:
        report, _ = index(config, options, quiet=quiet)
    except IndexLocked as error:
        talk(f"{error}: only what it has read so far is found")
        return
    if report.pending:
        talk("not everything has a vector yet; `askwell index` goes on")


def _files(source: Source) -> str:
    """Return how many files a source has, in brackets; nothing where the run will say why it cannot be listed."""
    try:
        count = len(source.list().entries)
    except SourceError:
        return ""
    return " (1 file)" if count == 1 else f" ({count} files)"


def _tell_if_stale(engine: Engine) -> None:
    from askwell.preview import behind

    try:
        found = behind(engine.sources, engine.store)
    except AskwellError as error:
        talk(f"the index may be behind its source: {error}")
        return
    if found.changed:
        talk(f"{found.changed} documents changed since they were indexed; `askwell index` brings them in")
    if found.reread:
        talk(f"`askwell index` has something to do: {found.reread}")
