"""Which texts stand in so many documents that they tell none of them from another."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from askwell.ids import DocumentId

_SHARE = 50  # one document in fifty
_FEWEST = 5  # in a small corpus, four copies may still be four answers
_MOST = 20  # in a large one, a banner of one repository of twenty files is a banner


def boilerplate(hashes: Iterable[tuple[str, DocumentId]], *, documents: int) -> frozenset[str]:
    """Return the text keys that at least one document in fifty holds, but no fewer than 5 and no more than 20.

    So a vault of thirty notes needs five copies, one of five hundred ten, and one of thousands twenty: how
    large the rest of the index is says nothing about a text that twenty documents share.

    Args:
        hashes: `ids.text_key` of each chunk with its document; several of one document count once.
        documents: How many documents the hashes were taken from.
    """
    least = min(_MOST, max(_FEWEST, -(-documents // _SHARE)))
    counts = Counter(key for key, _ in set(hashes))
    return frozenset(key for key, count in counts.items() if count >= least)
