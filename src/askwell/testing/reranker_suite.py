"""What every `Reranker` promises. Subclass the suite, and give it one.

class TestMine(RerankerSuite):
    @pytest.fixture
    def reranker(self) -> Reranker: ...
"""

from __future__ import annotations

import math
import threading
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askwell.ports import Reranker

QUESTION = "the time limit of the mover"
TEXTS = (
    "bread and salt",
    "the mover stops at the time limit",
    "backups run at night, the mover does not",
    "x",
)


class RerankerSuite:
    """Tests that a subclass runs over its `reranker` fixture."""

    def test_there_is_one_finite_score_a_text(self, reranker: Reranker) -> None:
        scores = reranker.rerank(QUESTION, TEXTS)
        assert len(scores) == len(TEXTS)
        assert all(isinstance(score, float) and math.isfinite(score) for score in scores)

    def test_what_answers_has_the_highest_score(self, reranker: Reranker) -> None:
        scores = reranker.rerank(QUESTION, TEXTS)
        assert max(range(len(TEXTS)), key=lambda row: scores[row]) == 1
        assert scores[2] > scores[0]

    def test_scores_are_in_the_order_of_the_texts(self, reranker: Reranker) -> None:
        forwards = reranker.rerank(QUESTION, TEXTS)
        backwards = reranker.rerank(QUESTION, TEXTS[::-1])
        assert backwards[::-1] == pytest.approx(forwards, abs=1e-4)

    def test_the_same_text_has_the_same_score(self, reranker: Reranker) -> None:
        first, second, _ = reranker.rerank(QUESTION, [TEXTS[1], TEXTS[1], TEXTS[0]])
        assert first == pytest.approx(second, abs=1e-4)

    def test_no_texts_have_no_scores(self, reranker: Reranker) -> None:
        assert list(reranker.rerank(QUESTION, [])) == []

    @pytest.mark.parametrize(
        "text", ["", " ", "\n\n", "\ud800 lone", "a\0b", "🗂️ ﷺ", "备份与恢复", "???", "mover " * 3000]
    )
    def test_any_text_and_any_question_have_a_score(self, reranker: Reranker, text: str) -> None:
        for question, texts in ((QUESTION, [text, TEXTS[0]]), (text, TEXTS)):
            scores = reranker.rerank(question, texts)
            assert len(scores) == len(texts)
            assert all(map(math.isfinite, scores))

    def test_whether_texts_leave_is_told(self, reranker: Reranker) -> None:
        assert reranker.trust in ("local", "cloud")

    def test_threads_get_their_own_scores(self, reranker: Reranker) -> None:
        expected = [reranker.rerank(question, TEXTS) for question in TEXTS[:3]]
        found: dict[int, Sequence[float]] = {}

        def ask(row: int) -> None:
            found[row] = reranker.rerank(TEXTS[row], TEXTS)

        threads = [threading.Thread(target=ask, args=(row,)) for row in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for row in range(3):
            assert found[row] == pytest.approx(expected[row], abs=1e-4)
