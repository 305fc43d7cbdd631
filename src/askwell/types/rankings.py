"""Ranked chunks, and how each came to its place."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from askwell.types.documents import Chunk
    from askwell.types.words import Arm, Lines


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """What one arm said about a chunk. Raw scores are never compared across arms."""

    arm: Arm
    rank: int  # 1 = best
    score: float  # the arm's own unit: bm25 (higher is better) for LEXICAL, cosine in [-1, 1] for VECTOR


@dataclass(frozen=True, slots=True, kw_only=True)
class Location:
    """Where else the same text stands."""

    source: str
    path: str
    lines: Lines


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A chunk in a ranking, with every sighting that put it there and every step that moved it."""

    chunk: Chunk
    source: str
    path: str
    title: str
    score: float  # fused; orders this ranking and means nothing outside it
    sightings: tuple[Sighting, ...] = ()
    also_at: tuple[Location, ...] = ()
    moves: tuple[str, ...] = ()  # what boosted, discounted or added it, for `--explain`

    def seen_by(self, arm: Arm) -> Sighting | None:
        """Return this hit's sighting by `arm`, or None if that arm did not return it."""
        return next((s for s in self.sightings if s.arm is arm), None)

    def seen_also(self, arm: Arm, *, rank: int, score: float, adding: float = 0.0) -> Hit:
        """Return a copy with one more sighting, and `adding` more score for it."""
        sighting = Sighting(arm=arm, rank=rank, score=score)
        return self._with(self.score + adding, sightings=(*self.sightings, sighting), moves=self.moves)

    def moved(self, score: float, why: str) -> Hit:
        """Return a copy with a new fused score and the reason; the sightings are kept."""
        return self._with(score, sightings=self.sightings, moves=(*self.moves, why))

    def _with(self, score: float, *, sightings: tuple[Sighting, ...], moves: tuple[str, ...]) -> Hit:
        # Written out: every candidate is copied several times a question, and `replace` takes five times as long.
        return Hit(
            chunk=self.chunk,
            source=self.source,
            path=self.path,
            title=self.title,
            score=score,
            sightings=sightings,
            also_at=self.also_at,
            moves=moves,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Removed:
    """A candidate that did not make the ranking, and the step that removed it."""

    hit: Hit
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Signals:
    """Raw evidence that the corpus covers a question: what the gate reads. Never a fused score."""

    best_cosine: float | None  # None when the vector arm is missing
    cosine_margin: float | None  # best minus the mean of the vector arm's tail
    rare_coverage: float  # weight of the question's rare words that one of the best hits holds together, in [0, 1]
    rare_missing: tuple[str, ...]  # words of the question that none of the best hits holds, rarest first
    agreement: float  # share of the top hits that both arms saw, in [0, 1]
    latin: bool = True  # whether at least half of the question's letters are Latin


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """Ordered hits, best first, and how they came about."""

    question: str
    hits: tuple[Hit, ...]
    signals: Signals
    missing_arms: Mapping[Arm, str] = field(default_factory=dict)  # arm → why, in words
    removed: tuple[Removed, ...] = ()
    intents: tuple[str, ...] = ()  # what the question's shape was taken for
    timings: Mapping[str, float] = field(default_factory=dict)  # milliseconds per step
    warnings: tuple[str, ...] = ()  # what took part incompletely: chunks without vectors, a reranker that is away
    why_not: str = ""  # why the document that the reader expected is not among the hits; empty if not asked
