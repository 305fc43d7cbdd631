"""What every `Embedder` promises. Subclass the suite, and give it one.

class TestMine(EmbedderSuite):
    @pytest.fixture
    def embedder(self) -> Embedder: ...
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import numpy as np
import pytest

from askwell.errors import InputTooLong

if TYPE_CHECKING:
    from askwell.ports import Embedder, Matrix

MOVER = "the mover stops after its time limit and leaves the files where they are"
TEXTS = (
    MOVER,
    "backups run at three in the morning, when nobody uses the disks",
    "x",
    "a recipe for bread: flour, water, salt, and time\n" * 2,
)


class EmbedderSuite:
    """Tests that a subclass runs over its `embedder` fixture."""

    refuses_long = True
    """Whether it raises on a text over its window; a server behind HTTP may cut by itself."""

    def test_vectors_are_normalised_float32_in_c_order(self, embedder: Embedder) -> None:
        matrix = embedder.embed_documents(TEXTS)
        assert (str(matrix.dtype), matrix.ndim, len(matrix)) == ("float32", 2, len(TEXTS))
        assert matrix.flags["C_CONTIGUOUS"]
        np.testing.assert_allclose(np.linalg.norm(matrix, axis=1), 1, atol=1e-5)
        query = embedder.embed_query("when does the mover stop")
        assert (str(query.dtype), query.shape) == ("float32", matrix.shape[1:])
        np.testing.assert_allclose(np.linalg.norm(query), 1, atol=1e-5)

    def test_rows_are_in_the_order_of_the_texts(self, embedder: Embedder) -> None:
        matrix = embedder.embed_documents(TEXTS)
        backwards = embedder.embed_documents(TEXTS[::-1])
        assert _cosines(matrix, backwards[::-1]).min() > 0.999
        assert _cosines(matrix[:2], matrix[1::-1]).max() < 0.99

    def test_a_text_has_its_vector_whatever_is_embedded_with_it(self, embedder: Embedder) -> None:
        together = embedder.embed_documents(TEXTS)
        alone = np.concatenate([embedder.embed_documents([text]) for text in TEXTS])
        assert _cosines(together, alone).min() > 0.999

    def test_no_texts_give_no_vectors(self, embedder: Embedder) -> None:
        assert len(embedder.embed_documents([])) == 0

    def test_a_question_is_nearer_to_what_it_asks_for(self, embedder: Embedder) -> None:
        scores = embedder.embed_documents(TEXTS) @ embedder.embed_query("the time limit of the mover")
        assert int(np.argmax(scores)) == 0

    @pytest.mark.parametrize("text", ["\ud800 lone", "a\0b", " ", "\n\n", "🗂️ ﷺ", "İstanbul ışık", "备份与恢复"])
    def test_any_text_has_a_vector(self, embedder: Embedder, text: str) -> None:
        assert np.isfinite(embedder.embed_documents([text])).all()
        assert np.isfinite(embedder.embed_query(text)).all()

    def test_nothing_follows_from_a_nul_being_in_a_text(self, embedder: Embedder) -> None:
        cut = embedder.embed_documents(["mover"])
        whole = embedder.embed_documents(["mover\0 backups at three in the morning"])
        assert _cosines(cut, whole)[0] < 0.999

    def test_more_text_takes_no_fewer_tokens(self, embedder: Embedder) -> None:
        counts = [embedder.count_tokens("mover.sh --dry-run " * times) for times in range(5)]
        assert counts == sorted(counts)
        assert counts[-1] > counts[1] > 0

    def test_a_text_that_counts_as_fitting_is_taken(self, embedder: Embedder) -> None:
        words = "mover " * embedder.max_tokens
        while embedder.count_tokens(words) > embedder.max_tokens:
            words = words[: len(words) * 9 // 10]
        assert len(embedder.embed_documents([words])) == 1

    def test_a_text_over_the_window_is_refused_and_never_cut(self, embedder: Embedder) -> None:
        if not self.refuses_long:
            pytest.skip("the server behind it decides")
        with pytest.raises(InputTooLong):
            embedder.embed_documents([MOVER, "mover " * (embedder.max_tokens + 10)])

    def test_a_question_over_the_window_is_read_all_the_same(self, embedder: Embedder) -> None:
        assert np.isfinite(embedder.embed_query("the mover stops. " * embedder.max_tokens)).all()

    def test_the_space_is_a_name_that_stays(self, embedder: Embedder) -> None:
        before = embedder.space
        embedder.embed_query("anything")
        assert embedder.space == before
        assert before.strip()
        assert embedder.trust in ("local", "cloud")

    def test_threads_get_their_own_vectors(self, embedder: Embedder) -> None:
        expected = embedder.embed_documents(TEXTS)
        found: dict[int, Matrix] = {}

        def ask(row: int) -> None:
            found[row] = embedder.embed_documents([TEXTS[row]])

        threads = [threading.Thread(target=ask, args=(row,)) for row in range(len(TEXTS))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert _cosines(np.concatenate([found[row] for row in range(len(TEXTS))]), expected).min() > 0.999


def _cosines(left: Matrix, right: Matrix) -> Matrix:
    products: Matrix = (left * right).sum(axis=1)
    return products
