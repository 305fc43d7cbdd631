"""Put every question to a ranking function and score what comes back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from askwell.eval.measures.auroc import auroc
from askwell.eval.measures.latency import percentile
from askwell.eval.measures.mrr import reciprocal_rank
from askwell.eval.measures.ndcg import ndcg
from askwell.eval.measures.recall import found_at, hit_at, recall
from askwell.eval.questions import NEAR_MISS, OFF_TOPIC

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from askwell.eval.questions import Question
    from askwell.types import Ranking

CUTS = (1, 5, 10)
"""Depths at which recall is reported."""

DEPTH = 10
"""Depth of MRR and nDCG."""

HITS = 30
"""Hits to ask for, so that ten distinct documents remain where some show two or three chunks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What became of one question.

    Attributes:
        found: The k at which it was found, 0 if never; 0 for an unanswerable one.
        recalls: By depth, 1.0 if it was found within it; the share of relevant documents for graded judgements.
        refused: Why the gate refused it, None if it did not.
        evidence: What the gate weighed, higher for better covered.
        ranked: The distinct documents that came back, best first, as `source/path`.
    """

    question: Question
    found: int
    recalls: Mapping[int, float]
    ndcg: float
    refused: str | None
    evidence: float
    milliseconds: float
    ranked: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Scores over a set. Retrieval is scored on its answerable questions, abstention on all.

    A share or an average over no question is None: nothing was measured.
    """

    rows: tuple[Row, ...]
    missing: tuple[tuple[str, str], ...]  # (question id, gold document that the index does not hold)

    @property
    def answerable(self) -> tuple[Row, ...]:
        """Rows of questions that the corpus answers."""
        return tuple(row for row in self.rows if row.question.answerable)

    def recall(self, k: int) -> float | None:
        """Return the average recall of answerable questions within the first `k` documents, one of `CUTS`."""
        return _mean([row.recalls[k] for row in self.answerable])

    @property
    def mrr(self) -> float | None:
        """Mean reciprocal rank over the first ten documents."""
        return _mean([reciprocal_rank(row.found, k=DEPTH) for row in self.answerable])

    @property
    def ndcg(self) -> float | None:
        """Mean nDCG over the first ten documents."""
        return _mean([row.ndcg for row in self.answerable])

    @property
    def answered_unanswerable(self) -> float | None:
        """Share of unanswerable questions that the gate let through."""
        return _mean([float(row.refused is None) for row in self.rows if not row.question.answerable])

    @property
    def abstained_answerable(self) -> float | None:
        """Share of answerable questions that the gate refused."""
        return _mean([float(row.refused is not None) for row in self.answerable])

    def auroc(self, type: str) -> float | None:
        """Return how well the evidence tells answerable questions from unanswerable ones of one type."""
        against = [row.evidence for row in self.rows if not row.question.answerable and row.question.type == type]
        return auroc([row.evidence for row in self.answerable], against)

    def latency(self, share: float) -> float:
        """Return a percentile of the milliseconds that a ranking took."""
        return percentile([row.milliseconds for row in self.rows], share)


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
    indexed = known()
    names = {path for _, path in indexed} | {f"{source}/{path}" for source, path in indexed}
    rows = [_row(question, rank=rank, refused=refused, evidence=evidence, clock=clock) for question in questions]
    missing = [(question.id, path) for question in questions for path in question.gold_docs if path not in names]
    return Report(rows=tuple(rows), missing=tuple(missing))


def as_json(report: Report) -> dict[str, object]:
    """Return the scores in the shape that every interface shares; retrieval and abstention parts."""
    return {
        "questions": len(report.rows),
        "answerable": len(report.answerable),
        "recall": {str(k): report.recall(k) for k in CUTS},
        "mrr10": report.mrr,
        "ndcg10": report.ndcg,
        "abstention": {
            "answered_unanswerable": report.answered_unanswerable,
            "abstained_answerable": report.abstained_answerable,
            "auroc_offtopic": report.auroc(OFF_TOPIC),
            "auroc_nearmiss": report.auroc(NEAR_MISS),
        },
        "latency_ms": {"p50": report.latency(0.5), "p95": report.latency(0.95)},
        "missing": [{"id": id, "path": path} for id, path in report.missing],
    }


def _row(
    question: Question,
    *,
    rank: Callable[[str], Ranking],
    refused: Callable[[Ranking], str | None],
    evidence: Callable[[Ranking], float],
    clock: Callable[[], float],
) -> Row:
    start = clock()
    ranking = rank(question.question)
    milliseconds = (clock() - start) * 1000
    wanted = {*question.gold_docs, *question.also_ok}
    documents = dict.fromkeys((hit.source, hit.path) for hit in ranking.hits)
    named = tuple(path if path in wanted else f"{source}/{path}" for source, path in documents)
    every = question.need == "all"
    found = found_at(named, gold=question.gold_docs, also=question.also_ok, every=every) if question.answerable else 0
    return Row(
        question=question,
        found=found,
        recalls={k: recall(named, question.gold_docs, k=k) if question.grades else hit_at(k, found) for k in CUTS},
        ndcg=_ndcg(question, named),
        refused=refused(ranking),
        evidence=evidence(ranking),
        milliseconds=milliseconds,
        ranked=tuple(f"{source}/{path}" for source, path in documents),
    )


def _ndcg(question: Question, named: Sequence[str]) -> float:
    """Return nDCG@10 by the grades; without, where one document suffices, only the first that answers has a gain."""
    if question.grades:
        return ndcg(named, question.grades, k=DEPTH)
    if question.need == "all":
        return ndcg(named, dict.fromkeys(question.gold_docs, 1.0), k=DEPTH)
    wanted = {*question.gold_docs, *question.also_ok}
    first = next((document for document in named if document in wanted), None)
    return ndcg(named, {first: 1.0}, k=DEPTH) if first is not None else 0.0


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
