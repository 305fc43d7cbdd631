"""What is decided about a question before any chat model answers it, and how that shows in the answer."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from askwell.ask.history import admitted, as_messages
from askwell.ask.persona import taken_by
from askwell.ask.profiles import PROFILES
from askwell.ask.query import Rewritten
from askwell.errors import ConfigError
from askwell.ids import document_id
from askwell.observing import read_now, seen_of, with_failure
from askwell.terms import content_words
from askwell.types import Abstention, Answer, Arm, Delta, Observations, Profile

if TYPE_CHECKING:
    from collections.abc import Generator as Stream
    from collections.abc import Sequence

    from askwell.ask.subject import Known
    from askwell.engine import Engine, Request
    from askwell.ids import DocumentId
    from askwell.listing import Listed
    from askwell.ports import Generator, Store
    from askwell.types import Audience, Event, Filter, Ranking, Turn

WORDS = 32
"""Words of a question that are looked up to see whether the index knows them."""

LEFT_OUT = "an earlier turn takes no part: it could see personal documents, and this question may not"
"""Warning with an answer."""

FREQUENT = 4
"""Chunks that hold a word from which it is taken for something that is talked about here."""

CITED = 8
"""Documents cited by an earlier turn that stay candidates."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How a question will be answered.

    Attributes:
        asked: The profile that was chosen.
        profile: The one that answers.
        why: The sign by which the question was handed over, or kept; empty if the profile does not hand over.
        turns: Earlier turns that take part.
        left_out: Whether a turn that would have does not, because it could see more than this question may.
        rewritten: What is searched for.
        listed: The answer, where the index itself has it.
        ranking: The evidence; None where the profile reads no documents.
        refused: Why the evidence is too weak to answer from, None if it is not.
        read: What the profile read besides documents.
        widened: What was searched for where words of a log were added; empty if none were.
    """

    asked: Profile
    profile: Profile
    why: str = ""
    turns: tuple[Turn, ...] = ()
    left_out: bool = False
    rewritten: Rewritten
    listed: Listed | None = None
    ranking: Ranking | None = None
    refused: str | None = None
    read: Observations = field(default_factory=Observations)
    widened: str = ""

    @property
    def routed(self) -> bool:
        """Whether another profile was asked."""
        return self.asked is not self.profile


def made(engine: Engine, request: Request, *, explain: bool = False) -> Plan:
    """Return the plan of a request: rewritten first, then handed over, then looked for.

    A question that `chat` handed over and for which nothing is found goes back, unless no model is there to take it.

    Args:
        engine: What is asked.
        request: The question, its history and its filters.
        explain: Call no chat model, even where it could complete a follow-up.
    """
    asked = request.profile or engine.profile
    turns = admitted(request.history, audience=request.audience, turns=PROFILES[asked].turns)
    left_out = len(turns) < min(len(request.history), PROFILES[asked].turns)
    plan = Plan(asked=asked, profile=asked, turns=turns, left_out=left_out, rewritten=Rewritten(query=request.question))
    if asked is not Profile.CHAT and not PROFILES[asked].retrieves:
        return plan
    if turns:
        from askwell.ask.rewrite import rewrite

        plan = replace(plan, rewritten=rewrite(request.question, turns))
    listed = None if request.log else engine.listing(replace(request, question=plan.rewritten.query))
    if asked is Profile.CHAT:
        plan = _routed(engine, request, plan, listing=listed is not None)
    if not PROFILES[plan.profile].retrieves:
        return plan
    if listed is not None:
        return replace(plan, listed=listed)
    generator = engine.generator()
    if not plan.rewritten.sure and generator is not None and not explain:
        from askwell.completing import completed

        better = completed(request.question, plan.turns, rules=plan.rewritten, generator=generator, clock=engine.clock)
        plan = replace(plan, rewritten=better)
    plan = looked_for(engine, request, replace(plan, read=read_now(engine, request, plan.profile)))
    if plan.routed and plan.refused is not None and generator is not None:
        why = f"{plan.why}; but nothing was found, so it stays"
        return replace(plan, profile=asked, turns=turns, why=why, ranking=None, refused=None, read=Observations())
    return plan


def looked_for(engine: Engine, request: Request, plan: Plan) -> Plan:
    """Return the plan with its evidence: what the question finds, and what a log's failure does."""
    cited = cited_documents(plan.turns) if plan.rewritten.by else ()
    ranking, refused = engine.evidence(replace(request, question=plan.rewritten.query), cited=cited)
    return with_failure(engine, request, replace(plan, ranking=ranking, refused=refused))


def _routed(engine: Engine, request: Request, plan: Plan, *, listing: bool) -> Plan:
    """Return the plan with the profile that takes a question asked in `chat`, and as many turns as that one reads."""
    from askwell.ask.routing import route  # its rules are many, and no other profile needs them

    question, visible = plan.rewritten.query, engine.admitted(request.audience)
    known = known_here(question, store=engine.store, visible=visible, listing=listing)
    previous = plan.turns[-1].profile if plan.turns else None
    chosen = route(question, around=known, previous=previous, follow_up=bool(plan.rewritten.by))
    depth = PROFILES[chosen.profile].turns
    return replace(plan, profile=chosen.profile, why=chosen.why, turns=plan.turns[-depth:])


