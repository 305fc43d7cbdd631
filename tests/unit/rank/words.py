"""The hashing embedder, with questions that get a given vector and with a fault that can be switched on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from askwell.errors import ModelUnavailable
from askwell.testing.hashing_embedder import HashingEmbedder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askwell.ports import Vector


class WordVectors(HashingEmbedder):
    """Texts that share words are near. Remembers the questions it was asked."""

    def __init__(
        self, *, name: str = "words", fixed: dict[str, Sequence[float]] | None = None, down: bool = False
    ) -> None:
        super().__init__(dim=64, window=50, name=name)
        self._fixed = fixed or {}
        self._down = down
        self.asked: list[str] = []

    def embed_query(self, text: str) -> Vector:
        self.asked.append(text)
        if self._down:
            raise ModelUnavailable("the embedding model does not answer")
        if text in self._fixed:
            return np.asarray(self._fixed[text], dtype=np.float32)
        return super().embed_query(text)
