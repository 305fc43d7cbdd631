"""Config → Engine. The only module that names implementations; registries are the plain dicts below."""

from __future__ import annotations

import os
import threading
import time
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from askwell.compose.models import READS, embedding_trust, has_vectors, make_embedder, make_generator
from askwell.compose.observing import make_observe
from askwell.compose.rerank import make_matcher, make_reranker, reranking_trust
from askwell.compose.sources import bind_sources
from askwell.compose.web import web_later
from askwell.engine import BoundSource, Engine
from askwell.errors import ConfigError, IndexMissing, StoreError
from askwell.ids import fingerprint
from askwell.privacy import EVERYTHING, ClassRules
from askwell.types import Filter, Profile

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from askwell.answer import AnswerSettings
    from askwell.ask.verify import Unsupported
    from askwell.indexing import RunOptions, RunReport
    from askwell.ports import Leaving, Progress, Records, Store
    from askwell.retrieve import RetrievalSettings
    from askwell.settings import Config

Made = TypeVar("Made")


def engine(config: Config, *, environ: Mapping[str, str] = os.environ, records: Records | None = None) -> Engine:
    """Return the engine for a configuration. Opens nothing yet.

    Args:
        config: Settings in force.
        environ: The process environment.
        records: Where turns and what leaves the machine are noted (see `compose.records`); None notes nothing.

    Raises:
        ConfigError: a setting names something that does not exist.
    """
    path = index_path(config, environ=environ)
    leaving = records.leaving if records is not None else None
    embedder = partial(make_embedder, config.models, environ, leaving)
    sources = bind_sources(config, embedder=embedder, known=known_sources(path))
    names = frozenset(bound.source.name for bound in sources)
    return Engine(
        sources=sources,
        open_store=partial(open_store, path),
        make_embedder=embedder,
        make_generator=partial(make_generator, config.models, environ, leaving),
        retrieval=partial(_retrieval, config),
        answering=partial(_answering, config),
        clock=time.perf_counter,
        allow_cloud=config.privacy.allow_cloud,
        profile=Profile(config.answer.profile),
        known_sources=names,
        classes=ClassRules(personal=config.privacy.personal, sensitivity_key=config.privacy.sensitivity_key),
        vectors=has_vectors(config.models),
        embedding=embedding_trust(config.models),
        make_matcher=make_matcher if config.retrieval.words else None,
        make_reranker=partial(make_reranker, config.models, environ, leaving),
        reranking=reranking_trust(config.models),
        records=records,
        web=web_later(config, environ=environ, leaving=leaving),
        observe=make_observe(config),
    )


def engines(
    config: Config, *, environ: Mapping[str, str] = os.environ, records: Records | None = None
) -> Callable[[], Engine]:
    """Return what makes engines over one index, each for one thread at a time, that share their models.

    Raises:
        ConfigError: as `engine`.
    """
    first = engine(config, environ=environ, records=records)
    embedder, generator = _once(first.make_embedder), _once(first.make_generator)

    def make() -> Engine:
        return replace(
            engine(config, environ=environ, records=records), make_embedder=embedder, make_generator=generator
        )

    return make


def _once(make: Callable[[], Made]) -> Callable[[], Made]:
    """Return what makes a thing when it is first asked for, and gives the same one to every thread."""
    made: list[Made] = []
    lock = threading.Lock()

    def get() -> Made:
        with lock:
            if not made:
                made.append(make())
            return made[0]

    return get


def index(
    config: Config,
    options: RunOptions,
    *,
    dry_run: bool = False,
    rebuild: bool = False,
    progress: Progress | None = None,
    environ: Mapping[str, str] = os.environ,
    leaving: Leaving | None = None,
) -> tuple[RunReport, tuple[bytes, ...]]:
    """Run the indexer over a configuration's sources.

    Returns:
        What it did, and the paths whose stats must stay for the next run to have nothing to do (see `askwell.idle`);
        none if this run did something, or failed with a file.

    Args:
        dry_run: Only say what would be done; contact no model, write nothing.
        rebuild: Read and cut every file again, and accept another embedding model: its vectors are made beside
            the old ones, which searches use until none is missing.
        leaving: Told of texts that are sent to another machine to be embedded.

    Raises:
        ConfigError, SourceError, StoreError, EmbeddingSpaceChanged: see `indexing.run`.
    """
    from askwell import indexing

    path = index_path(config, environ=environ)
    embedder = partial(make_embedder, config.models, environ, leaving)
    sources = bind_sources(config, embedder=embedder, known=known_sources(path))
    if not sources:
        raise ConfigError("no sources to index", hint="name a folder with `--source`, or add one with `askwell add`")
    vectors = has_vectors(config.models)
    options = replace(options, vectors=options.vectors and vectors)
    if dry_run:
        return _dry_run(path, sources, options), ()
    is_new, finished = not path.exists(), False
    store = _opened_again(path) if rebuild else open_store(path, read_only=False)
    try:
        report = indexing.run(
            sources,
            store,
            embedder,
            options=replace(
                options,
                rebuild=rebuild,
                model=f"{config.models.embedding} {config.models.embedding_url}",
                reads=READS.get(config.models.embedding, frozenset()),
            ),
            clock=time.perf_counter,
            now=_now,
            progress=progress,
        )
        finished = True
    finally:
        with suppress(StoreError):
            is_new = is_new and not store.states()
        store.close()
        if is_new and not finished:
            _discarded(path)
    if not vectors:  # nothing waits for what will not come
        report = replace(report, pending=0)
    return report, _watched(config, path, sources) if report.idle else ()


