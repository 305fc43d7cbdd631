"""A hit from a file that was deleted or edited since it was indexed says so, wherever it is shown."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from tests.adapters.command import WORDS_ONLY, Askwell
from tests.unit.sources.make import write

if TYPE_CHECKING:
    from pathlib import Path

NOTES = {
    "heron.md": "# The heron\n\nThe heron stands at the weir at dawn.\n",
    "Größe.md": "# Size\n\nThe heron of the Größe note is a metre tall.\n",
    "weir.md": "# The weir\n\nThe weir was built for the heron in 1930.\n",
}


@pytest.fixture(params=["named", "configured"])
def askwell(tmp_path: Path, request: pytest.FixtureRequest) -> Askwell:
    notes = write(tmp_path / "notes", NOTES)
    made = (
        Askwell(tmp_path, (notes,))
        if request.param == "named"
        else Askwell(tmp_path, (), f'{WORDS_ONLY}[[source]]\nname = "notes"\npath = "{notes}"\n')
    )
    assert made("index").code == 0
    return made


def files(askwell: Askwell) -> dict[str, str]:
    return {hit["path"]: hit["file"] for hit in askwell.hits("heron")}


def test_what_is_as_it_was_is_current(askwell: Askwell) -> None:
    os.utime(askwell.folder / "notes" / "weir.md", (1, 1))  # another stamp over the same bytes
    assert files(askwell) == dict.fromkeys(NOTES, "current")


def test_hits_of_files_that_are_gone_or_changed_say_so(askwell: Askwell) -> None:
    notes = askwell.folder / "notes"
    for name in ("heron.md", "Größe.md"):
        (notes / name).unlink()
    stamp = (notes / "weir.md").stat()
    (notes / "weir.md").write_text(NOTES["weir.md"].replace("1930", "1931"), encoding="utf-8")
    os.utime(notes / "weir.md", ns=(stamp.st_atime_ns, stamp.st_mtime_ns))  # an edit that keeps size and time
    assert files(askwell) == {"heron.md": "gone", "Größe.md": "gone", "weir.md": "changed"}
    shown = askwell("search", "heron").out
    assert shown.count("the file is gone") == 2
    assert shown.count("the file has changed") == 1


def test_an_answer_says_so_of_what_it_cites(askwell: Askwell) -> None:
    (askwell.folder / "notes" / "weir.md").unlink()
    question = "when was the weir built"
    cited = {item["path"]: item["file"] for item in askwell("ask", "--json", question).json["citations"]}
    assert cited["weir.md"] == "gone"
    assert "the file is gone" in askwell("ask", question).out


def test_a_source_that_is_not_there_takes_nothing_away(askwell: Askwell) -> None:
    (askwell.folder / "notes").rename(askwell.folder / "elsewhere")
    assert files(askwell) == dict.fromkeys(NOTES, "gone")
