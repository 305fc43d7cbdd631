"""The numbers of a report by name, their mean over sets, and the JSON shape that every interface shares."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from askwell.eval.measures.risk_coverage import area
from askwell.eval.questions import NEAR_MISS, OFF_TOPIC
from askwell.eval.scores import CUTS, DEEP

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from askwell.eval.answers import CitationFigures
    from askwell.eval.run import Report

Figures: TypeAlias = "Mapping[str, float | None]"
"""By name; None where there was nothing to measure it on."""


def figures(report: Report) -> Figures:
    """Return every number of a report."""
    return {
        **{f"recall@{k}": report.recall(k) for k in (*CUTS, DEEP)},
        "MRR@10": report.mrr,
        "nDCG@10": report.ndcg,
        "MAP": report.map,
        "answered unanswerable": report.answered_unanswerable,
        "refused answerable": report.abstained_answerable,
        "AUROC off-topic": report.auroc(OFF_TOPIC),
        "AUROC near-miss": report.auroc(NEAR_MISS),
        "AURC": area(report.risk_coverage),
        "p50 ms": report.latency(0.5),
        "p95 ms": report.latency(0.95),
    }


def mean(sets: Sequence[Figures]) -> Figures:
    """Return the mean of each number over the sets that have it: every set counts the same, whatever its size."""
    keys = dict.fromkeys(key for figures in sets for key in figures)
    return {key: _mean([value for one in sets if (value := one.get(key)) is not None]) for key in keys}


def as_json(
    figures: Figures, reports: Sequence[Report], *, citations: CitationFigures | None = None
) -> dict[str, object]:
    """Return numbers in the shared shape; retrieval, abstention, citations and latency.

    Args:
        figures: Of one set, or the mean of several.
        reports: Of the sets that `figures` is of.
        citations: What answers cited, None where none were made.
    """
    noted: dict[str, int] = {}
    for report in reports:
        for note, count in report.notes.items():
            noted[note] = noted.get(note, 0) + count
    return {
        "questions": sum(len(report.rows) for report in reports),
        "answerable": sum(len(report.answerable) for report in reports),
        **retrieval_json(figures),
        "abstention": {
            "answered_unanswerable": figures["answered unanswerable"],
            "abstained_answerable": figures["refused answerable"],
            "auroc_offtopic": figures["AUROC off-topic"],
            "auroc_nearmiss": figures["AUROC near-miss"],
            "aurc": figures["AURC"],
        },
        "citations": citations.as_json() if citations else None,
        "latency_ms": {"p50": figures["p50 ms"], "p95": figures["p95 ms"]},
        "missing": [{"id": id, "path": path} for report in reports for id, path in report.missing],
        "notes": [{"note": note, "questions": count} for note, count in noted.items()],
    }


def retrieval_json(figures: Figures) -> dict[str, object]:
    """Return the part of the shape that rankings alone decide."""
    deep = figures[f"recall@{DEEP}"]
    depths = CUTS if deep is None else (*CUTS, DEEP)
    return {
        "recall": {str(k): figures[f"recall@{k}"] for k in depths},
        "mrr10": figures["MRR@10"],
        "ndcg10": figures["nDCG@10"],
        "map": figures["MAP"],
    }


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
