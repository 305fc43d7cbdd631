"""What a model that compares the question with each candidate changes: its view beside the others', or the last word.

`joined` adds it to the scores as one more ranking: for a judge that sees some things better and others worse than what
found the candidates. `reordered` puts the candidates in its order: for a model that was trained to do just that.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from askwell.rank.fusion import RRF_C, parts_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from askwell.ids import ChunkId
    from askwell.rank.fusion import FusionName
    from askwell.types import Arm, Hit

Parts: TypeAlias = "Mapping[ChunkId, Mapping[Arm, float]]"


def joined(
    hits: Sequence[Hit],
    relevances: Sequence[float],
    *,
    arm: Arm,
    weight: float,
    by: FusionName,
    c: float = RRF_C,
) -> tuple[tuple[Hit, ...], Parts]:
    """Return `hits` with `weight` of another ranking added to the scores of the first ones, best first again.

    Args:
        hits: Best first. No score falls; equal scores keep the order they had.
        relevances: Of the first `len(relevances)` hits, in their order, in any unit, higher is better.
        arm: Under which name the hits keep what was said of them.
        weight: Of this ranking, where those that were fused before have 1 together.
        by: How places and scores become parts of a score; see `fusion.fuse`.
        c: As there.

    Returns:
        The hits, and by chunk what was added.
    """
    head = hits[: len(relevances)]
    ranked = sorted(zip(relevances, head, strict=True), key=lambda pair: -pair[0])
    added = dict(
        zip(
            (hit.chunk.id for _, hit in ranked),
            parts_of([relevance for relevance, _ in ranked], floor=None, weight=weight, by=by, c=c),
            strict=True,
        )
    )
    seen = [
        hit.seen_also(arm, rank=rank, score=relevance, adding=added[hit.chunk.id])
        for rank, (relevance, hit) in enumerate(ranked, start=1)
    ]
    by_id = {hit.chunk.id: hit for hit in seen}
    moved = [by_id.get(hit.chunk.id, hit) for hit in hits]
    return tuple(sorted(moved, key=lambda hit: -hit.score)), {id: {arm: part} for id, part in added.items()}


def reordered(hits: Sequence[Hit], relevances: Sequence[float], *, arm: Arm) -> tuple[Hit, ...]:
    """Return `hits` with the first ones in the order of their relevances; equal ones keep the order they had.

    The scores stay where they were, so that the best hit still has the highest: what a model calls relevant has a unit
    of its own, and stands in the sighting.

    Args:
        hits: Best first.
        relevances: Of the first `len(relevances)` hits, in their order, higher is better.
        arm: Under which name the hits keep what was said of them.
    """
    head, tail = hits[: len(relevances)], hits[len(relevances) :]
    ranked = sorted(zip(relevances, head, strict=True), key=lambda pair: -pair[0])
    moved = [
        replace(hit.seen_also(arm, rank=rank, score=relevance), score=place.score)
        for rank, ((relevance, hit), place) in enumerate(zip(ranked, head, strict=True), start=1)
    ]
    return (*moved, *tail)
