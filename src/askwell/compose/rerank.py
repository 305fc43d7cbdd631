"""Settings → what compares the question with the candidates. Nothing is loaded or contacted before it is used."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from askwell.compose.models import bundled, declared_trust, needs_url
from askwell.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from askwell.ports import Leaving, Reranker, Trust
    from askwell.settings import ModelsConfig

NO_RERANKING = "none"

LATE_WEIGHT = 0.5
"""Of late interaction beside the scores, which have 1 together or more. A cross-encoder has the last word instead.
Measured: docs/measurements/0040-reranking.md"""

_HTTP = ("jina", "tei")
_KNOWN = (NO_RERANKING, "late", "folder", *_HTTP)


def reranking_trust(models: ModelsConfig) -> Trust:
    """Return whether texts to be reranked stay with the user, without building the reranker."""
    if models.rerank.partition(":")[0] not in _HTTP:
        return "local"
    from askwell.models.trust import trust_of

    return trust_of(models.rerank_url, declared=declared_trust(models.rerank_trust))


def rerank_weight(models: ModelsConfig) -> float | None:
    """Return the weight of the reranker's view beside the scores, None where it has the last word."""
    return LATE_WEIGHT if models.rerank == "late" else None


@lru_cache(maxsize=1)
def make_matcher() -> Reranker:
    """Return what compares words, over the bundled model's table of them."""
    from askwell.models.late_interaction import WordReranker

    return WordReranker(bundled())


def make_reranker(
    models: ModelsConfig, environ: Mapping[str, str] = os.environ, leaving: Leaving | None = None
) -> Reranker | None:
    """Return the configured reranker, or None if there is none; `leaving` is told of what it sends away.

    Raises:
        ConfigError: the setting names no known reranker, or a folder that holds none.
    """
    return _reranker(models, environ.get(models.rerank_key_env, ""), leaving)


@lru_cache(maxsize=4)
def _reranker(models: ModelsConfig, key: str, leaving: Leaving | None) -> Reranker | None:
    name, _, detail = models.rerank.partition(":")
    match name:
        case "none" if not detail:
            return None
        case "late" if not detail:
            from askwell.models.late_interaction import ContextReranker

            return ContextReranker(bundled())
        case "folder" if detail:
            from askwell.models.cross_encoder import FolderReranker

            return FolderReranker(Path(detail).expanduser())
        case "jina" | "tei" as dialect if detail or dialect == "tei":
            from askwell.models.rerank_api import HttpReranker

            needs_url(models.rerank_url, "models.rerank_url")
            return HttpReranker(
                url=models.rerank_url,
                model=detail,
                key=key,
                dialect=dialect,
                declared=declared_trust(models.rerank_trust),
                timeout=models.timeout,
                leaving=leaving,
            )
        case _:
            raise ConfigError(f"`models.rerank` is {models.rerank!r}", hint=_hint(name))


def _hint(name: str) -> str:
    import difflib

    forms = "`none`, `late`, `folder:PATH`, `jina:MODEL` or `tei`"
    near = difflib.get_close_matches(name, _KNOWN, n=1)
    return f"did you mean `{near[0]}`? use {forms}" if near and near[0] != name else f"use {forms}"
