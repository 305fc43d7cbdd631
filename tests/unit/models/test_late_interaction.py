from __future__ import annotations

import math

import numpy as np
import pytest

from askwell.models.late_interaction import FLOOR, ContextReranker, WordReranker, rarity
from askwell.models.local import LocalEmbedder


@pytest.fixture(scope="module")
def model() -> LocalEmbedder:
    return LocalEmbedder()


def test_weights_are_by_how_many_passages_hold_a_token() -> None:
    weights = rarity([7, 8, 9], [[7, 7, 8], *[[7, 1]] * 19])
    assert weights.tolist() == pytest.approx([FLOOR, math.log(21 / 1.5), math.log(21 / 0.5)], rel=1e-6)


def test_a_word_that_one_passage_holds_outweighs_one_that_all_hold(model: LocalEmbedder) -> None:
    texts = ["the mover and the quota", "the mover of the mover", "the mover at night"]
    scores = WordReranker(model).rerank("mover quota", texts)
    assert scores[0] == max(scores)
    assert scores[0] == pytest.approx(1.0, abs=1e-5)
    assert abs(scores[1] - scores[2]) < scores[0] - max(scores[1:])


def test_a_word_near_in_meaning_stands_in_for_one_that_is_missing(model: LocalEmbedder) -> None:
    near, far = WordReranker(model).rerank("photo", ["a picture of birds", "a recipe of birds"])
    assert near > far


def test_context_tells_one_meaning_of_a_word_from_the_other(model: LocalEmbedder) -> None:
    texts = ["he sat on the bank of the river", "the bank gave him a loan"]
    by_word = WordReranker(model).rerank("bank", texts)
    assert by_word[0] == pytest.approx(by_word[1], abs=1e-5)
    river, loan = ContextReranker(model).rerank("money in the bank", texts)
    assert loan > river


@pytest.mark.parametrize("kind", [WordReranker, ContextReranker])
def test_a_question_of_signs_alone_says_nothing(
    model: LocalEmbedder, kind: type[WordReranker] | type[ContextReranker]
) -> None:
    assert kind(model).rerank("?! … --", ["bread", "? !"]) == [0.0, 0.0]


def test_signs_of_a_question_do_not_count(model: LocalEmbedder) -> None:
    texts = ["bread, salt", "what is bread?"]
    plain, signed = (WordReranker(model).rerank(question, texts) for question in ("bread", "bread?"))
    assert plain == pytest.approx(signed)


def test_tokens_in_context_make_up_the_vector(model: LocalEmbedder) -> None:
    text = "the mover stops at the time limit"
    [tokens] = model.tokenized([text])
    [rows] = model.in_context([tokens])
    assert rows.shape == (len(tokens), 384)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    mean = rows.mean(axis=0)
    assert mean / np.linalg.norm(mean) @ model.embed_query(text) > 0.9


def test_what_is_remembered_of_texts_is_bounded_and_right(model: LocalEmbedder) -> None:
    own = LocalEmbedder()
    texts = [f"text {n}" for n in range(10_000)]
    for at in range(0, len(texts), 500):
        own.tokenized(texts[at : at + 500])
    assert len(own._recent) <= 8192
    assert [list(one) for one in own.tokenized(texts[:3])] == [list(one) for one in model.tokenized(texts[:3])]
