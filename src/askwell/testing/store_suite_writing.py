"""What every `Store` promises about changing it: see `store_suite`."""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from askwell.errors import IndexLocked, StoreError
from askwell.ids import DocumentId, fingerprint
from askwell.ports import Fault, LexicalQuery
from askwell.terms import query_terms
from askwell.testing.specimens import FULL_REQUEST, OPEN, OPEN_REQUEST, PERSONAL, Item, embed, fill, item, paths
from askwell.types import Edge, EdgeKind, FileStat, Filter, Kind, Lines, Metadata, SourceType

if TYPE_CHECKING:
    from collections.abc import Callable

    from askwell.ports import Store, Vector
    from askwell.types import PrivacyClass


def _found(store: Store, question: str, visible: Filter = OPEN_REQUEST) -> list[str]:
    return paths(store, store.search_lexical(LexicalQuery(terms=query_terms(question)), k=50, visible=visible))


def _vector(*numbers: float) -> Vector:
    made = np.array(numbers, dtype=np.float32)
    return made / np.linalg.norm(made)


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
    fill(store, [old, item("b.md", "other")], vectors={"kept line": _vector(1, 0), "osprey here": _vector(0, 1)})
    new = item("a.md", "a line before\n\nkept line\n\nkestrel here", edges=[Edge(kind=EdgeKind.LINK, target="new")])
    fill(store, [new])
    assert _found(store, "osprey") == []
    assert _found(store, "kestrel") == ["a.md"]
    assert _found(store, "kept") == ["a.md"]
    assert store.document_chunks(new[0].id, visible=OPEN_REQUEST) == new[1]
    assert [id for id, _ in store.search_vector(_vector(0, 1), k=9, visible=OPEN_REQUEST)] == [new[1][1].id]
    assert [edge.edge.target for edge in store.edges()] == ["new"]
    assert not store.documents(visible=Filter(classes=frozenset({OPEN}), tags=frozenset({"old"})))
    assert len(store.states()) == 2


def a_batch_is_put_whole_or_not_at_all(store: Store) -> None:
    """An item that cannot be stored takes the others of its batch with it, and the old versions stand."""
    fill(store, [item("a.md", "dipper")])
    chunk = item("b.md", "x")[1][0]
    for bad in (item("b.md", "x", source="never put"), (*item("b.md", "x")[:1], (chunk, chunk), ())):
        try:
            with store.write() as writer:
                writer.put_documents([item("a.md", "linnet"), bad])
        except StoreError:
            pass
        else:
            raise AssertionError("a bad item was stored")
        assert _found(store, "dipper") == ["a.md"]
        assert _found(store, "linnet") == []
        assert len(store.states()) == 1


def a_removed_document_is_gone_everywhere(store: Store) -> None:
    """No arm, read, count or edge knows it; edges to it are unresolved."""
    gone = item("gone.md", "siskin", edges=[Edge(kind=EdgeKind.LINK, target="stays")])
    stays = item("stays.md", "redpoll", edges=[Edge(kind=EdgeKind.LINK, target="gone")])
    fill(store, [gone, stays], vectors={"siskin": _vector(1, 0), "redpoll": _vector(0, 1)})
    with store.write() as writer:
        writer.set_targets({one.key: (gone if one.edge.target == "gone" else stays)[0].id for one in store.edges()})
        writer.remove_documents([gone[0].id, DocumentId("unknown")])
    assert _found(store, "siskin") == []
    assert paths(store, store.search_vector(_vector(1, 0), k=9, visible=OPEN_REQUEST)) == ["stays.md"]
    assert store.document("notes", "gone.md", visible=OPEN_REQUEST) is None
    assert store.document_chunks(gone[0].id, visible=OPEN_REQUEST) == ()
    assert store.frequencies(["siskin"], visible=OPEN_REQUEST) == ({"siskin": 0}, 1)
    assert [(one.origin, one.target) for one in store.edges()] == [(stays[0].id, None)]
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


