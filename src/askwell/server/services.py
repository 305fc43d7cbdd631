"""What the routes use: engines, records, the indexer, counters. Made once, by `askwell serve` or by a test."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from starlette.requests import Request

from askwell import compose
from askwell.compose.records import folder, make_records
from askwell.compose.watching import stamp_of
from askwell.server.indexer import Indexer
from askwell.server.metrics import Metrics
from askwell.server.pool import EnginePool, OneIndex
from askwell.server.tokens import TokenFile

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from contextlib import AbstractContextManager

    from askwell.engine import Engine
    from askwell.errors import AskwellError
    from askwell.records.keeping import FileRecords
    from askwell.server.guard import Caller
    from askwell.server.indexer import RunState
    from askwell.server.sse import Pump
    from askwell.settings import Config

STREAMS = 64
"""Answers that are made at the same time; each has a thread and an engine, which is an open file and little more."""


LOOKING = 2
"""Questions whose passages are looked for at the same time: that is work for a processor, and searches want one too."""


class Streams:
    """The answers that are being streamed, so that all of them can be ended."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._on: set[Pump] = set()
        self._fault: AskwellError | None = None

    def add(self, pump: Pump) -> None:
        """Note one that begins; it ends at once if all of them were ended."""
        with self._lock:
            self._on.add(pump)
            fault = self._fault
        if fault is not None:
            pump.abort(fault)

    def discard(self, pump: Pump) -> None:
        """Note one that is over."""
        with self._lock:
            self._on.discard(pump)

    def end(self, fault: AskwellError) -> None:
        """End all of them, and those that begin from now on, with a fault. From any thread."""
        with self._lock:
            self._fault = fault
            on = list(self._on)
        for pump in on:
            pump.abort(fault)


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """One server's parts.

    Attributes:
        lend: Lends an engine to the thread that calls it.
        threads: Where answers are made.
        store: Where the index is, in words.
        close: Ends everything. Idempotent.
    """

    config: Config
    lend: Callable[[], AbstractContextManager[Engine]]
    tokens: TokenFile
    threads: ThreadPoolExecutor
    close: Callable[[], None]
    records: FileRecords | None = None
    indexer: Indexer | None = None
    metrics: Metrics = field(default_factory=Metrics)
    streams: Streams = field(default_factory=Streams)
    looking: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(LOOKING))
    store: str = ""


def services(
    config: Config, arguments: Sequence[str], *, environ: Mapping[str, str], indexing: bool = True
) -> Services:
    """Return the parts of a server over a configuration; nothing is opened and no run is started yet.

    Args:
        config: Settings in force.
        arguments: Of index runs: which settings file, which sources, which index.
        environ: The process environment.
        indexing: Whether index runs are made.

    Raises:
        ConfigError: a setting names something that does not exist.
    """
    metrics = Metrics()
    path = compose.index_path(config, environ=environ)
    records = make_records(config, interface="server", prune=True, environ=environ)
    pool = EnginePool(compose.engines(config, environ=environ, records=records), most=STREAMS)
    threads = ThreadPoolExecutor(STREAMS, thread_name_prefix="answer")
    indexer = None
    if indexing:
        indexer = Indexer(
            arguments,
            every=config.server.every,
            watch=config.server.watch,
            stamp=stamp_of(config),
            done=lambda state: _ran(metrics, state),
        )

    def close() -> None:
        if indexer is not None:
            indexer.stop()
        pool.close()
        threads.shutdown(wait=False, cancel_futures=True)

    return Services(
        config=config,
        lend=OneIndex(pool, path).lend,
        tokens=token_file(config, environ=environ),
        threads=threads,
        close=close,
        records=records,
        indexer=indexer,
        metrics=metrics,
        store=str(path),
    )


def token_file(config: Config, *, environ: Mapping[str, str]) -> TokenFile:
    """Return where the tokens of a configuration's server are."""
    return TokenFile(folder(config, environ=environ) / "tokens.json")


def services_of(request: Request) -> Services:
    """Return the parts of the server that a request reached."""
    found: Services = request.app.state.services
    return found


def caller_of(request: Request) -> Caller:
    """Return who asks, as the guard found."""
    caller: Caller = request.scope["state"]["caller"]
    return caller


def _ran(metrics: Metrics, state: RunState) -> None:
    metrics.runs.labels("failed" if state.error else "done").inc()
