"""What a profile reads besides documents for a question: the kinds that it may, if this request may, and the lines."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from askwell.ask.observed import observed_passages
from askwell.ask.profiles import PROFILES, Capability
from askwell.ask.widening import failure_words, failures_told, is_about
from askwell.errors import BadRequest
from askwell.terms import content_words
from askwell.types import Observations

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from askwell.engine import Engine, Request
    from askwell.planning import Plan
    from askwell.types import Passage, Profile, Reference

KINDS: Mapping[Capability, Reference] = {
    Capability.LOGS: "log",
    Capability.RECORDS: "record",
    Capability.LIVE_SETTINGS: "setting",
}

NOT_READ = (
    "logs, records and live settings are left out: they count as personal, and this request sees open documents alone"
)
"""Warning with an answer, the same whether or not there are any."""


def kinds_of(granted: Collection[Capability]) -> frozenset[Reference]:
    """Return the kinds of files that capabilities grant."""
    return frozenset(kind for capability, kind in KINDS.items() if capability in granted)


def read_now(engine: Engine, request: Request, profile: Profile) -> Observations:
    """Return what a profile may read besides documents, and what could not be read, in words.

    All of it is personal: a request that sees open documents alone, or that may search the web, reads none, and does
    not find whether there is any.

    Raises:
        BadRequest: a log was named that may not be read, or for a profile that reads none.
    """
    kinds = kinds_of(PROFILES[profile].capabilities)
    if request.log and "log" not in kinds:
        raise BadRequest(f"the profile `{profile}` reads no logs", hint="ask with `--profile troubleshoot`")
    if not kinds or engine.observe is None:
        return Observations()
    if not request.audience.include_personal or request.audience.allow_web:
        return Observations(faults=(NOT_READ,))
    return engine.observe(request.log, kinds)


def with_failure(engine: Engine, request: Request, plan: Plan) -> Plan:
    """Return the plan with the documents first that are about the newest failure of the log that was read.

    They are looked for with the question and the failure's words, and they count as evidence however weak that of the
    question is, since the log says what it leaves open. Without such a document the plan stays as it is.
    """
    query, ranking = plan.rewritten.query, plan.ranking
    wider = widened(engine, request, query, plan.read)
    if ranking is None or wider == query:
        return plan
    lines = failures_told(plan.read.found)
    found = engine.search(replace(request, question=wider)).hits
    about = [hit for hit in found if is_about(f"{hit.chunk.prelude}\n{hit.chunk.lead}\n{hit.chunk.text}", lines)]
    if not about:
        return plan
    known = {hit.chunk.id for hit in about}
    rest = [hit for hit in ranking.hits if hit.chunk.id not in known] if plan.refused is None else []
    hits = (*about, *rest)[: max(len(about), len(ranking.hits))]
    return replace(plan, ranking=replace(ranking, hits=hits), refused=None, widened=wider)


def widened(engine: Engine, request: Request, query: str, read: Observations) -> str:
    """Return a query with those words of a log's newest failure that the visible documents know; as it is without."""
    terms = {word: content_words(word) for word in failure_words(query, read.found)}
    wanted = sorted({term for found in terms.values() for term in found})
    visible = request.visible(engine.known_sources)
    counts = engine.store.frequencies(wanted, visible=visible)[0] if wanted else {}
    return " ".join([query, *(word for word, found in terms.items() if any(counts.get(term) for term in found))])


def seen_of(plan: Plan) -> tuple[Passage, ...]:
    """Return what of all that was read belongs to the question, numbered from 1."""
    hits = plan.ranking.hits if plan.ranking is not None and plan.refused is None else ()
    return observed_passages(plan.rewritten.query, plan.read.found, related=[hit.chunk.text for hit in hits])
