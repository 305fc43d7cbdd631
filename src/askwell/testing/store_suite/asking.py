"""How the checks ask a store, and vectors whose cosines are known."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from askwell.ports import LexicalQuery
from askwell.terms import query_terms
from askwell.testing.specimens import OPEN_REQUEST, Item, paths

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askwell.ids import ChunkId
    from askwell.ports import Store, Vector
    from askwell.types import Filter, Sighting


def ask(store: Store, question: str, *, k: int = 10, visible: Filter = OPEN_REQUEST) -> list[str]:
    """Return the paths that the lexical arm finds."""
    return paths(store, sightings(store, question, k=k, visible=visible))


def sightings(
    store: Store, question: str, *, k: int = 10, visible: Filter = OPEN_REQUEST
) -> Sequence[tuple[ChunkId, Sighting]]:
    """Return what the lexical arm sees."""
    return store.search_lexical(LexicalQuery(terms=query_terms(question)), k=k, visible=visible)


def angle(degrees: float) -> Vector:
    """Return a unit vector in the plane: its cosine to `angle(0)` is that of the angle."""
    radians = np.radians(degrees)
    return np.array([np.cos(radians), np.sin(radians), 0.0], dtype=np.float32)


def unit(*numbers: float) -> Vector:
    """Return a vector of length 1 in the direction given."""
    made = np.array(numbers, dtype=np.float32)
    return made / np.linalg.norm(made)


def text(one: Item) -> str:
    """Return an item's text: its only paragraph, by which its vector is known."""
    return one[0].text
