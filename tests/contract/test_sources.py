"""Every source passes the same suite."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.unit.sources.make import git, write

from askwell.sources.folder import FolderSource
from askwell.sources.git import GitSource
from askwell.sources.vault import VaultSource
from askwell.testing.source_suite import Maker, SourceSuite

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from askwell.ports import Source


def _emptied(root: Path) -> Path:
    root.mkdir(exist_ok=True)
    for path in root.rglob("*.md"):
        if ".git" not in path.parts:
            path.unlink()
    return root


class TestFolder(SourceSuite):
    @pytest.fixture
    def make(self, tmp_path: Path) -> Maker:
        def made(files: Mapping[bytes, bytes]) -> Source:
            return FolderSource("notes", write(_emptied(tmp_path / "root"), files))

        return made


class TestVault(SourceSuite):
    @pytest.fixture
    def make(self, tmp_path: Path) -> Maker:
        def made(files: Mapping[bytes, bytes]) -> Source:
            root = _emptied(tmp_path / "root")
            (root / ".obsidian").mkdir(exist_ok=True)
            return VaultSource("notes", write(root, files))

        return made


class TestGit(SourceSuite):
    @pytest.fixture
    def make(self, tmp_path: Path) -> Maker:
        root = tmp_path / "root"
        root.mkdir()
        git(root, "init", "-q", ".")

        def made(files: Mapping[bytes, bytes]) -> Source:
            write(_emptied(root), files)
            git(root, "add", "-A")
            return GitSource("notes", root)

        return made


class TestGitBelowTheTop(SourceSuite):
    @pytest.fixture
    def make(self, tmp_path: Path) -> Maker:
        top = write(tmp_path / "top", {"outside.md": "not below the source's root\n"})
        git(top, "init", "-q", ".")

        def made(files: Mapping[bytes, bytes]) -> Source:
            write(_emptied(top / "inner"), files)
            git(top, "add", "-A")
            return GitSource("notes", top / "inner")

        return made
