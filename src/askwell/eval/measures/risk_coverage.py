"""What answering more questions costs in wrong answers."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def risk_coverage(evidence: Sequence[float], wrong: Sequence[bool]) -> tuple[tuple[float, float], ...]:
    """Return (coverage, risk) for every threshold that evidence allows, by rising coverage; empty for no questions.

    Coverage is the share of questions whose evidence reaches the threshold, in (0, 1]; risk the share of those that
    are answered wrongly, in [0, 1]. Questions of equal evidence are answered together. Cost: O(n log n).

    Source: El-Yaniv and Wiener, "On the Foundations of Noise-free Selective Classification", JMLR 11, 2010, section 2.
    """
    ordered = sorted(zip(evidence, wrong, strict=True), key=lambda pair: -pair[0])
    points: list[tuple[float, float]] = []
    answered = errors = 0
    for _, tied in groupby(ordered, key=lambda pair: pair[0]):
        outcomes = [bad for _, bad in tied]
        answered += len(outcomes)
        errors += sum(outcomes)
        points.append((answered / len(ordered), errors / answered))
    return tuple(points)


def area(points: Sequence[tuple[float, float]]) -> float | None:
    """Return the average risk over all coverages, lower for better, in [0, 1]; None without a point.

    Source: AURC of Geifman, Uziel and El-Yaniv, "Bias-Reduced Uncertainty Estimation for Deep Neural Classifiers",
    ICLR 2019, section 3. Deviation: questions of equal evidence share one risk.
    """
    if not points:
        return None
    before = [0.0, *(coverage for coverage, _ in points)]
    return sum(risk * (coverage - start) for (coverage, risk), start in zip(points, before, strict=False))
