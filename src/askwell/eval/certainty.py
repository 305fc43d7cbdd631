"""How far the scores of a set, and their mean, could be off: had other questions of the same kind been asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from askwell.eval.compare import VALUES
from askwell.eval.measures.bootstrap import interval

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from askwell.eval.run import Report

MEASURES = ("recall@1", "recall@5", "recall@10", "MRR@10", "nDCG@10")


def certainty_rows(reports: Mapping[str, Report], *, seed: int = 0) -> list[list[str]]:
    """Return a heading and a row a set with the 95 % interval of each measure, and one of the mean over several.

    A set of fewer than two answerable questions has no interval.

    Args:
        reports: By name of the set.
        seed: Of the resampling.
    """
    groups = {
        name: {
            measure: [found for row in report.rows if (found := VALUES[measure](row)) is not None]
            for measure in MEASURES
        }
        for name, report in reports.items()
    }
    rows = [["set", *MEASURES]]
    rows += [[name, *(_ends([values[measure]], seed=seed) for measure in MEASURES)] for name, values in groups.items()]
    if len(groups) > 1:
        every = [_ends([values[measure] for values in groups.values()], seed=seed) for measure in MEASURES]
        rows.append([f"mean of {len(groups)}", *every])
    return rows


def _ends(groups: Sequence[Sequence[float]], *, seed: int) -> str:
    found = interval(groups, seed=seed)
    return f"{found[0]:.2f} to {found[1]:.2f}" if found else "–"
