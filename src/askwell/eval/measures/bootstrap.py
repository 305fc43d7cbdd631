"""How far an average could be off, had other questions of the same kind been asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

RESAMPLES = 10_000
"""Resamples of an interval: its ends then move by about a hundredth of its width from seed to seed."""

_AT_ONCE = 1_000_000  # drawn numbers held in memory


def interval(groups: Sequence[Sequence[float]], *, seed: int = 0, level: float = 0.95) -> tuple[float, float] | None:
    """Return the bootstrap interval of the mean of the groups' means; None if no group has two values.

    Given paired differences it is the interval of the average difference: it holds 0 where the questions cannot tell
    the two settings apart. The same seed and values give the same interval.

    Args:
        groups: The values of each question set; values are resampled within their set. Empty groups have no part.
        seed: Of the random numbers.
        level: Share of the resampled means that the interval holds, in (0, 1).

    Source: Efron, "Bootstrap Methods: Another Look at the Jackknife", The Annals of Statistics 7(1), 1979; the
    percentile interval of Efron and Tibshirani, "Bootstrap Methods for Standard Errors, Confidence Intervals, and Other
    Measures of Statistical Accuracy", Statistical Science 1(1), 1986, section 4; over paired differences by question
    as in Sakai, "Evaluating Evaluation Metrics Based on the Bootstrap", SIGIR 2006. Deviation: sets are strata.
    """
    import numpy as np

    filled = [np.asarray(group, dtype=np.float64) for group in groups if group]
    if not any(len(group) > 1 for group in filled):
        return None
    random = np.random.default_rng(seed)
    means = np.zeros(RESAMPLES)
    for group in filled:
        step = max(1, _AT_ONCE // len(group))
        for start in range(0, RESAMPLES, step):
            rows = min(step, RESAMPLES - start)
            drawn = random.integers(0, len(group), size=(rows, len(group)))
            means[start : start + rows] += group[drawn].mean(axis=1) / len(filled)
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)
