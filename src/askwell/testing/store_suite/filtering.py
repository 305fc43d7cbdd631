"""What may be seen is decided before the cut, in each arm, whatever else is there."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from askwell.ids import DocumentId, fingerprint
from askwell.ports import Fault
from askwell.testing.specimens import FULL_REQUEST, OPEN, OPEN_REQUEST, PERSONAL, Item, fill, item, paths
from askwell.testing.store_suite.asking import angle, ask, sightings, text, unit
from askwell.types import Filter, Kind, Metadata, PrivacyClass, SourceType

if TYPE_CHECKING:
    from collections.abc import Callable

    from askwell.ports import Store, Vector


def hidden_chunks_do_not_use_up_the_limit(store: Store) -> None:
    """With more forbidden chunks than `k`, and better ones, `k` permitted come back in each arm."""
    hidden = [item(f"p{n}.md", f"whisky whisky whisky {n}", class_=PERSONAL) for n in range(30)]
    shown = [item(f"o{n}.md", f"whisky and a long tale of other things {n}") for n in range(6)]
    vectors = {text(one): angle(n * 0.1) for n, one in enumerate(hidden)}
    vectors |= {text(one): angle(40 + n) for n, one in enumerate(shown)}
    fill(store, [*hidden, *shown], vectors=vectors)
    expected = {f"o{n}.md" for n in range(6)}
    assert set(ask(store, "whisky", k=6)) == expected
    assert set(ask(store, "whisky", k=50)) == expected
    found = store.search_vector(angle(0), k=6, visible=OPEN_REQUEST)
    assert paths(store, found) == [f"o{n}.md" for n in range(6)]
    assert len(store.search_vector(angle(0), k=50, visible=OPEN_REQUEST)) == 6
    assert len(ask(store, "whisky", k=50, visible=FULL_REQUEST)) == 36
    nobody = Filter(classes=frozenset())
    assert not sightings(store, "whisky", visible=nobody)
    assert not store.search_vector(angle(0), k=5, visible=nobody)


_CONDITIONS: dict[str, tuple[Filter, dict[str, object], dict[str, object]]] = {
    # condition → filter, what makes an item permitted, what makes it forbidden
    "source": (Filter(classes=frozenset({OPEN}), sources=frozenset({"notes"})), {}, {"source": "other"}),
    "kind": (
        Filter(classes=frozenset({OPEN}), kinds=frozenset({Kind.README, Kind.MANUAL})),
        {"kind": Kind.README},
        {"kind": Kind.CODE},
    ),
    "section": (
        Filter(classes=frozenset({OPEN}), sections=frozenset({"Configuration"})),
        {"section": "CONFIGURATION"},
        {"section": "USAGE"},
    ),
    "tag": (
        Filter(classes=frozenset({OPEN}), tags=frozenset({"#Home"})),
        {"metadata": Metadata(tags=("home/Lab",))},
        {"metadata": Metadata(tags=("homelab",))},
    ),
    "after": (
        Filter(classes=frozenset({OPEN}), after="2024-03-01"),
        {"metadata": Metadata(created="2020-01-01", updated="2024-03-01T10:00")},
        {"metadata": Metadata(created="2024-02-29")},
    ),
    "before": (
        Filter(classes=frozenset({OPEN}), before="2024"),
        {"metadata": Metadata(created="2024-12-31")},
        {"metadata": Metadata(created="2025-01-01")},
    ),
}


def every_condition_is_applied_before_the_cut(store: Store) -> None:
    """Source, kind, section, tag and dates: the permitted come back, however many others are better."""
    items: list[Item] = []
    vectors: dict[str, Vector] = {}
    for name, (_, permitted, forbidden) in _CONDITIONS.items():
        good = [item(f"{name}/good{n}.md", f"{name} petrel among many others {n}", **permitted) for n in range(4)]  # type: ignore[arg-type]  # keyword arguments of `item`
        bad = [item(f"{name}/bad{n}.md", f"{name} petrel petrel {n}", **forbidden) for n in range(25)]  # type: ignore[arg-type]  # as above
        vectors |= {text(one): angle(60 + n) for n, one in enumerate(good)}
        vectors |= {text(one): angle(n * 0.1) for n, one in enumerate(bad)}
        items += [*good, *bad]
    fill(store, items, vectors=vectors)
    for name, (visible, _, _) in _CONDITIONS.items():
        here = Filter(
            classes=visible.classes,
            sources=visible.sources,
            kinds=visible.kinds,
            sections=visible.sections,
            tags=visible.tags,
            after=visible.after,
            before=visible.before,
            paths=(f"{name}/**",),
        )
        expected = {f"{name}/good{n}.md" for n in range(4)}
        assert set(ask(store, f"{name} petrel", k=4, visible=here)) == expected, name
        assert set(paths(store, store.search_vector(angle(0), k=4, visible=here))) == expected, name
        assert {info.path for info in store.documents(visible=here)} == expected, name
    assert store.sections(visible=OPEN_REQUEST) == ("CONFIGURATION", "USAGE")
    assert store.sections(visible=Filter(classes=frozenset({OPEN}), paths=("tag/**",))) == ()
    assert store.sections(visible=Filter(classes=frozenset({PERSONAL}))) == ()


def conditions_compose(store: Store) -> None:
    """All conditions hold at once; within one, any value may match; an empty one does not count."""
    tagged = Metadata(tags=("a/b",), created="2024-05-05")
    fill(
        store,
        [
            item("x/one.md", "tern", kind=Kind.NOTE, section="Use", metadata=tagged),
            item("x/two.md", "tern", kind=Kind.DOC, section="Use", metadata=tagged),
            item("x/three.md", "tern", kind=Kind.NOTE, section="Other", metadata=tagged),
            item("y/four.md", "tern", kind=Kind.NOTE, section="Use", metadata=tagged),
            item("x/five.md", "tern", kind=Kind.NOTE, section="Use", metadata=Metadata(tags=("a/b",))),
            item("x/six.md", "tern", kind=Kind.NOTE, section="Use", metadata=tagged, class_=PERSONAL),
        ],
        vectors={"tern": angle(1)},
    )
    visible = Filter(
        classes=frozenset({OPEN}),
        sources=frozenset({"notes", "nowhere"}),
        kinds=frozenset({Kind.NOTE}),
        sections=frozenset({"use"}),
        paths=("x/*.md", "z/**"),
        tags=frozenset({"A", "q"}),
        after="2024-05",
        before="2024-05-05",
    )
    assert ask(store, "tern", visible=visible) == ["x/one.md"]
    assert paths(store, store.search_vector(angle(0), k=9, visible=visible)) == ["x/one.md"]
    assert [info.path for info in store.documents(visible=visible)] == ["x/one.md"]


def adding_personal_documents_changes_nothing_for_an_open_request(store: Store) -> None:
    """No result, order, score or count of an open request depends on what it may not see."""
    shown = [item(f"o{n}.md", f"heron bittern egret{n} {'stork ' * (n % 5)}") for n in range(70)]
    vectors = {text(one): angle(n * 1.3) for n, one in enumerate(shown)}
    fill(store, shown, vectors=vectors)
    before = _all_that_an_open_request_sees(store)
    hidden = [
        item(f"o{n}.md", f"heron heron stork egret{n}", source="diary", class_=PERSONAL, section="S") for n in range(90)
    ]
    copies = [item(f"c{n}.md", one[0].text, source="diary", class_=PERSONAL) for n, one in enumerate(shown)]
    with store.write() as writer:
        writer.put_source("diary", SourceType.FOLDER, "/diary")
        writer.put_documents([*hidden, *copies])
        writer.put_vectors("toy", [(fingerprint(text(one)), angle(n * 0.7)) for n, one in enumerate(hidden)])
        writer.mark_boilerplate({PERSONAL: [next(iter(store.text_hashes()))[0]]})
    assert _all_that_an_open_request_sees(store) == before


def _all_that_an_open_request_sees(store: Store) -> str:
    questions = ("heron", "heron stork", "egret7 bittern", "stork", "egret69", "nothing here")
    ids = [id for id, _ in sightings(store, "heron", k=5)]
    seen = [
        [sightings(store, question, k=25) for question in questions],
        [store.search_vector(angle(degrees), k=25, visible=OPEN_REQUEST) for degrees in (0, 33.3, 90)],
        store.frequencies(["heron", "stork", "egret7"], visible=OPEN_REQUEST),
        store.hits(ids, visible=OPEN_REQUEST),
        store.same_text(ids, visible=OPEN_REQUEST),
        store.documents(visible=OPEN_REQUEST),
        store.vector_counts(visible=OPEN_REQUEST),
        store.faults(visible=OPEN_REQUEST),
        [source for source in store.sources(visible=OPEN_REQUEST) if source.name != "diary"],
    ]
    return repr(seen)


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
    vectors = {"wryneck": unit(1, 0), "nuthatch": unit(0, 1)}
    fill(store, [moved, other], vectors=vectors)
    both: list[tuple[PrivacyClass, list[str]]] = [(PERSONAL, ["n.md"]), (OPEN, ["m.md", "n.md"])]
    for class_, expected in both:
        with store.write() as writer:
            writer.refresh(classes={moved[0].id: class_, DocumentId("unknown"): class_})
        assert ask(store, "wryneck") == [path for path in expected if path == "m.md"]
        assert paths(store, store.search_vector(unit(1, 0), k=9, visible=OPEN_REQUEST)) == expected
        assert [info.path for info in store.documents(visible=OPEN_REQUEST)] == expected
        assert (store.document("notes", "m.md", visible=OPEN_REQUEST) is None) is (class_ is PERSONAL)
        assert bool(store.hits([moved[1][0].id], visible=OPEN_REQUEST)) is (class_ is OPEN)
        assert ask(store, "wryneck", visible=FULL_REQUEST) == ["m.md"]
        assert store.frequencies(["wryneck"], visible=OPEN_REQUEST)[0] == {"wryneck": len(expected) - 1}
        assert store.states()[moved[0].id].class_ is class_
        assert store.pending("toy", limit=9) == ()
        assert store.vector_counts(visible=FULL_REQUEST) == (2, 0)


def a_chunk_is_as_personal_as_its_document(store: Store) -> None:
    """A chunk that says open in a personal document is personal, whoever made that mistake."""
    document, chunks, _ = item("p.md", "hobby", class_=PERSONAL)
    fill(
        store,
        [(document, tuple(replace(chunk, class_=OPEN) for chunk in chunks), ())],
        vectors={"hobby": unit(1, 0)},
    )
    assert ask(store, "hobby") == []
    assert store.search_vector(unit(1, 0), k=3, visible=OPEN_REQUEST) == ()
    assert store.hits([chunks[0].id], visible=OPEN_REQUEST) == {}


def frequencies_are_of_the_class(store: Store) -> None:
    """Counts of terms and chunks are over the filter's classes; its other conditions do not matter."""
    fill(store, [item("a.md", "wigeon\n\nwigeon teal"), item("b.md", "teal", class_=PERSONAL), item("c.md", "smew")])
    terms = ("wigeon", "teal", "nothing", "wigeon teal")
    for classes, expected, total in (
        ({OPEN}, (2, 1, 0, 0), 3),
        ({PERSONAL}, (0, 1, 0, 0), 1),
        (set(PrivacyClass), (2, 2, 0, 0), 4),
        (set(), (0, 0, 0, 0), 0),
    ):
        visible = Filter(classes=frozenset(classes), paths=("none/**",))
        assert store.frequencies(terms, visible=visible) == (dict(zip(terms, expected, strict=True)), total), classes


