"""A document that matches in several places is likelier to hold the answer than one that matches in one."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askwell.ids import DocumentId
    from askwell.types import Hit

NEXT = 2
"""How many more chunks of a document speak for its best one: a long document has many, and they say ever less."""


def supported(hits: Sequence[Hit], *, share: float) -> tuple[Hit, ...]:
    """Return `hits` with each document's best one raised by `share` of the scores of its next two, best first.

    Equal scores keep the order they had. A share of 0 changes nothing.
    """
    of_document: defaultdict[DocumentId, list[float]] = defaultdict(list)
    for hit in hits:
        of_document[hit.chunk.document_id].append(hit.score)
    raised: list[Hit] = []
    seen: set[DocumentId] = set()
    for hit in hits:
        document = hit.chunk.document_id
        gain = 0.0 if document in seen else share * sum(of_document[document][1 : 1 + NEXT])
        seen.add(document)
        raised.append(hit.moved(hit.score + gain, f"+{gain:.3f} for more of its document") if gain > 0 else hit)
    return tuple(sorted(raised, key=lambda hit: -hit.score))
