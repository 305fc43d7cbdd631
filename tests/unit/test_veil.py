from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.rank.index import doc, fill, link, made

from askwell.ids import DocumentId
from askwell.ports import ResolvedEdge
from askwell.testing.memory_store import MemoryStore
from askwell.types import Edge, EdgeKind, Filter, PrivacyClass
from askwell.veil import VeiledStore, hidden_targets, veiled

HERE = DocumentId("here")


@pytest.mark.parametrize(
    ("line", "target", "shown"),
    [
        ("see [[Cellar/wine]].", "Cellar/wine", "see [[•••••••••••]]."),
        ("see [[Cellar/wine|the good one]]", "Cellar/wine", "see [[•••••••••••|the good one]]"),
        ("see [[Cellar/wine#Red]]", "Cellar/wine", "see [[•••••••••••••••]]"),
        ("![[Cellar/wine]]", "Cellar/wine", "![[•••••••••••]]"),
        ("[red](Cellar/red%20wine.md#x)", "Cellar/red wine.md", "[red](••••••••••••••••••••••)"),
        ("[red](<Cellar/red wine.md>)", "Cellar/red wine.md", "[red](••••••••••••••••••••)"),
        ("[[open]] and [[Cellar/wine]]", "Cellar/wine", "[[open]] and [[•••••••••••]]"),
        ("wine is not a link", "wine", "wine is not a link"),
        ('related: "[[Cellar/wine]]"', "Cellar/wine", 'related: "[[•••••••••••]]"'),
        ("[w]: Cellar/wine.md", "Cellar/wine.md", "[w]: ••••••••••••••"),
        ('<a href="Cellar/wine.md">red</a>', "", '<a href="••••••••••••••">red</a>'),
        ('<a href="https://example.org/wine">red</a>', "", '<a href="https://example.org/wine">red</a>'),
        ("(obsidian://open?file=wine)", "", "(•••••••••••••••••••••••••)"),
    ],
)
def test_a_hidden_target_is_covered_letter_for_letter(line: str, target: str, shown: str) -> None:
    assert veiled(line, {1: {target}}) == shown


def test_what_is_written_like_a_link_to_it_is_covered_wherever_it_stands() -> None:
    assert veiled("[[a]] a\n`[[a]]` [[b]]", {8: {"a"}}) == "[[•]] a\n`[[•]]` [[b]]"


def test_a_link_that_leads_somewhere_visible_stays() -> None:
    def edge(target: str, leads: DocumentId | None, kind: EdgeKind = EdgeKind.LINK) -> ResolvedEdge:
        return ResolvedEdge(edge=Edge(kind=kind, target=target, line=3), origin=HERE, target=leads)

    hidden = hidden_targets(
        [edge("seen", DocumentId("x")), edge("unseen", None), edge("SETTING", None, EdgeKind.MENTION)]
    )
    assert hidden == {3: {"unseen"}}


@given(st.text(alphabet="ab[]()|#<> \n", max_size=80), st.sampled_from(["a", "b", "ab"]))
def test_no_place_moves(text: str, target: str) -> None:
    lines = text.count("\n") + 1
    after = veiled(text, {line: {target} for line in range(1, lines + 1)})
    assert len(after) == len(text)
    assert [at for at, char in enumerate(after) if char == "\n"] == [at for at, char in enumerate(text) if char == "\n"]


def test_what_a_chunk_repeats_from_elsewhere_is_veiled_like_its_text() -> None:
    """A table's header row is repeated with every later piece of the table, and may hold a link."""
    store = MemoryStore()
    note = doc("open.md", "| [[clinic]] | day |", edges=(link(EdgeKind.LINK, "clinic.md"),))
    fill(store, [note, doc("clinic.md", "where I went", personal=True)])
    document, (chunk,) = made(note)
    edges = (Edge(kind=EdgeKind.LINK, target="clinic", line=1),)
    with store.write() as writer:
        writer.put_document(document, [replace(chunk, text="| x | Monday |", lead="| [[clinic]] | day |")], edges)
    veiled_store = VeiledStore(store)
    for classes, shown in (({PrivacyClass.OPEN}, "| [[••••••]] | day |"), (set(PrivacyClass), "| [[clinic]] | day |")):
        (found,) = veiled_store.document_chunks(document.id, visible=Filter(classes=frozenset(classes)))
        assert found.lead == shown
