"""TREC's text formats, so that other tools can check these scores and these can score other tools.

run     QUESTION Q0 DOCUMENT RANK SCORE TAG      what was found
qrels   QUESTION 0 DOCUMENT GRADE                what should be

Columns are separated by blanks, which paths may hold: a blank and `%` inside a name are written as in a URL.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING
from urllib.parse import unquote

from askwell.errors import BadRequest
from askwell.eval.run import full_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from askwell.eval.questions import Question
    from askwell.eval.run import Report

TAG = "askwell"
_RUN_HINT = "a line of a run has six columns: QUESTION Q0 DOCUMENT RANK SCORE TAG"


def run_text(report: Report, *, suffix: str = "") -> str:
    """Return a report's rankings as a run.

    The score is how many documents are left, so that sorting by it keeps the order. A document is named as its
    question names it, else by path, or by source and path where there are several sources.

    Args:
        report: Of one set.
        suffix: Ending of every path that is no part of a document's name (`.md` for a BEIR collection).
    """
    single = len({source for row in report.rows for source, _ in row.documents}) < 2
    lines = []
    for row in report.rows:
        wanted = row.question.named
        for place, (source, path) in enumerate(row.documents):
            name = path if single or path in wanted else full_name(source, path)
            question, document = quoted(row.question.id), quoted(name.removesuffix(suffix))
            lines.append(f"{question} Q0 {document} {place + 1} {len(row.documents) - place} {TAG}\n")
    return "".join(lines)


def qrels_text(questions: Sequence[Question], *, suffix: str = "") -> str:
    """Return a set's judgements: its grades, else 1 for every document that answers. Unanswerable ones have none."""
    lines = []
    for question in questions:
        also = () if question.need == "all" else question.also_ok
        grades = question.grades or dict.fromkeys((*question.gold_docs, *also), 1.0)
        for name, grade in grades.items():
            lines.append(f"{quoted(question.id)} 0 {quoted(name.removesuffix(suffix))} {grade:g}\n")
    return "".join(lines)


def read_run(text: str, *, name: str, suffix: str = "") -> Mapping[str, tuple[tuple[str, str], ...]]:
    """Return by question the documents of a run, best first, as `run.scored` takes them.

    They are ordered by score, then by name backwards, as trec_eval does it; the rank column plays no part.

    Args:
        text: The file's content.
        name: What to call the file in messages.
        suffix: Ending that every document's name lacks.

    Raises:
        BadRequest: a line has not six columns, its score is no number, or it repeats a document; or no line at all.
    """
    found: dict[str, dict[str, float]] = {}
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        columns = line.split()
        if not columns:
            continue
        where = f"{name}, line {number}"
        if len(columns) != 6:
            raise BadRequest(f"{where}: {len(columns)} columns", hint=_RUN_HINT)
        question, document = unquote(columns[0]), unquote(columns[2])
        ranking = found.setdefault(question, {})
        if document in ranking:
            raise BadRequest(f"{where}: {document!r} is there twice for {question!r}", hint="rank each document once")
        ranking[document] = _score(columns[4], where)
    if not found:
        raise BadRequest(f"{name} ranks nothing", hint=_RUN_HINT)
    return {
        question: tuple(("", f"{document}{suffix}") for document in _ordered(scores))
        for question, scores in found.items()
    }


def quoted(name: str) -> str:
    """Return a name without blanks: they and `%` as in a URL."""
    if not any(char == "%" or char.isspace() for char in name):
        return name
    return "".join(
        "".join(f"%{byte:02X}" for byte in char.encode()) if char == "%" or char.isspace() else char for char in name
    )


def _ordered(scores: Mapping[str, float]) -> list[str]:
    return sorted(sorted(scores, reverse=True), key=lambda document: -scores[document])


def _score(text: str, where: str) -> float:
    try:
        score = float(text)
    except ValueError as error:
        raise BadRequest(f"{where}: the score {text!r} is no number", hint=_RUN_HINT) from error
    if not math.isfinite(score):
        raise BadRequest(f"{where}: the score {text!r} is no number to sort by", hint=_RUN_HINT)
    return score
