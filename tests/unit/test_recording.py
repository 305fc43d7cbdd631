"""Every turn is recorded once, however it ends, and what it sends away carries its audience's classes."""

from __future__ import annotations

import itertools
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from askwell.engine import Engine, Request
from askwell.errors import ModelUnavailable
from askwell.ports import carried
from askwell.privacy import EVERYTHING, OPEN_ONLY
from askwell.recording import recorded
from askwell.testing.memory_records import MemoryRecords
from askwell.testing.scripted_generator import ScriptedGenerator
from askwell.types import (
    Abstention,
    Answer,
    Audience,
    Citation,
    Delta,
    Lines,
    PrivacyClass,
    Profile,
    Ranking,
    Signals,
    Support,
    Usage,
)

if TYPE_CHECKING:
    from collections.abc import Generator as Stream

    from askwell.types import Event

RANKING = Ranking(
    question="which port?",
    hits=(),
    signals=Signals(best_cosine=0.5, cosine_margin=None, rare_coverage=1.0, rare_missing=(), agreement=0.25),
)
CITED = Citation(marker=1, source="notes", path="a.md", lines=Lines(3, 4), quote="q", support=Support.SUPPORTED)
ANSWER = Answer(
    text="9117 [1]",
    citations=(CITED, CITED),
    sentences=(),
    invented=0,
    ranking=RANKING,
    usage=Usage(prompt_tokens=100, completion_tokens=20),
    profile=Profile.TROUBLESHOOT,
)
ABSTENTION = Abstention(
    by="gate", reason="too weak", text="Nothing.", nearest=(), suggestions=("which host?",), ranking=RANKING
)


def engine(records: MemoryRecords | None) -> Engine:
    """Return what `recorded` reads of an engine: a clock that goes on by two seconds with every look."""
    ticks = itertools.count(0, 2)
    made = SimpleNamespace(
        records=records,
        known_sources=frozenset({"notes", "scripts"}),
        profile=Profile.DOCS,
        clock=lambda: float(next(ticks)),
        generator=lambda: ScriptedGenerator("x", name="small"),
    )
    return cast("Engine", made)  # cast: the part of an engine that is read here


def request(*, open_only: bool = True) -> Request:
    return Request(question="which port?", audience=Audience(classes=OPEN_ONLY if open_only else EVERYTHING))


def stream(*events: Event, fails: Exception | None = None) -> Stream[Event, None, None]:
    yield from events
    if fails is not None:
        raise fails


def test_an_answer_is_recorded_before_it_is_given_out() -> None:
    records = MemoryRecords()
    events = recorded(engine(records), request(), stream(Delta("9117"), ANSWER))
    assert next(events) == Delta("9117")
    assert records.turns(classes=EVERYTHING) == ()
    assert next(events) == ANSWER
    (kept,) = records.turns(classes=OPEN_ONLY)
    assert (kept.ending, kept.question, kept.profile, kept.model) == (
        "answer", "which port?", Profile.TROUBLESHOOT, "small",
    )  # fmt: skip
    assert kept.sources == ("notes/a.md:3-4",)
    assert kept.corpus == ("notes", "scripts")
    assert kept.signals == {"best_cosine": 0.5, "rare_coverage": 1.0, "agreement": 0.25}
    assert kept.usage == Usage(prompt_tokens=100, completion_tokens=20)
    assert kept.latency_ms == 4000.0
    assert kept.tokens_per_second == pytest.approx(20 / 4)
    events.close()
    assert list(events) == []
    assert len(records.turns(classes=EVERYTHING)) == 1


def test_an_abstention_is_recorded_with_its_reason() -> None:
    records = MemoryRecords()
    assert list(recorded(engine(records), request(), stream(ABSTENTION))) == [ABSTENTION]
    (kept,) = records.turns(classes=OPEN_ONLY)
    assert (kept.ending, kept.reason, kept.sources) == ("abstention", "too weak", ())


def test_a_failure_is_recorded_as_one_and_raised() -> None:
    records = MemoryRecords()
    events = recorded(engine(records), request(), stream(Delta("half"), fails=ModelUnavailable("quotes /secret")))
    with pytest.raises(ModelUnavailable):
        list(events)
    (kept,) = records.turns(classes=OPEN_ONLY)
    assert (kept.ending, kept.reason) == ("failed", "ModelUnavailable")


def test_a_stopped_answer_is_recorded_as_one_and_closes_what_made_it() -> None:
    records = MemoryRecords()
    inner = stream(Delta("half"), ANSWER)
    events = recorded(engine(records), request(), inner)
    next(events)
    events.close()
    assert [kept.ending for kept in records.turns(classes=OPEN_ONLY)] == ["cancelled"]
    assert list(inner) == []


def test_a_turn_that_could_see_personal_text_is_personal() -> None:
    records = MemoryRecords()
    list(recorded(engine(records), request(open_only=False), stream(ANSWER)))
    assert not records.turns(classes=OPEN_ONLY)
    assert len(records.turns(classes=EVERYTHING)) == 1


def test_nothing_is_kept_where_nothing_is_to_be_kept() -> None:
    assert list(recorded(engine(None), request(), stream(Delta("a"), ANSWER))) == [Delta("a"), ANSWER]


@pytest.mark.parametrize(("open_only", "expected"), [(True, PrivacyClass.OPEN), (False, PrivacyClass.PERSONAL)])
def test_what_is_sent_while_an_event_is_made_carries_the_audience(open_only: bool, expected: PrivacyClass) -> None:
    def watching() -> Stream[Event, None, None]:
        for _ in range(3):
            yield Delta(carried().value)

    seen = []
    for event in recorded(engine(None), request(open_only=open_only), watching()):
        assert isinstance(event, Delta)
        seen.append(event.text)
        assert carried() is PrivacyClass.PERSONAL  # between events nothing is declared
    assert seen == [expected.value] * 3
