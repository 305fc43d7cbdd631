"""Kill a writer while it keeps turns: what it had finished is there, whole, and at most the turn in flight is lost."""

from __future__ import annotations

import datetime
import os
import random
import select
import signal
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

from askwell.records.keeping import LEDGER, FileRecords, RecordSettings
from askwell.testing.records_suite import BOTH, turn

if TYPE_CHECKING:
    from pathlib import Path

KILLS = 50

_WRITE = """
import datetime, sys
from pathlib import Path
from askwell.records.keeping import FileRecords, RecordSettings
from askwell.testing.records_suite import record, turn
now = lambda: datetime.datetime.now().astimezone()
records = FileRecords(RecordSettings(folder=Path(sys.argv[1]), host="here"), now=now)
for number in range(10_000):
    records.keep(sys.argv[2], turn(f"turn {number}?", answer="word " * 4000))
    records.record(record(f"turn {number}?"))
    print(number, flush=True)
"""


def test_at_most_the_turn_in_flight_is_lost(tmp_path: Path) -> None:
    """Fifty kills, each somewhere within the first turns of a writer."""
    settings = RecordSettings(folder=tmp_path, host="here", conversations=100)
    records = FileRecords(settings, now=lambda: datetime.datetime.now().astimezone())
    spread = random.Random(7)
    done = 0
    for _ in range(KILLS):
        id = records.begin()
        before = len(records.ledger().rows), len(records.turns(classes=BOTH))
        finished = killed_after(tmp_path, id, turns=spread.randrange(4), then=spread.random() * 0.006)
        found = records.conversation(id, classes=BOTH)
        kept = [item.question for item in found.turns] if found else []
        assert kept == [f"turn {number}?" for number in range(len(kept))]
        assert not found or not found.refused
        ledger = records.ledger()
        assert ledger.skipped == 0
        for count in (len(kept), len(ledger.rows) - before[0], len(records.turns(classes=BOTH)) - before[1]):
            assert finished <= count <= finished + 1
        done += finished
    assert done > KILLS / 2
    assert (tmp_path / LEDGER).read_bytes().endswith(b"\n")
    id = records.begin()
    records.keep(id, turn("after?"))
    assert records.conversation(id, classes=BOTH) is not None
    assert not list((tmp_path / "conversations").glob(".*.tmp"))
    assert not records.faults()


def killed_after(folder: Path, id: str, *, turns: int, then: float) -> int:
    """Run a writer until it has finished some turns and a moment longer; kill it and return how many it finished."""
    with subprocess.Popen(
        [sys.executable, "-c", _WRITE, str(folder), id], stdout=subprocess.PIPE, text=False
    ) as process:
        assert process.stdout is not None
        said = b""
        while said.count(b"\n") < turns or not (folder / "conversations").exists():
            if select.select([process.stdout], [], [], 0.01)[0]:
                said += os.read(process.stdout.fileno(), 1000)
        threading.Event().wait(then)
        os.kill(process.pid, signal.SIGKILL)
        while more := os.read(process.stdout.fileno(), 1000):
            said += more
    return said.count(b"\n")
