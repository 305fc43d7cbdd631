"""Combine the rankings of several arms into one, by position, by score, or by both."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Literal, TypeAlias, TypeVar

from askwell.types import Arm

if TYPE_CHECKING:
    from askwell.types import Sighting

K = TypeVar("K", bound=Hashable)

FusionName: TypeAlias = Literal["rrf", "convex", "blend"]

RRF_C = 60.0
"""Damping of reciprocal rank fusion; the value of the paper cited below."""


BLEND_C = 20.0
"""Damping of the ranks in `blend`: the first places stand out there, which scores alone let a crowd close up to.
Measured: docs/measurements/0030-retrieval-trials.md"""

BLEND_RANKS = 0.5
"""Share of the ranks in `blend`; the scores have the rest. Measured: as above."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fused(Generic[K]):
    """A candidate with its fused score and every sighting that went into it."""

    id: K
    score: float
    sightings: tuple[Sighting, ...]
    parts: Mapping[Arm, float]  # what each arm that saw it added to `score`


def reciprocal_rank_fusion(
    rankings: Sequence[Sequence[K]], *, weights: Sequence[float] | None = None, c: float = RRF_C
) -> Mapping[K, float]:
    """Fuse by position: the score of an id is the sum over rankings of ``weight / (c + rank)``, rank from 1.

    Args:
        rankings: One sequence of ids an arm, best first, none repeated within its sequence.
        weights: One a ranking, each >= 0; 1.0 each by default.
        c: Damping: the larger, the less the first ranks stand out.

    Returns:
        Score by id, best first; equal scores keep the order of first sight. Scores lie in
        [0, sum(weights) / (c + 1)]. They order this ranking and tell nothing about relevance: the first
        hit of a hopeless question scores exactly like the first hit of a perfect one.

    Raises:
        ValueError: `weights` and `rankings` differ in length.

    Source: Cormack, Clarke and Buettcher, "Reciprocal Rank Fusion Outperforms Condorcet and Individual
    Rank Learning Methods", SIGIR 2009. Deviation: a weight for each ranking.
    """
    scores: defaultdict[K, float] = defaultdict(float)
    for ranking, weight in zip(rankings, _weights(weights, len(rankings)), strict=True):
        for rank, key in enumerate(ranking, start=1):
            scores[key] += weight / (c + rank)
    return _best_first(scores)


def convex_combination(
    rankings: Sequence[Sequence[tuple[K, float]]],
    *,
    weights: Sequence[float] | None = None,
    floors: Sequence[float | None] | None = None,
) -> Mapping[K, float]:
    """Fuse by score: each arm's scores are scaled to [0, 1], then averaged by weight.

    An arm's score s becomes ``(s - floor) / (max - floor)``, cut to [0, 1], where max is that arm's best
    score for this question. Where all its scores are the same and above a given floor, each becomes 1. An id
    that an arm does not return counts 0 there.

    Args:
        rankings: One sequence of (id, raw score, higher is better) an arm, no id repeated within it.
        weights: One a ranking, each >= 0; 1.0 each by default. Only their proportions matter.
        floors: One a ranking. A number is the least that the arm's scale can give or is worth. None, the
            default, takes the lowest score that the arm returned: what it left out lies below, and counts
            the same 0.

    Returns:
        Score by id in [0, 1], best first; equal scores keep the order of first sight.

    Raises:
        ValueError: `weights` or `floors` differ in length from `rankings`.

    Source: Bruch, Gai and Ingber, "An Analysis of Fusion Functions for Hybrid Retrieval", ACM TOIS 42(1),
    2023, section 3: a number as floor is their theoretical min-max, None their min-max.
    """
    chosen = _weights(weights, len(rankings))
    lows: Sequence[float | None] = [None] * len(rankings) if floors is None else floors
    if len(lows) != len(rankings):
        raise ValueError(f"{len(rankings)} rankings but {len(lows)} floors")
    total = sum(chosen) or 1.0
    scores: defaultdict[K, float] = defaultdict(float)
    for ranking, weight, floor in zip(rankings, chosen, lows, strict=True):
        for (key, _), scaled in zip(ranking, _scaled([score for _, score in ranking], floor), strict=True):
            scores[key] += weight / total * scaled
    return _best_first(scores)


