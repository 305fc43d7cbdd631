from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree

from askwell.server.pages.graph import MOST, neighbours_svg
from askwell.surroundings import surroundings
from askwell.testing.memory_store import MemoryStore
from askwell.testing.specimens import FULL_REQUEST, fill, item
from askwell.types import Edge, EdgeKind


def drawn(count: int, *, title: str = "") -> str:
    names = [f"n{number}.md" for number in range(count)]
    edges = [Edge(kind=EdgeKind.LINK, target=name, line=1) for name in names]
    items = [item("hub.md", "hub", edges=edges), *(item(name, name) for name in names)]
    if title:
        items = [(replace(d, title=title), chunks, edges) for d, chunks, edges in items]
    store = MemoryStore()
    fill(store, items)
    ids = {document.path: document.id for document, _, _ in items}
    with store.write() as writer:
        writer.set_targets({one.key: ids.get(one.edge.target) for one in store.edges()})
    found = surroundings(store, items[0][0].source, "hub.md", visible=FULL_REQUEST)
    assert found is not None
    return str(neighbours_svg(found))


def test_each_neighbour_is_a_link_and_those_beyond_the_drawing_are_counted() -> None:
    svg = drawn(MOST + 3)
    assert len(re.findall(r"<a href=", svg)) == MOST
    assert "and 3 more" in svg
    assert f"it points at {MOST + 3}" in svg


def test_a_document_alone_is_not_drawn() -> None:
    assert drawn(0) == ""


def test_a_title_cannot_leave_its_place() -> None:
    svg = drawn(2, title='</text><script>x</script>"\x07')
    ElementTree.fromstring(svg)
    assert "<script" not in svg
