"""Add what stands one link away: a hit's topic notes and their other members. Never past a quota."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from askwell.types import Arm, Removed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from askwell.ids import DocumentId
    from askwell.rank.diversity import Kept
    from askwell.types import Hit

DISCOUNT = 0.7
"""What a neighbour's score is of the score of the hit that led to it."""

SIBLINGS = 5
"""Most members of a topic that one hit brings in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbour:
    """A document one hop away from a hit."""

    document_id: DocumentId
    score: float
    why: str


def neighbours(
    hits: Sequence[Hit],
    *,
    topics: Mapping[DocumentId, Sequence[DocumentId]],
    members: Mapping[DocumentId, Sequence[DocumentId]],
) -> Iterator[Neighbour]:
    """Yield the documents around `hits`: each hit's topic notes, then at most five siblings a hit.

    Args:
        hits: Best first.
        topics: By document, the topic notes that list it. Visible ones only.
        members: By topic note, the documents it lists, in its order. Visible ones only.

    Yields:
        In the order of the hits. No document that a hit already has, none twice. One hop: what stands
        around a neighbour is not looked at.
    """
    seen = {hit.chunk.document_id for hit in hits}
    done: set[DocumentId] = set()
    for hit in hits:
        document = hit.chunk.document_id
        if document in done:
            continue
        done.add(document)
        score = DISCOUNT * hit.score
        mine = topics.get(document, ())
        for topic in mine:
            if topic not in seen:
                seen.add(topic)
                yield Neighbour(document_id=topic, score=score, why=f"x{DISCOUNT:g} topic note of {hit.path}")
        left = SIBLINGS
        for sibling in (one for topic in mine for one in members.get(topic, ())):
            if left and sibling not in seen:
                seen.add(sibling)
                left -= 1
                yield Neighbour(document_id=sibling, score=score, why=f"x{DISCOUNT:g} shares a topic with {hit.path}")


def within_quota(hits: Sequence[Hit], *, k: int, quota: int) -> tuple[tuple[Hit, ...], tuple[Removed, ...]]:
    """Cut to `k` hits of which at most `quota` were brought in by the graph alone.

    Where fewer than ``k - quota`` hits came from the question itself, neighbours take the places left.

    Args:
        hits: Best first.
        k: Most hits returned.
        quota: Places for hits whose only sighting is the graph's.

    Returns:
        The kept hits in their order, and the rest with the step that removed each.
    """
    direct = sum(not from_graph(hit) for hit in hits)
    room = max(quota, k - direct)
    kept: list[Hit] = []
    removed: list[Removed] = []
    for rank, hit in enumerate(hits, start=1):
        if len(kept) == k:
            removed.append(Removed(hit=hit, by=f"ranked {rank}, after the first {k}"))
        elif from_graph(hit) and room == 0:
            removed.append(Removed(hit=hit, by=f"{quota} linked documents are already shown"))
        else:
            room -= from_graph(hit)
            kept.append(hit)
    return tuple(kept), tuple(removed)


def from_graph(hit: Hit) -> bool:
    """Tell whether only a link brought this hit in."""
    finders = [seen.arm for seen in hit.sightings if seen.arm not in (Arm.WORDS, Arm.RERANK)]
    return bool(finders) and all(arm is Arm.GRAPH for arm in finders)


def merged(direct: Kept, extra: Sequence[Hit]) -> tuple[Hit, ...]:
    """Return the direct hits and the extra ones, best first; equal scores put direct hits first."""
    return tuple(sorted((*direct.hits, *extra), key=lambda hit: -hit.score))
