"""What every `Records` promises. Subclass the suite, and give it a way to make one that keeps three conversations.

class TestMine(RecordsSuite):
    @pytest.fixture
    def records(self) -> Records: ...
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from askwell.ids import ConversationId
from askwell.types import Lines, Location, Outgoing, PrivacyClass, Profile, Turn, TurnRecord, Usage

if TYPE_CHECKING:
    from askwell.ports import Records
    from askwell.types import Ending

OPEN = frozenset({PrivacyClass.OPEN})
BOTH = frozenset(PrivacyClass)


def turn(question: str = "which port?", *, classes: frozenset[PrivacyClass] = OPEN, answer: str = "9117 [1]") -> Turn:
    """Return a turn with every field filled."""
    return Turn(
        question=question,
        answer=answer,
        outcome="answer",
        classes=classes,
        profile=Profile.TROUBLESHOOT,
        cited=(Location(source="notes", path="a.md", lines=Lines(1, 2)),),
        query=f"{question} exporter",
        offered=("which host?",),
        web=True,
    )


def record(question: str = "which port?", *, ending: Ending = "answer", tokens: int = 7) -> TurnRecord:
    """Return a record with every field filled."""
    return TurnRecord(
        question=question,
        classes=OPEN,
        ending=ending,
        profile=Profile.DOCS,
        web=True,
        signals={"best_cosine": 0.5, "rare_coverage": 1.0},
        reason="",
        sources=("notes/a.md:1-2",),
        corpus=("notes",),
        model="small",
        usage=Usage(prompt_tokens=10 * tokens, completion_tokens=tokens),
        latency_ms=12.5,
        tokens_per_second=61.4,
    )


class RecordsSuite:
    """Tests that a subclass runs over its `records` fixture, which keeps three conversations."""

    def test_a_conversation_comes_back_without_what_it_cited(self, records: Records) -> None:
        """Evidence is for one answer; everything else of a turn is for the next question."""
        id = records.begin()
        records.keep(id, turn("one?", answer="A\u2028 [1]\n\x1b[31m \ud800".encode("utf-8", "replace").decode()))
        records.keep(id, turn("two?"))
        found = records.conversation(id, classes=OPEN)
        assert found is not None
        assert [item.question for item in found.turns] == ["one?", "two?"]
        first = found.turns[0]
        assert first.answer == "A\u2028 [1]\n\x1b[31m ?"
        assert (first.profile, first.query, first.offered) == (Profile.TROUBLESHOOT, "one? exporter", ("which host?",))
        assert (first.web, first.outcome, first.classes) == (True, "answer", OPEN)
        assert [item.cited for item in found.turns] == [(), ()]
        assert found.created <= found.updated
        assert found.title == "one?"

    def test_an_id_cannot_be_guessed_and_names_no_other_file(self, records: Records) -> None:
        """Ids are 128 random bits in hex; what is no id is no conversation."""
        ids = {records.begin() for _ in range(50)}
        assert len(ids) == 50
        assert all(re.fullmatch(r"[0-9a-f]{32}", id) for id in ids)
        for wrong in ("", ".", "../x", "a" * 33, "A" * 32, "\0", "0" * 31 + "/", "0" * 32 + "\n"):
            assert records.conversation(wrong, classes=BOTH) is None
            assert records.forget(wrong, classes=BOTH) is False

    def test_the_oldest_by_creation_goes(self, records: Records) -> None:
        """A turn added to an old conversation makes it no younger."""
        ids = [records.begin() for _ in range(5)]
        for id in ids[:3]:
            records.keep(id, turn())
        records.keep(ids[0], turn("again?"))
        for id in ids[3:]:
            records.keep(id, turn())
        assert [item.id for item in records.conversations(classes=BOTH)] == [ids[4], ids[3], ids[2]]
        assert records.conversation(ids[0], classes=BOTH) is None

    def test_the_conversation_that_is_being_kept_never_goes(self, records: Records) -> None:
        """It may be an old one that was continued after newer ones took its place."""
        old = records.begin()
        records.keep(old, turn())
        others = [records.begin() for _ in range(2)]
        for id in others:
            records.keep(id, turn())
        records.keep(old, turn("more?"))
        found = records.conversation(old, classes=OPEN)
        assert found is not None
        assert len(found.turns) == 2

    def test_an_open_reader_never_meets_a_personal_turn(self, records: Records) -> None:
        """Neither its words nor that it exists: the same as if it had never been."""
        mixed, hidden = records.begin(), records.begin()
        records.keep(mixed, turn("personal first?", classes=BOTH))
        records.keep(mixed, turn("open?"))
        records.keep(mixed, turn("personal last?", classes=frozenset({PrivacyClass.PERSONAL})))
        records.keep(hidden, turn("personal only?", classes=BOTH))
        assert records.conversation(hidden, classes=OPEN) is None
        (seen,) = records.conversations(classes=OPEN)
        assert [item.question for item in seen.turns] == ["open?"]
        assert seen.created == seen.updated
        assert records.forget(hidden, classes=OPEN) is False
        assert records.forget(mixed, classes=OPEN) is True
        assert records.conversations(classes=OPEN) == type(records.conversations(classes=OPEN))()
        left = records.conversation(mixed, classes=BOTH)
        assert left is not None
        assert [item.question for item in left.turns] == ["personal first?", "personal last?"]

    def test_forgetting_is_whole(self, records: Records) -> None:
        """Who sees everything removes everything."""
        id = records.begin()
        records.keep(id, turn())
        assert records.forget(id, classes=BOTH) is True
        assert records.forget(id, classes=BOTH) is False
        assert records.conversation(id, classes=BOTH) is None

    def test_the_query_log_says_what_a_turn_was(self, records: Records) -> None:
        """In order, every field."""
        records.record(record("one?"))
        records.record(record("two?", ending="abstention"))
        first, second = records.turns(classes=OPEN)
        expected = record("one?")
        for name in (
            "question", "classes", "ending", "profile", "web", "signals", "sources", "corpus", "model", "usage",
            "latency_ms", "tokens_per_second",
        ):  # fmt: skip
            assert getattr(first, name) == getattr(expected, name), name
        assert (second.question, second.ending) == ("two?", "abstention")
        assert "" < first.at <= second.at

    def test_an_open_reader_never_meets_a_personal_question(self, records: Records) -> None:
        """The whole row is left out: that it was asked is personal too."""
        from dataclasses import replace

        records.record(replace(record("personal?"), classes=BOTH))
        records.record(record("open?"))
        assert [item.question for item in records.turns(classes=OPEN)] == ["open?"]
        assert [item.question for item in records.turns(classes=BOTH)] == ["personal?", "open?"]

    def test_the_ledger_has_a_row_a_completed_turn(self, records: Records) -> None:
        """A turn without an outcome costs nothing that is known."""
        records.record(record(tokens=3))
        records.record(record(ending="cancelled", tokens=0))
        records.record(record(ending="failed", tokens=0))
        records.record(record(ending="abstention", tokens=0))
        ledger = records.ledger()
        assert [(row.prompt_tokens, row.completion_tokens) for row in ledger.rows] == [(30, 3), (0, 0)]
        row = ledger.rows[0]
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", row.date)
        assert re.fullmatch(r"\d\d:\d\d:\d\d", row.time)
        assert (row.profile, row.tokens_per_second, ledger.skipped) == ("docs", 61.4, 0)
        assert row.host
        assert row.source

    def test_what_left_is_listed_by_class(self, records: Records) -> None:
        """A reader of open text learns nothing of what else was sent."""
        for class_ in (PrivacyClass.OPEN, PrivacyClass.PERSONAL):
            records.leaving(Outgoing(destination="10.0.0.5:11434", purpose="embedding", size=77, class_=class_))
        (seen,) = records.sent(classes=OPEN)
        assert (seen.destination, seen.purpose, seen.size, seen.class_) == (
            "10.0.0.5:11434", "embedding", 77, PrivacyClass.OPEN,
        )  # fmt: skip
        assert seen.at
        assert len(records.sent(classes=BOTH)) == 2

    def test_nothing_is_kept_until_something_happens(self, records: Records) -> None:
        """Reading makes nothing and fails at nothing."""
        assert not records.conversations(classes=BOTH)
        assert not records.turns(classes=BOTH)
        assert not records.sent(classes=BOTH)
        assert not records.ledger().rows
        assert records.conversation(ConversationId("0" * 32), classes=BOTH) is None
        assert not records.faults()
