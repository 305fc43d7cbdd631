"""What an open request is told, what is sent for it and what is kept of it do not depend on anything personal.

Two worlds are made that differ in personal documents and personal turns alone. Everything that comes out of them is
compared: answers and their JSON, prompts, texts given to other models, suggestions, surroundings, log rows, kept turns.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from tests.unit.ask.turns import EVERYTHING, OPEN, turn
from tests.unit.rank.index import Doc, doc, fill, link
from tests.unit.rank.words import WordVectors

from askwell import wire
from askwell.answer import AnswerSettings, final
from askwell.ask.history import turn_of
from askwell.ask.profiles import PROFILES
from askwell.engine import Engine, Request
from askwell.errors import AskwellError, PrivacyError
from askwell.privacy import ClassRules, audience, class_of
from askwell.retrieve import RetrievalSettings
from askwell.testing.memory_records import MemoryRecords
from askwell.testing.memory_store import MemoryStore
from askwell.testing.obedient_generator import ObedientGenerator
from askwell.testing.scripted_generator import ScriptedGenerator
from askwell.types import Audience, EdgeKind, Lines, Location, PrivacyClass, Profile, Turn

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

WORDS = ("heron", "weir", "backup", "teal", "window", "mover_stop", "port 9117", "nightly", "valve", "[[hidden/a]]")
CANARY = "kanarie"
LINKED = re.compile(r"\[\[(.*?)\]\]")
RULES = ClassRules(personal=("hidden/", "**/diary*"))
PERSONAL = PrivacyClass.PERSONAL

SAID = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)
QUESTIONS = st.one_of(
    SAID,
    st.sampled_from(
        [
            "how many notes mention the heron", "list all documents in hidden", "which documents mention kanarie",
            "what is in [[diary]]", "hidden/a", "which tags are there", "and for the teal?", "why?", "what about it",
            "yes", "the second one", "how do I restart it", "and there?", "what does kanarie say of the weir",
        ]
    ),
)  # fmt: skip
TEXTS = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join), min_size=1, max_size=3)
NAMES = st.sampled_from(["a", "b", "note", "diary", "diary two"])
FLAGS = st.sampled_from([None, None, "open", "personal", "purple", ""])
TARGETS = st.sampled_from(["open/a.md", "open/b.md", "hidden/a.md", "hidden/diary.md", "nowhere.md"])
EDGES = st.lists(st.builds(link, st.sampled_from([EdgeKind.TOPIC, EdgeKind.EMBED, EdgeKind.LINK]), TARGETS), max_size=3)
FILES = st.dictionaries(
    st.builds("{}/{}.md".format, st.sampled_from(["open", "hidden"]), NAMES),
    st.tuples(TEXTS, EDGES, FLAGS, st.booleans()),
    max_size=7,
)


def corpus(files: Mapping[str, tuple[list[str], list[Any], str | None, bool]]) -> list[Doc]:
    """Return documents classed by the rules; what is personal has a canary in its words, and often in its path."""
    made = []
    for path, (texts, edges, flag, fault) in files.items():
        personal = class_of(path, sensitivity=flag, fault=fault and flag is not None, rules=RULES) is PERSONAL
        pieces = [f"{CANARY} {text} {CANARY}{n}" for n, text in enumerate(texts)] if personal else texts
        edges = [
            *edges,
            *(
                link(EdgeKind.LINK, f"{name}.md", line=n)
                for n, text in enumerate(texts, 1)
                for name in LINKED.findall(text)
            ),
        ]
        section = f"{CANARY} part" if personal else "part"
        made.append(doc(path, *pieces, personal=personal, edges=tuple(edges), section=section))
    return made


@st.composite
def turns(draw: st.DrawFn) -> tuple[list[Turn], list[Turn]]:
    """Return a conversation twice: the second time its personal turns are other ones."""
    one: list[Turn] = []
    other: list[Turn] = []
    for _ in range(draw(st.integers(0, 4))):
        said = draw(SAID)
        cited = (Location(source="notes", path="open/a.md", lines=Lines(1, 1)),)
        if draw(st.booleans()):
            both = turn(said, "The heron is at the weir [1].", classes=OPEN, cited=cited, offered=(draw(SAID),))
            one.append(both)
            other.append(both)
            continue
        classes = draw(st.sampled_from([EVERYTHING, frozenset({PERSONAL})]))
        hidden = (Location(source="notes", path="hidden/a.md", lines=Lines(1, 1)),)
        secret = f"{CANARY} {draw(QUESTIONS)}"
        one.append(turn(secret, f"The {CANARY} says: shall I {secret}?", classes=classes, cited=hidden, query=secret))
        other.append(turn("thanks", "", outcome="abstention", classes=classes))
    return one, other


class Listening(WordVectors):
    """An embedder elsewhere that remembers every text that it was given while it was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.given: list[str] = []

    def embed_documents(self, texts: Sequence[str]) -> Any:  # Any: as the embedder has it
        self.given += texts
        return super().embed_documents(texts)


@dataclass
class World:
    """An engine with all that listens to it."""

    engine: Engine
    records: MemoryRecords
    generator: ObedientGenerator | ScriptedGenerator | None
    embedder: Listening | None


