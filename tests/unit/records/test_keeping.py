"""What cannot be kept is told once and stops nothing; what is kept is for its owner alone and stays bounded."""

from __future__ import annotations

import json
import logging
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.contract.test_records import ticking

from askwell.records.journal import Journal
from askwell.records.keeping import LEDGER, FileRecords, RecordSettings
from askwell.records.querylog import loaded, log_line, stored
from askwell.testing.records_suite import BOTH, OPEN, record, turn
from askwell.types import Outgoing, PrivacyClass

if TYPE_CHECKING:
    from pathlib import Path

SENT = Outgoing(destination="10.0.0.5:11434", purpose="embedding", size=77, class_=PrivacyClass.OPEN)


def keep_everything(records: FileRecords) -> None:
    records.record(record())
    records.leaving(SENT)
    records.keep(records.begin(), turn())


def test_a_folder_that_cannot_be_made_is_told_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    records = FileRecords(RecordSettings(folder=tmp_path / "file" / "state", host="here"), now=ticking())
    keep_everything(records)
    first = records.faults()
    assert len(first) == 4
    assert all("not" in fault and str(tmp_path) not in fault for fault in first)
    keep_everything(records)
    assert list(records.faults()) == []
    assert not records.conversations(classes=BOTH)


def test_nothing_is_written_into_a_source(tmp_path: Path) -> None:
    settings = RecordSettings(folder=tmp_path / "notes" / "state", host="here", sources=(tmp_path / "notes",))
    records = FileRecords(settings, now=ticking())
    keep_everything(records)
    assert all("inside of a source" in fault for fault in records.faults())
    assert not (tmp_path / "notes").exists()
    hidden = replace(settings, folder=tmp_path / "notes" / ".local" / "state" / "askwell")
    records = FileRecords(hidden, now=ticking())
    keep_everything(records)
    assert not records.faults()


def test_everything_is_for_its_owner_alone(tmp_path: Path) -> None:
    records = FileRecords(RecordSettings(folder=tmp_path / "state", host="here"), now=ticking())
    keep_everything(records)
    made = list((tmp_path / "state").rglob("*"))
    assert {path.name for path in made if not path.name.startswith(".")} >= {LEDGER, "queries.jsonl", "egress.jsonl"}
    assert {path.stat().st_mode & 0o777 for path in made if path.is_file()} == {0o600}
    assert {path.stat().st_mode & 0o777 for path in [tmp_path / "state", *made] if path.is_dir()} == {0o700}


def test_the_key_for_partners_shows_nowhere() -> None:
    from pathlib import Path

    assert "s3cret" not in repr(RecordSettings(folder=Path("x"), host="here", key="s3cret"))


def test_words_that_are_not_kept_are_nowhere(tmp_path: Path) -> None:
    records = FileRecords(RecordSettings(folder=tmp_path, host="here", questions=False), now=ticking())
    records.record(record("zanzibar?"))
    assert b"zanzibar" not in b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert records.turns(classes=OPEN)[0].question == ""


def test_a_journal_takes_turns_between_two_files(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "rows.jsonl", bound=200)
    for number in range(100):
        journal.add({"number": number})
    held = [row["number"] for row in journal.rows()]
    assert held == list(range(100 - len(held), 100))
    assert 10 <= len(held) <= 40
    assert sum(path.stat().st_size for path in tmp_path.glob("rows*")) <= 2 * 220


def test_broken_rows_of_a_journal_cost_no_other(tmp_path: Path) -> None:
    records = FileRecords(RecordSettings(folder=tmp_path, host="here"), now=ticking())
    path = tmp_path / "queries.jsonl"
    records.record(record("one?"))
    good = json.loads(path.read_text())
    broken = [
        b"\xff", b"[]", b"[" * 100_000, b'{"at": 1}', b"{}", b"x" * 2_000_000,
        json.dumps({**good, "profile": "root"}).encode(), json.dumps({**good, "signals": {"a": "b"}}).encode(),
        json.dumps({**good, "latency_ms": 10**400}).encode(), json.dumps({**good, "sources": "x"}).encode(),
    ]  # fmt: skip
    path.write_bytes(path.read_bytes() + b"\n".join([*broken, b'{"at": "2026-03']))
    records.record(record("two?"))
    assert [item.question for item in records.turns(classes=BOTH)] == ["one?", "two?"]


@pytest.mark.parametrize("audience", [["personal"], [], "open", None, ["open", "other"]])
def test_a_row_whose_audience_is_unclear_is_personal(tmp_path: Path, audience: object) -> None:
    records = FileRecords(RecordSettings(folder=tmp_path, host="here"), now=ticking())
    records.record(record())
    path = tmp_path / "queries.jsonl"
    path.write_text(json.dumps({**json.loads(path.read_text()), "audience": audience}) + "\n")
    assert not records.turns(classes=OPEN)
    assert len(records.turns(classes=BOTH)) == 1


def test_what_left_with_an_unclear_class_is_personal(tmp_path: Path) -> None:
    records = FileRecords(RecordSettings(folder=tmp_path, host="here"), now=ticking())
    records.leaving(SENT)
    path = tmp_path / "egress.jsonl"
    row = json.loads(path.read_text())
    assert row == {**row, "destination": "10.0.0.5:11434", "purpose": "embedding", "bytes": 77, "class": "open"}
    path.write_text(json.dumps({**row, "class": "none"}) + "\n" + json.dumps({**row, "purpose": "fun"}) + "\n")
    assert not records.sent(classes=OPEN)
    assert [item.class_ for item in records.sent(classes=BOTH)] == [PrivacyClass.PERSONAL]


def test_each_turn_is_one_line_of_the_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    records = FileRecords(RecordSettings(folder=tmp_path, host="here"), now=ticking())
    with caplog.at_level(logging.INFO, "askwell.turns"):
        records.record(record("which\nport?"))
        records.record(replace(record("zanzibar?"), classes=BOTH, sources=("notes/zanzibar.md:1-2",)))
    first, second = caplog.messages
    assert "\n" not in first
    assert 'question="which\\nport?"' in first
    assert "best_cosine=0.500" in first
    assert "outcome=answer" in first
    assert "zanzibar" not in second
    assert "sources=1" in second


def test_a_record_comes_back_as_it_was() -> None:
    value = replace(record(), at="2026-03-01T10:00:00+01:00", reason="none", classes=BOTH)
    assert loaded(json.loads(json.dumps(stored(value)))) == value
    assert "question" not in log_line(value)


def test_a_personal_fault_is_not_told_to_an_open_reader(tmp_path: Path) -> None:
    records = FileRecords(RecordSettings(folder=tmp_path, host="here"), now=ticking())
    id = records.begin()
    records.keep(id, turn())
    (tmp_path / "conversations" / f"{id}.json").write_text("broken")
    assert records.conversation(id, classes=OPEN) is None
    assert records.conversations(classes=OPEN) == []
    assert not records.faults()
    assert records.conversation(id, classes=BOTH) is None
    (fault,) = records.faults()
    assert id in fault
