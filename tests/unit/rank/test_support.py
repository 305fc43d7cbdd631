from __future__ import annotations

import pytest
from tests.unit.rank.make import hit

from askwell.rank.support import supported


def test_a_document_that_matches_twice_overtakes_a_slightly_better_single_match() -> None:
    hits = [hit("lone", 1.0), hit("a", 0.95, document="doc"), hit("b", 0.9, document="doc")]
    ranked = supported(hits, share=0.1)
    assert [one.chunk.id for one in ranked] == ["a", "lone", "b"]
    assert ranked[0].score == pytest.approx(1.04)
    assert ranked[0].moves == ("+0.090 for more of its document",)


def test_only_the_next_two_speak_and_only_for_the_best() -> None:
    hits = [hit(str(n), 1.0, document="doc") for n in range(50)]
    ranked = supported(hits, share=0.1)
    assert ranked[0].score == pytest.approx(1.2)
    assert {one.score for one in ranked[1:]} == {1.0}


def test_no_share_changes_nothing() -> None:
    hits = (hit("a", 0.5, document="doc"), hit("b", 0.4, document="doc"))
    assert supported(hits, share=0.0) == hits
