"""Documents and edges enter whole, change whole and leave nothing behind."""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from typing import TYPE_CHECKING

from askwell.errors import IndexLocked, StoreError
from askwell.ids import DocumentId, fingerprint
from askwell.ports import Fault
from askwell.testing.specimens import FULL_REQUEST, OPEN, OPEN_REQUEST, PERSONAL, fill, item, paths
from askwell.testing.store_suite.asking import ask, unit
from askwell.types import Edge, EdgeKind, FileStat, Filter, Kind, Lines, Metadata, SourceType

if TYPE_CHECKING:
    from collections.abc import Callable

    from askwell.ports import Store


def a_document_comes_back_as_it_was_put(store: Store) -> None:
    """Every field of documents, chunks and edges survives."""
    metadata = Metadata(
        aliases=("Ærø", "b"),
        tags=("x/Y",),
        permalink="p",
        created="2024-01-02",
        updated="2024-02-03T04:05",
        sensitivity="Personal",
        sensitivity_fault=True,
    )
    edge = Edge(kind=EdgeKind.LINK, target="Folder/Note", fragment="^id", alias="shown", line=3)
    document, chunks, edges = item(
        "d/ö.md",
        "one\n\ntwo\nlines\n\none",
        kind=Kind.NOTE,
        section="Üse",
        metadata=metadata,
        edges=[edge],
        lead="| a | b |",
    )
    document = replace(
        document,
        stat=FileStat(1, 2, 3, (1 << 64) - 1),
        anchors={"^id": Lines(1, 2), "use": Lines(3, 3)},
        defines=("SETTING", "Å"),
    )
    fill(store, [(document, chunks, edges)])
    assert store.document("notes", "d/ö.md", visible=OPEN_REQUEST) == document
    assert store.document_by_id(document.id, visible=OPEN_REQUEST) == document
    assert store.document_chunks(document.id, visible=OPEN_REQUEST) == chunks
    info = store.documents(visible=OPEN_REQUEST)[0]
    assert (info.id, info.title, info.kind, info.metadata, info.chunks, info.lines, info.format) == (
        document.id,
        "ö",
        Kind.NOTE,
        metadata,
        3,
        6,
        "text",
    )
    assert info.indexed_at.endswith("+00:00")
    hits = store.hits([chunks[2].id, fingerprint("no such"), chunks[0].id], visible=OPEN_REQUEST)  # type: ignore[list-item]  # an id that nothing has
    assert list(hits) == [chunks[2].id, chunks[0].id]
    assert hits[chunks[0].id] == (chunks[0], info)
    assert [one.edge for one in store.edges()] == [edge]
    state = store.states()[document.id]
    assert (state.content, state.change_key, state.stat, state.class_) == (
        document.content,
        document.change_key,
        document.stat,
        OPEN,
    )
    assert (state.sensitivity, state.sensitivity_fault) == ("Personal", True)
    name = next(iter(store.names()))
    assert (name.id, name.aliases, name.permalink, name.defines) == (document.id, ("Ærø", "b"), "p", ("SETTING", "Å"))


def replacing_a_document_leaves_nothing_of_the_old(store: Store) -> None:
    """After a new version is put, the old text, vectors' rows, tags and edges are gone; the rest stays."""
    old = item(
        "a.md",
        "kept line\n\nosprey here",
        metadata=Metadata(tags=("old",)),
        edges=[Edge(kind=EdgeKind.LINK, target="old")],
    )
    fill(store, [old, item("b.md", "other")], vectors={"kept line": unit(1, 0), "osprey here": unit(0, 1)})
    new = item("a.md", "a line before\n\nkept line\n\nkestrel here", edges=[Edge(kind=EdgeKind.LINK, target="new")])
    fill(store, [new])
    assert ask(store, "osprey") == []
    assert ask(store, "kestrel") == ["a.md"]
    assert ask(store, "kept") == ["a.md"]
    assert store.document_chunks(new[0].id, visible=OPEN_REQUEST) == new[1]
    assert [id for id, _ in store.search_vector(unit(0, 1), k=9, visible=OPEN_REQUEST)] == [new[1][1].id]
    assert [edge.edge.target for edge in store.edges()] == ["new"]
    assert not store.documents(visible=Filter(classes=frozenset({OPEN}), tags=frozenset({"old"})))
    assert len(store.states()) == 2


