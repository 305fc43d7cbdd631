from __future__ import annotations

import numpy as np
import pytest

from askwell.errors import ConfigError, ModelRefused, ModelUnavailable
from askwell.models.failover import FailoverEmbedder, FailoverGenerator
from askwell.ports import Message
from askwell.testing.hashing_embedder import HashingEmbedder
from askwell.testing.scripted_generator import Script, ScriptedGenerator

ASKED = (Message("user", "which port?"),)
DOWN = Script(pieces=(), fails=ModelUnavailable("down"))


class Gone(HashingEmbedder):
    """An embedder that cannot be reached."""

    def embed_query(self, text: str) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
        raise ModelUnavailable("gone")

    def embed_documents(self, texts: object) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
        raise ModelUnavailable("gone")


def test_the_next_embedder_stands_in() -> None:
    both = FailoverEmbedder([Gone(), HashingEmbedder()])
    np.testing.assert_array_equal(both.embed_query("a"), HashingEmbedder().embed_query("a"))
    assert len(both.embed_documents(["a", "b"])) == 2


def test_nobody_left_is_unavailable() -> None:
    with pytest.raises(ModelUnavailable):
        FailoverEmbedder([Gone(), Gone()]).embed_documents(["a"])


def test_embedders_of_two_spaces_are_refused() -> None:
    with pytest.raises(ConfigError, match="hashing/d256, hashing/d64"):
        FailoverEmbedder([HashingEmbedder(), HashingEmbedder(dim=64)])
    with pytest.raises(ConfigError):
        FailoverEmbedder([])


def test_what_may_go_to_a_cloud_is_as_trusted_as_a_cloud() -> None:
    assert FailoverEmbedder([HashingEmbedder(), HashingEmbedder(trust="cloud")]).trust == "cloud"
    assert FailoverGenerator([ScriptedGenerator("a", trust="cloud"), ScriptedGenerator("b")]).trust == "cloud"
    assert FailoverEmbedder([HashingEmbedder(window=9), HashingEmbedder()]).max_tokens == 9


def test_the_next_model_answers_if_none_of_the_text_was_sent() -> None:
    second = ScriptedGenerator("Port 9117")
    answer = FailoverGenerator([ScriptedGenerator(DOWN), second]).stream(ASKED)
    assert "".join(answer) == "Port 9117"
    assert answer.usage.completion_tokens > 0
    assert second.asked == [ASKED]


def test_half_an_answer_is_not_continued_by_another_model() -> None:
    second = ScriptedGenerator("never")
    broken = ScriptedGenerator(Script(pieces=("Por",), fails=ModelUnavailable("broke off")))
    got: list[str] = []
    with pytest.raises(ModelUnavailable):
        got.extend(piece for piece in FailoverGenerator([broken, second]).stream(ASKED))
    assert second.asked == []


def test_a_refusal_is_not_handed_on() -> None:
    refusing = ScriptedGenerator(Script(pieces=(), fails=ModelRefused("no")))
    with pytest.raises(ModelRefused):
        list(FailoverGenerator([refusing, ScriptedGenerator("x")]).stream(ASKED))
    with pytest.raises(ConfigError):
        FailoverGenerator([])
