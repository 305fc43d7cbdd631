"""Whether a question is covered is decided by evidence with a meaning of its own, never by a fused score."""

from __future__ import annotations

import pytest
from tests.unit.rank.index import doc, fill

from askwell.rank.gate import LEXICAL_ONLY, shipped, uncovered
from askwell.retrieve import RetrievalSettings, retrieve
from askwell.testing.hashing_embedder import HashingEmbedder
from askwell.testing.memory_store import MemoryStore
from askwell.types import Filter, PrivacyClass, Ranking

OPEN = Filter(classes=frozenset({PrivacyClass.OPEN}))


def asked(question: str, *, vectors: bool) -> Ranking:
    embedder = HashingEmbedder() if vectors else None
    store = MemoryStore()
    buses = [
        doc(f"bus{n}.md", f"Which is which: the bus to stop {n} leaves at 1{n}:20 and it is my favourite ride.")
        for n in range(8)
    ]
    fill(store, [*buses, doc("flower.md", "My favourite flower is the lupin.")], embedder=embedder)
    return retrieve(
        question,
        store=store,
        embedder=embedder,
        visible=OPEN,
        settings=RetrievalSettings(),
        clock=lambda: 0.0,
    )


def refused(ranking: Ranking, *, vectors: bool) -> str | None:
    space = HashingEmbedder().space if vectors else LEXICAL_ONLY
    return uncovered(ranking.signals, shipped(space), space=space)


@pytest.mark.parametrize("vectors", [True, False])
@pytest.mark.parametrize("question", ["which is my favourite flower?", "lupin"])
def test_what_a_note_says_is_covered_and_comes_first(question: str, vectors: bool) -> None:
    ranking = asked(question, vectors=vectors)
    assert ranking.hits[0].path == "flower.md"
    assert refused(ranking, vectors=vectors) is None


@pytest.mark.parametrize("vectors", [True, False])
@pytest.mark.parametrize(
    "question", ["what is the top speed of a tired otter?", "xqzw plmk vbnt", "the of and is which my"]
)
def test_what_no_note_speaks_of_is_not_covered_however_high_it_was_fused(question: str, vectors: bool) -> None:
    ranking = asked(question, vectors=vectors)
    assert refused(ranking, vectors=vectors)


def test_a_hopeless_question_is_fused_as_high_as_a_good_one() -> None:
    good = asked("which is my favourite flower?", vectors=True).hits[0].score
    hopeless = asked("which of the ride is which otter", vectors=True).hits[0].score
    assert hopeless >= 0.9 * good
