"""Cuts are fitted on one half of the questions, kept only if they do better on the other, and of one space alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from askwell.calibrating import NOTE, in_force, parsed, written
from askwell.eval.calibrate import Asked, fit, interval, rates
from askwell.rank.gate import Calibration, shipped
from askwell.testing.memory_store import MemoryStore
from askwell.types import Signals

SPACE = "all-minilm-l6-v2/test"
SHIPPED = shipped(SPACE)


def signals(cosine: float, coverage: float) -> Signals:
    return Signals(best_cosine=cosine, cosine_margin=0.1, rare_coverage=coverage, rare_missing=(), agreement=0.5)


def asked(good: float, bad: float) -> list[Asked]:
    kinds = [Asked("answerable", signals(good, 1.0)), Asked("answerable", signals(good, 0.6))]
    strangers = [Asked("off-topic", signals(bad, 0.6)), Asked("off-topic", signals(bad, 0.55))]
    return [one for _ in range(20) for one in (*kinds, *strangers)]


def test_better_cuts_are_found_and_judged_by_questions_they_were_not_chosen_by() -> None:
    found = fit(asked(good=0.6, bad=0.37), SHIPPED)
    assert found.before.off_topic == 1.0
    assert (found.after.off_topic, found.after.refused) == (0.0, 0.0)
    assert found.chosen.min_cosine > 0.37
    assert found.chosen.min_coverage <= SHIPPED.min_coverage
    assert found.chosen.space == SPACE


def test_the_shipped_cuts_stay_where_nothing_does_better() -> None:
    found = fit(asked(good=0.6, bad=0.2), SHIPPED)
    assert found.chosen is found.shipped
    assert found.after == found.before


def test_fitted_cuts_stay_near_the_shipped_ones() -> None:
    found = fit(asked(good=0.9, bad=0.7), SHIPPED)
    assert abs(found.chosen.min_cosine - SHIPPED.min_cosine) <= 0.06 + 1e-9


def test_rates_count_each_kind_by_itself() -> None:
    given = [*asked(good=0.6, bad=0.2), Asked("near miss", signals(0.6, 1.0))]
    found = rates(given, SHIPPED)
    assert (found.off_topic, found.refused, found.near_miss, found.counts) == (0.0, 0.0, 1.0, (40, 40, 1))


@pytest.mark.parametrize(
    ("share", "count", "low", "high"), [(0.0, 25, 0.0, 0.133), (0.5, 100, 0.404, 0.596), (0.0, 0, 0.0, 1.0)]
)
def test_an_interval_is_wilsons(share: float, count: int, low: float, high: float) -> None:
    assert interval(share, count) == pytest.approx((low, high), abs=0.001)


def test_a_note_of_another_space_or_of_nonsense_is_set_aside() -> None:
    store = MemoryStore()
    mine = replace(SHIPPED, space="", min_coverage=0.9, lexical_coverage=0.9, measured="fitted")
    with store.write() as writer:
        writer.set_note(NOTE, written(mine))
    assert in_force(store) == mine
    for note in ("", "x", "{}", written(replace(mine, space="other")), written(replace(mine, min_cosine=9.0))):
        with store.write() as writer:
            writer.set_note(NOTE, note)
        assert in_force(store).measured != "fitted"
    assert isinstance(parsed(written(mine)), Calibration)
