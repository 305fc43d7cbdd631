"""Percentiles of what was timed."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def percentile(values: Sequence[float], share: float) -> float:
    """Return the smallest value that at least `share` of `values` do not exceed; 0.0 for no values.

    Source: the nearest-rank definition (Hyndman and Fan, "Sample Quantiles in Statistical Packages", The American
    Statistician 50(4), 1996, definition 1). `share` in (0, 1].
    """
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)] if ordered else 0.0
