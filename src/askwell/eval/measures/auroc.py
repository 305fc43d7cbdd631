"""How well a score tells two groups apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def auroc(positive: Sequence[float], negative: Sequence[float]) -> float | None:
    """Return the chance that a positive scores above a negative, ties counted half; None if a group is empty.

    0.5 tells nothing, 1.0 everything. Cost: O(n log n).

    Source: Hanley and McNeil, "The Meaning and Use of the Area under a Receiver Operating Characteristic (ROC)
    Curve", Radiology 143, 1982: the Mann-Whitney statistic over the number of pairs.
    """
    if not positive or not negative:
        return None
    scores = sorted([*((score, 1) for score in positive), *((score, 0) for score in negative)])
    ranks = 0.0
    start = 0
    while start < len(scores):
        end = start
        while end < len(scores) and scores[end][0] == scores[start][0]:
            end += 1
        shared = (start + 1 + end) / 2
        ranks += shared * sum(group for _, group in scores[start:end])
        start = end
    n = len(positive)
    return (ranks - n * (n + 1) / 2) / (n * len(negative))
