from __future__ import annotations

import os
import socket
import subprocess
from typing import TYPE_CHECKING

import pytest
from tests.unit.sources.make import write

from askwell.errors import SourceError
from askwell.sources.folder import FolderSource
from askwell.sources.vault import VaultSource
from askwell.types import SourceType

if TYPE_CHECKING:
    from pathlib import Path

    from askwell.types import Listing


def paths(listing: Listing) -> list[str]:
    return [entry.path for entry in listing.entries]


def reasons(listing: Listing) -> dict[str, str]:
    return {skip.path: skip.reason for skip in listing.skipped}


def listed(root: Path, **options: object) -> list[str]:
    return paths(FolderSource("s", root, **options).list())  # type: ignore[arg-type]  # options of several types


def test_known_extensions_are_taken_in_any_case(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "x", "B.MD": "x", "c.png": "x", "d.yaml": "x", ".env.example": "A=\n", "e.xyz": "x"})
    assert listed(tmp_path) == [".env.example", "B.MD", "a.md", "d.yaml"]


def test_extra_extensions_are_taken_too(tmp_path: Path) -> None:
    write(tmp_path, {"a.xyz": "x", "b.docx": "x"})
    assert listed(tmp_path, extra_extensions=frozenset({"xyz"})) == ["a.xyz"]


def test_a_script_without_extension_is_taken_by_its_first_bytes(tmp_path: Path) -> None:
    write(
        tmp_path,
        {"bin/run": "#!/bin/sh\necho\n", "bin/tool.sample1": "#!/usr/bin/perl\n", "bin/blob": b"\x7fELF\0\0\0"},
    )
    listing = FolderSource("s", tmp_path).list()
    assert paths(listing) == ["bin/run", "bin/tool.sample1"]
    assert reasons(listing) == {"bin/blob": "binary content"}


def test_hidden_and_excluded_folders_are_not_entered(tmp_path: Path) -> None:
    inside = ["node_modules", "__pycache__", "dist", "build", "target", "vendor", ".venv", ".git", ".obsidian", ".hid"]
    write(
        tmp_path,
        {f"x/{name}/a.md": "x" for name in inside} | {"x/a.md": "x", "build.md": "x", "package-lock.json": "{}"},
    )
    assert listed(tmp_path) == ["build.md", "x/a.md"]


def test_an_include_narrows_and_may_name_an_excluded_folder(tmp_path: Path) -> None:
    write(tmp_path, {"build/a.md": "x", "docs/a.md": "x", "docs/in/b.md": "x", "c.md": "x", "docs/p.png": "x"})
    assert listed(tmp_path, include=("docs/**", "build/**")) == ["build/a.md", "docs/a.md", "docs/in/b.md"]
    assert listed(tmp_path, include=("docs",)) == ["docs/a.md", "docs/in/b.md"]


def test_an_exclude_is_stronger_than_an_include(tmp_path: Path) -> None:
    write(tmp_path, {"docs/a.md": "x", "docs/old/b.md": "x", "old/c.md": "x", "d.log.md": "x"})
    assert listed(tmp_path, include=("**/*.md",), exclude=("old",)) == ["d.log.md", "docs/a.md"]
    assert listed(tmp_path, exclude=("docs/", "*.log.md")) == ["old/c.md"]


def test_a_gitignore_hides_what_it_names(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            ".gitignore": "*.tmp.md\n/data/\n!keep.tmp.md\n",
            "a.tmp.md": "x",
            "keep.tmp.md": "x",
            "data/a.md": "x",
            "sub/data/a.md": "x",
            "sub/.gitignore": "secret.md\n!a.tmp.md\n",
            "sub/secret.md": "x",
            "sub/a.tmp.md": "x",
            "secret.md": "x",
        },
    )
    assert [p for p in listed(tmp_path) if p.endswith(".md")] == [
        "keep.tmp.md",
        "secret.md",
        "sub/a.tmp.md",
        "sub/data/a.md",
    ]


def test_a_file_below_an_ignored_folder_cannot_be_brought_back(tmp_path: Path) -> None:
    write(tmp_path, {".gitignore": "data/\n!data/a.md\n", "data/a.md": "x", "data/.gitignore": "!a.md\n", "b.md": "x"})
    assert listed(tmp_path, include=("**/*.md",)) == ["b.md"]


def test_an_askwellignore_adds_and_lifts_nothing(tmp_path: Path) -> None:
    write(tmp_path, {".gitignore": "a.md\n", ".askwellignore": "b.md\n!a.md\n", "a.md": "x", "b.md": "x", "c.md": "x"})
    assert listed(tmp_path, include=("*.md",)) == ["c.md"]


def test_strange_lines_in_an_ignore_file_do_no_harm(tmp_path: Path) -> None:
    lines = b"\xef\xbb\xbf# comment\r\n\r\n!\n[\n[[a]\n\\\n***\\\n/\nb.md\r\nGr\xc3\xb6\xc3\x9fe.md\n\xff.md\n"
    write(tmp_path, {".gitignore": lines, "a.txt": "x", "b.md": "x", "Gro\u0308ße.md": "x"})
    assert listed(tmp_path, include=("*.md", "*.txt")) == ["a.txt"]


def test_an_ignore_file_that_cannot_be_trusted_hides_its_folder(tmp_path: Path) -> None:
    write(tmp_path, {"d/.gitignore": "*a*a*a*a*a*a*a*b\n", "d/a.md": "x", "e/a.md": "x"})
    listing = FolderSource("s", tmp_path).list()
    assert paths(listing) == ["e/a.md"]
    assert "too many wildcards" in listing.incomplete


