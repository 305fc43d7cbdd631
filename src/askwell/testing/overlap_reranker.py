"""A reranker without a model: the share of the question's words that a text holds, less a little for each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from askwell.terms import content_words, index_terms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askwell.ports import Trust

_EACH_OTHER_WORD = 1e-4


class OverlapReranker:
    """Keeps what it was shown, so that a test can tell what a reranker would have seen."""

    def __init__(self, *, trust: Trust = "local") -> None:
        """Say where texts would go; none leaves the process."""
        self._trust = trust
        self.seen: list[tuple[str, tuple[str, ...]]] = []

    @property
    def trust(self) -> Trust:
        """As it was made."""
        return self._trust

    def rerank(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """Return one score a text in (-inf, 1], higher is better, in order."""
        self.seen.append((question, tuple(texts)))
        wanted = frozenset(content_words(question))
        scores = []
        for text in texts:
            held = frozenset(index_terms(text))
            share = len(wanted & held) / len(wanted) if wanted else 0.0
            scores.append(share - _EACH_OTHER_WORD * len(held - wanted))
        return scores
