"""Two settings over the same questions: the difference, how sure it is, and the questions that changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from askwell.errors import BadRequest
from askwell.eval.measures.bootstrap import interval
from askwell.eval.scores import CUTS, DEEP, DEPTH

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from askwell.eval.run import Report, Row


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One measure under both settings, paired over the questions.

    Attributes:
        a: Mean over the sets of the mean over the questions, under the first settings.
        difference: `b` less `a`.
        interval: In which 95 % of the resampled differences lie; None for fewer than two questions.
        better: Questions with a higher value under the second settings.
    """

    measure: str
    a: float
    b: float
    difference: float
    interval: tuple[float, float] | None
    better: int
    worse: int

    @property
    def told_apart(self) -> bool:
        """Whether the interval leaves 0 out."""
        return self.interval is not None and not self.interval[0] <= 0 <= self.interval[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A question with another outcome.

    Attributes:
        a: The k at which it was found under the first settings, 0 if not among the first ten; likewise `b`.
        gain: What its nDCG@10 gained.
        refused_a: Whether the gate refused it under the first settings; likewise `refused_b`.
    """

    id: str
    question: str
    a: int
    b: int
    gain: float
    refused_a: bool
    refused_b: bool


def compare(pairs: Sequence[tuple[Report, Report]], *, seed: int = 0) -> tuple[Difference, ...]:
    """Return a difference a measure that both sides have; every set counts the same.

    Args:
        pairs: A pair of reports a question set.
        seed: Of the resampling.

    Raises:
        BadRequest: the reports of a pair are not of the same questions.
    """
    for a, b in pairs:
        if [row.question.id for row in a.rows] != [row.question.id for row in b.rows]:
            raise BadRequest("the two sides were not asked the same questions", hint="score both on the same files")
    made = (_difference(measure, value, pairs, seed=seed) for measure, value in VALUES.items())
    return tuple(difference for difference in made if difference is not None)


def changes(a: Report, b: Report) -> tuple[Change, ...]:
    """Return the questions that are found elsewhere or judged otherwise by the gate, the most worsened first."""
    changed = []
    for one, other in zip(a.rows, b.rows, strict=True):
        change = Change(
            id=one.question.id,
            question=one.question.question,
            a=one.found if one.found <= DEPTH else 0,
            b=other.found if other.found <= DEPTH else 0,
            gain=other.scores.ndcg - one.scores.ndcg,
            refused_a=one.refused is not None,
            refused_b=other.refused is not None,
        )
        if change.a != change.b or change.gain or change.refused_a != change.refused_b:
            changed.append(change)
    return tuple(sorted(changed, key=lambda change: change.gain))


def as_json(pairs: Sequence[tuple[Report, Report]], *, a: str, b: str, seed: int = 0) -> dict[str, object]:
    """Return a comparison as JSON: both names, a row a measure, the questions that changed."""
    return {
        "a": a,
        "b": b,
        "seed": seed,
        "measures": [
            {
                "measure": one.measure,
                "a": one.a,
                "b": one.b,
                "difference": one.difference,
                "low": one.interval[0] if one.interval else None,
                "high": one.interval[1] if one.interval else None,
                "better": one.better,
                "worse": one.worse,
            }
            for one in compare(pairs, seed=seed)
        ],
        "changed": [
            {
                "id": one.id,
                "question": one.question,
                "found": [one.a, one.b],
                "gain": one.gain,
                "refused": [one.refused_a, one.refused_b],
            }
            for pair in pairs
            for one in changes(*pair)
        ],
    }


def _recall(k: int) -> Callable[[Row], float | None]:
    return lambda row: row.scores.recalls.get(k) if row.question.answerable else None


def _refused(*, answerable: bool) -> Callable[[Row], float | None]:
    def value(row: Row) -> float | None:
        judged = row.evidence is not None and row.question.answerable == answerable
        return float(row.refused is not None) if judged else None

    return value


VALUES: dict[str, Callable[[Row], float | None]] = {
    **{f"recall@{k}": _recall(k) for k in (*CUTS, DEEP)},
    "MRR@10": lambda row: row.scores.reciprocal_rank if row.question.answerable else None,
    "nDCG@10": lambda row: row.scores.ndcg if row.question.answerable else None,
    "MAP": lambda row: row.scores.average_precision if row.question.answerable else None,
    "refused answerable": _refused(answerable=True),
    "refused unanswerable": _refused(answerable=False),
}
"""Measure → its value for one question, None where it has none."""


def _difference(
    measure: str, value: Callable[[Row], float | None], pairs: Sequence[tuple[Report, Report]], *, seed: int
) -> Difference | None:
    sets = []
    for report, against in pairs:
        both = ((value(one), value(other)) for one, other in zip(report.rows, against.rows, strict=True))
        if measured := [(x, y) for x, y in both if x is not None and y is not None]:
            sets.append(measured)
    if not sets:
        return None
    first, second = ([sum(pair[side] for pair in one) / len(one) for one in sets] for side in (0, 1))
    a, b = sum(first) / len(first), sum(second) / len(second)
    return Difference(
        measure=measure,
        a=a,
        b=b,
        difference=b - a,
        interval=interval([[y - x for x, y in one] for one in sets], seed=seed),
        better=sum(y > x for one in sets for x, y in one),
        worse=sum(y < x for one in sets for x, y in one),
    )