def counts_and_faults_are_of_the_class(store: Store) -> None:
    """Documents, chunks, failures and skips are counted within what may be seen; reasons too."""
    fill(store, [item("a.md", "1\n\n2"), item("p.md", "3", class_=PERSONAL), item("z.md", "4", source="other")])
    faults = [
        Fault(source="notes", path="bad.md", reason="broken", status="failed", class_=OPEN),
        Fault(source="notes", path="diary/bad.md", reason="hush", status="failed", class_=PERSONAL),
        Fault(source="notes", path="big.bin", reason="binary", status="skipped", class_=OPEN),
    ]
    with store.write() as writer:
        writer.put_faults("notes", faults)
        writer.put_faults("other", [replace(faults[0], source="other")])
        writer.put_faults("other", [])
        writer.finish_run("notes", at="2024-01-01T00:00:00+00:00")
    notes, other = store.sources(visible=OPEN_REQUEST)
    assert (notes.name, notes.type, notes.root, notes.last_run) == (
        "notes",
        SourceType.FOLDER,
        "/notes",
        "2024-01-01T00:00:00+00:00",
    )
    assert (notes.documents, notes.chunks, notes.failed, notes.skipped) == (1, 2, 1, 1)
    assert (other.documents, other.failed, other.last_run) == (1, 0, "")
    full = store.sources(visible=Filter(classes=FULL_REQUEST.classes, sources=frozenset({"notes"})))
    assert [(one.documents, one.chunks, one.failed) for one in full] == [(2, 3, 2)]
    assert store.faults(visible=OPEN_REQUEST) == (faults[0], faults[2])
    assert store.faults(visible=Filter(classes=FULL_REQUEST.classes, paths=("diary/**",))) == (faults[1],)


def same_text_lists_only_what_is_visible(store: Store) -> None:
    """Chunks of equal stripped text are named to each other, those of other classes and sources are not."""
    same = [item(f"{n}.md", f"{'  ' * n}merlin{' ' * n}") for n in range(3)]
    hidden = item("p.md", "merlin", class_=PERSONAL)
    fill(store, [*same, hidden, item("x.md", "merlin too")])
    first, second, third = (chunks[0].id for _, chunks, _ in same)
    assert store.same_text([second, first], visible=OPEN_REQUEST) == {first: (second, third), second: (first, third)}
    assert store.same_text([hidden[1][0].id], visible=OPEN_REQUEST) == {}
    assert hidden[1][0].id in store.same_text([first], visible=FULL_REQUEST)[first]
    assert store.same_text([first], visible=Filter(classes=OPEN_REQUEST.classes, paths=("0.md",))) == {}


def a_changed_class_holds_at_once_and_embeds_nothing(store: Store) -> None:
    """A document that became personal leaves every open answer in the same moment, and can come back."""
    moved, other = item("m.md", "wryneck"), item("n.md", "nuthatch")
    vectors = {"wryneck": _vector(1, 0), "nuthatch": _vector(0, 1)}
    fill(store, [moved, other], vectors=vectors)
    both: list[tuple[PrivacyClass, list[str]]] = [(PERSONAL, ["n.md"]), (OPEN, ["m.md", "n.md"])]
    for class_, expected in both:
        with store.write() as writer:
            writer.refresh(classes={moved[0].id: class_, DocumentId("unknown"): class_})
        assert _found(store, "wryneck") == [path for path in expected if path == "m.md"]
        assert paths(store, store.search_vector(_vector(1, 0), k=9, visible=OPEN_REQUEST)) == expected
        assert [info.path for info in store.documents(visible=OPEN_REQUEST)] == expected
        assert (store.document("notes", "m.md", visible=OPEN_REQUEST) is None) is (class_ is PERSONAL)
        assert bool(store.hits([moved[1][0].id], visible=OPEN_REQUEST)) is (class_ is OPEN)
        assert _found(store, "wryneck", FULL_REQUEST) == ["m.md"]
        assert store.frequencies(["wryneck"], visible=OPEN_REQUEST)[0] == {"wryneck": len(expected) - 1}
        assert store.states()[moved[0].id].class_ is class_
        assert store.pending("toy", limit=9) == ()
        assert store.vector_counts(visible=FULL_REQUEST) == (2, 0)


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


