from __future__ import annotations

import pytest

from askwell.errors import ModelRefused, ModelUnavailable
from askwell.models.rerank_api import Dialect, HttpReranker
from askwell.testing.fake_openai import FakeOpenAI, Reply, json_reply

TEXTS = ["bread and salt", "the mover stops at the time limit", "the mover"]


@pytest.mark.parametrize(("dialect", "path"), [("jina", "/v1/rerank"), ("tei", "/rerank")])
def test_scores_are_in_the_order_of_the_texts(dialect: Dialect, path: str) -> None:
    with FakeOpenAI() as server:
        reranker = HttpReranker(url=server.url.removesuffix("/v1"), dialect=dialect)
        scores = reranker.rerank("the time limit of the mover", TEXTS)
        assert list(reranker.rerank("anything", [])) == []
        reranker.close()
        assert [request.path for request in server.requests] == [path]
    assert sorted(range(3), key=lambda n: -scores[n]) == [1, 2, 0]


@pytest.mark.parametrize(
    "body",
    [{}, [], {"results": [{"index": 0, "relevance_score": 1}]}, {"results": "x"},
     {"results": [{"index": n, "relevance_score": None} for n in range(3)]},
     {"results": [{"index": n, "relevance_score": 1} for n in (0, 1, 3)]}],
)  # fmt: skip
def test_anything_but_a_score_a_text_is_refused(body: object) -> None:
    with FakeOpenAI() as server:
        server.reply(json_reply(body))
        reranker = HttpReranker(url=server.url)
        with pytest.raises(ModelRefused, match="one score a text"):
            reranker.rerank("q", TEXTS)
        reranker.close()


def test_one_attempt_only() -> None:
    with FakeOpenAI() as server:
        server.reply(Reply(status=503))
        reranker = HttpReranker(url=server.url)
        with pytest.raises(ModelUnavailable):
            reranker.rerank("q", TEXTS)
        reranker.close()
        assert len(server.requests) == 1
