"""Sentences over the examples, half of them with one thing changed, and what they may be called."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from benchmarks.altering import labelled

from askwell.types import Support

ROOT = Path(__file__).parents[3]
EXACT = ("number", "unit", "date", "name", "path", "flag")
TOLD = ("comparison", "negation", "attribution", "merge")


@pytest.fixture(scope="module")
def verdicts() -> dict[str, Counter[Support]]:
    return labelled(ROOT / "tests/fixtures/claims.tsv", ROOT / "examples", [])


def test_the_set_has_two_hundred_of_both(verdicts: dict[str, Counter[Support]]) -> None:
    assert verdicts["true"].total() == 200
    assert sum(verdicts[kind].total() for kind in (*EXACT, *TOLD)) == 200


@pytest.mark.parametrize(("kinds", "most"), [(EXACT, 0.05), (TOLD, 0.3)])
def test_what_was_changed_is_rarely_called_supported(
    verdicts: dict[str, Counter[Support]], kinds: tuple[str, ...], most: float
) -> None:
    together = sum((verdicts[kind] for kind in kinds), Counter())
    assert together[Support.SUPPORTED] / together.total() <= most


def test_what_is_true_is_not_called_unsupported(verdicts: dict[str, Counter[Support]]) -> None:
    assert verdicts["true"][Support.UNSUPPORTED] / 200 <= 0.05
    assert verdicts["true"][Support.SUPPORTED] / 200 >= 0.8