def a_chunk_is_as_personal_as_its_document(store: Store) -> None:
    """A chunk that says open in a personal document is personal, whoever made that mistake."""
    document, chunks, _ = item("p.md", "hobby", class_=PERSONAL)
    fill(
        store,
        [(document, tuple(replace(chunk, class_=OPEN) for chunk in chunks), ())],
        vectors={"hobby": _vector(1, 0)},
    )
    assert _found(store, "hobby") == []
    assert store.search_vector(_vector(1, 0), k=3, visible=OPEN_REQUEST) == ()
    assert store.hits([chunks[0].id], visible=OPEN_REQUEST) == {}


def texts_without_vectors_are_found_by_query(store: Store) -> None:
    """Each distinct embed text waits once, as personal as its most personal chunk; what is not embedded never."""
    fill(
        store,
        [
            item("a.md", "alpha\n\nbeta"),
            item("b.md", "beta", class_=PERSONAL),
            item("c.md", "gamma", embedded=False),
        ],
    )
    waiting = {(one.text, one.class_, one.key) for one in store.pending("toy", limit=9)}
    assert waiting == {("alpha", OPEN, fingerprint("alpha")), ("beta", PERSONAL, fingerprint("beta"))}
    assert len(store.pending("toy", limit=1)) == 1
    first, second = store.pending("toy", limit=9)
    assert first.key < second.key
    assert store.pending("toy", limit=9, after=first.key) == (second,)
    assert store.space() is None
    assert store.vector_counts(visible=FULL_REQUEST) == (0, 3)
    embed(store, {"beta": _vector(1, 0)})
    assert [one.text for one in store.pending("toy", limit=9)] == ["alpha"]
    assert store.vector_counts(visible=OPEN_REQUEST) == (1, 1)
    assert store.vector_counts(visible=FULL_REQUEST) == (2, 1)
    name, probe = store.space() or ("", None)
    assert name == "toy"
    assert probe is not None
    assert np.array_equal(probe, _vector(1, 0))


def a_text_of_many_documents_is_embedded_once(store: Store) -> None:
    """Copies of boilerplate do not wait for vectors; personal copies never decide for the open ones."""
    copies = [item(f"{n}.md", "banner", title=f"t{n}") for n in range(4)]
    hidden = [item(f"p{n}.md", "banner", class_=PERSONAL) for n in range(2)]
    distinct: list[Item] = []
    for document, chunks, edges in [*copies, *hidden]:
        distinct.append((document, (replace(chunks[0], embed_text=f"{document.path} banner"),), edges))
    fill(store, distinct)
    assert store.vector_counts(visible=FULL_REQUEST) == (0, 6)
    keys = {key for key, _, _ in store.text_hashes()}
    with store.write() as writer:
        writer.mark_boilerplate({PERSONAL: keys, OPEN: ()})
    assert store.vector_counts(visible=OPEN_REQUEST) == (0, 4)
    assert len(store.pending("toy", limit=9)) == 4
    with store.write() as writer:
        writer.mark_boilerplate({PERSONAL: keys, OPEN: keys})
    assert store.vector_counts(visible=FULL_REQUEST) == (0, 1)
    (waiting,) = store.pending("toy", limit=9)
    assert waiting.class_ is OPEN


def a_space_is_filled_beside_and_switched_whole(store: Store) -> None:
    """Vectors of another space are not searched until it is declared; then the old ones are gone."""
    fill(store, [item("a.md", "one"), item("b.md", "two")], vectors={"one": _vector(1, 0), "two": _vector(0, 1)})
    keys = {text: fingerprint(text) for text in ("one", "two")}
    with store.write() as writer:
        writer.put_vectors("new", [(keys["one"], _vector(0, 1, 0)), (keys["two"], _vector(1, 0, 0))])
    assert (store.space() or ("",))[0] == "toy"
    assert paths(store, store.search_vector(_vector(1, 0), k=1, visible=OPEN_REQUEST)) == ["a.md"]
    assert store.pending("new", limit=9) == ()
    with store.write() as writer:
        writer.set_space("new", _vector(1, 0, 0))
    assert (store.space() or ("",))[0] == "new"
    assert paths(store, store.search_vector(_vector(1, 0, 0), k=1, visible=OPEN_REQUEST)) == ["b.md"]
    assert len(store.pending("toy", limit=9)) == 2
    try:
        with store.write() as writer:
            writer.put_vectors("new", [(keys["one"], _vector(1, 0))])
    except ValueError:
        pass
    else:
        raise AssertionError("two widths in one space")