def fuse(
    rankings: Mapping[Arm, Sequence[tuple[K, Sighting]]],
    *,
    by: FusionName,
    weights: Mapping[Arm, float],
    floors: Mapping[Arm, float | None],
    c: float = RRF_C,
) -> tuple[Fused[K], ...]:
    """Fuse the arms' sightings and keep them: what each arm said stays readable on every candidate.

    Args:
        rankings: By arm, its (id, sighting) pairs, best first.
        by: `rrf` uses ranks and `c`, `convex` uses scores and `floors`. `blend` is the mean of `convex` and of
            ranks as ``(BLEND_C + 1) / (BLEND_C + rank)``, both in [0, 1].
        weights: By arm; 1.0 for an arm that is not named.
        floors: By arm; None for an arm that is not named.
        c: See `reciprocal_rank_fusion`.

    Returns:
        Candidates best first. Equal scores: seen by more arms first, then the order of first sight.
    """
    total = sum(weights.get(arm, 1.0) for arm in rankings) or 1.0
    parts: defaultdict[K, dict[Arm, float]] = defaultdict(dict)
    seen_by: defaultdict[K, list[Sighting]] = defaultdict(list)
    for arm, ranking in rankings.items():
        weight = weights.get(arm, 1.0)
        share = weight if by == "rrf" else weight / total
        scores = [sighting.score for _, sighting in ranking]
        added = parts_of(scores, floor=floors.get(arm), weight=share, by=by, c=c)
        for (key, sighting), part in zip(ranking, added, strict=True):
            parts[key][arm] = part
            seen_by[key].append(sighting)
    fused = [
        Fused(id=key, score=sum(of_arms.values()), sightings=tuple(seen_by[key]), parts=of_arms)
        for key, of_arms in parts.items()
    ]
    return tuple(sorted(fused, key=lambda one: (-one.score, -len(one.sightings))))


def parts_of(
    scores: Sequence[float], *, floor: float | None, weight: float, by: FusionName, c: float = RRF_C
) -> list[float]:
    """Return what one ranking adds to the scores of its candidates; see `fuse`.

    Args:
        scores: Best first, in the ranking's own unit.
        floor: Where they begin to count, None for the lowest of them.
        weight: Of this ranking; its first candidate gets no more.
        by: As for `fuse`.
        c: As for `fuse`.
    """
    match by:
        case "rrf":
            return [weight / (c + rank) for rank in range(1, len(scores) + 1)]
        case "convex":
            return [weight * score for score in _scaled(scores, floor)]
        case "blend":
            return [
                weight * (BLEND_RANKS * (BLEND_C + 1) / (BLEND_C + rank) + (1 - BLEND_RANKS) * score)
                for rank, score in enumerate(_scaled(scores, floor), start=1)
            ]


def floor_of(arm: Arm, *, full: bool) -> float | None:
    """Return from which score up an arm's results count; None for the lowest that it returned.

    Where an arm was cut off, what it left out is no better than its last. A lexical arm that was not cut
    left out what holds no word of the question, which is its zero; a cosine has no such zero: that of
    unrelated texts is 0.0 in one embedding space and 0.7 in another.
    """
    return 0.0 if arm is Arm.LEXICAL and not full else None


def _scaled(raw: Sequence[float], floor: float | None) -> list[float]:
    """Return one arm's scores in [0, 1]; see `convex_combination`."""
    if not raw:
        return []
    high, least = max(raw), min(raw)
    low = least if floor is None else floor
    if high == least:
        return [float(floor is None or high > low)] * len(raw)
    return [min(1.0, max(0.0, (score - low) / (high - low))) if high > low else 0.0 for score in raw]


def _weights(weights: Sequence[float] | None, count: int) -> Sequence[float]:
    chosen = [1.0] * count if weights is None else weights
    if len(chosen) != count:
        raise ValueError(f"{count} rankings but {len(chosen)} weights")
    return chosen


def _best_first(scores: Mapping[K, float]) -> dict[K, float]:
    return dict(sorted(scores.items(), key=lambda item: -item[1]))
