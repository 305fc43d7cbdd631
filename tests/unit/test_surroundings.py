from __future__ import annotations

from askwell.surroundings import surroundings, topics
from askwell.testing.memory_store import MemoryStore
from askwell.testing.specimens import FULL_REQUEST, OPEN_REQUEST, PERSONAL, Item, fill, item
from askwell.types import Edge, EdgeKind
from askwell.veil import VeiledStore


def linked(*items: Item) -> VeiledStore:
    """Return a veiled store in which a target is the path of a document, if there is one."""
    store = MemoryStore()
    fill(store, items)
    ids = {document.path: document.id for document, _, _ in items}
    with store.write() as writer:
        writer.set_targets({one.key: ids.get(one.edge.target) for one in store.edges()})
    return VeiledStore(store)


def link(target: str, line: int, kind: EdgeKind = EdgeKind.LINK) -> Edge:
    return Edge(kind=kind, target=target, line=line)


HIVE = item(
    "hive.md",
    "# Hive\nsee bees, twice, and nothing",
    edges=[
        link("bees.md", 9),
        link("bees.md", 2),
        link("diary.md", 3),
        link("nowhere.md", 4),
        link("hive.md", 5),
        link("#bees", 6, EdgeKind.TAG),
    ],
)
BEES = item("bees.md", "# Bees\nhives", edges=[link("hive.md", 2)])
DIARY = item("diary.md", "about the hive", class_=PERSONAL, edges=[link("hive.md", 1)])
TOPIC = item("topic.md", "hive and diary", edges=[link(p, 1, EdgeKind.TOPIC) for p in ("hive.md", "diary.md")])
STORE = linked(HIVE, BEES, DIARY, TOPIC)
SOURCE = HIVE[0].source


def around(path: str, visible: object = FULL_REQUEST) -> list[tuple[str, str, int]]:
    found = surroundings(STORE, SOURCE, path, visible=visible)  # type: ignore[arg-type]  # a filter
    assert found is not None
    return [(n.info.path, "to" if n.outgoing else "from", n.line) for n in found.neighbours]


def test_a_neighbour_is_told_once_a_direction_at_its_first_line_and_a_document_is_not_its_own() -> None:
    assert around("hive.md") == [
        ("bees.md", "to", 2),
        ("diary.md", "to", 3),
        ("bees.md", "from", 2),
        ("diary.md", "from", 1),
        ("topic.md", "from", 1),
    ]


def test_what_links_to_nothing_and_tags_are_told_apart() -> None:
    found = surroundings(STORE, SOURCE, "hive.md", visible=FULL_REQUEST)
    assert found is not None
    assert found.unresolved == ("nowhere.md",)
    assert found.tags == ("bees",)
    assert not found.cut


def test_an_open_request_sees_neither_a_personal_neighbour_nor_its_name() -> None:
    found = surroundings(STORE, SOURCE, "hive.md", visible=OPEN_REQUEST)
    assert found is not None
    assert "diary" not in repr(found.neighbours)
    assert not any("diary" in target for target in found.unresolved)


def test_a_personal_document_does_not_exist_for_an_open_request() -> None:
    assert surroundings(STORE, SOURCE, "diary.md", visible=OPEN_REQUEST) is None
    assert surroundings(STORE, SOURCE, "none.md", visible=OPEN_REQUEST) is None


def test_topics_count_the_members_that_may_be_seen() -> None:
    assert [(t.info.path, t.members) for t in topics(STORE, visible=FULL_REQUEST)] == [("topic.md", 2)]
    assert [(t.info.path, t.members) for t in topics(STORE, visible=OPEN_REQUEST)] == [("topic.md", 1)]


def test_what_is_written_in_a_link_leads_only_to_what_may_be_seen() -> None:
    found = surroundings(STORE, SOURCE, "hive.md", visible=FULL_REQUEST)
    narrowed = surroundings(STORE, SOURCE, "hive.md", visible=OPEN_REQUEST)
    assert found is not None and narrowed is not None
    assert {written: info.path for written, info in found.pointing.items()} == {
        "bees.md": "bees.md",
        "diary.md": "diary.md",
        "hive.md": "hive.md",
    }
    assert set(narrowed.pointing) == {"bees.md", "hive.md"}
