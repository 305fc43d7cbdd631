"""How well the order of the first k matches the best possible one."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def ndcg(ranked: Sequence[str], grades: Mapping[str, float], *, k: int) -> float:
    """Return discounted gain of the first `k` over that of the ideal order, in [0, 1]; 0.0 without any grade > 0.

    The gain of a document is its grade, its discount ``log2(rank + 1)``, rank from 1.

    Args:
        ranked: Distinct documents, best first.
        grades: Relevance by document, >= 0; absent means 0.
        k: Depth.

    Source: Jarvelin and Kekalainen, "Cumulated Gain-Based Evaluation of IR Techniques", ACM TOIS 20(4), 2002, with
    the discount of trec_eval's ``ndcg_cut``: linear gain, and rank 1 is discounted too (by log2(2) = 1).
    """
    ideal = _gain(sorted((grade for grade in grades.values() if grade > 0), reverse=True)[:k])
    return _gain([max(0.0, grades.get(document, 0.0)) for document in ranked[:k]]) / ideal if ideal else 0.0


def _gain(grades: Sequence[float]) -> float:
    return sum(grade / math.log2(rank + 1) for rank, grade in enumerate(grades, start=1))
