"""Whatever is done to the memory store and the SQLite store, both say the same afterwards."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from askwell.ids import fingerprint
from askwell.ports import LexicalQuery
from askwell.stores.sqlite import open_store
from askwell.terms import query_terms
from askwell.testing.memory_store import MemoryStore
from askwell.testing.specimens import OPEN, PERSONAL, Item, item
from askwell.testing.store_suite.asking import unit
from askwell.types import Edge, EdgeKind, FileStat, Filter, Kind, Metadata, PrivacyClass, SourceType

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from askwell.ids import ChunkId
    from askwell.ports import Store, Vector, Writer
    from askwell.types import Sighting

WORDS = ("knot", "ruff", "stint", "the", "dry-run", "SNAKE_CASE", "設定", "İzmir", "knots", "v1.2")
words = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join)
names = st.sampled_from([f"{folder}{n}.md" for folder in ("", "x/", "x/y/") for n in range(4)])
classes = st.sampled_from(PrivacyClass)
kinds = st.sampled_from((Kind.DOC, Kind.NOTE))
sections = st.sampled_from(("", "Use", "USE", "Why"))
tags = st.sampled_from(("a", "A/b", "ab", "#c"))
days = st.sampled_from(("", "2024", "2024-02", "2024-02-03", "2024-02-03T05:00", "2025-01-01", "no date"))
sources = st.sampled_from(("notes", "other"))
edges = st.builds(
    Edge,
    kind=st.sampled_from((EdgeKind.LINK, EdgeKind.TAG, EdgeKind.TOPIC)),
    target=st.sampled_from(("#a/c", "0", "x/1")),
)
items = st.builds(
    item,
    names,
    st.lists(words, min_size=1, max_size=3).map("\n\n".join),
    source=sources,
    class_=classes,
    kind=kinds,
    section=sections,
    metadata=st.builds(Metadata, tags=st.lists(tags, max_size=2).map(tuple), created=days, updated=days),
    edges=st.lists(edges, max_size=2),
    title=words,
    embedded=st.booleans(),
)
filters = st.builds(
    Filter,
    classes=st.frozensets(classes, min_size=0),
    sources=st.frozensets(sources, max_size=1),
    kinds=st.frozensets(kinds, max_size=1),
    sections=st.frozensets(sections, max_size=1),
    paths=st.lists(st.sampled_from(("x", "x/*", "**/1.md", "x/y/", "*.md")), max_size=2).map(tuple),
    tags=st.frozensets(tags, max_size=1),
    after=days,
    before=days,
)


def vector(text: str) -> Vector:
    """Return a vector that depends on the text alone."""
    return unit(*np.random.default_rng(int(fingerprint(text)[:8], 16)).standard_normal(4))


Step = tuple[str, Any]  # Any: what each step works on is matched below
steps = st.one_of(
    st.tuples(st.just("put"), st.lists(items, min_size=1, max_size=6)),
    st.tuples(st.just("remove"), st.lists(items, max_size=2)),
    st.tuples(st.just("class"), st.tuples(items, classes)),
    st.tuples(st.just("stat"), st.tuples(items, st.sampled_from((None, FileStat(4, 3, 2, 1))))),
    st.tuples(st.just("mark"), st.tuples(st.booleans(), st.integers(0, 3))),
    st.tuples(st.just("link"), st.integers(0, 3)),
    st.tuples(st.just("embed"), st.integers(0, 9)),
    st.tuples(st.just("prune"), st.none()),
)


def apply(store: Store, writer: Writer, step: Step) -> None:
    match step:
        case ("put", list(found)):
            writer.put_documents(unrepeated(found))
        case ("remove", list(found)):
            writer.remove_documents([document.id for document, _, _ in found])
        case ("class", ((document, _, _), class_)):
            writer.refresh(classes={document.id: class_})
        case ("stat", ((document, _, _), stat)):
            writer.refresh(stats={document.id: stat})
        case ("mark", (everyone, every)):
            keys = sorted({key for key, _, _ in store.text_hashes()})[:: int(every) + 1]
            writer.mark_boilerplate({OPEN if everyone else PERSONAL: keys})
        case ("link", int(n)):
            ids = sorted(store.states())
            ordered = sorted(store.edges(), key=lambda one: (one.origin, one.key))
            writer.set_targets({one.key: ids[(n + at) % len(ids)] for at, one in enumerate(ordered)})
        case ("embed", int(limit)):
            waiting = store.pending("space", limit=limit)
            writer.put_vectors("space", [(one.key, vector(one.text)) for one in waiting])
        case _:
            writer.prune()


def unrepeated(found: Sequence[Item]) -> list[Item]:
    """Return the items without a second one of the same path."""
    return list({document.id: (document, chunks, links) for document, chunks, links in found}.values())


def plain(found: Sequence[tuple[ChunkId, Sighting]]) -> list[tuple[float, ChunkId]]:
    """Return sightings with their scores as far as two machines agree on them, in the order that gives."""
    assert [sighting.rank for _, sighting in found] == list(range(1, len(found) + 1))
    scores = [sighting.score for _, sighting in found]
    assert scores == sorted(scores, reverse=True)
    return sorted((-round(sighting.score, 6), id) for id, sighting in found)


READS: tuple[Callable[[Store, Filter], object], ...] = (
    lambda store, visible: list(store.documents(visible=visible)),
    lambda store, visible: store.sections(visible=visible),
    lambda store, visible: store.sources(visible=visible),
    lambda store, visible: store.vector_counts(visible=visible),
    lambda store, visible: store.frequencies(["knot", "ruff", "設定", "~knot"], visible=visible),
    lambda store, visible: {id: store.document_by_id(id, visible=visible) for id in store.states()},
    lambda store, visible: {id: store.document_chunks(id, visible=visible) for id in store.states()},
    lambda store, visible: list(store.edges_from(list(store.states()), visible=visible)),
    lambda store, visible: list(store.edges_to(list(store.states()), visible=visible, kinds=(EdgeKind.LINK,))),
    lambda store, visible: list(store.unresolved(visible=visible)),
    lambda store, visible: {
        id: set(others) for id, others in store.same_text(all_chunks(store), visible=visible).items()
    },
    lambda store, visible: {id: chunk for id, (chunk, _) in store.hits(all_chunks(store), visible=visible).items()},
    lambda store, _: store.states(),
    lambda store, _: store.pending("space", limit=99),
    lambda store, _: sorted(store.text_hashes()),
)


def all_chunks(store: Store) -> list[ChunkId]:
    every = Filter(classes=frozenset(PrivacyClass))
    return sorted(chunk.id for id in store.states() for chunk in store.document_chunks(id, visible=every))


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    start=st.lists(items, min_size=3, max_size=14),
    sequence=st.lists(steps, max_size=4),
    questions=st.lists(words, min_size=1, max_size=3),
    seen=st.lists(filters, min_size=1, max_size=3),
    k=st.integers(1, 12),
)
def test_both_stores_say_the_same(
    start: list[Item], sequence: list[Step], questions: list[str], seen: list[Filter], k: int
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        pair: tuple[Store, Store] = (
            MemoryStore(),
            open_store(Path(folder) / "index.db", create=True, read_only=False),
        )
        for store in pair:
            with store.write() as writer:
                for name in ("notes", "other"):
                    writer.put_source(name, SourceType.FOLDER, "/")
                writer.set_space("space", unit(1, 0, 0, 0))
                for step in (("put", start), ("embed", 9), *sequence):
                    apply(store, writer, step)
        memory, disk = pair
        everything = [Filter(classes=frozenset(PrivacyClass)), Filter(classes=frozenset({OPEN}))]
        for visible in (*everything, *seen):
            for read in READS:
                assert without_time(read(memory, visible)) == without_time(read(disk, visible)), visible
            for question in questions:
                query = LexicalQuery(terms=query_terms(question))
                for limit in (k, 999):
                    one, other = (store.search_lexical(query, k=limit, visible=visible) for store in pair)
                    assert_same(plain(one), plain(other), cut=limit != 999)
                    near = vector(question)
                    one, other = (store.search_vector(near, k=limit, visible=visible) for store in pair)
                    assert one == other
        disk.close()


def assert_same(one: list[tuple[float, ChunkId]], other: list[tuple[float, ChunkId]], *, cut: bool) -> None:
    """Assert equal scores to 1e-6, and equal chunks; at a cut, those that tie with the last may differ."""
    assert len(one) == len(other)
    assert all(abs(a - b) <= 2e-6 for (a, _), (b, _) in zip(one, other, strict=True))
    if not cut:
        assert {id for _, id in one} == {id for _, id in other}


def without_time(value: object) -> str:
    """Return what is compared: everything but the time of indexing."""
    return re.sub(r"indexed_at='[^']*'", "", repr(value))