def a_moved_document_needs_no_new_vector(store: Store) -> None:
    """A vector belongs to a text: whatever document holds it, now or before it is pruned."""
    fill(store, [item("old.md", "pipit")], vectors={"pipit": _vector(1, 0)})
    with store.write() as writer:
        writer.remove_documents([item("old.md", "pipit")[0].id])
        writer.put_document(*item("new/place.md", "pipit"))
        writer.prune()
    assert store.pending("toy", limit=9) == ()
    assert paths(store, store.search_vector(_vector(1, 0), k=1, visible=OPEN_REQUEST)) == ["new/place.md"]
    with store.write() as writer:
        writer.remove_documents(list(store.states()))
        writer.prune()
        writer.put_source("notes", SourceType.FOLDER, "/notes")
        writer.put_document(*item("again.md", "pipit"))
    assert [one.text for one in store.pending("toy", limit=9)] == ["pipit"]


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


def lone_surrogates_are_replaced(store: Store) -> None:
    """Text that UTF-8 cannot hold is stored with its length kept, and everything read is valid."""
    edge = Edge(kind=EdgeKind.LINK, target="x\udfff")
    fill(store, [item("a.md", "half \ud83d only bustard", section="s\ud800", edges=[edge], title="t\ud800")])
    assert _found(store, "bustard") == ["a.md"]
    document = store.document("notes", "a.md", visible=OPEN_REQUEST)
    assert document is not None
    assert document.text == "half \ufffd only bustard"
    for chunk in store.document_chunks(document.id, visible=OPEN_REQUEST):
        assert chunk.text == chunk.span.slice(document.text)
        assert chunk.section == "s\ufffd"
    repr(list(store.edges())).encode()
    with store.write() as writer:
        writer.set_note("k\ud800", "v\ud800")
        writer.put_faults(
            "notes", [Fault(source="notes", path="\udcff", reason="\ud800", status="failed", class_=OPEN)]
        )
    assert store.note("k\ud800") == "v\ufffd"
    repr(store.faults(visible=OPEN_REQUEST)).encode()


def a_text_of_very_many_words_is_stored_and_found(store: Store) -> None:
    """A megabyte of different words in one chunk, titles and paths of thousands of characters: no limit is met."""
    words = " ".join(f"{n * 2654435761 % 2**32:08x}{n:05x}" for n in range(40_000))
    long = "very " * 500
    fill(
        store,
        [item("words.txt", f"{words} canarytail"), item(f"{'d/' * 600}t.md", "small", title=f"{long}canarytitle")],
    )
    assert _found(store, "canarytail") == ["words.txt"]
    assert _found(store, "canarytitle") == [f"{'d/' * 600}t.md"]


def a_second_writer_is_told_who_writes(store: Store) -> None:
    """While one writes, another is refused; afterwards it may; readers go on all the time."""
    fill(store, [item("a.md", "ouzel")])
    with store.write() as writer:
        writer.put_document(*item("b.md", "ouzel"))
        assert len(_found(store, "ouzel")) == 2
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


WRITING_CLAIMS: tuple[Callable[[Store], None], ...] = (
    a_document_comes_back_as_it_was_put,
    replacing_a_document_leaves_nothing_of_the_old,
    a_batch_is_put_whole_or_not_at_all,
    a_removed_document_is_gone_everywhere,
    edges_go_both_ways_and_hide_what_is_hidden,
    counts_and_faults_are_of_the_class,
    same_text_lists_only_what_is_visible,
    a_changed_class_holds_at_once_and_embeds_nothing,
    stamps_change_without_reading,
    a_chunk_is_as_personal_as_its_document,
    texts_without_vectors_are_found_by_query,
    a_text_of_many_documents_is_embedded_once,
    a_space_is_filled_beside_and_switched_whole,
    a_moved_document_needs_no_new_vector,
    pruning_drops_sources_that_nobody_configures,
    a_path_is_found_composed_or_as_spelt,
    lone_surrogates_are_replaced,
    a_text_of_very_many_words_is_stored_and_found,
    a_second_writer_is_told_who_writes,
)
