"""The index of a test collection: built from its corpus file, kept among the caches."""

from __future__ import annotations

import datetime
import os
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from askwell.cli.output import ProgressBar, talk

if TYPE_CHECKING:
    from askwell.settings import Config

SHOWN = 10
"""Documents that failed, told by name."""


def cached(config: Config, folder: Path) -> Path:
    """Return where a collection's index is kept: one a model and chunk size, among the caches."""
    from askwell.ids import fingerprint

    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    models = config.models
    key = fingerprint(str(folder), models.embedding, models.embedding_url, str(config.index.chunk_tokens))
    return cache / "askwell" / "collections" / f"{folder.name}-{key[:12]}.db"


def index(config: Config, folder: Path, *, name: str) -> None:
    """Make a collection's index match its corpus file; a run with nothing to do reads no document.

    Args:
        config: Where the index is, and with which model it is made.
        folder: The collection.
        name: Of its source in the index.

    Raises:
        SourceError, StoreError: it cannot.
    """
    from askwell import compose, indexing
    from askwell.compose.models import NO_VECTORS, READS, make_embedder, token_counter, window
    from askwell.engine import BoundSource
    from askwell.eval.beir import BeirSource
    from askwell.privacy import ClassRules
    from askwell.rules import Rules
    from askwell.sources.secrets import REDACTION_VERSION, redact
    from askwell.types import CodeMode

    embedder = partial(make_embedder, config.models, os.environ)
    source = BeirSource(folder, name=name)
    rules = Rules(
        source=name,
        type=source.type,
        code=CodeMode.FULL,
        classes=ClassRules(personal=(), sensitivity_key=config.privacy.sensitivity_key),
        budget=config.index.chunk_tokens or window(config.models),
        size=token_counter(embedder, config.models),
        redact=redact,
        redaction_version=REDACTION_VERSION,
    )
    store = compose.open_store(compose.index_path(config), read_only=False)
    progress = ProgressBar()
    try:
        report = indexing.run(
            (BoundSource(source=source, rules=rules, root=str(folder)),),
            store,
            embedder,
            options=indexing.RunOptions(
                wait=config.index.wait,
                allow_cloud=config.privacy.allow_cloud,
                allow_mass_delete=True,
                vectors=config.models.embedding != NO_VECTORS,
                reads=READS.get(config.models.embedding, frozenset()),
                model=f"{config.models.embedding} {config.models.embedding_url}",
            ),
            clock=time.perf_counter,
            now=_now,
            progress=progress,
        )
    finally:
        progress.close()
        store.close()
    for fault in report.failed[:SHOWN]:
        talk(f"{name}: {fault.path}: {fault.reason}")
    for warning in report.warnings:
        talk(f"{name}: {warning}")


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