def a_batch_is_put_whole_or_not_at_all(store: Store) -> None:
    """An item that cannot be stored takes the others of its batch with it, and the old versions stand."""
    fill(store, [item("a.md", "dipper")])
    chunk = item("b.md", "x")[1][0]
    for bad in (item("b.md", "x", source="never put"), (*item("b.md", "x")[:1], (chunk, chunk), ())):
        with store.write() as writer:
            try:
                writer.put_documents([item("a.md", "linnet"), bad])
            except StoreError:
                writer.set_note("after", "the writer goes on")
            else:
                raise AssertionError("a bad item was stored")
        assert ask(store, "dipper") == ["a.md"]
        assert ask(store, "linnet") == []
        assert len(store.states()) == 1
        assert store.note("after")


def a_removed_document_is_gone_everywhere(store: Store) -> None:
    """No arm, read, count or edge knows it; edges to it are unresolved."""
    gone = item("gone.md", "siskin", edges=[Edge(kind=EdgeKind.LINK, target="stays")])
    stays = item("stays.md", "redpoll", edges=[Edge(kind=EdgeKind.LINK, target="gone")])
    fill(store, [stays, gone], vectors={"siskin": unit(1, 0), "redpoll": unit(0, 1)})
    with store.write() as writer:
        writer.set_targets({one.key: (gone if one.edge.target == "gone" else stays)[0].id for one in store.edges()})
        writer.remove_documents([gone[0].id, DocumentId("unknown")])
    assert ask(store, "siskin") == []
    assert paths(store, store.search_vector(unit(1, 0), k=9, visible=OPEN_REQUEST)) == ["stays.md"]
    assert store.document("notes", "gone.md", visible=OPEN_REQUEST) is None
    assert store.document_chunks(gone[0].id, visible=OPEN_REQUEST) == ()
    assert store.frequencies(["siskin"], visible=OPEN_REQUEST) == ({"siskin": 0}, 1)
    assert [(one.origin, one.target) for one in store.edges()] == [(stays[0].id, None)]
    fill(store, [item("new.md", "finch")])
    assert [(one.edge.target, one.target) for one in store.edges()] == [("gone", None)]
    assert [one.edge.target for one in store.unresolved(visible=OPEN_REQUEST)] == ["gone"]


def edges_go_both_ways_and_hide_what_is_hidden(store: Store) -> None:
    """An invisible target reads as unresolved, an invisible origin is not there, a tag is no broken link."""
    link, topic = Edge(kind=EdgeKind.LINK, target="t", line=2), Edge(kind=EdgeKind.TOPIC, target="t")
    secret, tag = Edge(kind=EdgeKind.LINK, target="secret"), Edge(kind=EdgeKind.TAG, target="#tag")
    origin = item("o.md", "1", edges=[link, secret, topic, tag, Edge(kind=EdgeKind.MENTION, target="NOWHERE")])
    target, hidden = item("t.md", "2"), item("secret.md", "3", class_=PERSONAL, edges=[link])
    fill(store, [origin, target, hidden])
    ids: dict[str, DocumentId | None] = {"t": target[0].id, "secret": hidden[0].id}
    with store.write() as writer:
        writer.set_targets({one.key: ids.get(one.edge.target) for one in store.edges()} | {987654: target[0].id})
    full = store.edges_from([origin[0].id], visible=FULL_REQUEST)
    assert [(one.edge.target, one.target) for one in full[:3]] == [
        ("t", target[0].id),
        ("secret", hidden[0].id),
        ("t", target[0].id),
    ]
    seen = store.edges_from([origin[0].id, hidden[0].id], visible=OPEN_REQUEST)
    assert [one.edge for one in seen] == list(origin[2])
    assert [one.target for one in seen] == [target[0].id, None, target[0].id, None, None]
    assert {one.origin for one in store.edges_to([target[0].id], visible=FULL_REQUEST)} == {origin[0].id, hidden[0].id}
    back = store.edges_to([target[0].id], visible=OPEN_REQUEST, kinds=(EdgeKind.TOPIC,))
    assert [(one.origin, one.edge) for one in back] == [(origin[0].id, topic)]
    assert store.edges_to([hidden[0].id], visible=OPEN_REQUEST) == ()
    assert [one.edge for one in store.unresolved(visible=OPEN_REQUEST)] == [secret]
    assert store.unresolved(visible=FULL_REQUEST) == ()
    with store.write() as writer:
        writer.set_targets({one.key: DocumentId("unknown") for one in store.edges()})
    assert all(one.target is None for one in store.edges())


