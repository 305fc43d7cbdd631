"""Vectors belong to texts: none is made twice, none is searched in the wrong space."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from askwell.ids import fingerprint
from askwell.testing.specimens import FULL_REQUEST, OPEN, OPEN_REQUEST, PERSONAL, Item, embed, fill, item, paths
from askwell.testing.store_suite.asking import unit
from askwell.types import SourceType

if TYPE_CHECKING:
    from collections.abc import Callable

    from askwell.ports import Store


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
    embed(store, {"beta": unit(1, 0)})
    assert [one.text for one in store.pending("toy", limit=9)] == ["alpha"]
    assert store.vector_counts(visible=OPEN_REQUEST) == (1, 1)
    assert store.vector_counts(visible=FULL_REQUEST) == (2, 1)
    name, probe = store.space() or ("", None)
    assert name == "toy"
    assert probe is not None
    assert np.array_equal(probe, unit(1, 0))


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
    fill(store, [item("a.md", "one"), item("b.md", "two")], vectors={"one": unit(1, 0), "two": unit(0, 1)})
    keys = {text: fingerprint(text) for text in ("one", "two")}
    with store.write() as writer:
        writer.put_vectors("new", [(keys["one"], unit(0, 1, 0)), (keys["two"], unit(1, 0, 0))])
    assert (store.space() or ("",))[0] == "toy"
    assert paths(store, store.search_vector(unit(1, 0), k=1, visible=OPEN_REQUEST)) == ["a.md"]
    assert store.pending("new", limit=9) == ()
    with store.write() as writer:
        writer.set_space("new", unit(1, 0, 0))
    assert (store.space() or ("",))[0] == "new"
    assert paths(store, store.search_vector(unit(1, 0, 0), k=1, visible=OPEN_REQUEST)) == ["b.md"]
    assert len(store.pending("toy", limit=9)) == 2
    try:
        with store.write() as writer:
            writer.put_vectors("new", [(keys["one"], unit(1, 0))])
    except ValueError:
        pass
    else:
        raise AssertionError("two widths in one space")


def a_moved_document_needs_no_new_vector(store: Store) -> None:
    """A vector belongs to a text: whatever document holds it, now or before it is pruned."""
    fill(store, [item("old.md", "pipit")], vectors={"pipit": unit(1, 0)})
    with store.write() as writer:
        writer.remove_documents([item("old.md", "pipit")[0].id])
        writer.put_document(*item("new/place.md", "pipit"))
        writer.prune()
    assert store.pending("toy", limit=9) == ()
    assert paths(store, store.search_vector(unit(1, 0), k=1, visible=OPEN_REQUEST)) == ["new/place.md"]
    with store.write() as writer:
        writer.remove_documents(list(store.states()))
        writer.prune()
        writer.put_source("notes", SourceType.FOLDER, "/notes")
        writer.put_document(*item("again.md", "pipit"))
    assert [one.text for one in store.pending("toy", limit=9)] == ["pipit"]


CLAIMS: tuple[Callable[[Store], None], ...] = (
    texts_without_vectors_are_found_by_query,
    a_text_of_many_documents_is_embedded_once,
    a_space_is_filled_beside_and_switched_whole,
    a_moved_document_needs_no_new_vector,
)
