"""The ledger keeps whole rows whatever is done to its file, and counts what it leaves out."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askwell.records.ledger import HEADER, Ledger, line, parse
from askwell.types import LedgerRow

if TYPE_CHECKING:
    from pathlib import Path

ROW = LedgerRow(
    date="2026-08-04",
    time="22:03:51",
    host="here",
    profile="docs",
    source="cli",
    prompt_tokens=2041,
    completion_tokens=318,
    tokens_per_second=61.4,
)


def test_a_row_is_a_delimited_line_under_a_header(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger.txt")
    ledger.add(ROW)
    ledger.add(replace(ROW, host="other"))
    assert (tmp_path / "ledger.txt").read_text().split("\n") == [
        "date|time|host|profile|source|prompt_tokens|completion_tokens|tok_s",
        "2026-08-04|22:03:51|here|docs|cli|2041|318|61.4",
        "2026-08-04|22:03:51|other|docs|cli|2041|318|61.4",
        "",
    ]
    assert ledger.read().rows == (ROW, replace(ROW, host="other"))
    assert ledger.read(foreign={"other"}).rows == (ROW,)
    assert ledger.read(foreign={"other"}).skipped == 1


@given(st.text(max_size=80), st.text(max_size=80), st.floats(min_value=0))
def test_no_name_breaks_a_row(host: str, profile: str, speed: float) -> None:
    text = line(replace(ROW, host=host, profile=profile, tokens_per_second=speed))
    row = parse(text.encode("utf-8", "replace"))
    assert row is not None
    assert (row.date, row.prompt_tokens, row.completion_tokens) == (ROW.date, 2041, 318)


@given(st.binary(max_size=200))
def test_any_line_is_a_row_or_none(raw: bytes) -> None:
    row = parse(raw)
    assert row is None or parse(line(row).encode()) is not None


BROKEN = [
    b"",
    b"hello",
    b"2026-08-04|22:03:51|here|docs|cli|2041|318",
    b"2026-08-04|22:03:51|here|docs|cli|2041|318|61.4|more",
    b"2026-02-30|22:03:51|here|docs|cli|2041|318|61.4",
    b"2026-08-04|24:00:00|here|docs|cli|2041|318|61.4",
    b"2026-08-04|22:03:51||docs|cli|2041|318|61.4",
    b"2026-08-04|22:03:51|here|docs|cli|-1|318|61.4",
    b"2026-08-04|22:03:51|here|docs|cli|1e3|318|61.4",
    b"2026-08-04|22:03:51|here|docs|cli|9999999999999|318|61.4",
    "2026-08-04|22:03:51|here|docs|cli|٣|318|61.4".encode(),
    b"2026-08-04|22:03:51|here|docs|cli|2041|318|nan",
    b"2026-08-04|22:03:51|here|docs|cli|2041|318|inf",
    b"2026-08-04|22:03:51|he\x1b[31mre|docs|cli|2041|318|61.4",
    b"2026-08-04|22:03:51|\xff\xfe|docs|cli|2041|318|61.4",
    b"2026-08-04|22:03:51|" + b"x" * 100_000 + b"|docs|cli|2041|318|61.4",
]


def test_broken_rows_are_counted_and_cost_no_other(tmp_path: Path) -> None:
    path = tmp_path / "ledger.txt"
    good = line(ROW).encode()
    path.write_bytes(b"\n".join([HEADER.encode(), *(part for raw in BROKEN for part in (raw, good)), b""]))
    read = Ledger(path).read()
    assert read.rows == (ROW,) * len(BROKEN)
    assert read.skipped == len(BROKEN) - 1  # an empty line is nothing


def test_a_torn_row_spoils_no_other(tmp_path: Path) -> None:
    path = tmp_path / "ledger.txt"
    path.write_bytes(f"{HEADER}\n{line(ROW)}\n2026-08-04|22:0".encode())
    Ledger(path).add(ROW)
    read = Ledger(path).read()
    assert (read.rows, read.skipped) == ((ROW, ROW), 1)


def test_only_who_prunes_prunes_and_only_past_the_bound(tmp_path: Path) -> None:
    path = tmp_path / "ledger.txt"
    ledger = Ledger(path, kept=5, bound=1000)
    for number in range(15):
        ledger.add(replace(ROW, prompt_tokens=number), prune=True)
    assert len(ledger.read().rows) == 15
    for number in range(15, 30):
        ledger.add(replace(ROW, prompt_tokens=number))
    assert len(ledger.read().rows) == 30
    ledger.add(replace(ROW, prompt_tokens=30), prune=True)
    assert [row.prompt_tokens for row in ledger.read().rows] == [26, 27, 28, 29, 30]
    assert path.read_text().startswith(HEADER)
    assert path.stat().st_mode & 0o777 == 0o600


_APPEND = """
import sys
from pathlib import Path
from dataclasses import replace
from askwell.records.ledger import Ledger, parse
row = parse(b"2026-08-04|22:03:51|here|docs|cli|1|1|1.0")
for number in range(100):
    Ledger(Path(sys.argv[1]), kept=10_000, bound=2000).add(replace(row, host=sys.argv[2]), prune=sys.argv[2] == "a")
"""


def test_processes_that_write_and_prune_at_once_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "ledger.txt"
    running = [subprocess.Popen([sys.executable, "-c", _APPEND, str(path), name]) for name in "abc"]
    assert [process.wait(60) for process in running] == [0, 0, 0]
    read = Ledger(path).read()
    assert sorted(row.host for row in read.rows) == ["a"] * 100 + ["b"] * 100 + ["c"] * 100
    assert read.skipped == 0


_FULL = """
import resource, signal, sys
from pathlib import Path
from askwell.records.ledger import Ledger, parse
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
path = Path(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 20, resource.RLIM_INFINITY))
try:
    Ledger(path).add(parse(b"2026-08-04|22:03:51|here|docs|cli|1|1|1.0"))
except OSError as error:
    print("failed", error.errno)
"""


def test_a_full_disk_leaves_whole_rows(tmp_path: Path) -> None:
    path = tmp_path / "ledger.txt"
    Ledger(path).add(ROW)
    before = path.read_bytes()
    done = subprocess.run([sys.executable, "-c", _FULL, str(path)], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("failed")
    assert path.read_bytes() == before


@pytest.mark.parametrize("make", ["folder", "fifo"])
def test_what_is_no_file_is_told(tmp_path: Path, make: str) -> None:
    import os

    path = tmp_path / "ledger.txt"
    path.mkdir() if make == "folder" else os.mkfifo(path)
    with pytest.raises(OSError):
        Ledger(path).add(ROW)
    with pytest.raises(OSError):
        Ledger(path).read()