def stamps_change_without_reading(store: Store) -> None:
    """A stamp is replaced, or forgotten so that the file is read again."""
    one, two = item("1.md", "a"), item("2.md", "b")
    fill(store, [one, two])
    stat = FileStat(9, 8, 7, 6)
    with store.write() as writer:
        writer.refresh(stats={one[0].id: stat, two[0].id: None, DocumentId("unknown"): stat})
    assert store.states()[one[0].id].stat == stat
    assert store.states()[two[0].id].stat is None
    assert store.document_by_id(two[0].id, visible=OPEN_REQUEST) == replace(two[0], stat=None)


def pruning_drops_sources_that_nobody_configures(store: Store) -> None:
    """An empty source stays if this run put it; one that was not put stays while it has documents."""
    fill(store, [item("a.md", "1", source="kept"), item("b.md", "2", source="left")])
    with store.write() as writer:
        writer.put_source("empty", SourceType.VAULT, "/e")
        writer.put_faults("left", [Fault(source="left", path="x", reason="r", status="failed", class_=OPEN)])
        writer.remove_documents([item("b.md", "2", source="left")[0].id])
        writer.prune()
    assert [one.name for one in store.sources(visible=OPEN_REQUEST)] == ["empty", "kept"]
    assert store.faults(visible=FULL_REQUEST) == ()


def a_path_is_found_composed_or_as_spelt(store: Store) -> None:
    """NFC and NFD spellings of a path name the same document."""
    fill(store, [item("Ordner/Übung.md", "text")])
    for form in ("NFC", "NFD"):
        found = store.document("notes", unicodedata.normalize(form, "Ordner/Übung.md"), visible=OPEN_REQUEST)
        assert found is not None
        assert found.path == "Ordner/Übung.md"
    assert store.document("other", "Ordner/Übung.md", visible=OPEN_REQUEST) is None
    assert store.document("notes", "Ordner/Übung.md", visible=Filter(classes=frozenset({PERSONAL}))) is None


def a_second_writer_is_told_who_writes(store: Store) -> None:
    """While one writes, another is refused; afterwards it may; readers go on all the time."""
    fill(store, [item("a.md", "ouzel")])
    with store.write() as writer:
        writer.put_document(*item("b.md", "ouzel"))
        assert len(ask(store, "ouzel")) == 2
        try:
            with store.write():
                raise AssertionError("two writers")
        except IndexLocked as error:
            assert "pid" in str(error)
            assert "since" in str(error)
            assert error.hint
    with store.write() as writer:
        writer.set_note("k", "v")
    assert store.note("k") == "v"
    assert store.note("unknown") == ""


CLAIMS: tuple[Callable[[Store], None], ...] = (
    a_document_comes_back_as_it_was_put,
    replacing_a_document_leaves_nothing_of_the_old,
    a_batch_is_put_whole_or_not_at_all,
    a_removed_document_is_gone_everywhere,
    edges_go_both_ways_and_hide_what_is_hidden,
    stamps_change_without_reading,
    pruning_drops_sources_that_nobody_configures,
    a_path_is_found_composed_or_as_spelt,
    a_second_writer_is_told_who_writes,
)
