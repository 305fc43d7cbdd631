from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askwell.errors import BadRequest
from askwell.eval.questions import Question
from askwell.eval.run import scored
from askwell.eval.trec import qrels_text, quoted, read_run, run_text


def ask(id: str, *gold: str, also: tuple[str, ...] = (), grades: dict[str, float] | None = None) -> Question:
    return Question(
        id=id, question=id, gold_docs=gold, also_ok=also, grades=grades or {}, need="any" if gold else "none"
    )


def test_a_run_has_six_columns_and_scores_that_keep_the_order() -> None:
    report = scored([ask("q 1", "a b.md")], {"q 1": [("notes", "x.md"), ("notes", "a b.md")]})
    assert run_text(report) == "q%201 Q0 x.md 1 2 askwell\nq%201 Q0 a%20b.md 2 1 askwell\n"


def test_documents_of_several_sources_are_told_apart() -> None:
    report = scored([ask("q", "a.md")], {"q": [("one", "x.md"), ("two", "x.md"), ("two", "a.md")]})
    assert [line.split()[2] for line in run_text(report).splitlines()] == ["one/x.md", "two/x.md", "a.md"]


def test_a_collection_keeps_its_own_ids() -> None:
    question = ask("1", "7.md", grades={"7.md": 2.0, "8.md": 0.0})
    assert run_text(scored([question], {"1": [("birds", "7.md")]}), suffix=".md") == "1 Q0 7 1 1 askwell\n"
    assert qrels_text([question], suffix=".md") == "1 0 7 2\n1 0 8 0\n"


def test_judgements_hold_whatever_answers() -> None:
    both = Question(id="all", question="q", gold_docs=("a", "b"), also_ok=("c",), need="all")
    assert (
        qrels_text([ask("any", "a", also=("c",)), both, ask("none")]) == "any 0 a 1\nany 0 c 1\nall 0 a 1\nall 0 b 1\n"
    )


def test_a_run_comes_back_as_it_was_written() -> None:
    questions = [ask("a", "x y.md"), ask("b", "100%.md"), ask("lost", "z.md")]
    report = scored(questions, {"a": [("s", "100%.md"), ("s", "x y.md")], "b": [("s", "100%.md")]})
    again = scored(questions, read_run(run_text(report), name="r"))
    assert [row.scores for row in again.rows] == [row.scores for row in report.rows]


@given(st.text(min_size=1))
def test_a_quoted_name_is_one_column(name: str) -> None:
    name = name.encode("utf-8", "replace").decode()
    (read,) = read_run(f"q Q0 {quoted(name)} 1 1 t\n", name="r")["q"]
    assert read == ("", name)


def test_the_score_decides_and_ties_go_backwards_by_name() -> None:
    text = "q Q0 low 1 1.5 t\nq Q0 a 2 7 t\nq Q0 b 3 7e0 t\n\n"
    assert [document for _, document in read_run(text, name="r")["q"]] == ["b", "a", "low"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("q Q0 d 1 1 t\nq Q0 d 1\n", "r.run, line 2: 4 columns"),
        ("q Q0 my file.md 1 1 t\n", "r.run, line 1: 7 columns"),
        ("q Q0 d 1 high t\n", "r.run, line 1: the score 'high' is no number"),
        ("q Q0 d 1 nan t\n", "r.run, line 1: the score 'nan' is no number"),
        ("q Q0 d 1 2 t\nq Q0 d 2 1 t\n", "r.run, line 2: 'd' is there twice for 'q'"),
        (" \n\n", "r.run ranks nothing"),
    ],
)
def test_a_malformed_run_is_told_with_its_line(text: str, message: str) -> None:
    with pytest.raises(BadRequest) as caught:
        read_run(text, name="r.run")
    assert message in str(caught.value)
    assert caught.value.hint
