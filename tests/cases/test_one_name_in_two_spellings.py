"""A file name typed with combining accents is the same document as one typed with whole letters."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

import pytest
from tests.unit.sources.make import git, write

from askwell.sources.folder import FolderSource
from askwell.sources.git import GitSource
from askwell.sources.vault import VaultSource

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from askwell.ports import Source

COMPOSED = unicodedata.normalize("NFC", "Ordnér/Žofín.md")
DECOMPOSED = unicodedata.normalize("NFD", COMPOSED)


def _git(name: str, root: Path) -> Source:
    git(root, "init", "-q", ".")
    git(root, "config", "core.precomposeUnicode", "false")
    git(root, "add", "-A")
    return GitSource(name, root)


@pytest.mark.parametrize("make", [FolderSource, VaultSource, _git])
def test_the_document_stays_the_same_when_its_spelling_changes(
    tmp_path: Path, make: Callable[[str, Path], Source]
) -> None:
    write(tmp_path, {DECOMPOSED: "tram"})
    source = make("s", tmp_path)
    assert [entry.path for entry in source.list().entries] == [COMPOSED]
    assert source.read(COMPOSED).raw == source.read(DECOMPOSED).raw == b"tram"

    (tmp_path / COMPOSED).parent.mkdir()
    (tmp_path / DECOMPOSED).rename(tmp_path / COMPOSED)
    source = make("s", tmp_path)
    assert [entry.path for entry in source.list().entries] == [COMPOSED]
    assert source.read(COMPOSED).raw == b"tram"

    (tmp_path / COMPOSED).unlink()
    assert make("s", tmp_path).list().entries == ()


@pytest.mark.parametrize("make", [FolderSource, _git])
def test_two_files_in_both_spellings_are_both_kept(tmp_path: Path, make: Callable[[str, Path], Source]) -> None:
    write(tmp_path, {DECOMPOSED: "one", COMPOSED: "two"})
    source = make("s", tmp_path)
    assert {e.path: source.read(e.path).raw for e in source.list().entries} == {DECOMPOSED: b"one", COMPOSED: b"two"}
