"""Decide, before any model is called, whether the corpus can cover a question at all."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from askwell.types import Signals

LEXICAL_ONLY = ""
"""The space of a calibration for an index that is searched by words alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """Cuts measured for one embedding space. Worthless for any other.

    A question is covered when its best cosine reaches `sure_cosine`, or when it reaches `min_cosine` and the
    best hits hold `min_coverage` of its rare words. Without vectors only `lexical_coverage` counts.
    """

    space: str
    min_cosine: float  # under it nothing is covered, in [-1, 1]
    sure_cosine: float  # from it on words need not match: a question in another language, a synonym
    min_coverage: float  # share of rare words, in [0, 1]
    lexical_coverage: float  # the same, where there are no vectors to agree
    measured: str  # the record that these numbers came from
    latin_only: bool = False  # the model reads no other script: a cosine of such a question says nothing


UNMEASURED = Calibration(
    space=LEXICAL_ONLY, min_cosine=-1.0, sure_cosine=1.1, min_coverage=0.5, lexical_coverage=0.5, measured=""
)
"""For a space that nobody measured: words decide, cosines do not."""

SHIPPED: Mapping[str, Calibration] = {
    "all-minilm-l6-v2/": Calibration(
        space="",
        min_cosine=0.36,
        sure_cosine=0.44,
        min_coverage=0.5,
        lexical_coverage=0.5,
        measured="docs/measurements/0003-gate.md",
        latin_only=True,
    ),
    "multilingual-e5-small/": Calibration(
        space="",
        min_cosine=0.8,
        sure_cosine=0.86,
        min_coverage=0.5,
        lexical_coverage=0.5,
        measured="docs/measurements/0003-gate.md",
    ),
}
"""By the beginning of the name of the embedding space that the numbers hold for."""


def uncovered(signals: Signals, calibration: Calibration, *, space: str) -> str | None:
    """Return why the corpus cannot cover the question, in words for the reader, or None if it may.

    Reads raw signals only: a fused score is as high for a hopeless question as for a perfect one. Words that
    say nothing (stop words) have no part in `rare_coverage`, so a question of nothing else is uncovered
    unless its meaning is near enough.

    Args:
        signals: Of the ranking.
        calibration: Of the index.
        space: The index's embedding space; `LEXICAL_ONLY` where it has no vectors.

    Raises:
        ValueError: `calibration` was measured in another embedding space, though there is a cosine to judge.
    """
    if signals.best_cosine is None:
        if signals.rare_coverage < calibration.lexical_coverage or signals.rare_coverage == 0:
            return _missing(signals, calibration.lexical_coverage)
        return None
    if calibration.space != space:
        raise ValueError(f"gate calibrated for {calibration.space!r}, index is in {space!r}")
    if calibration.latin_only and not signals.latin and signals.rare_coverage < calibration.min_coverage:
        return "no passage holds the question's words, and the embedding model does not read its script"
    if signals.best_cosine < calibration.min_cosine:
        return f"nothing is near in meaning: best cosine {signals.best_cosine:.2f}, needed {calibration.min_cosine:.2f}"
    if signals.best_cosine < calibration.sure_cosine and signals.rare_coverage < calibration.min_coverage:
        return _missing(signals, calibration.min_coverage)
    return None


class Coverage(StrEnum):
    """How well the corpus covers a question, from raw signals alone."""

    COVERED = "covered"  # by meaning and by words
    THIN = "thin"  # by one of the two: it may be answered, and another source may add to it
    UNCOVERED = "uncovered"


def coverage(signals: Signals, calibration: Calibration, *, space: str) -> Coverage:
    """Return how well a question is covered; the cuts are those of `uncovered`, whose arguments these are."""
    if uncovered(signals, calibration, space=space) is not None:
        return Coverage.UNCOVERED
    words = signals.rare_coverage >= calibration.min_coverage and not signals.rare_missing
    meaning = signals.best_cosine is None or signals.best_cosine >= calibration.sure_cosine
    return Coverage.COVERED if words and meaning else Coverage.THIN


def shipped(space: str) -> Calibration:
    """Return the calibration shipped for an embedding space, or a cautious one in its name where none was measured."""
    for prefix, calibration in SHIPPED.items():
        if space.startswith(prefix):
            return replace(calibration, space=space)
    return replace(UNMEASURED, space=space)


def _missing(signals: Signals, needed: float) -> str:
    if not signals.rare_missing:
        return "the question has no word that says what it is about"
    names = ", ".join(f"`{word}`" for word in signals.rare_missing[:3])
    return f"no passage holds {names}: {signals.rare_coverage:.0%} of what is asked about is found, {needed:.0%} needed"


STEEPNESS = 0.03
"""Cosines from the least that counts, over which nearness in meaning rises from a half to three quarters or so."""


def evidence(signals: Signals, calibration: Calibration) -> float:
    """Return one number for how well a question is covered, higher for better, in [0, 1]: for curves, not for cuts.

    The mean of the best cosine and twice the coverage, times a logistic step at the calibration's least cosine: what is
    far in meaning is off topic, whatever words it shares; what is near is told from a near miss by its words. The
    coverage alone where there are no vectors. Measured: docs/measurements/0003-gate.md
    """
    if signals.best_cosine is None:
        return signals.rare_coverage
    near = 1 / (1 + math.exp((calibration.min_cosine - signals.best_cosine) / STEEPNESS))
    return near * max(0.0, signals.best_cosine + 2 * signals.rare_coverage) / 3
