"""Scores as columns that line up, for a terminal and for a record in Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from askwell.eval.scores import CUTS, DEEP

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from askwell.eval.compare import Change, Difference
    from askwell.eval.figures import Figures

RETRIEVAL = (*(f"recall@{k}" for k in CUTS), "MRR@10", "nDCG@10")
GRADED = ("MAP", f"recall@{DEEP}")
ABSTENTION = ("answered unanswerable", "refused answerable", "AUROC off-topic", "AUROC near-miss", "AURC")
CITATIONS = ("answers", "resolved", "correct", "supported")
LATENCY = ("p50 ms", "p95 ms")


def score_rows(figures: Mapping[str, Figures], keys: Sequence[str], *, first: str = "set") -> list[list[str]]:
    """Return a heading and a row a set, with the columns among `keys` that some set has a number for."""
    shown = [key for key in keys if any(one.get(key) is not None for one in figures.values())]
    return [[first, *shown], *([name, *(_number(key, one.get(key)) for key in shown)] for name, one in figures.items())]


def difference_rows(differences: Sequence[Difference]) -> list[list[str]]:
    """Return a heading and a row a measure; a `*` stands where the interval leaves 0 out."""
    rows = [["measure", "a", "b", "difference", "95 % interval", "", "better", "worse"]]
    for one in differences:
        interval = f"{one.interval[0]:+.3f} to {one.interval[1]:+.3f}" if one.interval else "–"
        mark = "*" if one.told_apart else ""
        numbers = [f"{one.a:.3f}", f"{one.b:.3f}", f"{one.difference:+.3f}", interval, mark]
        rows.append([one.measure, *numbers, str(one.better), str(one.worse)])
    return rows


def change_line(change: Change) -> str:
    """Return in one line what became of a question."""
    moved = f"{_place(change.a)} → {_place(change.b)}"
    if change.refused_a != change.refused_b:
        moved += ", refused now" if change.refused_b else ", answered now"
    if change.gain:
        moved += f", nDCG@10 {change.gain:+.2f}"
    return f"{change.id}: {moved}: {' '.join(change.question.split())[:100]}"


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return lines with the first column to the left and the others to the right."""
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    lines = []
    for first, *others in rows:
        cells = [first.ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True))]
        lines.append("  ".join(cells).rstrip())
    return lines


def markdown(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a Markdown table."""

    def line(cells: Sequence[str]) -> str:
        return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"

    head, *body = rows
    return [line(head), f"|{'---|' * len(head)}", *(line(row) for row in body)]


def _number(key: str, value: float | None) -> str:
    if value is None:
        return "–"
    if key == "answers":
        return f"{value:.0f}"
    return f"{value:.1f}" if key in LATENCY else f"{value:.3f}"


def _place(found: int) -> str:
    return f"#{found}" if found else "not found"
