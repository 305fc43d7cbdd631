"""What a question does in a folder that was never indexed: it says what and where, refuses too much, leaves nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.adapters.command import WORDS_ONLY, Askwell, spawn
from tests.unit.sources.make import write

if TYPE_CHECKING:
    from pathlib import Path

QUESTION = ("search", "heron")


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    home = tmp_path / "home"
    home.mkdir()
    return {
        "HOME": str(home),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "ASKWELL_MODELS__EMBEDDING": "none",
    }


def test_it_says_what_is_indexed_and_where(tmp_path: Path, environ: dict[str, str]) -> None:
    notes = write(tmp_path / "notes", {"a.md": "# A\n\nThe heron.\n", "b.md": "# B\n\nThe weir.\n"})
    said = spawn(QUESTION, environ=environ, cwd=notes)
    assert said.code == 0
    assert f"indexing {notes} (2 files) into {tmp_path / 'cache' / 'askwell'}" in said.err
    assert "indexing" not in spawn(QUESTION, environ=environ, cwd=notes).err


def test_an_open_request_counts_no_files(tmp_path: Path, environ: dict[str, str]) -> None:
    notes = write(tmp_path / "notes", {"a.md": "---\nsensitivity: personal\n---\n\nThe heron.\n"})
    said = spawn((*QUESTION, "--open-only"), environ=environ, cwd=notes)
    assert f"indexing {notes} into " in said.err


@pytest.mark.parametrize("command", [QUESTION, ("ask", "what is a heron"), ("index",), ("index", "--dry-run")])
def test_a_home_folder_or_what_is_above_it_is_not_indexed_unasked(
    tmp_path: Path, environ: dict[str, str], command: tuple[str, ...]
) -> None:
    write(tmp_path / "home", {"a.md": "The heron.\n"})
    for folder in (tmp_path / "home", tmp_path, "/"):
        said = spawn(command, environ=environ, cwd=folder)
        assert said.code == 2
        assert "--source" in said.err
    assert not (tmp_path / "cache").exists()


def test_a_home_folder_that_is_named_is_indexed(tmp_path: Path, environ: dict[str, str]) -> None:
    home = write(tmp_path / "home", {"a.md": "The heron.\n"})
    assert spawn((*QUESTION, "--source", str(home)), environ=environ, cwd=home).code == 0


def test_a_failure_leaves_nothing_in_the_cache(tmp_path: Path, environ: dict[str, str]) -> None:
    for command in (QUESTION, ("index",)):
        said = spawn((*command, "--source", str(tmp_path / "nowhere")), environ=environ)
        assert said.code == 3
        assert list((tmp_path / "cache").rglob("*.*")) == []


def test_types_that_cannot_be_read_are_not_offered(tmp_path: Path) -> None:
    settings = f'{WORDS_ONLY}[[source]]\npath = "{tmp_path}"\ntype = "%s"\n'
    for wrong in ("livesync", "valt"):
        said = Askwell(tmp_path, (), settings % wrong)("index")
        assert said.code == 2
        assert "use one of `git`, `folder`, `vault`\n" in said.err
