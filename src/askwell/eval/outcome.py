"""A scored set with everything that was measured on it, and what is told of several: JSON, tables, notes, charts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from askwell.eval import answers, compare, tables
from askwell.eval import figures as numbers
from askwell.eval.certainty import certainty_rows
from askwell.eval.plots import recall_by_arm, risk_coverage_curve, score_distributions
from askwell.eval.questions import NEAR_MISS, OFF_TOPIC
from askwell.eval.record import Measured
from askwell.eval.scores import CUTS

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from askwell.eval.answers import CitationFigures
    from askwell.eval.figures import Figures
    from askwell.eval.run import Report
    from askwell.eval.sets import QuestionSet

SHOWN = 20
"""Missing documents told by name; all of them are in the JSON."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of a set.

    Attributes:
        arms: Name of an arm → what it found by itself; empty if not asked for, or nothing was searched.
        citations: What answers cited, None if none were made.
        documents: Source and path of what the index held for this audience; empty if nothing was searched.
        space: Embedding space, empty without vectors.
        hits: Asked for a question, 0 if nothing was searched; what the times are of.
        other: The second side of a comparison.
    """

    set: QuestionSet
    report: Report
    arms: Mapping[str, Report] = field(default_factory=dict)
    citations: CitationFigures | None = None
    documents: Collection[tuple[str, str]] = ()
    space: str = ""
    hits: int = 0
    other: Report | None = None

    @property
    def measured(self) -> Measured:
        """What a record says of the set."""
        return Measured(
            name=self.set.name,
            questions=len(self.report.rows),
            answerable=len(self.report.answerable),
            documents=len(self.documents),
            space=self.space,
        )


def as_json(outcomes: Sequence[Outcome], *, sides: tuple[str, str] | None) -> dict[str, object]:
    """Return the shared shape of the mean over the sets, each set's own under `sets`, and a comparison if there is one.

    Args:
        outcomes: At least one.
        sides: What the two sides of a comparison are called.
    """
    every = [numbers.figures(one.report) for one in outcomes]
    cited = [one.citations for one in outcomes if one.citations is not None]
    value = numbers.as_json(
        numbers.mean(every), [one.report for one in outcomes], citations=answers.mean(cited) if cited else None
    )
    value["sets"] = [
        {
            "name": one.set.name,
            **numbers.as_json(figures, [one.report], citations=one.citations),
            "arms": {arm: numbers.retrieval_json(numbers.figures(report)) for arm, report in one.arms.items()},
            "documents": len(one.documents),
            "space": one.space,
            "hits": one.hits,
        }
        for one, figures in zip(outcomes, every, strict=True)
    ]
    if sides is not None:
        value["compare"] = compare.as_json(pairs(outcomes), a=sides[0], b=sides[1])
    return value


def all_tables(
    outcomes: Sequence[Outcome], *, arms: bool, sides: tuple[str, str] | None
) -> list[tuple[str, list[list[str]]]]:
    """Return title and rows of every table that has something to show."""
    own = _with_mean({one.set.name: numbers.figures(one.report) for one in outcomes})
    cited = {one.set.name: one.citations.figures for one in outcomes if one.citations is not None}
    ranked = (*tables.RETRIEVAL, *tables.GRADED)
    made = [
        ("Retrieval", tables.score_rows(own, (*ranked, *tables.LATENCY))),
        ("In which 95 % of the resampled scores lie", certainty_rows({one.set.name: one.report for one in outcomes})),
        ("Abstention", tables.score_rows(own, tables.ABSTENTION)),
        ("Citations", tables.score_rows(_with_mean(cited), tables.CITATIONS)),
    ]
    for arm in dict.fromkeys(arm for one in outcomes for arm in one.arms) if arms else ():
        by_set = {one.set.name: numbers.figures(one.arms[arm]) for one in outcomes if arm in one.arms}
        made.append((f"The {arm} arm by itself", tables.score_rows(_with_mean(by_set), ranked)))
    if sides is not None:
        made.append((f"a: {sides[0]}, b: {sides[1]}", tables.difference_rows(compare.compare(pairs(outcomes)))))
    return [(title, rows) for title, rows in made if len(rows) > 1 and len(rows[0]) > 1]


def pairs(outcomes: Sequence[Outcome]) -> list[tuple[Report, Report]]:
    """Return both sides of every set that has two."""
    return [(one.report, one.other) for one in outcomes if one.other is not None]


def gaps(one: Outcome) -> list[str]:
    """Return what makes a set's numbers less than they seem: documents that are missing, arms that were away."""
    report = one.report
    notes = [f"{question}: gold document {path!r} is not in the index" for question, path in report.missing[:SHOWN]]
    if more := len(report.missing) - len(notes):
        notes.append(f"{more} more gold documents are not in the index; `--json` names them")
    gold = sum(len(row.question.gold_docs) for row in report.rows)
    if gold and len(report.missing) == gold:
        notes.append("no gold document is in the index: is `--source` what the questions are about?")
    for side, scored in (("", report), ("b: ", one.other)):
        for note, count in scored.notes.items() if scored is not None else ():
            notes.append(f"{side}{count} of {len(report.rows)} questions {note}")
    return [f"{one.set.name}: {note}" for note in notes]


def charts(one: Outcome) -> dict[str, str]:
    """Return kind of chart → SVG, of those that a set has the numbers for."""
    report, name = one.report, one.set.name
    every = {**one.arms, "search": report}
    recalls = {arm: {k: value for k in CUTS if (value := by.recall(k)) is not None} for arm, by in every.items()}
    groups = {
        "answerable": report.evidence(answerable=True),
        "off topic": report.evidence(answerable=False, type=OFF_TOPIC),
        "near miss": report.evidence(answerable=False, type=NEAR_MISS),
    }
    made: dict[str, str] = {}
    if report.answerable:
        made["recall"] = recall_by_arm(recalls, name=name)
    if any(groups.values()):
        made["evidence"] = score_distributions(groups, name=name)
    if curve := report.risk_coverage:
        made["risk"] = risk_coverage_curve(curve, gate=report.operating_point, name=name)
    return made


def _with_mean(rows: Mapping[str, Figures]) -> dict[str, Figures]:
    made = dict(rows)
    if len(rows) > 1:
        made[f"mean of {len(rows)}"] = numbers.mean(list(rows.values()))
    return made
