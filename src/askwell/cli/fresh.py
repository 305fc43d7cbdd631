"""What `search` and `ask` do about an index that is missing or behind its sources."""

from __future__ import annotations

from typing import TYPE_CHECKING

from askwell.cli.output import talk
from askwell.errors import AskwellError, IndexMissing

if TYPE_CHECKING:
    from askwell.config import Config
    from askwell.engine import Engine

PATIENCE = 25.0
"""Seconds that a first question waits for vectors: after that words must do, and the reply says so."""


def ready(engine: Engine, config: Config) -> None:
    """Make sure there is an index to ask: build it if there is none, say so if it is behind.

    An index that is there is only read: a question never waits for a writer and never becomes one.

    Raises:
        SourceError, StoreError: it cannot be built.
    """
    try:
        engine.store.sources  # noqa: B018 - opening is the point
    except IndexMissing:
        _build(config)
        return
    if config.ad_hoc:
        _tell_if_stale(engine)


def _build(config: Config) -> None:
    from askwell.cli.index import index
    from askwell.indexing import RunOptions

    talk("no index yet: building it")
    report, _ = index(
        config,
        RunOptions(allow_cloud=config.privacy.allow_cloud, patience=PATIENCE, wait=PATIENCE),
    )
    if report.pending:
        talk(f"{report.pending} chunks have no vector yet; `askwell index` goes on with them")


def _tell_if_stale(engine: Engine) -> None:
    from askwell.indexing import RunOptions, dry_run

    try:
        report = dry_run(engine.sources, engine.store, options=RunOptions())
    except AskwellError as error:
        talk(f"the index may be behind its source: {error}")
        return
    changed = report.added + report.updated + report.removed
    if changed:
        talk(f"{changed} documents changed since they were indexed; `askwell index` brings them in")
