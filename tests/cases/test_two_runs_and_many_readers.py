"""Runs and readers of one index at once: nobody meets a lock that is another's short business."""

from __future__ import annotations

import subprocess
import threading
from typing import TYPE_CHECKING

import apsw
from tests.adapters.command import COMMAND, Askwell
from tests.unit.sources.make import write

if TYPE_CHECKING:
    from pathlib import Path


def test_an_index_in_the_moment_it_is_made_is_waited_for(tmp_path: Path) -> None:
    askwell = Askwell(tmp_path, (write(tmp_path / "notes", {"a.md": "the pump"}),))
    askwell("index")
    maker = apsw.Connection(str(tmp_path / "index.db"))
    maker.execute("PRAGMA journal_mode = DELETE").fetchall()
    maker.execute("BEGIN EXCLUSIVE").fetchall()  # as while the journal of a new index is chosen
    release = threading.Timer(0.5, lambda: maker.execute("COMMIT").fetchall())
    release.start()
    try:
        assert askwell.paths("pump") == ["a.md"]
    finally:
        release.join()
        maker.close()


def test_runs_on_one_index_take_turns_and_readers_never_fail(tmp_path: Path) -> None:
    notes = {f"n{n}.md": f"# N{n}\n\ntext {n} about pumps" for n in range(120)}
    askwell = Askwell(tmp_path, (write(tmp_path / "notes", notes),))
    runs = [
        subprocess.Popen([*COMMAND, *askwell.arguments("index", *wait)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for wait in ((), (), ("--wait", "60"))
    ]
    asked = 0
    while asked < 5 or any(run.poll() is None for run in runs):
        for command in (("search", "--json", "pumps"), ("status",)):
            said = askwell(*command)
            missing = said.code == 4 and "there is no index" in said.err
            assert said.code == 0 or (command == ("status",) and missing), said.err
        asked += 1
    told = [run.communicate()[1].decode() for run in runs]
    for run, err in zip(runs, told, strict=True):
        assert run.returncode == 0 or (run.returncode == 4 and "another run is in progress (pid " in err), err
    assert runs[2].returncode == 0
    assert askwell("status", "--json").json["sources"][0]["documents"] == 120
    assert askwell.paths("text 119 about pumps", "-k", 1) == ["n119.md"]
