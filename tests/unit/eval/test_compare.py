from __future__ import annotations

import json

import pytest

from askwell.errors import BadRequest
from askwell.eval.compare import as_json, changes, compare
from askwell.eval.questions import Question
from askwell.eval.run import Report, Row, scored
from askwell.eval.scores import score
from askwell.eval.tables import aligned, change_line, difference_rows


def side(*found: int, refused: tuple[int, ...] = ()) -> Report:
    """Return a report of answerable questions, each found at a rank, 0 for never; some refused by the gate."""
    rows = []
    for number, rank in enumerate(found):
        question = Question(id=f"q{number}", question=f"question {number}", gold_docs=("a.md",))
        ranked = tuple(f"{n}.md" for n in range(1, rank)) + (("a.md",) if rank else ())
        rows.append(
            Row(
                question=question,
                scores=score(question, ranked),
                documents=tuple(("s", path) for path in ranked),
                refused="weak" if number in refused else None,
                evidence=1.0,
            )
        )
    return Report(rows=tuple(rows))


def test_differences_are_paired_by_question() -> None:
    by_name = {one.measure: one for one in compare([(side(1, 2, 0, 1), side(1, 1, 6, 3))])}
    first = by_name["recall@1"]
    assert (first.a, first.b, first.difference) == (0.5, 0.5, 0.0)
    assert (first.better, first.worse) == (1, 1)
    ten = by_name["recall@10"]
    assert (ten.a, ten.b, ten.better, ten.worse) == (0.75, 1.0, 1, 0)
    assert "MAP" not in by_name
    assert "refused unanswerable" not in by_name


def test_a_difference_in_every_question_is_told_apart_and_one_in_a_few_is_not() -> None:
    (sure,) = [one for one in compare([(side(*[2] * 20), side(*[1] * 20))]) if one.measure == "recall@1"]
    assert sure.interval == (1.0, 1.0)
    assert sure.told_apart
    (noise,) = [one for one in compare([(side(1, 2, *[1] * 8), side(2, 1, *[1] * 8))]) if one.measure == "recall@1"]
    assert not noise.told_apart


def test_sets_count_the_same_whatever_their_size() -> None:
    sets = [(side(*[2] * 30), side(*[1] * 30)), (side(1, 1), side(1, 1))]
    (first,) = [one for one in compare(sets) if one.measure == "recall@1"]
    assert first.difference == 0.5


def test_one_question_gives_a_difference_without_an_interval() -> None:
    (first, *_) = compare([(side(2), side(1))])
    assert (first.difference, first.interval, first.told_apart) == (1.0, None, False)
    assert "–" in aligned(difference_rows([first]))[1]


def test_other_questions_cannot_be_compared() -> None:
    with pytest.raises(BadRequest, match="not asked the same questions") as caught:
        compare([(side(1, 1), side(1))])
    assert caught.value.hint


def test_changed_questions_come_the_most_worsened_first() -> None:
    found = changes(side(1, 1, 3, 0, 20), side(1, 0, 1, 2, 0, refused=(0,)))
    assert [(one.id, one.a, one.b) for one in found] == [("q1", 1, 0), ("q0", 1, 1), ("q2", 3, 1), ("q3", 0, 2)]
    lines = [change_line(one) for one in found]
    assert lines[0] == "q1: #1 → not found, nDCG@10 -1.00: question 1"
    assert lines[1] == "q0: #1 → #1, refused now: question 0"


def test_a_comparison_is_json() -> None:
    value = json.loads(json.dumps(as_json([(side(1, 0), side(1, 1))], a="one.toml", b="two.toml")))
    assert (value["a"], value["b"], value["seed"]) == ("one.toml", "two.toml", 0)
    first = value["measures"][0]
    assert first == {"measure": "recall@1", "a": 0.5, "b": 1.0, "difference": 0.5, "better": 1, "worse": 0} | {
        "low": first["low"],
        "high": first["high"],
    }
    assert [one["id"] for one in value["changed"]] == ["q1"]


def test_graded_judgements_are_compared_by_their_own_measures() -> None:
    question = Question(id="q", question="q", gold_docs=("a", "b"), grades={"a": 1.0, "b": 2.0})
    a, b = scored([question], {"q": [("", "a")]}), scored([question], {"q": [("", "a"), ("", "b")]})
    assert {"MAP", "recall@100"} <= {one.measure for one in compare([(a, b)])}
    assert "refused answerable" not in {one.measure for one in compare([(a, b)])}
