from __future__ import annotations

from tests.unit.rank.index import doc, fill

from askwell.eval.arms import by_arm
from askwell.eval.questions import Question
from askwell.testing.hashing_embedder import HashingEmbedder
from askwell.testing.memory_store import MemoryStore
from askwell.types import Arm, Filter, PrivacyClass

OPEN = Filter(classes=frozenset({PrivacyClass.OPEN}))
HERON = Question(id="h", question="heron", gold_docs=("heron.md",))
LOST = Question(id="l", question="zebra", gold_docs=("gone.md",))


def test_each_arm_is_scored_by_what_it_finds_itself() -> None:
    store, embedder = MemoryStore(), HashingEmbedder()
    documents = [doc("heron.md", "the heron wades"), doc("disk.md", "a disk spins")]
    fill(store, documents, embedder=embedder)
    found = by_arm([HERON, LOST], store=store, embedder=embedder, visible=OPEN, depth=10, clock=lambda: 0.0)
    assert set(found) == {Arm.LEXICAL, Arm.VECTOR}
    lexical, vector = found[Arm.LEXICAL], found[Arm.VECTOR]
    assert [row.found for row in lexical.rows] == [1, 0]
    assert len(lexical.rows[0].ranked) == 1
    assert len(vector.rows[0].ranked) == len(documents)
    assert lexical.recall(1) == 0.5


def test_without_vectors_there_is_one_arm() -> None:
    store = MemoryStore()
    fill(store, [doc("heron.md", "the heron wades")])
    assert set(by_arm([HERON], store=store, embedder=None, visible=OPEN, depth=10, clock=lambda: 0.0)) == {Arm.LEXICAL}
