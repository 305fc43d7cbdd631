"""Let a chunk count for what its document says elsewhere: arms that agree on a page need not agree on the paragraph.

One arm sees the words of a question in one chunk, the other its meaning in the next; neither chunk has both, and a
chunk of some other document that has a little of each passes them. Taken together they are one document's evidence.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from askwell.ids import ChunkId, DocumentId
    from askwell.types import Arm, Hit

SHARE = 0.75
"""Share of the document's evidence in a chunk's score; its own has the rest, and so puts the chunks of one document in
order. Measured: docs/measurements/0030-retrieval-trials.md"""


def with_documents(
    hits: Sequence[Hit], parts: Mapping[ChunkId, Mapping[Arm, float]], *, share: float = SHARE
) -> tuple[Hit, ...]:
    """Return `hits` with their scores drawn towards their documents' evidence, best first again.

    A document's evidence is the sum over the arms of the most that the arm gave to any of its chunks among `hits`. It
    is never less than the score of one of them, so no score falls, and a document with a single chunk keeps its
    score. Equal scores keep the order they had. No hit is added or dropped.

    Args:
        hits: Best first.
        parts: By chunk, what each arm added to its score. Every hit is among them.
        share: In [0, 1]; 0 changes nothing.
    """
    most: defaultdict[DocumentId, dict[Arm, float]] = defaultdict(dict)
    for hit in hits:
        best = most[hit.chunk.document_id]
        for arm, part in parts[hit.chunk.id].items():
            best[arm] = max(part, best.get(arm, 0.0))
    moved = []
    for hit in hits:
        score = (1 - share) * hit.score + share * sum(most[hit.chunk.document_id].values())
        if score > hit.score * _NOTABLE:
            hit = hit.moved(score, "what else its document says")
        moved.append(hit)
    return tuple(sorted(moved, key=lambda hit: -hit.score))


_NOTABLE = 1.000001  # sums of the same parts in another order differ by rounding
