"""Late interaction: each word of a question looks for its nearest word in a passage, and rare words count for more.

    score = sum over question tokens of weight * (best cosine with a token of the passage) / sum of weights
    weight = ln((n + 1) / (df + 0.5)), at least 0.05;   df = of the n passages compared, those that hold the token

One vector for a passage says what it is about on the whole; here a detail of it is enough. Weights come from the
passages themselves: among candidates for a question, the words that all of them hold tell nothing apart.

`WordReranker` compares tokens as the model looks them up, which takes a few milliseconds for sixty passages;
`ContextReranker` as the model understands them in their sentences, which takes a run of it a passage.

Source: Khattab and Zaharia, "ColBERT: Efficient and Effective Passage Search via Contextualized Late Interaction over
BERT", SIGIR 2020, section 3.3. Deviations: the weights, and vectors of a model that was trained for one vector a text.
Measured: docs/measurements/0040-reranking.md
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt

    from askwell.models.local import LocalEmbedder
    from askwell.ports import Matrix, Trust, Vector

FLOOR = 0.05
"""Least weight of a token: what every passage holds still counts a little."""

_NOTHING = 0  # [PAD], the token of a passage that has none


class WordReranker:
    """Tokens compared without their context, by the bundled model's table of words. Safe to share between threads."""

    def __init__(self, model: LocalEmbedder) -> None:
        """Take the bundled model; it is loaded when first used."""
        self._model = model

    @property
    def trust(self) -> Trust:
        """Texts do not leave the process."""
        return "local"

    def rerank(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """Return one score a text in [-1, 1], higher is better, in order; 0.0 each for a question without words.

        Of each, the first 254 tokens are read.

        Raises:
            ConfigError: the bundled model's weights are missing or not the expected ones.
        """
        import numpy as np

        asked = self._model.words(question)
        if not asked or not texts:
            return [0.0] * len(texts)
        passages = [tokens or [_NOTHING] for tokens in self._model.tokenized(texts)]
        read = np.concatenate(passages)
        here = np.zeros(int(read.max()) + 1, bool)
        here[read] = True
        held = np.flatnonzero(here)
        column = np.cumsum(here) - 1  # by token: of its vector among those of `held`
        cosines = self._model.word_vectors(asked) @ self._model.word_vectors(held).T
        best = np.maximum.reduceat(cosines[:, column[read]], _starts(passages), axis=1)
        return _weighted(best, rarity(asked, passages))


class ContextReranker:
    """Tokens compared as the bundled model reads them in their text. Safe to share between threads."""

    def __init__(self, model: LocalEmbedder) -> None:
        """Take the bundled model; it is loaded when first used."""
        self._model = model

    @property
    def trust(self) -> Trust:
        """Texts do not leave the process."""
        return "local"

    def rerank(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """Return one score a text in [-1, 1], higher is better, in order; 0.0 each for a question without words.

        Of each, the first 254 tokens are read. Cost: a run of the model a text, some ten milliseconds.

        Raises:
            ConfigError: as for `WordReranker.rerank`.
        """
        import numpy as np

        words = frozenset(self._model.words(question))
        if not words or not texts:
            return [0.0] * len(texts)
        asked, *passages = self._model.tokenized([question, *texts])
        kept = [place for place, token in enumerate(asked) if token in words]
        queried, *read = self._model.in_context([asked, *passages])
        best = np.stack([(queried[kept] @ vectors.T).max(axis=1) for vectors in read], axis=1)
        passages = [tokens or [_NOTHING] for tokens in passages]
        return _weighted(best, rarity([asked[place] for place in kept], passages))


def rarity(tokens: Sequence[int], passages: Sequence[Sequence[int]]) -> Vector:
    """Return float32[n], the weight of each token among passages, none of them empty, as in the formula above."""
    import numpy as np

    same = np.concatenate(passages)[np.newaxis] == np.asarray(tokens)[:, np.newaxis]
    counts = np.logical_or.reduceat(same, _starts(passages), axis=1).sum(axis=1)
    weights: Vector = np.maximum(np.log((len(passages) + 1) / (counts + 0.5)), FLOOR).astype(np.float32)
    return weights


def _weighted(best: Matrix, weights: Vector) -> list[float]:
    """Return the weighted mean over the question's tokens: float32[q, n] and float32[q] give n numbers."""
    scores: list[float] = (weights @ best / weights.sum()).tolist()
    return scores


def _starts(passages: Sequence[Sequence[int]]) -> npt.NDArray[np.int64]:
    import numpy as np

    starts: npt.NDArray[np.int64] = np.cumsum([0, *(len(passage) for passage in passages[:-1])])
    return starts
