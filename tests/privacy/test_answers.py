"""An open request learns nothing of personal documents from an answer, whatever else is nearer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.unit.ask.made import hits_of, ranking, store_of

from askwell.answer import AnswerSettings, final, stream_answer
from askwell.testing.hashing_embedder import HashingEmbedder
from askwell.testing.scripted_generator import ScriptedGenerator
from askwell.testing.specimens import FULL_REQUEST, OPEN_REQUEST, PERSONAL, item
from askwell.types import Abstention, Answer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askwell.ports import Matrix, Vector

SECRETS = [
    item(
        f"diary/canary{n}.md",
        f"# Canary{n}\n\nCANARY_SECRET_{n}=1 is the key of the safe",
        class_=PERSONAL,
        title=f"Canary{n}",
    )
    for n in range(12)
]
OPEN = [
    item("safe.md", "the safe stands in the cellar", title="Safe"),
    item("key ring.md", "the key ring hangs at the door", title="Key ring"),
]
QUESTION = "where is the key of the safe"


@pytest.mark.parametrize("refused", [None, "too weak"])
@pytest.mark.parametrize("reply", [None, "It is in the cellar [1].", "NO_ANSWER: nothing"])
def test_nothing_personal_reaches_an_open_answer(refused: str | None, reply: str | None) -> None:
    script = None if reply is None else ScriptedGenerator(reply)
    outcome = final(
        stream_answer(
            QUESTION,
            ranking=ranking(QUESTION, hits_of(OPEN)),
            refused=refused,
            store=store_of([*SECRETS, *OPEN]),
            visible=OPEN_REQUEST,
            generator=script,
            embedder=None,
            settings=AnswerSettings(),
        )
    )
    assert "anary" not in repr(outcome).lower()
    assert script is None or "anary" not in repr(script.asked).lower()
    if isinstance(outcome, Abstention):
        assert len(outcome.suggestions) == 2


def test_hits_that_are_personal_by_now_are_dropped() -> None:
    stale = ranking(QUESTION, hits_of([*SECRETS, *OPEN]))
    script = ScriptedGenerator("It is in the cellar [1].")
    for refused, generator in ((None, script), (None, None), ("too weak", None)):
        outcome = final(
            stream_answer(
                QUESTION,
                ranking=stale,
                refused=refused,
                store=store_of([*SECRETS, *OPEN]),
                visible=OPEN_REQUEST,
                generator=generator,
                embedder=None,
                settings=AnswerSettings(),
            )
        )
        if isinstance(outcome, Abstention):
            assert "anary" not in repr((outcome.nearest, outcome.suggestions, outcome.text)).lower()
            assert [hit.path for hit in outcome.nearest] == ["safe.md", "key ring.md"]
        else:
            assert "anary" not in repr((outcome.text, outcome.citations, script.asked)).lower()
            assert outcome.citations


def test_a_full_request_sees_them() -> None:
    outcome = final(
        stream_answer(
            QUESTION,
            ranking=ranking(QUESTION, hits_of(SECRETS)),
            refused=None,
            store=store_of(SECRETS),
            visible=FULL_REQUEST,
            generator=None,
            embedder=None,
            settings=AnswerSettings(),
        )
    )
    assert isinstance(outcome, Answer)
    assert "CANARY_SECRET" in outcome.text


class Listening(HashingEmbedder):
    """An embedder elsewhere that remembers what it was given."""

    def __init__(self) -> None:
        super().__init__(trust="cloud")
        self.given: list[str] = []

    def embed_query(self, text: str) -> Vector:
        self.given.append(text)
        return super().embed_query(text)

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        self.given += texts
        return super().embed_documents(texts)


@pytest.mark.parametrize("reply", [None, "It is in the cellar [1]. It hangs at the door [2]."])
@pytest.mark.parametrize(("allowed", "open_only"), [(False, False), (False, True), (True, False)])
def test_an_embedder_elsewhere_reads_nothing_personal_unless_it_may(
    reply: str | None, allowed: bool, open_only: bool
) -> None:
    """Choosing and checking sentences gives it their text, which the index run has held back from it."""
    embedder = Listening()
    documents = OPEN if open_only else [*SECRETS, *OPEN]
    final(
        stream_answer(
            QUESTION,
            ranking=ranking(QUESTION, hits_of(documents)),
            refused=None,
            store=store_of([*SECRETS, *OPEN]),
            visible=OPEN_REQUEST if open_only else FULL_REQUEST,
            generator=None if reply is None else ScriptedGenerator(reply),
            embedder=embedder,
            settings=AnswerSettings(allow_cloud=allowed),
        )
    )
    if reply is None:  # a model's sentences may be decided by their words alone
        assert bool(embedder.given) is (allowed or open_only)
    if not allowed:
        assert not [text for text in embedder.given if "CANARY" in text]
        assert open_only or embedder.given == []
