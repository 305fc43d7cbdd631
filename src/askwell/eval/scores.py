"""Score the documents that came back for one question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from askwell.eval.measures.average_precision import average_precision
from askwell.eval.measures.mrr import reciprocal_rank
from askwell.eval.measures.ndcg import ndcg
from askwell.eval.measures.recall import found_at, hit_at, recall

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from askwell.eval.questions import Question

CUTS = (1, 5, 10)
"""Depths at which recall is reported."""

DEEP = 100
"""A further depth of recall where judgements are graded, which asks for more documents."""

DEPTH = 10
"""Depth of MRR and nDCG."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """What one ranking is worth for one question; zeros for a question that nothing answers.

    Attributes:
        found: The k at which it was found, 0 if never.
        recalls: By depth, 1.0 if it was found within it; the share of relevant documents for graded judgements.
        average_precision: None where judgements are not graded: one document suffices there, and MRR says it all.
    """

    found: int
    recalls: Mapping[int, float]
    reciprocal_rank: float
    ndcg: float
    average_precision: float | None


def score(question: Question, ranked: Sequence[str]) -> Scores:
    """Return the scores of a ranking.

    Args:
        question: With its gold documents.
        ranked: Distinct documents, best first, named as the question names them.
    """
    every = question.need == "all"
    gold = question.gold_docs if question.answerable else ()
    found = found_at(ranked, gold=gold, also=question.also_ok, every=every) if question.answerable else 0
    if question.grades:
        recalls = {k: recall(ranked, gold, k=k) for k in (*CUTS, DEEP)}
    else:
        recalls = {k: hit_at(k, found) for k in CUTS}
    return Scores(
        found=found,
        recalls=recalls,
        reciprocal_rank=reciprocal_rank(found, k=DEPTH),
        ndcg=_ndcg(question, ranked),
        average_precision=average_precision(ranked, gold) if question.grades else None,
    )


def _ndcg(question: Question, ranked: Sequence[str]) -> float:
    """Return nDCG@10 by the grades; without, where one document suffices, only the first that answers has a gain."""
    if question.grades:
        return ndcg(ranked, question.grades, k=DEPTH)
    if question.need == "all":
        return ndcg(ranked, dict.fromkeys(question.gold_docs, 1.0), k=DEPTH)
    wanted = {*question.gold_docs, *question.also_ok}
    first = next((document for document in ranked if document in wanted), None)
    return ndcg(ranked, {first: 1.0}, k=DEPTH) if first is not None else 0.0
