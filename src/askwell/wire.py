"""Values → the JSON shapes that every interface shares. Fields may be added, never renamed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from askwell.engine import Status
    from askwell.indexing import RunReport
    from askwell.planning import Plan
    from askwell.ports import Fault
    from askwell.standing import Place, Standing
    from askwell.types import (
        Abstention,
        Answer,
        Audience,
        Citation,
        Conversation,
        Hit,
        Outgoing,
        Ranking,
        Removed,
        Sentence,
        Totals,
        UsageReport,
    )

Json = dict[str, object]


def hit(value: Hit, rank: int, *, files: Mapping[Place, Standing] = {}) -> Json:
    """Return one hit as `search` shows it; `files` says how their files stand now."""
    chunk = value.chunk
    return {
        "rank": rank,
        "source": value.source,
        "path": value.path,
        "title": value.title,
        "kind": chunk.kind.value,
        "class": chunk.class_.value,
        "section": chunk.section,
        "headings": list(chunk.headings),
        "lines": [chunk.lines.first, chunk.lines.last],
        "score": value.score,
        "sightings": [{"arm": s.arm.value, "rank": s.rank, "score": s.score} for s in value.sightings],
        "text": chunk.text,
        "lead": chunk.lead,
        "also_at": [
            {
                "source": at.source,
                "path": at.path,
                "lines": [at.lines.first, at.lines.last],
                "file": files.get((at.source, at.path), "unknown"),
            }
            for at in value.also_at
        ],
        "file": files.get((value.source, value.path), "unknown"),
    }


def search(ranking: Ranking, *, files: Mapping[Place, Standing] = {}) -> Json:
    """Return what `search` answers."""
    return {
        "question": ranking.question,
        "hits": [hit(value, rank, files=files) for rank, value in enumerate(ranking.hits, start=1)],
        "missing_arms": missing_arms(ranking),
        "warnings": list(ranking.warnings),
        "timings": timings(ranking),
    }


def explain(ranking: Ranking) -> Json:
    """Return how a ranking came about: what moved each hit, and what was removed by which step."""
    signals = ranking.signals
    return {
        "intents": list(ranking.intents),
        "signals": {
            "best_cosine": signals.best_cosine,
            "cosine_margin": signals.cosine_margin,
            "rare_coverage": signals.rare_coverage,
            "rare_missing": list(signals.rare_missing),
            "agreement": signals.agreement,
        },
        "moves": [{"rank": rank, "moves": list(value.moves)} for rank, value in enumerate(ranking.hits, start=1)],
        "removed": [_removed(item) for item in ranking.removed],
    }


def _removed(item: Removed) -> Json:
    chunk = item.hit.chunk
    return {
        "source": item.hit.source,
        "path": item.hit.path,
        "lines": [chunk.lines.first, chunk.lines.last],
        "by": item.by,
        "score": item.hit.score,
        "sightings": [{"arm": s.arm.value, "rank": s.rank, "score": s.score} for s in item.hit.sightings],
    }


def ask(
    outcome: Answer | Abstention,
    *,
    audience: Audience,
    model: str,
    timings: Mapping[str, float],
    files: Mapping[Place, Standing] = {},
    faults: Sequence[str] = (),
) -> Json:
    """Return what `ask` answers; `faults` are what could not be recorded of it."""
    from askwell.types import Abstention, Answer  # not for a search, which has no use for them

    shared: Json = {
        "profile": outcome.profile.value,
        "routed": outcome.routed,
        "query": outcome.query or outcome.ranking.question,
        "audience": {
            "classes": sorted(c.value for c in audience.classes),
            "allow_web": audience.allow_web,
            "narrowed": audience.narrowed,
        },
        # A listing is read off the index: no model is asked for it, whichever is configured.
        "model": "none" if isinstance(outcome, Answer) and outcome.listed else model,
        "missing_arms": missing_arms(outcome.ranking),
        "warnings": [*outcome.ranking.warnings, *faults],
        "unmentioned": list(outcome.ranking.signals.rare_missing),
        "usage": {
            "prompt_tokens": outcome.usage.prompt_tokens,
            "completion_tokens": outcome.usage.completion_tokens,
        },
        "timings": {name: round(ms, 3) for name, ms in timings.items()},
    }
    match outcome:
        case Answer():
            return {
                "outcome": "answer",
                "text": outcome.text,
                "citations": [citation(c, files=files) for c in outcome.citations],
                "sentences": [sentence(s) for s in outcome.sentences],
                "invented": outcome.invented,
                "removed": outcome.removed,
                "contract": outcome.contract,
                "web": [
                    {"title": w.title, "url": w.url, "heading": w.heading, "quote": w.quote, "fetched": w.fetched}
                    for w in outcome.web
                ],
                "scanned": outcome.scanned,
                "destructive": [
                    {"what": one.what, "why": one.why, "line": one.line, "command": one.command}
                    for one in outcome.destructive
                ],
                "nearest": [],
                "suggestions": [],
                **shared,
            }
        case Abstention():
            return {
                "outcome": "abstention",
                "text": outcome.text,
                "citations": [],
                "sentences": [],
                "invented": 0,
                "nearest": [hit(value, rank, files=files) for rank, value in enumerate(outcome.nearest, start=1)],
                "suggestions": list(outcome.suggestions),
                "by": outcome.by,
                "reason": outcome.reason,
                **shared,
            }


def sentence(value: Sentence) -> Json:
    """Return one sentence with its verdict: in an answer, and in a stream as soon as it is checked."""
    return {
        "text": value.text,
        "support": value.support.value,
        "markers": list(value.markers),
        "replaced": list(value.replaced),
        "why": value.why,
        "lines": [
            {
                "marker": place.marker,
                "source": place.source,
                "path": place.path,
                "lines": [place.lines.first, place.lines.last],
                "support": place.support.value,
            }
            for place in value.places
        ],
    }


def citation(value: Citation, *, files: Mapping[Place, Standing] = {}) -> Json:
    """Return one citation."""
    return {
        "marker": value.marker,
        "source": value.source if value.kind == "document" else value.kind,
        "path": value.path,
        "lines": [value.lines.first, value.lines.last],
        "quote": value.quote,
        "support": value.support.value,
        "kind": value.kind,
        "file": files.get((value.source, value.path), "unknown"),
    }


def plan(value: Plan, *, question: str) -> Json:
    """Return how a question would be answered: what `ask --explain` shows."""
    ranking = value.listed.answer.ranking if value.listed is not None else value.ranking
    found: Json = {"hits": []} if ranking is None else search(ranking) | {"explain": explain(ranking)}
    shown: Json = found | {
        "question": question,
        "profile": value.profile.value,
        "asked": value.asked.value,
        "routed": value.routed,
        "why": value.why,
        "query": value.rewritten.query,
        "widened": value.widened,
        "rewritten": {"by": value.rewritten.by, "why": value.rewritten.why, "sure": value.rewritten.sure},
        "turns": len(value.turns),
        "left_out": value.left_out,
        "gate": value.refused or "open",
    }
    if value.listed is not None:
        listed = value.listed
        shown["listing"] = {"rule": listed.query.rule, "query": listed.query.described, "items": len(listed.blocks) - 1}
    return shown


def index(report: RunReport) -> Json:
    """Return what `index` did."""
    return {
        "added": report.added,
        "updated": report.updated,
        "unchanged": report.unchanged,
        "reclassified": report.reclassified,
        "removed": report.removed,
        "refused": report.refused,
        "failed": [{"source": f.source, "path": f.path, "error": f.reason} for f in report.failed],
        "skipped": [_skipped(f) for f in report.skipped],
        "chunks": report.chunks,
        "embedded": report.embedded,
        "reused": report.reused,
        "pending": report.pending,
        "warnings": list(report.warnings),
        "seconds": round(report.seconds, 3),
    }


def _skipped(fault: Fault) -> Json:
    return {"source": fault.source, "path": fault.path, "reason": fault.reason}


def status(value: Status, *, store: str, calibration: str) -> Json:
    """Return what is indexed."""
    return {
        "sources": [
            {
                "name": s.name,
                "type": s.type.value,
                "root": s.root,
                "documents": s.documents,
                "chunks": s.chunks,
                "failed": s.failed,
                "skipped": s.skipped,
                "last_run": s.last_run,
            }
            for s in value.sources
        ],
        "chunks": sum(s.chunks for s in value.sources),
        "vectors": value.vectors,
        "pending": value.pending,
        "space": value.space,
        "calibration": calibration,
        "store": store,
        "failed": [
            {"source": f.source, "path": f.path, "error": f.reason} for f in value.faults if f.status == "failed"
        ],
        "skipped": [_skipped(f) for f in value.faults if f.status == "skipped"],
        "warnings": list(value.warnings),
    }


def missing_arms(ranking: Ranking) -> list[Json]:
    """Return the arms that did not take part, each with the reason in words."""
    return [{"arm": arm.value, "reason": why} for arm, why in ranking.missing_arms.items()]


def timings(ranking: Ranking) -> Json:
    """Return milliseconds per step."""
    return {name: round(ms, 3) for name, ms in ranking.timings.items()}


def usage(value: UsageReport, *, faults: Sequence[str] = ()) -> Json:
    """Return what answers cost."""
    return {
        **_totals(value.total),
        "hosts": {name: _totals(totals) for name, totals in value.by_host.items()},
        "profiles": {name: _totals(totals) for name, totals in value.by_profile.items()},
        "partners": [
            {"host": p.host, "rows": p.rows, "skipped": p.skipped, "pulled": p.pulled, "error": p.error}
            for p in value.partners
        ],
        "skipped": value.skipped,
        "warnings": list(faults),
    }


def _totals(value: Totals) -> Json:
    return {
        name: {
            "turns": total.turns,
            "prompt_tokens": total.prompt_tokens,
            "completion_tokens": total.completion_tokens,
            "tok_s": round(total.tokens_per_second, 1),
        }
        for name, total in (("today", value.today), ("seven_days", value.seven_days), ("all_time", value.all_time))
    }


def egress(values: Sequence[Outgoing], *, faults: Sequence[str] = ()) -> Json:
    """Return what left the machine, oldest first."""
    return {
        "egress": [
            {"at": o.at, "destination": o.destination, "purpose": o.purpose, "bytes": o.size, "class": o.class_.value}
            for o in values
        ],
        "warnings": list(faults),
    }


def conversation(value: Conversation) -> Json:
    """Return a stored conversation; sources and timings of its turns are not kept."""
    return {
        "id": value.id,
        "title": value.title,
        "created": value.created,
        "updated": value.updated,
        "turns": [
            {
                "question": t.question,
                "answer": t.answer,
                "outcome": t.outcome,
                "profile": t.profile.value,
                "suggestions": list(t.offered),
            }
            for t in value.turns
        ],
        "refused": list(value.refused),
    }
