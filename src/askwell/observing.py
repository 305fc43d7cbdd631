"""What a profile reads besides documents for a question: the kinds that it may, if this request may, and the lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from askwell.ask.observed import observed_passages
from askwell.ask.profiles import PROFILES, Capability
from askwell.ask.widening import failure_words
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


def widened(engine: Engine, request: Request, query: str, read: Observations) -> str:
    """Return a query with those words of a log's newest failure that the visible documents know, else as it is.

    If they know less than half of them, the failure is of something else, and its few common words would only find
    what has nothing to do with it.
    """
    terms = {word: content_words(word) for word in failure_words(query, read.found)}
    wanted = sorted({term for found in terms.values() for term in found})
    visible = request.visible(engine.known_sources)
    counts = engine.store.frequencies(wanted, visible=visible)[0] if wanted else {}
    known = [word for word, found in terms.items() if any(counts.get(term) for term in found)]
    telling = sum(bool(found) for found in terms.values())
    return " ".join([query, *known]) if known and 2 * len(known) >= telling else query


def seen_of(plan: Plan) -> tuple[Passage, ...]:
    """Return what of all that was read belongs to the question, numbered from 1."""
    hits = plan.ranking.hits if plan.ranking is not None and plan.refused is None else ()
    return observed_passages(plan.rewritten.query, plan.read.found, related=[hit.chunk.text for hit in hits])
