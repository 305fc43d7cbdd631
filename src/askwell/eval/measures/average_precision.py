"""How early the relevant documents come, all of them counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence


def average_precision(ranked: Sequence[str], relevant: Collection[str]) -> float:
    """Return the mean over all relevant documents of the precision at their rank, in [0, 1]; 0.0 where none is known.

    A relevant document that is not in `ranked` counts with precision 0. Its mean over questions is MAP, over as
    many documents as `ranked` holds.

    Args:
        ranked: Distinct documents, best first.
        relevant: Every document that is known to be relevant; grades play no part.

    Source: Buckley and Voorhees, "Evaluating Evaluation Measure Stability", SIGIR 2000, section 2; `map` of trec_eval.
    """
    wanted = {*relevant}
    found = 0
    total = 0.0
    for rank, document in enumerate(ranked, start=1):
        if document in wanted:
            found += 1
            total += found / rank
    return total / len(wanted) if wanted else 0.0
