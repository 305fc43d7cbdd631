"""An open request finds an open note by nothing that its links to hidden notes say, in words or in meaning."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from askwell.engine import BoundSource
from askwell.ids import fingerprint
from askwell.indexing import RunOptions, run
from askwell.ports import LexicalQuery
from askwell.privacy import ClassRules
from askwell.rules import Rules
from askwell.stores.sqlite import open_store
from askwell.stores.sqlite.connection import open_reader, select
from askwell.terms import query_terms
from askwell.testing.memory_source import MemorySource
from askwell.testing.memory_store import MemoryStore
from askwell.testing.specimens import FULL_REQUEST, OPEN_REQUEST, paths
from askwell.types import CodeMode, SourceType
from askwell.veil import VeiledStore

if TYPE_CHECKING:
    from askwell.ids import ChunkId
    from askwell.ports import Store

HIDDEN = "journal/The oncology clinic"
LINKS = [
    "Seen [[journal/The oncology clinic]] at noon.",
    "Seen [[journal/The oncology clinic|the place]] at noon.",
    "Seen [[journal/The oncology clinic#Oncology ward]] at noon.",
    "![[journal/The oncology clinic]]",
    "Seen [it](journal/The%20oncology%20clinic.md) at noon.",
    "Seen [it][1] at noon.\n\n[1]: journal/The%20oncology%20clinic.md",
    "## Visit to [[journal/The oncology clinic]]\n\nIt rained.",
    "Visit to [[journal/The oncology clinic]]\n---\n\nIt rained.",
    "| a | b |\n|---|---|\n| [[journal/The oncology clinic]] | 2 |",
]
WORDS = ["heron", "weir", "[[weir]]", "garden"]


class Desk:
    def __init__(self, store: Store) -> None:
        self.source, self.store = MemorySource(), store
        self.rules = Rules(
            source="notes",
            type=SourceType.VAULT,
            code=CodeMode.FULL,
            classes=ClassRules(personal=("journal/*",)),
            budget=60,
            size=lambda text: len(text.split()) + 1,
            redact=lambda text: text,
            redaction_version="1",
        )
        self.clock = count()

    def run(self) -> None:
        bound = [BoundSource(source=self.source, rules=self.rules, root="/notes")]
        run(
            bound,
            self.store,
            lambda: None,
            options=RunOptions(vectors=False),
            clock=lambda: float(next(self.clock)),
            now=lambda: "2026-01-01",
        )

    def found(self, question: str, *, full: bool = False) -> list[str]:
        visible = FULL_REQUEST if full else OPEN_REQUEST
        hits = self.store.search_lexical(LexicalQuery(terms=query_terms(question)), k=9, visible=visible)
        return paths(self.store, hits)

    def whole(self, id: ChunkId) -> str:
        """Return what the vector of a chunk is of."""
        return self.store.hits([id], visible=FULL_REQUEST)[id][0].embed_text.casefold()

    def near(self, id: ChunkId) -> bool:
        """Whether the vector arm of an open request finds a chunk, whose vector is given the question's."""
        vector = np.array([1.0, 0.0], dtype=np.float32)
        with self.store.write() as writer:
            writer.set_space("toy", vector)
            writer.put_vectors("toy", [(fingerprint(self.whole_text(id)), vector)])
        return id in dict(self.store.search_vector(vector, k=99, visible=OPEN_REQUEST))

    def whole_text(self, id: ChunkId) -> str:
        return self.store.hits([id], visible=FULL_REQUEST)[id][0].embed_text


def written(parts: list[str]) -> str:
    return "# Day\n\n" + "\n\n".join(parts) + "\n"


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    parts=st.lists(st.sampled_from([*LINKS, *WORDS]), min_size=1, max_size=5),
    exists=st.booleans(),
    edited=st.booleans(),
    sqlite=st.booleans(),
)
def test_a_hidden_name_finds_nothing(parts: list[str], exists: bool, edited: bool, sqlite: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(Path(folder) / "i.db", create=True, read_only=False) if sqlite else MemoryStore()
        desk = Desk(store)
        desk.source.put("day.md", written(parts))
        desk.source.put("weir.md", "# Weir\n\nStones.\n")
        if exists:
            desk.source.put(f"{HIDDEN}.md", "# Clinic\n\nOncology.\n")
        desk.run()
        if edited:
            desk.source.put("day.md", written([*parts, "heron"]))
            desk.run()
        for question in ("oncology", "clinic", "oncology clinic journal", "ward"):
            assert desk.found(question) == []
        assert not any(desk.near(one) for one in _all(desk) if "oncology" in desk.whole(one))
        for hit, _ in VeiledStore(store).hits(_all(desk), visible=OPEN_REQUEST).values():
            assert "oncology" not in f"{hit.text} {hit.headings} {hit.section} {hit.prelude}".casefold()
        if any(part in LINKS for part in parts):
            assert "day.md" in desk.found("oncology", full=True)
        if "[[weir]]" in parts:
            assert set(desk.found("weir")) == {"day.md", "weir.md"}
        store.close()


def _all(desk: Desk) -> list[ChunkId]:
    documents = desk.store.documents(visible=OPEN_REQUEST)
    return [one.id for info in documents for one in desk.store.document_chunks(info.id, visible=OPEN_REQUEST)]


@pytest.mark.parametrize("sqlite", [True, False])
def test_a_veil_follows_what_its_target_becomes(sqlite: bool, tmp_path: Path) -> None:
    store = open_store(tmp_path / "i.db", create=True, read_only=False) if sqlite else MemoryStore()
    desk = Desk(store)
    desk.source.put("day.md", written(LINKS[:1]))
    desk.source.put("other.md", "# Other\n\nThe oncology ward is open.\n")
    desk.run()
    assert desk.found("oncology") == ["other.md"]
    assert set(desk.found("oncology", full=True)) == {"other.md", "day.md"}
    for sensitivity, seen in (("open", True), ("personal", False), ("open", True)):
        desk.source.put(f"{HIDDEN}.md", f"---\nsensitivity: {sensitivity}\n---\n# Ward\n\nRooms.\n")
        desk.run()
        assert ("day.md" in desk.found("clinic")) is seen
        linking = [one for one in _all(desk) if "oncology clinic" in desk.whole(one) and "noon" in desk.whole(one)]
        assert [desk.near(one) for one in linking] == [seen]
    desk.rules = replace(desk.rules, classes=ClassRules(personal=("day.md",)))
    desk.run()
    assert "day.md" not in desk.found("clinic")
    desk.source.drop("day.md")
    desk.run()
    assert "day.md" not in desk.found("oncology", full=True)
    if sqlite:
        db = open_reader(tmp_path / "i.db")
        assert select(db, "SELECT count(*) FROM veil") == [(0,)]
        db.close()
    store.close()
