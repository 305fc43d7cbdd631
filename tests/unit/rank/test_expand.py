from __future__ import annotations

from tests.unit.rank.make import hit

from askwell.ids import DocumentId
from askwell.rank.expand import SIBLINGS, neighbours, within_quota
from askwell.types import Arm

GRAPH = (Arm.GRAPH,)


def ids(*names: str) -> list[DocumentId]:
    return [DocumentId(name) for name in names]


def test_topic_notes_then_siblings_discounted() -> None:
    found = list(
        neighbours(
            [hit("a", 1.0)],
            topics={DocumentId("a"): ids("topic")},
            members={DocumentId("topic"): ids("a", "b")},
        )
    )
    assert [(one.document_id, one.score) for one in found] == [("topic", 0.7), ("b", 0.7)]


def test_one_hop_only() -> None:
    found = neighbours(
        [hit("a")],
        topics={DocumentId("a"): ids("topic"), DocumentId("topic"): ids("upper"), DocumentId("b"): ids("elsewhere")},
        members={DocumentId("topic"): ids("b"), DocumentId("elsewhere"): ids("c")},
    )
    assert {one.document_id for one in found} == {"topic", "b"}


def test_five_siblings_a_hit_and_no_document_twice_or_already_there() -> None:
    many = ids(*(f"s{n}" for n in range(20)))
    found = list(
        neighbours(
            [hit("a", 1.0), hit("s0", 0.9), hit("a2", 0.8, document="a")],
            topics={DocumentId("a"): ids("topic"), DocumentId("s0"): ids("topic")},
            members={DocumentId("topic"): [DocumentId("a"), *many]},
        )
    )
    names = [one.document_id for one in found]
    assert len(names) == len(set(names)) == 1 + 2 * SIBLINGS
    assert "s0" not in names


def test_linked_hits_take_two_of_eight_places() -> None:
    hits = [hit(f"g{n}", 1.0, arms=GRAPH) for n in range(5)] + [hit(f"d{n}", 0.5) for n in range(10)]
    kept, removed = within_quota(hits, k=8, quota=2)
    assert [one.chunk.id for one in kept] == ["g0", "g1", "d0", "d1", "d2", "d3", "d4", "d5"]
    assert {one.hit.chunk.id for one in removed} >= {"g2", "d6"}
    assert "linked" in next(one.by for one in removed if one.hit.chunk.id == "g2")


def test_linked_hits_fill_up_where_direct_ones_are_too_few() -> None:
    hits = [hit("d", 1.0)] + [hit(f"g{n}", 0.7, arms=GRAPH) for n in range(9)]
    kept, _ = within_quota(hits, k=8, quota=2)
    assert len(kept) == 8


def test_a_hit_that_an_arm_also_saw_is_no_linked_hit() -> None:
    hits = [hit(f"b{n}", arms=(Arm.LEXICAL, Arm.GRAPH)) for n in range(4)] + [hit(f"d{n}") for n in range(9)]
    kept, _ = within_quota(hits, k=8, quota=2)
    assert len([one for one in kept if one.chunk.id.startswith("b")]) == 4


def test_the_rest_says_where_it_ranked() -> None:
    _, removed = within_quota([hit("a"), hit("b")], k=1, quota=2)
    assert removed[0].by == "ranked 2, after the first 1"
