"""An evaluation as a dated page of Markdown: what was measured, on what, with which model, and the numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from askwell.eval.tables import markdown

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What a question set was measured on."""

    name: str
    questions: int
    answerable: int
    documents: int  # in the index, as far as the audience sees it
    space: str  # embedding space, empty where there are no vectors


def record(
    *,
    date: str,
    version: str,
    command: str,
    measured: Sequence[Measured],
    tables: Sequence[tuple[str, Sequence[Sequence[str]]]],
    notes: Sequence[str],
) -> str:
    """Return the page.

    Args:
        date: ISO.
        version: Askwell's.
        command: As typed, without the folders of this machine.
        measured: A row a set.
        tables: Title and rows, the first the heading.
        notes: What a reader of the numbers must know: gold documents that were missing, arms that were away.
    """
    sets = [["set", "questions", "answerable", "documents", "embedding space"]]
    for one in measured:
        counts = [str(one.questions), str(one.answerable), str(one.documents)]
        sets.append([one.name, *counts, one.space or "none"])
    lines = [f"# Evaluation of {date}", "", f"Askwell {version}. Command: `{command}`", "", *markdown(sets)]
    for title, rows in tables:
        lines += ["", f"## {title}", "", *markdown(rows)]
    if notes:
        lines += ["", "## Notes", "", *(f"- {note}" for note in notes)]
    return "\n".join(lines) + "\n"
