"""The model takes its time, and the note is another one when its vector comes back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from askwell.embedding import embed_pending
from askwell.testing.hashing_embedder import HashingEmbedder
from askwell.testing.memory_store import MemoryStore
from askwell.testing.specimens import FULL_REQUEST, fill, item

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askwell.ports import Matrix, Writer

BEFORE = "the exporter listens on the OLD port"


class Slow(HashingEmbedder):
    """Somebody edits the note while the texts of a batch are being embedded."""

    def __init__(self, writer: Writer, edits: Sequence[str]) -> None:
        super().__init__()
        self._writer = writer
        self._edits = list(edits)

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        if self._edits:
            self._writer.put_document(*item("slow.md", BEFORE.replace("OLD", self._edits.pop(0))))
        return super().embed_documents(texts)


@pytest.mark.parametrize("edits", [("NEW",), ("NEW", "NEWER")])
def test_a_vector_belongs_to_a_text_and_never_to_the_note_that_had_it(edits: tuple[str, ...]) -> None:
    store = MemoryStore()
    fill(store, [item("slow.md", BEFORE)])
    with store.write() as writer:
        report = embed_pending(store, writer, Slow(writer, edits), allow_personal=True)
        assert report.left == len(store.pending("hashing/d256", limit=9))
        assert embed_pending(store, writer, HashingEmbedder(), allow_personal=True).left == 0
        writer.prune()
    now = BEFORE.replace("OLD", edits[-1])
    (best, sighting), *others = store.search_vector(HashingEmbedder().embed_query(now), k=9, visible=FULL_REQUEST)
    assert not others
    assert sighting.score == pytest.approx(1)
    assert store.hits([best], visible=FULL_REQUEST)[best][0].text == now
