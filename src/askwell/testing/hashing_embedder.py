"""An embedder without a model: deterministic vectors with a real geometry, for tests and trials."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from typing import TYPE_CHECKING

from askwell.errors import InputTooLong

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askwell.ports import Matrix, Trust, Vector

_WORD = re.compile(r"\w+|[^\w\s]")
_SPREAD = 4  # dimensions that a word touches: few enough that texts without a common word stay far apart


class HashingEmbedder:
    """Every word adds or subtracts one in a few dimensions chosen by its hash; texts that share words are near.

    Source: Weinberger et al., "Feature Hashing for Large Scale Multitask Learning", ICML 2009. Deviation: `_SPREAD`
    dimensions a word instead of one, and counts enter by their square root.
    """

    def __init__(self, *, dim: int = 256, window: int = 254, trust: Trust = "local", name: str = "hashing") -> None:
        """Take the vectors' width and the window in words."""
        self._dim = dim
        self._window = window
        self._trust = trust
        self._name = name

    @property
    def space(self) -> str:
        """Name and dimension."""
        return f"{self._name}/d{self._dim}"

    @property
    def max_tokens(self) -> int:
        """Words and signs of one text."""
        return self._window

    @property
    def trust(self) -> Trust:
        """As it was made: texts never leave the process."""
        return self._trust

    def count_tokens(self, text: str) -> int:
        """Return the number of words and signs, which are its tokens."""
        return len(_WORD.findall(text))

    def embed_query(self, text: str) -> Vector:
        """Return float32[d], L2-normalised; a longer question is read up to the window."""
        vector: Vector = self._rows([_WORD.findall(text)[: self._window]])[0]
        return vector

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        """Return float32[n, d], L2-normalised, in order.

        Raises:
            InputTooLong: a text is over the window.
        """
        words = [_WORD.findall(text) for text in texts]
        if any(len(each) > self._window for each in words):
            raise InputTooLong(f"a text has over {self._window} words", hint="split it")
        return self._rows(words)

    def _rows(self, texts: Sequence[Sequence[str]]) -> Matrix:
        import numpy as np

        rows = np.zeros((len(texts), self._dim), np.float32)
        for row, words in zip(rows, texts, strict=True):
            # A text without words has a direction too, and a word may cancel another out.
            for word, count in [*Counter(word.lower() for word in words).items(), ("", 0.01)]:
                digest = hashlib.blake2b(word.encode("utf-8", "replace"), digest_size=4 * _SPREAD).digest()
                for at in range(0, len(digest), 4):
                    value = int.from_bytes(digest[at : at + 4], "little")
                    row[(value >> 1) % self._dim] += (1 if value & 1 else -1) * count**0.5
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        return rows
