from __future__ import annotations

from askwell.eval.certainty import MEASURES, certainty_rows
from askwell.eval.questions import read_questions
from askwell.eval.run import Report, scored

QUESTIONS = "\n".join(
    f'{{"id": "q{n}", "question": "where is it", "type": "fact", "gold_docs": ["a.md"], "need": "any"}}'
    for n in range(20)
)


def report(found: int) -> Report:
    questions = read_questions(QUESTIONS, name="q")
    right = {question.id: (("", "a.md"),) for question in questions[:found]}
    return scored(questions, right)


def test_an_interval_holds_the_score_and_is_of_no_width_where_all_are_alike() -> None:
    head, half, every, mean = certainty_rows({"half": report(10), "every": report(20)})
    assert head == ["set", *MEASURES]
    assert every == ["every", *["1.00 to 1.00"] * len(MEASURES)]
    low, high = map(float, half[1].split(" to "))
    assert 0.25 <= low < 0.5 < high <= 0.75
    assert mean[0] == "mean of 2"
    low, high = map(float, mean[1].split(" to "))
    assert 0.6 <= low < 0.75 < high <= 0.9


def test_one_set_has_no_row_of_a_mean_and_one_question_no_interval() -> None:
    questions = read_questions(QUESTIONS.split("\n")[0], name="q")
    rows = certainty_rows({"one": scored(questions, {})})
    assert rows[1:] == [["one", *["–"] * len(MEASURES)]]
