"""An answer of a diagnosis as a bug report in Markdown: what was asked, what was found, the lines it rests on."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from askwell.types import Answer, Support

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askwell.types import Outcome

_RUN = re.compile(r"`{3,}")


def name_of(question: str) -> str:
    """Return a file's name for a question: at most 48 letters, digits and hyphens."""
    words = re.findall(r"[a-z0-9]+", question.casefold())
    return "-".join(words)[:48].strip("-") or "report"


def bug_report(question: str, outcome: Outcome, *, at: str, made_with: Sequence[str] = ()) -> str:
    """Return a report of what the asker was shown, so that nothing is in it that they may not see.

    Args:
        question: As the person asked it.
        outcome: The answer, or that there is none.
        at: When, as a date and time.
        made_with: Versions, a line each.
    """
    asked = " ".join(question.split())
    parts = [f"# {asked[:120]}", f"Written {at} by Askwell.", "## Question", _fenced(question.strip()), "## Found"]
    parts.append(outcome.text.strip())
    if isinstance(outcome, Answer):
        doubtful = [one for one in outcome.sentences if one.support is not Support.SUPPORTED]
        if doubtful:
            parts += ["## Not carried by what was read"]
            parts += [f"- {' '.join(one.text.split())} ({one.support.value})" for one in doubtful]
        if outcome.citations:
            parts.append("## Evidence")
        for item in outcome.citations:
            place = f"{item.path}:{item.lines.first}-{item.lines.last}".replace("`", "'").replace("\n", " ")
            parts.append(f"[{item.marker}] {item.kind} `{place}`")
            parts.append(_fenced(item.quote))
    else:
        parts += ["## Why there is no answer", outcome.reason]
    if outcome.ranking.warnings or outcome.ranking.missing_arms:
        parts.append("## What took no part")
        away = [f"{arm.value}: {why}" for arm, why in outcome.ranking.missing_arms.items()]
        parts.append("\n".join(f"- {' '.join(line.split())}" for line in [*away, *outcome.ranking.warnings]))
    if made_with:
        parts += ["## Made with", "\n".join(f"- {line}" for line in made_with)]
    return "\n\n".join(parts) + "\n"


def _fenced(text: str) -> str:
    fence = "`" * max(3, 1 + max((len(run) for run in _RUN.findall(text)), default=0))
    return f"{fence}text\n{text}\n{fence}"
