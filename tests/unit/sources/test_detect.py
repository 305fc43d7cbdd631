from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.unit.sources.make import git, repository, write

from askwell.errors import SourceError
from askwell.sources.detect import detect
from askwell.types import SourceType

if TYPE_CHECKING:
    from pathlib import Path


def test_a_folder_with_obsidian_settings_is_a_vault_even_in_a_repository(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", {"a.md": "x", ".obsidian/app.json": "{}"})
    assert detect(root) is SourceType.VAULT


def test_a_work_tree_and_what_is_tracked_below_it_are_git(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", {"docs/a.md": "x"})
    git(root, "worktree", "add", "-q", str(tmp_path / "wt"), "HEAD")
    assert [detect(root), detect(root / "docs"), detect(tmp_path / "wt")] == [SourceType.GIT] * 3


def test_an_empty_repository_is_git(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", ".")
    assert detect(tmp_path) is SourceType.GIT


def test_a_folder_that_a_repository_knows_nothing_of_is_a_folder(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", {"a.md": "x", ".gitignore": "data/\n"})
    write(root, {"new/b.md": "x", "data/c.md": "x"})
    assert detect(root / "new") is SourceType.FOLDER
    assert detect(root / "data") is SourceType.GIT  # ignored: the boundary of tracked files holds


def test_anything_else_is_a_folder(tmp_path: Path) -> None:
    assert detect(tmp_path) is SourceType.FOLDER


def test_no_folder_is_an_error_with_a_next_step(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "x"})
    for root in (tmp_path / "none", tmp_path / "a.md"):
        with pytest.raises(SourceError) as caught:
            detect(root)
        assert caught.value.hint
