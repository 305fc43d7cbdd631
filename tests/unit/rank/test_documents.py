from __future__ import annotations

import pytest
from tests.unit.rank.make import hit

from askwell.ids import ChunkId
from askwell.rank.documents import with_documents
from askwell.types import Arm


def test_a_document_that_both_arms_see_in_different_chunks_passes_one_that_has_a_little_of_each() -> None:
    hits = [hit("other", 0.6), hit("words", 0.5, document="page"), hit("meaning", 0.4, document="page")]
    parts = {
        ChunkId("other"): {Arm.LEXICAL: 0.3, Arm.VECTOR: 0.3},
        ChunkId("words"): {Arm.LEXICAL: 0.5},
        ChunkId("meaning"): {Arm.VECTOR: 0.4},
    }
    found = with_documents(hits, parts, share=0.5)
    assert [one.chunk.id for one in found] == ["words", "meaning", "other"]
    assert [one.score for one in found] == pytest.approx([0.7, 0.65, 0.6])
    assert [bool(one.moves) for one in found] == [True, True, False]


def test_the_best_of_an_arm_counts_once() -> None:
    hits = [hit("a", 0.5, document="page"), hit("b", 0.4, document="page"), hit("c", 0.3, document="page")]
    parts = {ChunkId(name): {Arm.LEXICAL: score} for name, score in (("a", 0.5), ("b", 0.4), ("c", 0.3))}
    assert [one.score for one in with_documents(hits, parts, share=1.0)] == pytest.approx([0.5, 0.5, 0.5])


def test_no_share_changes_nothing() -> None:
    hits = (hit("a", 0.5, document="page"), hit("b", 0.4, document="page"))
    assert with_documents(hits, {ChunkId("a"): {Arm.LEXICAL: 0.5}, ChunkId("b"): {Arm.VECTOR: 0.4}}, share=0) == hits
