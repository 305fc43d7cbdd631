"""Put every question to a ranking function and score what comes back."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from askwell.eval.measures.auroc import auroc
from askwell.eval.measures.latency import percentile
from askwell.eval.measures.risk_coverage import risk_coverage
from askwell.eval.scores import Scores, score

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from askwell.eval.questions import Question
    from askwell.types import Ranking

HITS = 30
"""Hits to ask for, so that ten distinct documents remain where some show two or three chunks."""

DEEP_HITS = 1000
"""Hits to ask for where judgements are graded: MAP and recall@100 look further down. As many as a search may return."""

RIGHT_WITHIN = 5
"""Documents among which the right one must be for an answer from them to count as right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What became of one question.

    Attributes:
        refused: Why the gate refused it, None if it did not.
        evidence: What the gate weighed, higher for better covered; None where there was no gate.
        milliseconds: What ranking took; None where nothing was ranked here.
        documents: The distinct documents that came back, best first, as source and path; the source of a document
            that another tool ranked is empty.
        notes: What took part incompletely, in words.
    """

    question: Question
    scores: Scores
    documents: tuple[tuple[str, str], ...]
    refused: str | None = None
    evidence: float | None = None
    milliseconds: float | None = None
    notes: tuple[str, ...] = ()

    @property
    def found(self) -> int:
        """The k at which it was found, 0 if never."""
        return self.scores.found

    @property
    def ranked(self) -> tuple[str, ...]:
        """The documents as `source/path`."""
        return tuple(full_name(*document) for document in self.documents)

    @property
    def wrong(self) -> bool:
        """Whether answering it is wrong: nothing answers it, or what does is not among the first documents."""
        return not 0 < self.found <= RIGHT_WITHIN


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Scores over a set. Retrieval is scored on its answerable questions, abstention on all that a gate judged.

    A share or an average over no question is None: nothing was measured.
    """

    rows: tuple[Row, ...]
    missing: tuple[tuple[str, str], ...] = ()  # (question id, gold document that the index does not hold)

    @property
    def answerable(self) -> tuple[Row, ...]:
        """Rows of questions that the corpus answers."""
        return tuple(row for row in self.rows if row.question.answerable)

    @property
    def notes(self) -> Mapping[str, int]:
        """What took part incompletely → in how many questions."""
        return Counter(note for row in self.rows for note in row.notes)

    def recall(self, k: int) -> float | None:
        """Return the average recall of answerable questions within the first `k` documents, None if not scored."""
        return _mean([row.scores.recalls[k] for row in self.answerable if k in row.scores.recalls])

    @property
    def mrr(self) -> float | None:
        """Mean reciprocal rank over the first ten documents."""
        return _mean([row.scores.reciprocal_rank for row in self.answerable])

    @property
    def ndcg(self) -> float | None:
        """Mean nDCG over the first ten documents."""
        return _mean([row.scores.ndcg for row in self.answerable])

    @property
    def map(self) -> float | None:
        """Mean average precision, None where judgements are not graded."""
        precisions = (row.scores.average_precision for row in self.answerable)
        return _mean([precision for precision in precisions if precision is not None])

    @property
    def answered_unanswerable(self) -> float | None:
        """Share of unanswerable questions that the gate let through."""
        judged = [row for row in self.rows if row.evidence is not None and not row.question.answerable]
        return _mean([float(row.refused is None) for row in judged])

    @property
    def abstained_answerable(self) -> float | None:
        """Share of answerable questions that the gate refused."""
        return _mean([float(row.refused is not None) for row in self.answerable if row.evidence is not None])

    def auroc(self, type: str) -> float | None:
        """Return how well the evidence tells answerable questions from unanswerable ones of one type."""
        return auroc(self.evidence(answerable=True), self.evidence(answerable=False, type=type))

    def evidence(self, *, answerable: bool, type: str | None = None) -> tuple[float, ...]:
        """Return what the gate weighed, of questions that are answerable or not, of one type if given."""
        return tuple(
            row.evidence
            for row in self.rows
            if row.evidence is not None
            and row.question.answerable == answerable
            and (type is None or row.question.type == type)
        )

    @property
    def risk_coverage(self) -> tuple[tuple[float, float], ...]:
        """The curve of (coverage, risk) over the gate's thresholds."""
        judged = [(row.evidence, row.wrong) for row in self.rows if row.evidence is not None]
        return risk_coverage([evidence for evidence, _ in judged], [wrong for _, wrong in judged])

    @property
    def operating_point(self) -> tuple[float, float] | None:
        """Coverage and risk where the gate stands; None without a gate, or where it refuses everything."""
        judged = [row for row in self.rows if row.evidence is not None]
        answered = [row for row in judged if row.refused is None]
        return (len(answered) / len(judged), sum(row.wrong for row in answered) / len(answered)) if answered else None

    def latency(self, share: float) -> float | None:
        """Return a percentile of the milliseconds that a ranking took."""
        timed = [row.milliseconds for row in self.rows if row.milliseconds is not None]
        return percentile(timed, share) if timed else None


def evaluate(
    questions: Sequence[Question],
    *,
    rank: Callable[[str], Ranking],
    refused: Callable[[Ranking], str | None],
    evidence: Callable[[Ranking], float],
    known: Callable[[], Collection[tuple[str, str]]],
    clock: Callable[[], float],
) -> Report:
    """Rank every question and score the distinct documents that come back.

    Args:
        questions: The set.
        rank: From a question to its ranking; should return `HITS` hits where there are as many.
        refused: The gate's verdict on a ranking.
        evidence: What the gate weighs, higher for better covered.
        known: Source and path of every document that the index holds; called once.
        clock: Seconds, monotonic.

    Raises:
        Whatever `rank` raises: an index or a model that fails is not a wrong answer.
    """
    missing = not_held(questions, known())
    rows = []
    for question in questions:
        start = clock()
        ranking = rank(question.question)
        milliseconds = (clock() - start) * 1000
        documents = tuple(dict.fromkeys((hit.source, hit.path) for hit in ranking.hits))
        notes = [f"without the {arm.value} arm: {why}" for arm, why in ranking.missing_arms.items()]
        rows.append(
            Row(
                question=question,
                scores=score(question, names(question, documents)),
                documents=documents,
                refused=refused(ranking),
                evidence=evidence(ranking),
                milliseconds=milliseconds,
                notes=(*notes, *ranking.warnings),
            )
        )
    return Report(rows=tuple(rows), missing=missing)


def scored(questions: Sequence[Question], documents: Mapping[str, Sequence[tuple[str, str]]]) -> Report:
    """Score rankings without a gate or times: those of another tool, or of one arm.

    Args:
        questions: The set.
        documents: By question id the distinct documents as source and path, best first; a question that is not
            there found nothing.
    """
    found = {question.id: tuple(documents.get(question.id, ())) for question in questions}
    rows = (
        Row(question=one, scores=score(one, names(one, found[one.id])), documents=found[one.id]) for one in questions
    )
    return Report(rows=tuple(rows))


def names(question: Question, documents: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """Return what a question calls these documents: by path alone if it does, else by source and path."""
    wanted = question.named
    return tuple(path if path in wanted else full_name(source, path) for source, path in documents)


def full_name(source: str, path: str) -> str:
    """Return a document's name within all sources; its path alone where the source is not known."""
    return f"{source}/{path}" if source else path


def not_held(questions: Sequence[Question], known: Collection[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Return question id and gold document wherever no document of that name is among the known."""
    held = {path for _, path in known} | {f"{source}/{path}" for source, path in known}
    return tuple((question.id, path) for question in questions for path in question.gold_docs if path not in held)


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
