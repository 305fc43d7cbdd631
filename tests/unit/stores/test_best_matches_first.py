"""Only the best matches are joined with their chunks: what comes back is what joining all of them would give."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.unit.rank.index import doc, fill

from askwell.ids import text_key
from askwell.ports import LexicalQuery
from askwell.stores.sqlite import open_store
from askwell.testing.memory_store import MemoryStore
from askwell.types import Filter, PrivacyClass

if TYPE_CHECKING:
    from pathlib import Path

    from askwell.ports import Store

ALL = Filter(classes=frozenset(PrivacyClass))
FOOTER = "pump pump pump footer of the pump"
DOCUMENTS = [
    *(doc(f"footer{n}.md", FOOTER) for n in range(80)),
    *(doc(f"note{n}.md", f"the pump of cellar {n} " + "and other words " * (n % 7)) for n in range(40)),
    *(doc(f"mine{n}.md", f"pump pump mine {n}", personal=True) for n in range(40)),
]


@pytest.fixture
def stores(tmp_path: Path) -> tuple[Store, Store]:
    made: tuple[Store, Store] = (MemoryStore(), open_store(tmp_path / "index.db", create=True, read_only=False))
    for store in made:
        fill(store, DOCUMENTS)
        with store.write() as writer:
            keys = {text_key(FOOTER, f"footer{n}.md") for n in range(80)}
            writer.mark_boilerplate({PrivacyClass.OPEN: keys, PrivacyClass.PERSONAL: keys})
    return made


@pytest.mark.parametrize("k", [1, 3, 5, 10, 30, 60, 500])
@pytest.mark.parametrize("classes", [frozenset(PrivacyClass), frozenset({PrivacyClass.OPEN})])
def test_boilerplate_that_matches_best_hides_nothing_behind_it(
    stores: tuple[Store, Store], k: int, classes: frozenset[PrivacyClass]
) -> None:
    memory, sqlite = (
        store.search_lexical(LexicalQuery(terms={"pump": 1.0}), k=k, visible=Filter(classes=classes))
        for store in stores
    )
    assert [id for id, _ in sqlite] == [id for id, _ in memory]
    assert [seen.score for _, seen in sqlite] == pytest.approx([seen.score for _, seen in memory])
    assert len(sqlite) == min(k, 160 if len(classes) == 2 else 120)


def test_nothing_that_matches_is_nothing(stores: tuple[Store, Store]) -> None:
    for store in stores:
        assert list(store.search_lexical(LexicalQuery(terms={"heron": 1.0}), k=5, visible=ALL)) == []