def texts_are_those_of_admitted_documents(store: Store) -> None:
    """Texts come for the ids that are asked for and admitted, whole, however many; nothing else is said."""
    shown = [item(f"o{n:04}.md", f"ouzel\n\n{n}\n") for n in range(1200)]
    hidden, tagged = item("p.md", "ousel", class_=PERSONAL), item("t.md", "heron", metadata=Metadata(tags=("a",)))
    fill(store, [*shown, hidden, tagged])
    ids = [document.id for document, _, _ in (*shown, hidden)]
    found = dict(store.texts([*ids, DocumentId("unknown")], visible=OPEN_REQUEST))
    assert found == {document.id: document.text for document, _, _ in shown}
    assert dict(store.texts([hidden[0].id], visible=FULL_REQUEST)) == {hidden[0].id: "ousel"}
    by_tag = Filter(classes=frozenset({OPEN}), tags=frozenset({"a"}))
    assert dict(store.texts([*ids, tagged[0].id], visible=by_tag)) == {tagged[0].id: "heron"}
    assert not list(store.texts([], visible=FULL_REQUEST))
    assert not list(store.texts(ids, visible=Filter(classes=frozenset())))


CLAIMS: tuple[Callable[[Store], None], ...] = (
    hidden_chunks_do_not_use_up_the_limit,
    every_condition_is_applied_before_the_cut,
    conditions_compose,
    adding_personal_documents_changes_nothing_for_an_open_request,
    counts_and_faults_are_of_the_class,
    same_text_lists_only_what_is_visible,
    a_changed_class_holds_at_once_and_embeds_nothing,
    a_chunk_is_as_personal_as_its_document,
    frequencies_are_of_the_class,
    texts_are_those_of_admitted_documents,
)
