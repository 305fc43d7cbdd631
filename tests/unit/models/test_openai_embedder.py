from __future__ import annotations

import base64

import numpy as np
import pytest

from askwell.errors import InputTooLong, ModelRefused, ModelUnavailable
from askwell.models.local import LocalEmbedder
from askwell.models.openai_api import BATCH, OpenAIEmbedder, tokens_at_most
from askwell.testing.fake_openai import FakeOpenAI, Reply, json_reply
from askwell.testing.hashing_embedder import HashingEmbedder


def embedder(server: FakeOpenAI, **options: str) -> OpenAIEmbedder:
    return OpenAIEmbedder(url=server.url, model="m", sleep=lambda _: None, **options)  # type: ignore[arg-type]


def vectors(*rows: object) -> Reply:
    return json_reply({"data": list(rows)})


def test_no_texts_make_no_request() -> None:
    with FakeOpenAI() as server:
        assert len(embedder(server).embed_documents([])) == 0
        assert server.requests == []


def test_texts_are_sent_in_batches_and_come_back_in_order() -> None:
    texts = [f"text number {n}" for n in range(BATCH * 2 + 3)]
    with FakeOpenAI() as server:
        model = embedder(server)
        matrix = model.embed_documents(texts)
        model.close()
        sizes = [len(request.body["input"]) for request in server.requests]  # type: ignore[arg-type]
    assert sizes == [BATCH, BATCH, 3]
    np.testing.assert_allclose(matrix, HashingEmbedder().embed_documents(texts), atol=1e-6)


def test_vectors_are_put_in_order_by_their_index() -> None:
    with FakeOpenAI() as server:
        server.reply(vectors({"index": 1, "embedding": [0, 1]}, {"index": 0, "embedding": [1, 0]}))
        model = embedder(server)
        np.testing.assert_array_equal(model.embed_documents(["a", "b"]), [[1, 0], [0, 1]])
        model.close()


def test_a_server_may_leave_indexes_out_or_send_base64() -> None:
    packed = base64.b64encode(np.array([0, 1], "<f4").tobytes()).decode()
    with FakeOpenAI() as server:
        server.reply(vectors({"embedding": [1, 0]}, {"embedding": packed}))
        model = embedder(server)
        np.testing.assert_array_equal(model.embed_documents(["a", "b"]), [[1, 0], [0, 1]])
        model.close()


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [{"index": 0, "embedding": [1, 0]}],
        [{"index": 0, "embedding": [1, 0]}] * 2,
        [{"index": 0, "embedding": [1, 0]}, {"index": 2, "embedding": [1, 0]}],
        [{"index": 0, "embedding": [1, 0]}, {"index": 1, "embedding": [1, 0, 0]}],
        [{"index": 0, "embedding": [1, 0]}, {"index": 1, "embedding": None}],
        [{"index": 0, "embedding": [1, 0]}, {"index": 1, "embedding": "%%"}],
        [{"index": 0, "embedding": [1, 0]}, {"index": 1, "embedding": [0, 0]}],
        [[1, 0], [0, 1]],
    ],
)
def test_a_reply_that_is_not_a_vector_a_text_is_refused(rows: list[object]) -> None:
    with FakeOpenAI() as server:
        server.reply(vectors(*rows))
        model = embedder(server)
        with pytest.raises(ModelRefused, match=r"http://127\.0\.0\.1:\d+ "):
            model.embed_documents(["a", "b"])
        model.close()


def test_a_width_that_changes_is_refused() -> None:
    with FakeOpenAI() as server:
        server.reply(vectors({"embedding": [1, 0]}), vectors({"embedding": [1, 0, 0]}))
        model = embedder(server)
        model.embed_query("a")
        with pytest.raises(ModelRefused, match="2 expected"):
            model.embed_query("a")
        model.close()


def test_prefixes_are_sent_and_named_in_the_space() -> None:
    with FakeOpenAI() as server:
        model = embedder(server, query_prefix="q: ", document_prefix="d: ")
        model.embed_query("one")
        model.embed_documents(["two"])
        model.close()
        assert [request.body["input"] for request in server.requests] == [["q: one"], ["d: two"]]
        assert model.space != embedder(server).space


def test_a_question_waits_for_nobody() -> None:
    with FakeOpenAI() as server:
        server.reply(Reply(status=503))
        model = embedder(server)
        with pytest.raises(ModelUnavailable):
            model.embed_query("a")
        model.close()
        assert len(server.requests) == 1


def test_one_text_too_long_is_said_so() -> None:
    with FakeOpenAI() as server:
        server.refuse_over(3, counts=len)
        model = embedder(server)
        with pytest.raises(InputTooLong):
            model.embed_documents(["abc", "abcd"])
        model.close()


def test_the_estimate_stays_above_a_real_tokenizer() -> None:
    real = LocalEmbedder()
    for text in (
        "The mover stops after its time limit and leaves the files where they are.",
        "MOVER_STOP_TIMEOUT=600 ./mover_stop.sh --dry-run /mnt/user0/*.mkv",
        'run: "${{ env.A_0 }}==${{ env.B_0 }} && [[ $? -eq 0 ]] || { exit 0; }"\n    ' * 8,
        "备份与恢复测试。" * 30,
        "Die Sicherung läuft jede Nacht um drei Uhr, wenn niemand größere Dateien überträgt.",
        "Резервное копирование выполняется каждую ночь",
        "# " + "=" * 150,
        "d41d8cd98f00b204e9800998ecf8427e 3f786850e387550fdab836ed7e6dc881de23001b",
    ):
        assert real.count_tokens(text) <= tokens_at_most(text) <= len(text.encode())


def test_the_estimate_of_a_huge_text_is_quick() -> None:
    assert tokens_at_most("a" * 5_000_000) == 2_000_000
    assert tokens_at_most(" " * 5_000_000) == 1
