"""The records in files and their twin in memory keep the same promises."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING

import pytest

from askwell.records.keeping import FileRecords, RecordSettings
from askwell.testing.memory_records import MemoryRecords
from askwell.testing.records_suite import RecordsSuite

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from askwell.ports import Records


def ticking() -> Callable[[], datetime.datetime]:
    """Return a clock that goes on by a second with every look."""
    start = datetime.datetime(2026, 3, 29, 1, 59, 50, tzinfo=datetime.timezone(datetime.timedelta(hours=1)))
    looks = iter(range(10**9))
    return lambda: start + datetime.timedelta(seconds=next(looks))


class TestFiles(RecordsSuite):
    @pytest.fixture
    def records(self, tmp_path: Path) -> Records:
        return FileRecords(RecordSettings(folder=tmp_path / "state", host="here", conversations=3), now=ticking())


class TestMemory(RecordsSuite):
    @pytest.fixture
    def records(self) -> Records:
        return MemoryRecords(conversations=3)
