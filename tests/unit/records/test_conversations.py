"""What a hand has edited is refused in words, costs nothing else, and is not thrown away."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askwell.ids import ConversationId
from askwell.records.conversations import MOST_TURNS, Conversations, new_id, parse
from askwell.testing.records_suite import BOTH, OPEN, turn
from askwell.types import PrivacyClass

if TYPE_CHECKING:
    from pathlib import Path

AT = "2026-03-01T10:00:00+01:00"
SECRET = "zanzibar"


@pytest.fixture
def kept(tmp_path: Path) -> Conversations:
    return Conversations(tmp_path / "conversations")


def edited(kept: Conversations, folder: Path, **changes: object) -> ConversationId:
    """Keep two turns, and change fields of the first one's row; a value of `...` takes the field away."""
    id = new_id()
    kept.add(id, turn("one?"), at=AT)
    kept.add(id, turn("two?"), at=AT)
    path = folder / "conversations" / f"{id}.json"
    value = json.loads(path.read_text())
    row = value["turns"][0]
    for name, change in changes.items():
        row.pop(name, None)
        if change is not ...:
            row[name] = change
    path.write_text(json.dumps(value))
    return id


NONSENSE: list[dict[str, object]] = [
    {"question": ...},
    {"question": 7},
    {"question": [SECRET]},
    {"question": SECRET * 200_000},
    {"question": "\ud800" + SECRET},
    {"question": "\0"},
    {"answer": None},
    {"answer": {"text": SECRET}},
    {"outcome": "system"},
    {"outcome": SECRET},
    {"profile": SECRET},
    {"profile": ["docs"]},
    {"at": SECRET},
    {"at": "2026-03-01T10:00:00"},
    {"at": 3},
    {"web": "no"},
    {"query": 5},
    {"offered": SECRET},
    {"offered": [SECRET, 4]},
    {"offered": [SECRET] * 1000},
]


@pytest.mark.parametrize("changes", NONSENSE, ids=[f"{n}-{next(iter(c))}" for n, c in enumerate(NONSENSE)])
def test_a_turn_of_nonsense_is_left_out_and_the_rest_stays(
    kept: Conversations, tmp_path: Path, changes: dict[str, object]
) -> None:
    id = edited(kept, tmp_path, **changes)
    found = kept.read(id, classes=BOTH)
    assert found is not None
    assert [item.question for item in found.turns] == ["two?"]
    (fault,) = found.refused
    assert fault.startswith("turn 1 is left out: `")
    assert SECRET not in fault
    seen = kept.read(id, classes=OPEN)
    assert seen is not None
    assert seen.refused == ()


def test_what_was_left_out_is_still_in_the_file_after_the_next_turn(kept: Conversations, tmp_path: Path) -> None:
    id = edited(kept, tmp_path, outcome=SECRET)
    kept.add(id, turn("three?"), at=AT)
    stored = json.loads((tmp_path / "conversations" / f"{id}.json").read_text())
    assert stored["turns"][0]["outcome"] == SECRET
    assert len(stored["turns"]) == 3


@pytest.mark.parametrize("classes", [..., [], "open", ["open", "secret"], None, {"open": 1}, [["open"]]])
def test_a_class_that_is_unclear_is_personal(kept: Conversations, tmp_path: Path, classes: object) -> None:
    id = edited(kept, tmp_path, classes=classes)
    seen, everything = kept.read(id, classes=OPEN), kept.read(id, classes=BOTH)
    assert seen is not None
    assert everything is not None
    assert [item.question for item in seen.turns] == ["two?"]
    assert [item.question for item in everything.turns] == ["one?", "two?"]
    assert everything.turns[0].classes == BOTH


FILES: list[bytes] = [
    b"",
    b"\xff\xfe\x00",
    b"not json " + SECRET.encode(),
    b"[]",
    b"null",
    b"7",
    b"{}",
    b'{"version": 2}',
    b'{"version": 1, "id": "../../etc/passwd", "turns": []}',
    b"[" * 200_000,
    b'{"version": 1, "id": "ID", "created": "2026-03-01T10:00:00+01:00", "turns": "zanzibar"}',
    b'{"version": 1, "id": "ID", "created": "zanzibar", "turns": []}',
    b'{"version": 1, "id": "ID", "created": ' + b"9" * 5000 + b', "turns": []}',
]