def test_a_linked_ignore_file_is_not_followed(tmp_path: Path) -> None:
    write(tmp_path, {"out/ignore": "nothing\n", "root/d/a.md": "x", "root/b.md": "x"})
    (tmp_path / "root/d/.gitignore").symlink_to(tmp_path / "out/ignore")
    listing = FolderSource("s", tmp_path / "root").list()
    assert paths(listing) == ["b.md"]
    assert "'d/' could not be listed" in listing.incomplete


def test_links_are_named_and_not_followed(tmp_path: Path) -> None:
    write(tmp_path, {"root/a.md": "x", "out/secret.md": "x"})
    root = tmp_path / "root"
    (root / "in.md").symlink_to("a.md")
    (root / "out.md").symlink_to("../out/secret.md")
    (root / "dead.md").symlink_to("nowhere.md")
    (root / "loop").symlink_to(".")
    (root / "outside").symlink_to("../out")
    listing = FolderSource("s", root).list()
    assert paths(listing) == ["a.md"]
    assert set(reasons(listing)) == {"in.md", "out.md", "dead.md", "loop", "outside"}
    assert set(reasons(listing).values()) == {"a symbolic link: not followed"}


def test_pipes_and_sockets_are_never_opened(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "x"})
    os.mkfifo(tmp_path / "pipe.md")
    os.mkfifo(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "s.md"))
        listing = FolderSource("s", tmp_path).list()
    assert paths(listing) == ["a.md"]
    assert reasons(listing) == dict.fromkeys(("pipe", "pipe.md", "s.md"), "not a regular file")


def test_large_files_are_held_back_with_their_size(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "x" * 101, "b.md": "x" * 100, "c.png": "x" * 101})
    listing = FolderSource("s", tmp_path, max_bytes=100).list()
    assert paths(listing) == ["b.md"]
    assert reasons(listing) == {"a.md": "101 bytes, over the limit of 100"}


def test_a_folder_that_cannot_be_listed_makes_the_listing_incomplete(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "x"})
    folder = os.open(tmp_path, os.O_RDONLY)
    for _ in range(20):  # deeper than a path may be long: the one obstacle that also stops root
        os.mkdir("d" * 250, dir_fd=folder)
        inner = os.open("d" * 250, os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        folder = inner
    os.close(folder)
    try:
        listing = FolderSource("s", tmp_path).list()
    finally:
        subprocess.run(["rm", "-rf", str(tmp_path / ("d" * 250))], check=True)
    assert paths(listing) == ["a.md"]
    assert "could not be listed" in listing.incomplete


@pytest.mark.skipif(os.geteuid() == 0, reason="root may list everything")
def test_a_refused_folder_makes_the_listing_incomplete(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "x", "d/b.md": "x"})
    (tmp_path / "d").chmod(0)
    try:
        listing = FolderSource("s", tmp_path).list()
    finally:
        (tmp_path / "d").chmod(0o700)
    assert paths(listing) == ["a.md"]
    assert "permission denied" in listing.incomplete


def test_a_root_that_is_no_folder_is_an_error_with_a_next_step(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "x"})
    for root in (tmp_path / "none", tmp_path / "a.md", tmp_path / "a.md" / "b"):
        with pytest.raises(SourceError) as caught:
            FolderSource("s", root).list()
        assert caught.value.hint


def test_credentials_are_held_back_unless_the_settings_allow_them(tmp_path: Path) -> None:
    write(tmp_path, {"conf/secrets.yaml": "a: b\n", ".env": "A=b\n", "a.md": "x"})
    listing = FolderSource("s", tmp_path).list()
    assert paths(listing) == ["a.md"]
    assert set(reasons(listing)) == {".env", "conf/secrets.yaml"}
    assert listed(tmp_path, allow_secrets=("conf/*",)) == ["a.md", "conf/secrets.yaml"]


def test_many_levels_do_not_use_up_the_stack(tmp_path: Path) -> None:
    levels = 1010  # more than Python's own limit of calls within calls
    folder = os.open(tmp_path, os.O_RDONLY)
    for _ in range(levels):
        os.mkdir("d", dir_fd=folder)
        inner = os.open("d", os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        folder = inner
    os.close(os.open("a.md", os.O_CREAT | os.O_WRONLY, dir_fd=folder))
    os.close(folder)
    try:
        assert listed(tmp_path) == ["d/" * levels + "a.md"]
    finally:
        subprocess.run(["rm", "-rf", str(tmp_path / "d")], check=True)  # deeper than pytest's own tidying goes


def test_a_vault_is_listed_like_a_folder_without_its_settings_and_trash(tmp_path: Path) -> None:
    write(
        tmp_path, {".obsidian/app.json": "{}", ".trash/old.md": "x", "a.md": "x", "deep/er/b.md": "x", "p.canvas": "{}"}
    )
    source = VaultSource("v", tmp_path)
    assert source.type is SourceType.VAULT
    assert paths(source.list()) == ["a.md", "deep/er/b.md"]


def test_the_trash_of_a_vault_cannot_be_included(tmp_path: Path) -> None:
    write(tmp_path, {".trash/old.md": "x", ".obsidian/a.md": "x"})
    assert paths(VaultSource("v", tmp_path, include=(".trash/**", ".obsidian/**")).list()) == []
