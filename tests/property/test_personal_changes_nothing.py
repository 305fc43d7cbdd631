"""What an open request is told does not depend on personal documents, in any field but the timings."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.unit.rank.index import Doc, doc, fill, link
from tests.unit.rank.words import WordVectors

from askwell.ids import document_id
from askwell.retrieve import RetrievalSettings, retrieve
from askwell.testing.memory_store import MemoryStore
from askwell.types import Edge, EdgeKind, Filter, Lines, PrivacyClass, Ranking

OPEN = Filter(classes=frozenset({PrivacyClass.OPEN}))
WORDS = ["heron", "weir", "disk", "backup", "teal", "the", "window", "mover_stop"]

CITED = tuple(document_id("notes", path) for path in ("hidden/a.md", "open/a.md", "hidden/b.md"))

texts = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join), min_size=1, max_size=3)
names = st.sampled_from(["a", "b", "c", "en/page", "de/page"])
targets = st.sampled_from(["open/a.md", "open/b.md", "hidden/a.md", "hidden/b.md", "nowhere.md"])
edges = st.lists(st.builds(link, st.sampled_from([EdgeKind.TOPIC, EdgeKind.EMBED, EdgeKind.LINK]), targets), max_size=4)


def documents(folder: str, *, personal: bool) -> st.SearchStrategy[list[Doc]]:
    def build(parts: dict[str, tuple[list[str], list[Edge]]]) -> list[Doc]:
        return [
            doc(
                f"{folder}/{name}.md",
                *pieces,
                personal=personal,
                edges=tuple(out),
                permalink="page" if "page" in name else "",
                anchors={"x": Lines(1, 1)},
            )
            for name, (pieces, out) in sorted(parts.items())
        ]

    return st.dictionaries(names, st.tuples(texts, edges), max_size=5).map(build)


def ranked(docs: list[Doc], question: str, *, expansion: bool, vectors: bool) -> Ranking:
    embedder = WordVectors() if vectors else None
    store = MemoryStore()
    fill(store, docs, embedder=embedder)
    ranking = retrieve(
        question,
        store=store,
        embedder=embedder,
        visible=OPEN,
        settings=RetrievalSettings(expansion=expansion, depth=5, considered=5),
        k=3,
        clock=lambda: 0.0,
        expected="hidden/a.md",
        cited=CITED,
    )
    return replace(ranking, timings={})


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    shown=documents("open", personal=False).filter(bool),
    hidden=documents("hidden", personal=True),
    question=st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join),
    expansion=st.booleans(),
    vectors=st.booleans(),
)
def test_personal_documents_change_nothing_in_an_open_ranking(
    shown: list[Doc], hidden: list[Doc], question: str, expansion: bool, vectors: bool
) -> None:
    alone = ranked(shown, question, expansion=expansion, vectors=vectors)
    assert ranked([*shown, *hidden], question, expansion=expansion, vectors=vectors) == alone