@pytest.mark.parametrize("data", FILES, ids=range(len(FILES)))
def test_a_file_of_nonsense_stops_no_other(kept: Conversations, tmp_path: Path, data: bytes) -> None:
    good, bad = new_id(), new_id()
    kept.add(good, turn(), at=AT)
    (tmp_path / "conversations" / f"{bad}.json").write_bytes(data.replace(b"ID", bad.encode()))
    (tmp_path / "conversations" / f"{new_id()}.json").mkdir()
    found, faults = kept.all(classes=BOTH)
    assert [item.id for item in found] == [good]
    assert len(faults) == 2
    assert all("is left out: " in fault and SECRET not in fault for fault in faults)
    kept.add(bad, turn("after?"), at=AT)
    after = kept.read(bad, classes=BOTH)
    assert after is not None
    assert [item.question for item in after.turns] == ["after?"]
    assert (tmp_path / "conversations" / f"{bad}.json.broken").read_bytes() == data.replace(b"ID", bad.encode())


def test_pruning_removes_no_file_that_is_not_ours(tmp_path: Path) -> None:
    kept = Conversations(tmp_path / "conversations", kept=1)
    kept.add(new_id(), turn(), at=AT)
    others = ["notes.json", f"{new_id()}.json", f"{new_id()}.txt"]
    for name in others:
        (tmp_path / "conversations" / name).write_text("mine")
    kept.add(new_id(), turn(), at=AT)
    left = {path.name for path in (tmp_path / "conversations").iterdir()}
    assert set(others) <= left
    assert len(kept.all(classes=BOTH)[0]) == 1


def test_a_conversation_of_ten_thousand_turns_keeps_the_newest(kept: Conversations, tmp_path: Path) -> None:
    id = new_id()
    kept.add(id, turn(), at=AT)
    path = tmp_path / "conversations" / f"{id}.json"
    value = json.loads(path.read_text())
    value["turns"] = [{**value["turns"][0], "question": f"q{number}"} for number in range(10_000)]
    path.write_text(json.dumps(value))
    kept.add(id, turn("last?"), at=AT)
    found = kept.read(id, classes=BOTH)
    assert found is not None
    assert len(found.turns) == MOST_TURNS
    assert (found.turns[0].question, found.turns[-1].question) == ("q9001", "last?")


def test_files_are_for_their_owner_alone(kept: Conversations, tmp_path: Path) -> None:
    id = new_id()
    kept.add(id, turn(), at=AT)
    folder = tmp_path / "conversations"
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in folder.iterdir()} == {0o600}


def test_what_a_killed_writer_left_is_swept(kept: Conversations, tmp_path: Path) -> None:
    kept.add(new_id(), turn(), at=AT)
    left = tmp_path / "conversations" / f".{new_id()}.json.0123.tmp"
    left.write_text("half")
    kept.add(new_id(), turn(), at=AT)
    assert not left.exists()


def test_the_oldest_is_found_across_offsets(tmp_path: Path) -> None:
    kept = Conversations(tmp_path / "conversations", kept=2)
    late, early = new_id(), new_id()
    kept.add(late, turn(), at="2026-10-25T02:10:00+01:00")
    kept.add(early, turn(), at="2026-10-25T02:50:00+02:00")
    kept.add(new_id(), turn(), at="2026-10-25T02:20:00+01:00")
    assert kept.read(early, classes=BOTH) is None
    assert kept.read(late, classes=BOTH) is not None


FIELDS = st.sampled_from(["question", "answer", "at", "classes", "outcome", "profile", "x"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9),
    lambda inner: st.lists(inner) | st.dictionaries(FIELDS, inner),
    max_leaves=8,
)


@given(JSON)
def test_any_json_in_the_place_of_a_turn_is_a_turn_or_refused(row: object) -> None:
    value = {"version": 1, "id": "a", "created": AT, "turns": [row]}
    stored = parse(json.dumps(value).encode(), ConversationId("a"))
    assert len(stored.turns) == 1


def test_a_reader_of_personal_text_alone_sees_no_mixed_turn(kept: Conversations) -> None:
    id = new_id()
    kept.add(id, turn(classes=BOTH), at=AT)
    assert kept.read(id, classes={PrivacyClass.PERSONAL}) is None