def needs_no_other_model(plan: Plan, generator: Generator | None) -> Plan:
    """Return the plan if it can be carried out with this chat model, or without one.

    Raises:
        ConfigError: its profile has nothing to quote, and no model is set.
    """
    if generator is None and plan.listed is None and PROFILES[plan.profile].needs_model:
        raise ConfigError(
            f"the profile `{plan.profile}` needs a chat model, and none is set",
            hint="set `models.generation` and `models.generation_url`, or ask with `--profile docs`",
        )
    return plan


def carried_out(engine: Engine, request: Request, plan: Plan) -> Stream[Event, None, None]:
    """Yield what a plan leads to: the index's own answer, one from its evidence, or one from no document."""
    rules, generator, settings = PROFILES[plan.profile], engine.generator(), engine.answering()
    if plan.listed is not None:
        yield from map(Delta, plan.listed.blocks)
        yield plan.listed.answer
    elif plan.ranking is not None:
        from askwell.answer import stream_answer

        ranking = replace(plan.ranking, warnings=(*plan.ranking.warnings, *plan.read.faults))
        yield from stream_answer(
            plan.rewritten.query,
            ranking=ranking,
            refused=plan.refused,
            store=engine.store,
            visible=request.visible(engine.known_sources),
            generator=generator,
            embedder=None if Arm.VECTOR in plan.ranking.missing_arms else engine.embedder(),
            settings=settings,
            history=as_messages(plan.turns),
            rules=rules.contract,
            answered=lambda question: would_be_answered(engine, request, question),
            observed=seen_of(plan),
            searched=plan.widened,
        )
    elif generator is not None:
        from askwell.plain import stream_plain

        yield from stream_plain(request.question, rules=rules, turns=plan.turns, generator=generator, settings=settings)


def would_be_answered(engine: Engine, request: Request, question: str) -> bool:
    """Return whether the one who made `request` would get an answer to `question` from the documents.

    The index, the gate and the words of what is found decide; no chat model is asked.
    """
    from askwell.answer import holds_an_answer

    again = replace(request, question=question, history=())
    if engine.listing(again) is not None:
        return True
    ranking, refused = engine.evidence(again)
    return refused is None and holds_an_answer(
        question, ranking.hits, store=engine.store, visible=again.visible(engine.known_sources)
    )


def with_web(engine: Engine, plan: Plan, events: Stream[Event, None, None]) -> Stream[Event, None, None]:
    """Yield an answer's events with what the web adds; see `askwell.fallback`."""
    from askwell.fallback import with_web

    return with_web(engine, plan, events)


def openers(engine: Engine, *, audience: Audience, limit: int) -> tuple[str, ...]:
    """Return at most `limit` questions to begin with, each from another document, that would be answered."""
    from itertools import islice

    from askwell.ask.suggest import suggest
    from askwell.engine import Request

    request = Request(question="", audience=audience)
    ideas = suggest("", (), engine.documents(audience=audience), limit=2 * limit)
    return tuple(islice((idea for idea in ideas if would_be_answered(engine, request, idea)), limit))


def known_here(question: str, *, store: Store, visible: Filter, listing: bool) -> Known:
    """Return what is known of this system that a question may name, within what may be seen."""
    from askwell.ask.subject import Known, names_of

    words = content_words(question)[:WORDS]
    counts = store.frequencies(words, visible=visible)[0] if words else {}
    return Known(
        names=names_of(store.documents(visible=visible)),
        words=frozenset(word for word in words if counts.get(word)),
        frequent=frozenset(word for word in words if counts.get(word, 0) >= FREQUENT),
        listing=listing,
    )


def cited_documents(turns: Sequence[Turn], *, limit: int = CITED) -> tuple[DocumentId, ...]:
    """Return the documents that the latest turn with citations cites, in its order."""
    cited = next((turn.cited for turn in reversed(turns) if turn.cited), ())
    return tuple(dict.fromkeys(document_id(place.source, place.path) for place in cited))[:limit]


def stamped(events: Stream[Event, None, None], *, question: str, plan: Plan) -> Stream[Event, None, None]:
    """Yield the same events with the plan in the outcome; a profile that took a question says so on the first line.

    The line is part of the answer's text, and it is held back until there is any: an abstention has none.
    """
    line = f"{taken_by(question, plan.profile)}\n\n" if plan.routed else ""
    opened = False
    warnings = (LEFT_OUT,) if plan.left_out else ()
    query = plan.rewritten.query if plan.rewritten.by else ""
    with closing(events):
        for event in events:
            match event:
                case Delta():
                    if line and not opened:
                        yield Delta(line)
                    opened = True
                    yield event
                case Answer():
                    ranking = replace(event.ranking, warnings=(*event.ranking.warnings, *warnings))
                    event = replace(event, text=line + event.text, ranking=ranking)
                    yield replace(event, profile=plan.profile, routed=plan.routed, query=query)
                case Abstention():
                    ranking = replace(event.ranking, warnings=(*event.ranking.warnings, *warnings))
                    yield replace(event, ranking=ranking, profile=plan.profile, routed=plan.routed, query=query)
                case _:
                    yield event
