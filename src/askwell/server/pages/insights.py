"""The Insights page: what found nothing, what it cost, and how good it is."""

from __future__ import annotations

import datetime
import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse
from markupsafe import Markup

from askwell.server.pages.site import audience_of, caller_of, site_of
from askwell.server.pages.templating import page

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from askwell.types import Partner, Totals, TurnRecord, UsageReport

router = APIRouter()

GAPS = 50
"""Questions that are listed."""

PLOTTED = 20
"""Answered and unanswered questions together from which their evidence is drawn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """A question that found nothing."""

    question: str
    times: int
    last: str
    reason: str


@router.get("/insights", response_class=HTMLResponse)
def insights(request: Request) -> HTMLResponse:
    """Return the page, from the records that the caller may see."""
    site = site_of(request)
    audience = audience_of(request)
    records = site.records if not caller_of(request).open_only else None
    turns = records.turns(classes=audience.classes) if records is not None else ()
    answered = [turn for turn in turns if turn.ending == "answer"]
    abstained = [turn for turn in turns if turn.ending == "abstention"]
    usage = site.usage() if not caller_of(request).open_only else None
    return page(
        request,
        "insights.html",
        page="insights",
        title="Insights",
        keeps=records is not None,
        asked=len(turns),
        answered=len(answered),
        abstained=len(abstained),
        median_ms=statistics.median(turn.latency_ms for turn in answered) if answered else None,
        gaps=gaps(turns)[:GAPS],
        windows=("Today", "7 days", "All time"),
        hosts=_hosts(usage) if usage is not None else [],
        partners=[_partner(partner) for partner in usage.partners] if usage is not None else [],
        plots=_plots(answered, abstained),
        calibration=site.calibration(),
        faults=[],
    )


def gaps(turns: Iterable[TurnRecord]) -> list[Gap]:
    """Return the questions whose last asking found nothing, the most asked first, then the newest."""
    last: dict[str, TurnRecord] = {}
    times: dict[str, int] = {}
    for turn in turns:
        key = " ".join(turn.question.casefold().split()).rstrip("?!. ")
        if key and turn.ending in ("answer", "abstention"):
            last[key] = turn
            times[key] = times.get(key, 0) + (turn.ending == "abstention")
    found = [
        Gap(question=turn.question, times=times[key], last=turn.at, reason=turn.reason)
        for key, turn in last.items()
        if turn.ending == "abstention"
    ]
    return sorted(sorted(found, key=lambda gap: gap.last, reverse=True), key=lambda gap: -gap.times)


def _hosts(usage: UsageReport) -> list[dict[str, object]]:
    rows: list[tuple[str, Totals]] = list(usage.by_host.items())
    if len(rows) > 1:
        rows.append(("all hosts", usage.total))
    return [
        {
            "name": name,
            "totals": [
                {"turns": total.turns, "tokens": total.prompt_tokens + total.completion_tokens}
                for total in (totals.today, totals.seven_days, totals.all_time)
            ],
            "speed": totals.all_time.tokens_per_second,
        }
        for name, totals in rows
    ]


def _partner(partner: Partner) -> str:
    held = f"{partner.rows} rows of {partner.pulled}" if partner.pulled else "not collected here"
    return f"{partner.host}: {partner.error}; {held}" if partner.error else f"{partner.host}: {held}"


def _plots(answered: Sequence[TurnRecord], abstained: Sequence[TurnRecord]) -> list[dict[str, object]]:
    """Return the evidence that questions found, answered and not: the further apart, the surer the decision."""
    if len(answered) + len(abstained) < PLOTTED:
        return []
    from askwell.eval.plots import score_distributions

    groups = {
        name: [turn.signals["best_cosine"] for turn in turns if "best_cosine" in turn.signals]
        for name, turns in (("answered", answered), ("nothing found", abstained))
    }
    if not any(groups.values()):
        return []
    svg = score_distributions(groups, name="best cosine of the questions that were asked here")
    return [{"title": "Evidence of answered and unanswered questions", "svg": Markup(svg)}]  # noqa: S704 - ours


def today() -> datetime.date:
    """Return the date on this machine."""
    return datetime.datetime.now().astimezone().date()
