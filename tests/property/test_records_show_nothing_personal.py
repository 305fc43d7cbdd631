"""An open reader finds the records as if no turn that could see personal documents had ever been."""

from __future__ import annotations

import datetime
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from askwell.records.keeping import FileRecords, RecordSettings
from askwell.testing.memory_records import MemoryRecords
from askwell.testing.records_suite import BOTH, OPEN, record, turn
from askwell.types import Outgoing, PrivacyClass

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askwell.ids import ConversationId
    from askwell.ports import Records

PERSONAL = frozenset({PrivacyClass.PERSONAL})
MOST = 4  # conversations, fewer than are kept: what goes when there are too many is not the point here

Step = tuple[int, frozenset[PrivacyClass], str]
STEPS = st.lists(
    st.tuples(
        st.integers(0, MOST - 1), st.sampled_from([OPEN, BOTH, PERSONAL]), st.text("ab \n\x1b|\ud7ff", max_size=5)
    ),
    max_size=12,
)


def played(records: Records, steps: Sequence[Step]) -> Records:
    """Keep each step as a turn of its conversation, in the log, and as something that was sent."""
    ids: dict[int, ConversationId] = {}
    for number, (at, classes, words) in enumerate(steps):
        if at not in ids:
            ids[at] = records.begin()
        records.keep(ids[at], turn(f"{number} {words}", classes=classes))
        records.record(replace(record(f"{number} {words}"), classes=classes))
        class_ = PrivacyClass.OPEN if classes == OPEN else PrivacyClass.PERSONAL
        records.leaving(Outgoing(destination=f"host{number}", purpose="web page", size=number, class_=class_))
    return records


def shown(records: Records) -> tuple[object, ...]:
    """Return everything that an open reader can learn, apart from ids and times."""
    return (
        [[replace(item, cited=()) for item in found.turns] for found in records.conversations(classes=OPEN)],
        [replace(item, at="") for item in records.turns(classes=OPEN)],
        [replace(item, at="") for item in records.sent(classes=OPEN)],
        [found.refused for found in records.conversations(classes=OPEN)],
        len({found.id for found in records.conversations(classes=OPEN)}),
    )


def of_times(records: Records) -> set[str]:
    """Return every time that an open reader is shown of conversations."""
    return {time for found in records.conversations(classes=OPEN) for time in (found.created, found.updated)}


@given(STEPS)
@settings(max_examples=30, deadline=None)
def test_personal_turns_change_nothing_that_an_open_reader_sees(steps: list[Step]) -> None:
    renumbered = [(number, step) for number, step in enumerate(steps) if step[1] == OPEN]
    with tempfile.TemporaryDirectory() as folder:
        clock = iter(range(10**6))
        start = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)
        files = FileRecords(
            RecordSettings(folder=Path(folder), host="here"),
            now=lambda: start + datetime.timedelta(seconds=next(clock)),
        )
        everything = played(files, steps)
        memory = played(MemoryRecords(), steps)
        assert shown(everything) == shown(memory)
        questions = {found.question for found in everything.turns(classes=OPEN)}
        assert questions == {f"{number} {words}" for number, (_, _, words) in renumbered}
        kept = [item.question for found in everything.conversations(classes=OPEN) for item in found.turns]
        assert sorted(kept) == sorted(questions)
        open_times = {
            (start + datetime.timedelta(seconds=3 * number)).isoformat(timespec="milliseconds")
            for number, _ in renumbered
        }
        assert of_times(everything) <= open_times