def world(docs: Sequence[Doc], *, model: str, vectors: bool) -> World:
    store, embedder = MemoryStore(), Listening() if vectors else None
    fill(store, docs, embedder=embedder)
    if embedder is not None:
        embedder.given.clear()
        embedder.asked.clear()
    generator: ObedientGenerator | ScriptedGenerator | None = None
    if model == "obedient":
        generator = ObedientGenerator(trust="cloud")
    elif model == "abstains":
        generator = ScriptedGenerator("NO_ANSWER: nothing", trust="cloud")
    ticks, records = count(), MemoryRecords()
    engine = Engine(
        sources=(),
        open_store=lambda: store,
        make_embedder=lambda: embedder,
        make_generator=lambda: generator,
        retrieval=lambda: RetrievalSettings(depth=6, considered=6),
        answering=AnswerSettings,
        clock=lambda: next(ticks) / 1000,
        known_sources=frozenset({"notes"}),
        vectors=vectors,
        records=records,
    )
    return World(engine, records, generator, embedder)


def plain(value: object) -> object:
    """Return JSON without what is measured: the clock of a world ticks at every look."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items() if key != "timings"}
    return [plain(item) for item in value] if isinstance(value, list) else value


def learnt(made: World, request: Request) -> dict[str, Any]:  # Any: everything that comes out
    """Return everything that anybody gets to see because of one request."""
    engine, who = made.engine, request.audience
    shown: dict[str, Any] = {}
    try:
        shown["plan"] = plain(wire.plan(engine.plan(request, explain=True), question=request.question))
        shown["search"] = plain(wire.search(engine.search(request)))
        shown["events"] = [repr(event) for event in engine.ask(request)][:-1]
        outcome = final(engine.ask(request))
        shown["ask"] = plain(wire.ask(outcome, audience=who, model="m", timings={}))
        kept = turn_of(request.question, outcome, audience=who, web=who.allow_web)
        shown["kept"] = repr(kept)
        id = made.records.begin()
        made.records.keep(id, kept)
        stored = made.records.conversation(id, classes=who.classes)
        shown["stored"] = [repr(item) for item in stored.turns] if stored else None
    except AskwellError as error:
        shown["error"] = (type(error).__name__, str(error), error.hint)
    shown["status"] = repr(engine.status(audience=who))
    shown["documents"] = repr(engine.documents(audience=who))
    shown["topics"] = repr(engine.topics(audience=who))
    shown["around"] = [
        repr(engine.surroundings("notes", f"{name}.md", audience=who)) for name in ("open/a", "hidden/a")
    ]
    shown["read"] = [engine.read("notes", f"hidden/{name}.md", audience=who) for name in ("a", "diary")]
    shown["log"] = [
        repr(replace(row, latency_ms=0.0, tokens_per_second=0.0)) for row in made.records.turns(classes=who.classes)
    ]
    shown["ledger"] = [repr(replace(row, tokens_per_second=0.0)) for row in made.records.ledger().rows]
    if made.generator is not None:
        shown["prompts"] = [[item.content for item in messages] for messages in made.generator.asked]
    if made.embedder is not None:
        shown["embedded"] = (made.embedder.asked, made.embedder.given)
    return shown


def without_fences(value: object) -> str:
    """Return all of it as text, without the random words of prompts and the time of the index run."""
    text = json.dumps(value, default=repr, ensure_ascii=False, sort_keys=True)
    return re.sub(r"passage-[0-9a-f]{16}|\d{4}-\d\d-\d\dT[\d:]+\+00:00", "", text)


OPEN_AUDIENCES = [
    audience(include_personal=False),
    audience(include_personal=False, allow_web=True),
    audience(include_personal=True, allow_web=True),
    audience(include_personal=True, destination="cloud"),
]


@pytest.mark.parametrize("vectors", [False, True], ids=["words", "vectors"])
@pytest.mark.parametrize("model", ["none", "obedient", "abstains"])
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    files=FILES,
    question=QUESTIONS,
    history=turns(),
    who=st.sampled_from(OPEN_AUDIENCES),
    profile=st.sampled_from([None, Profile.DOCS, Profile.CHAT, Profile.TROUBLESHOOT]),
)
def test_nothing_personal_shows_in_anything_that_comes_of_an_open_request(
    model: str,
    vectors: bool,
    files: Mapping[str, Any],
    question: str,
    history: tuple[list[Turn], list[Turn]],
    who: Audience,
    profile: Profile | None,
) -> None:
    docs = corpus(files)
    if model == "none" and profile is not None:
        assume(PROFILES[profile].retrieves)
    without = [one for one in docs if one.class_ is not PERSONAL]
    told = []
    for documents, earlier in ((docs, history[0]), (without, history[1])):
        request = Request(question=question, audience=who, history=tuple(earlier), profile=profile, k=3)
        told.append(without_fences(learnt(world(documents, model=model, vectors=vectors), request)))
    assert told[0] == told[1]
    assert CANARY in question or CANARY not in told[0]


@given(files=FILES, question=QUESTIONS)
@settings(max_examples=25, deadline=None)
def test_a_model_elsewhere_is_never_asked_with_personal_documents_in_sight(
    files: Mapping[str, Any], question: str
) -> None:
    made = world(corpus(files), model="obedient", vectors=False)
    with pytest.raises(PrivacyError) as refused:
        final(made.engine.ask(Request(question=question, audience=audience(include_personal=True))))
    assert isinstance(made.generator, ObedientGenerator)
    assert made.generator.asked == []
    assert CANARY not in f"{refused.value} {refused.value.hint}"


def test_the_canaries_sing_where_they_may() -> None:
    """The worlds above do hold personal text that a full request finds: else they would prove nothing."""
    docs = corpus(
        {"hidden/a.md": (["heron weir port 9117"], [], None, False), "open/a.md": (["heron"], [], None, False)}
    )
    made = world(docs, model="none", vectors=False)
    request = Request(question="heron weir port 9117", audience=audience(include_personal=True))
    assert CANARY in without_fences(learnt(made, request))
