from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from askwell import idle

if TYPE_CHECKING:
    from collections.abc import Callable

COMMAND = ["index", "--source", "notes"]
SAID = ("unchanged 3\n", "skipped: 1\n")


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    return {"XDG_CACHE_HOME": str(tmp_path / "cache")}


@pytest.fixture
def watched(tmp_path: Path) -> list[bytes]:
    """A folder, two files in it and one that is not there, all of them old."""
    folder = tmp_path / "notes"
    folder.mkdir()
    names = [folder, folder / "a.md", folder / "b.md"]
    for file in names[1:]:
        file.write_text("text")
    return [os.fsencode(name) for name in (*names, folder / "none.toml")]


def later() -> float:
    return time.time() + 2 * idle.YOUNG


def test_the_same_situation_is_recognised(environ: dict[str, str], watched: list[bytes]) -> None:
    idle.remember(COMMAND, environ, watched=watched, started=later(), said=SAID)
    assert idle.recall(COMMAND, environ) == SAID


@pytest.mark.parametrize("said", [("", ""), ("done\n", ""), ("", "skipped\n"), ("\n", "\n")])
def test_a_run_that_said_nothing_is_recognised_too(
    environ: dict[str, str], watched: list[bytes], said: tuple[str, str]
) -> None:
    idle.remember(COMMAND, environ, watched=watched, started=later(), said=said)
    assert idle.recall(COMMAND, environ) == said


def test_any_change_of_a_watched_path_is_seen(environ: dict[str, str], watched: list[bytes]) -> None:
    folder = Path(os.fsdecode(watched[0]))

    def keep_size_and_time() -> None:
        before = (folder / "a.md").stat()
        (folder / "a.md").write_text("TEXT")
        os.utime(folder / "a.md", ns=(before.st_atime_ns, before.st_mtime_ns))

    changes: list[Callable[[], object]] = [
        keep_size_and_time,
        lambda: (folder / "new.md").write_text("x"),
        lambda: (folder / "b.md").unlink(),
        lambda: (folder / "none.toml").write_text(""),
        lambda: (folder / "a.md").chmod(0o755),
    ]
    for change in changes:
        idle.remember(COMMAND, environ, watched=watched, started=later(), said=SAID)
        assert idle.recall(COMMAND, environ) == SAID
        change()
        assert idle.recall(COMMAND, environ) is None


def test_a_young_stamp_is_not_kept(environ: dict[str, str], watched: list[bytes]) -> None:
    idle.remember(COMMAND, environ, watched=watched, started=time.time(), said=SAID)
    assert idle.recall(COMMAND, environ) is None


def test_another_command_setting_or_option_is_another_situation(environ: dict[str, str], watched: list[bytes]) -> None:
    idle.remember(COMMAND, environ, watched=watched, started=later(), said=SAID)
    assert idle.recall([*COMMAND, "--json"], environ) is None
    assert idle.recall(COMMAND, environ | {"ASKWELL_RETRIEVAL__K": "3"}) is None
    for option in sorted(idle.NEVER):
        idle.remember([*COMMAND, option], environ, watched=watched, started=later(), said=SAID)
        assert idle.recall([*COMMAND, option], environ) is None


def test_a_broken_record_is_no_record(environ: dict[str, str], watched: list[bytes], tmp_path: Path) -> None:
    idle.remember(COMMAND, environ, watched=watched, started=later(), said=SAID)
    (record,) = (tmp_path / "cache" / "askwell" / "idle").iterdir()
    for broken in (b"", b"\0\0\0\0", record.read_bytes()[:60], os.urandom(200)):
        record.write_bytes(broken)
        assert idle.recall(COMMAND, environ) is None