def known_sources(path: Path) -> dict[str, str]:
    """Return root → name of the sources that an index holds; none where it cannot be read."""
    try:
        store = open_store(path)
    except StoreError:
        return {}
    try:
        return {info.root: info.name for info in store.sources(visible=Filter(classes=EVERYTHING))}
    finally:
        store.close()


def _watched(config: Config, index: Path, sources: Sequence[BoundSource]) -> tuple[bytes, ...]:
    """Return every path whose change could give the next run something to do; none if a source cannot tell."""
    from askwell.config import candidates
    from askwell.overrides import place

    of_sources = [bound.source.watched() for bound in sources]
    if not all(of_sources):
        return ()
    files = [
        index,
        index.with_name(index.name + ".lock"),  # stamped by every writer; `-wal` is by every reader
        *candidates(os.environ),
        *([config.file] if config.file else []),
        place(config, environ=os.environ),
    ]
    return (
        *(os.fsencode(Path(file).absolute()) for file in files),
        *(raw for watched in of_sources for raw in watched),
    )


def _dry_run(path: Path, sources: Sequence[BoundSource], options: RunOptions) -> RunReport:
    from askwell import preview

    try:
        store = open_store(path)
    except IndexMissing:
        return preview.dry_run(sources, None, options=options)
    try:
        return preview.dry_run(sources, store, options=options)
    finally:
        store.close()


def _opened_again(path: Path) -> Store:
    """Open an index that is to be rebuilt: one that cannot be opened is deleted first, since it is derived."""
    from askwell.stores.sqlite import remove_index

    try:
        return open_store(path, read_only=False)
    except StoreError:
        remove_index(path)
        return open_store(path, read_only=False)


def _discarded(path: Path) -> None:
    """Delete an index that was made for a run which brought nothing into it."""
    from askwell.stores.sqlite import remove_index

    with suppress(StoreError):
        remove_index(path)


def _now() -> str:
    import datetime

    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")


def index_path(config: Config, *, environ: Mapping[str, str] = os.environ) -> Path:
    """Return where the index file is: as set, else a file per set of sources in the user's cache folder.

    An index is derived and may be deleted, so it lives with caches, and never inside a source.

    Raises:
        ConfigError: `store.url` is of a kind that this version does not know.
    """
    url = config.store.url
    if url:
        if "://" in url and not url.startswith(("sqlite://", "file://")):
            raise ConfigError(f"`store.url` is {url!r}", hint="name a file; other stores are not supported yet")
        plain = url.removeprefix("sqlite://").removeprefix("file://")
        return Path(plain).expanduser()
    roots = sorted(os.path.realpath(source.path) for source in config.sources)
    cache = Path(environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return cache / "askwell" / f"{Path(roots[0]).name or 'root'}-{fingerprint(*roots)[:12]}.db"


def open_store(path: Path, *, read_only: bool = True) -> Store:
    """Open the index file; created when it is opened for writing."""
    from askwell.stores.sqlite import open_store as open_sqlite

    return open_sqlite(path, create=not read_only, read_only=read_only)


def _retrieval(config: Config) -> RetrievalSettings:
    from dataclasses import replace

    from askwell.compose.rerank import rerank_weight
    from askwell.retrieve import RetrievalSettings

    settings = replace(
        RetrievalSettings(),
        per_document=config.retrieval.per_document,
        expansion=config.retrieval.expansion,
        rerank_depth=config.retrieval.rerank_depth,
        rerank_weight=rerank_weight(config.models),
    )
    match config.retrieval.fusion:
        case "rrf" | "convex" | "blend" as fusion:
            return replace(settings, fusion=fusion)
        case _:
            return settings


def _unsupported(setting: str) -> Unsupported:
    match setting:
        case "remove" | "abstain":
            return setting
        case _:
            return "mark"


def _answering(config: Config) -> AnswerSettings:
    from askwell.answer import AnswerSettings

    return AnswerSettings(
        persona="friendly" if config.persona.tone == "friendly" else "neutral",
        name=config.persona.name,
        context_chars=config.answer.context_chars,
        unsupported=_unsupported(config.answer.unsupported),
        allow_cloud=config.privacy.allow_cloud,
    )
