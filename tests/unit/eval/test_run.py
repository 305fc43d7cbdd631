from __future__ import annotations

from itertools import count

import pytest
from tests.unit.rank.make import hit

from askwell.eval.figures import as_json, figures, mean
from askwell.eval.questions import NEAR_MISS, OFF_TOPIC, Question
from askwell.eval.run import Report, evaluate, scored
from askwell.types import Arm, Ranking, Signals

NOTHING = Signals(best_cosine=None, cosine_margin=None, rare_coverage=0.0, rare_missing=(), agreement=0.0)


def ranking(question: str, *paths: str) -> Ranking:
    hits = tuple(hit(f"{n}", path=path) for n, path in enumerate(paths))
    return Ranking(question=question, hits=hits, signals=NOTHING)


def run(*questions: Question, answers: dict[str, tuple[str, ...]]) -> Report:
    ticks = count()
    return evaluate(
        questions,
        rank=lambda question: ranking(question, *answers[question]),
        refused=lambda ranked: None if ranked.hits else "nothing found",
        evidence=lambda ranked: float(len(ranked.hits)),
        known=lambda: [("notes", "a.md"), ("notes", "b.md")],
        clock=lambda: next(ticks) / 1000,
    )


def ask(question: str, *gold: str, need: str = "any", also: tuple[str, ...] = (), type: str = "fact") -> Question:
    return Question(
        id=question,
        question=question,
        type=type,
        gold_docs=gold,
        also_ok=also,
        need="all" if need == "all" else "any" if gold else "none",
    )


def test_documents_are_ranked_not_chunks() -> None:
    report = run(ask("q", "b.md"), answers={"q": ("a.md", "a.md", "a.md", "b.md")})
    assert report.rows[0].found == 2
    assert report.rows[0].ranked == ("notes/a.md", "notes/b.md")
    assert (report.recall(1), report.recall(5), report.mrr) == (0.0, 1.0, 0.5)


def test_a_gold_document_may_be_named_with_its_source() -> None:
    assert run(ask("q", "notes/a.md"), answers={"q": ("a.md",)}).rows[0].found == 1


def test_a_folder_named_like_the_source_is_another_document() -> None:
    assert run(ask("q", "notes/a.md"), answers={"q": ("notes/a.md", "a.md")}).rows[0].found == 1
    assert run(ask("q", "a.md"), answers={"q": ("notes/a.md", "a.md")}).rows[0].found == 2


def test_all_needed_or_also_good() -> None:
    report = run(
        ask("both", "a.md", "b.md", need="all"),
        ask("either", "a.md", also=("b.md",)),
        answers={"both": ("a.md", "c.md", "b.md"), "either": ("c.md", "b.md")},
    )
    assert [row.found for row in report.rows] == [3, 2]


def test_averages_are_over_answerable_questions_and_error_rates_over_their_own() -> None:
    report = run(
        ask("found", "a.md"),
        ask("lost", "a.md"),
        ask("off", type=OFF_TOPIC),
        ask("near", type=NEAR_MISS),
        answers={"found": ("a.md",), "lost": (), "off": (), "near": ("a.md", "b.md")},
    )
    assert report.recall(1) == 0.5
    assert report.answered_unanswerable == 0.5
    assert report.abstained_answerable == 0.5
    assert report.auroc(OFF_TOPIC) == 0.75
    assert report.auroc(NEAR_MISS) == 0.0
    shape = as_json(figures(report), [report])
    assert shape["questions"] == 4
    assert shape["recall"] == {"1": 0.5, "5": 0.5, "10": 0.5}
    assert shape["latency_ms"] == pytest.approx({"p50": 1.0, "p95": 1.0})


def test_gold_documents_that_the_index_does_not_hold_are_named() -> None:
    report = run(ask("q", "a.md", "gone.md"), answers={"q": ("a.md",)})
    assert report.missing == (("q", "gone.md"),)


def test_what_was_not_measured_is_no_number() -> None:
    report = run(ask("off", type=OFF_TOPIC), answers={"off": ()})
    assert report.recall(5) is None
    assert report.mrr is None
    assert report.abstained_answerable is None
    assert report.auroc(NEAR_MISS) is None


def test_an_arm_that_was_away_is_counted() -> None:
    away = Ranking(question="q", hits=(), signals=NOTHING, missing_arms={Arm.VECTOR: "no model"}, warnings=("old",))
    report = evaluate(
        [ask("one", "a.md"), ask("two", "a.md")],
        rank=lambda _: away,
        refused=lambda _: None,
        evidence=lambda _: 0.0,
        known=lambda: [("notes", "a.md")],
        clock=lambda: 0.0,
    )
    assert report.notes == {"without the vector arm: no model": 2, "old": 2}
    assert as_json(figures(report), [report])["notes"] == [
        {"note": "without the vector arm: no model", "questions": 2},
        {"note": "old", "questions": 2},
    ]


def test_what_answering_costs_is_judged_where_the_gate_stands() -> None:
    report = run(
        ask("right", "a.md"),
        ask("wrong", "a.md"),
        ask("off", type=OFF_TOPIC),
        ask("refused", "a.md"),
        answers={"right": ("a.md", "b.md"), "wrong": ("b.md",), "off": ("b.md", "a.md"), "refused": ()},
    )
    assert report.operating_point == (0.75, 2 / 3)
    assert report.risk_coverage == ((0.5, 0.5), (0.75, 2 / 3), (1.0, 0.75))


def test_rankings_of_another_tool_have_no_gate_and_no_times() -> None:
    report = scored([ask("q", "a.md"), ask("lost", "b.md")], {"q": [("", "x.md"), ("", "a.md")]})
    assert [row.found for row in report.rows] == [2, 0]
    assert report.abstained_answerable is None
    assert report.operating_point is None
    assert report.latency(0.5) is None
    assert figures(report)["AURC"] is None


def test_a_mean_is_over_the_sets_that_have_the_number() -> None:
    assert mean([{"a": 1.0, "b": None}, {"a": 0.0, "b": 0.5}, {"a": 0.5, "b": None, "c": None}]) == {
        "a": 0.5,
        "b": 0.5,
        "c": None,
    }


def test_graded_judgements_give_the_classic_measures() -> None:
    graded = Question(id="q", question="q", gold_docs=("a.md", "b.md"), grades={"a.md": 1.0, "b.md": 1.0})
    report = run(graded, answers={"q": ("a.md", "c.md")})
    assert report.recall(5) == 0.5
    assert report.ndcg == pytest.approx(1 / (1 + 1 / 1.584962500721156))
    assert report.map == 0.5
    assert report.recall(100) == 0.5
    assert run(ask("q", "a.md"), answers={"q": ("a.md",)}).map is None
