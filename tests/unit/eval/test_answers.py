from __future__ import annotations

from tests.unit.eval.test_run import NOTHING

from askwell.eval.answers import CitationFigures, cited, mean
from askwell.eval.questions import Question
from askwell.types import Abstention, Answer, Citation, Delta, Event, Lines, Ranking, Sentence, Support

RANKING = Ranking(question="q", hits=(), signals=NOTHING)


def answer(*paths: str, invented: int = 0, supported: tuple[bool, ...] = ()) -> Answer:
    citations = tuple(
        Citation(marker=n, source="s", path=path, lines=Lines(1, 1), quote="", support=Support.SUPPORTED)
        for n, path in enumerate(paths, start=1)
    )
    sentences = tuple(
        Sentence(text="", support=Support.SUPPORTED if good else Support.WEAK, markers=(1,)) for good in supported
    )
    return Answer(text="", citations=citations, sentences=sentences, invented=invented, ranking=RANKING)


def test_citations_are_judged_by_their_documents() -> None:
    refusal = Abstention(by="gate", reason="", text="", nearest=(), suggestions=(), ranking=RANKING)
    outcomes: dict[str, list[Event]] = {
        "good": [Delta("a"), answer("a.md", "also.md", "x.md", invented=1, supported=(True, True, False))],
        "full name": [answer("b.md", supported=(True,))],
        "unanswerable": [answer("a.md")],
        "refused": [refusal],
    }
    questions = [
        Question(id="1", question="good", gold_docs=("a.md",), also_ok=("also.md",)),
        Question(id="2", question="full name", gold_docs=("s/b.md",)),
        Question(id="3", question="unanswerable", need="none"),
        Question(id="4", question="refused", gold_docs=("a.md",)),
    ]
    found = cited(questions, lambda question: outcomes[question])
    assert found == CitationFigures(answers=3, resolved=5 / 6, correct=3 / 4, supported=3 / 4)


def test_no_answer_measures_nothing() -> None:
    nothing = cited([], lambda question: [])
    assert nothing.as_json() == {"answers": 0, "resolved": None, "correct": None, "supported": None}
    some = CitationFigures(answers=2, resolved=0.5, correct=None, supported=1.0)
    assert mean([nothing, some]) == some
