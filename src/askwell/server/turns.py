"""One question over HTTP: from its body to the items of a stream, in a worker thread, with the turn kept at its end.

body ─▶ audience ─▶ history ─▶ Engine.ask ─▶ ("delta" | "sentence") … ─▶ "done"
                                   ▲ ended from the event loop when nobody reads any more
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from askwell import wire
from askwell.ask.history import turn_of
from askwell.asking import checked_profile
from askwell.errors import ModelUnavailable
from askwell.server.interruptible import Waiting, interruptible
from askwell.server.problems import NotFound
from askwell.server.sse import Pump
from askwell.standing import places_of_answer, places_of_hits
from askwell.types import Abstention, Answer, Checked, Delta

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator, Mapping

    from starlette.requests import Request as HttpRequest

    from askwell.engine import Engine, Request
    from askwell.ids import ConversationId
    from askwell.server.bodies import AskBody
    from askwell.server.guard import Caller
    from askwell.server.services import Services
    from askwell.server.sse import Item
    from askwell.types import Audience, Outcome, Turn


class Place:
    """A place among the questions whose passages are being looked for. Left once, by whoever comes first."""

    def __init__(self, places: threading.Semaphore) -> None:
        self._places = places
        self._lock = threading.Lock()
        self._held = False

    def __enter__(self) -> Place:
        """Wait for it."""
        self._places.acquire()
        self._held = True
        return self

    def __exit__(self, *_: object) -> None:
        """Leave it, if it was not left before."""
        self.leave()

    def leave(self) -> None:
        """Give it to the next one. Idempotent, from any thread."""
        with self._lock:
            held, self._held = self._held, False
        if held:
            self._places.release()


@dataclass(slots=True)
class Turning:
    """A question on its way, and what ends it."""

    services: Services
    caller: Caller
    waiting: Waiting = field(default_factory=Waiting)
    place: Place | None = None

    def items(self, body: AskBody) -> Iterator[Item]:
        """Yield the events of one answer; run in a thread of its own.

        Raises:
            AskwellError: it cannot be answered, or could not be finished.
        """
        with self.engine() as engine:
            audience = body.audience(
                self.caller, engine, allow_web=body.allow_web, generates=engine.generator() is not None
            )
            request = body.request(audience, engine)
            id, turns = self.history(body, audience)
            request = replace(request, history=turns, profile=checked_profile(body.profile) if body.profile else None)
            yield from self.answered(engine, request, id=id)

    @contextlib.contextmanager
    def engine(self) -> Iterator[Engine]:
        """Lend an engine whose model's work ends when nobody waits any more; wait until it is this turn's time."""
        with Place(self.services.looking) as place, self.services.lend() as lent:
            self.place = place
            engine, stopper = interruptible(lent, before=place.leave)
            if stopper is not None:
                self.waiting.stops(stopper.stop)
            yield engine

    def history(self, body: AskBody, audience: Audience) -> tuple[ConversationId | None, tuple[Turn, ...]]:
        """Return the conversation that a turn is kept in, None if none, and its visible turns.

        Raises:
            NotFound: there is no such conversation for this audience.
        """
        records = self.services.records
        if self.caller.open_only:  # what others asked, and that they did, is the owner's to see
            records = None
        if records is None or not (body.conversation or body.keep):
            return None, ()
        if not body.conversation:
            return records.begin(), ()
        found = records.conversation(body.conversation, classes=audience.classes)
        if found is None:
            raise NotFound("there is no such conversation", hint="`GET /api/conversations` lists those there are")
        return found.id, found.turns

    def answered(self, engine: Engine, request: Request, *, id: ConversationId | None) -> Iterator[Item]:
        """Yield an answer's events as they are sent, the last of them `done`."""
        started = engine.clock()
        first = 0.0
        with contextlib.closing(engine.ask(request)) as events:
            for event in events:
                if self.waiting.over:
                    return
                if self.place is not None:
                    self.place.leave()
                match event:
                    case Delta(text=text):
                        first = first or (engine.clock() - started) * 1000
                        yield "delta", {"text": text}
                    case Checked(sentence=sentence, removed=removed):
                        yield "sentence", {**wire.sentence(sentence), "removed": removed}
                    case Answer() | Abstention() as outcome:
                        took = {"first_ms": first, "total_ms": (engine.clock() - started) * 1000}
                        self._counted(outcome)
                        self._kept(request, outcome, id)
                        yield "done", {**self.done(engine, request, outcome, took), "conversation": id or ""}

    def done(self, engine: Engine, request: Request, outcome: Outcome, took: Mapping[str, float]) -> wire.Json:
        """Return an outcome in the shape of `ask`."""
        generator = engine.generator()
        places = places_of_answer(outcome) if isinstance(outcome, Answer) else places_of_hits(outcome.nearest)
        records = self.services.records
        return wire.ask(
            outcome,
            audience=request.audience,
            model=generator.name if generator is not None else "none",
            timings={**outcome.ranking.timings, **took},
            files=engine.standings(places, audience=request.audience),
            faults=records.faults() if records is not None and not self.caller.open_only else (),
        )

    def _kept(self, request: Request, outcome: Outcome, id: ConversationId | None) -> None:
        if id is not None and self.services.records is not None:
            turn = turn_of(request.question, outcome, audience=request.audience, web=request.audience.allow_web)
            self.services.records.keep(id, turn)

    def _counted(self, outcome: Outcome) -> None:
        metrics = self.services.metrics
        ending = "answer" if isinstance(outcome, Answer) else "abstention"
        metrics.turns.labels(ending, outcome.profile.value).inc()
        metrics.tokens.labels("prompt").inc(outcome.usage.prompt_tokens)
        metrics.tokens.labels("completion").inc(outcome.usage.completion_tokens)


async def streamed(
    turning: Turning, items: Callable[[], Iterator[Item]], http: HttpRequest
) -> tuple[Item | None, AsyncIterator[Item | None]]:
    """Start a turn in a thread and wait for its first item; see `Pump.first`.

    Raises:
        AskwellError: there is no first item but this.
    """
    services = turning.services
    pump = Pump(items, cancel=turning.waiting.end, executor=services.threads)
    services.streams.add(pump)
    services.metrics.streams.inc()

    def over() -> None:
        services.streams.discard(pump)
        services.metrics.streams.dec()

    waiting = asyncio.ensure_future(pump.first())
    gone = asyncio.ensure_future(_gone(http))
    begun = False
    try:
        await asyncio.wait({waiting, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not waiting.done():
            pump.stop()
            waiting.cancel()
            raise ModelUnavailable("nobody waits for this answer any more")
        first, rest = waiting.result()
        begun = True
    finally:
        gone.cancel()
        if not begun:
            over()
    return first, _watched(rest, over)


async def _watched(rest: AsyncIterator[Item | None], over: Callable[[], None]) -> AsyncIterator[Item | None]:
    try:
        async for item in rest:
            yield item
    finally:
        over()


async def _gone(http: HttpRequest) -> None:
    """Return once the client has gone. The body must have been read."""
    while (await http.receive())["type"] != "http.disconnect":
        pass
