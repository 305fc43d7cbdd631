"""What a turn leaves behind: a row of the query log and the ledger however it ends, and the turn itself once it has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from askwell.errors import AskwellError, ConfigError
from askwell.ports import carrying
from askwell.types import Abstention, Answer, Delta, TurnRecord, Usage

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from collections.abc import Generator as Stream

    from askwell.engine import Engine, Request
    from askwell.types import Ending, Event, Outcome, Signals


def recorded(engine: Engine, request: Request, events: Stream[Event, None, None]) -> Stream[Event, None, None]:
    """Yield the same events; the turn is recorded before its outcome is given out, or when it ends without one.

    While an event is made, whatever is sent to another machine carries the classes of the request's audience.

    Args:
        engine: Who answers; where it keeps no records, nothing is recorded.
        request: What is answered.
        events: Of this answer; closed when this is closed.
    """
    records, corpus = engine.records, request.sources or engine.known_sources
    took = _Clocked(engine.clock)
    ending: Ending | None = "cancelled"
    reason = ""
    try:
        while True:
            with carrying(request.audience.classes):
                event = next(events, None)
            match event:
                case None:
                    break
                case Delta():
                    took.heard()
                case Answer() | Abstention() as outcome if ending is not None:
                    ending = None
                    if records is not None:
                        records.record(
                            record_of(request, outcome, model=_model(engine, outcome), corpus=corpus, took=took)
                        )
                case _:
                    pass
            yield event
    except AskwellError as error:
        ending, reason = ending and "failed", type(error).__name__
        raise
    finally:
        events.close()
        if ending is not None and records is not None:
            records.record(
                TurnRecord(
                    question=request.question,
                    classes=request.audience.classes,
                    web=request.audience.allow_web,
                    profile=request.profile or engine.profile,
                    ending=ending,
                    reason=reason,
                    corpus=tuple(sorted(corpus)),
                    model=_model(engine),
                    latency_ms=took.total() * 1000,
                )
            )


def _model(engine: Engine, outcome: Outcome | None = None) -> str:
    """Return who wrote; `none` where the index itself answered, or where no model could be made."""
    try:
        generator = engine.generator()
    except ConfigError:
        return "none"
    listed = isinstance(outcome, Answer) and outcome.listed
    return "none" if generator is None or listed else generator.name


class _Clocked:
    """When a turn began and when its first text came."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._started = clock()
        self._first: float | None = None

    def heard(self) -> None:
        """Note that text came."""
        if self._first is None:
            self._first = self._clock()

    def total(self) -> float:
        """Return the seconds since the beginning."""
        return self._clock() - self._started

    def speed(self, usage: Usage) -> float:
        """Return tokens a second since the first text, 0.0 where none was counted."""
        seconds = self._clock() - (self._first if self._first is not None else self._started)
        return usage.completion_tokens / seconds if seconds > 0 else 0.0


def record_of(request: Request, outcome: Outcome, *, model: str, corpus: Collection[str], took: _Clocked) -> TurnRecord:
    """Return what is recorded of a turn that has an outcome."""
    answered = isinstance(outcome, Answer)
    cited = outcome.citations if isinstance(outcome, Answer) else ()
    return TurnRecord(
        question=request.question,
        classes=request.audience.classes,
        web=request.audience.allow_web,
        profile=outcome.profile,
        ending="answer" if answered else "abstention",
        reason=outcome.reason if isinstance(outcome, Abstention) else "",
        signals=known_signals(outcome.ranking.signals),
        sources=tuple(dict.fromkeys(f"{c.source}/{c.path}:{c.lines.first}-{c.lines.last}" for c in cited)),
        corpus=tuple(sorted(corpus)),
        model=model,
        usage=outcome.usage,
        latency_ms=took.total() * 1000,
        tokens_per_second=took.speed(outcome.usage),
    )


def known_signals(signals: Signals) -> dict[str, float]:
    """Return the raw evidence by name, without what is not known."""
    values = {
        "best_cosine": signals.best_cosine,
        "cosine_margin": signals.cosine_margin,
        "rare_coverage": signals.rare_coverage,
        "agreement": signals.agreement,
    }
    return {name: value for name, value in values.items() if value is not None}
