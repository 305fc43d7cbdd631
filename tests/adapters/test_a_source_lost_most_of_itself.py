"""A source that lost most of its documents: nothing is removed, and both a person and a script are told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.adapters.command import Askwell
from tests.unit.sources.make import write

if TYPE_CHECKING:
    from pathlib import Path


def test_the_run_says_so_and_does_not_exit_as_if_all_were_well(tmp_path: Path) -> None:
    notes = write(tmp_path / "notes", {f"n{n}.md": f"# N{n}\n\nThe heron {n}.\n" for n in range(30)})
    askwell = Askwell(tmp_path, (notes,))
    assert askwell("index").code == 0
    for n in range(20):
        (notes / f"n{n}.md").unlink()
    said = askwell("index", "--json")
    assert said.code == 3
    assert said.json["refused"] == 20
    assert any("--allow-mass-delete" in warning for warning in said.json["warnings"])
    told = askwell("index")
    assert told.code == 3 and "--allow-mass-delete" in told.err
    assert askwell("index", "--allow-mass-delete").code == 0
    assert askwell("index").code == 0
