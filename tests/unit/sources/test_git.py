from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.unit.sources.make import git, repository, write
from tests.unit.sources.test_folder import paths, reasons

from askwell.errors import SourceError, UnreadableFile
from askwell.sources.folder import FolderSource
from askwell.sources.git import GitSource

if TYPE_CHECKING:
    from collections.abc import Iterator

_OPENED: list[str] = []
_RECORDING = [False]


def _record(event: str, arguments: tuple[object, ...]) -> None:
    if _RECORDING[0] and event == "open":
        _OPENED.append(Path(os.fsdecode(arguments[0])).name if isinstance(arguments[0], (str, bytes)) else "")


sys.addaudithook(_record)


@contextmanager
def recorded() -> Iterator[list[str]]:
    """Collect the names of all files that this process opens."""
    _OPENED.clear()
    _RECORDING[0] = True
    try:
        yield _OPENED
    finally:
        _RECORDING[0] = False


@pytest.fixture(autouse=True)
def _own_git_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")


def test_ignored_and_untracked_files_are_never_opened(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", {"a.md": "x", "run": "#!/bin/sh\n", ".gitignore": "secret*\n"})
    write(root, {"secret.md": "x", "secret": "#!/bin/sh\n", "new.md": "x", "new": "#!/bin/sh\n"})
    source = GitSource("s", root)
    with recorded() as opened:
        listing = source.list()
        for path in ["secret.md", "secret", "new.md", "new"]:
            with pytest.raises(UnreadableFile):
                source.read(path)
        for path in paths(listing):
            source.read(path)
    assert paths(listing) == [".gitignore", "a.md", "run"]
    assert {"a.md", "run"} <= set(opened)
    assert not {"secret.md", "secret", "new.md", "new"} & set(opened)


def test_names_of_every_kind_are_listed_as_they_are(tmp_path: Path) -> None:
    names = [
        "café/menü.md",
        "脚本/血.md",
        'it\'s "so".md',
        "back\\slash.md",
        "tab\there.md",
        "new\nline.md",
        "emoji 🐦.md",
        " lead and trail .md",
        "-dash.md",
        ":(glob)x.md",
    ]
    root = repository(tmp_path / "r", {name: name for name in names})
    git(root, "config", "core.quotePath", "true")
    source = GitSource("s", root)
    listing = source.list()
    assert paths(listing) == sorted(names)
    assert {path: source.read(path).raw.decode() for path in names} == {name: name for name in names}


def test_names_that_are_not_utf8_are_listed_and_opened(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", {b"bad\xffname.md": "odd", "good.md": "x"})
    source = GitSource("s", root)
    assert paths(source.list()) == ["bad\\xffname.md", "good.md"]
    assert source.read("bad\\xffname.md").raw == b"odd"


def test_what_is_tracked_and_no_plain_file(tmp_path: Path) -> None:
    write(tmp_path, {"out/secret.md": "outside"})
    repository(tmp_path / "sub", {"inner.md": "x"})
    pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{'0' * 64}\nsize 123456\n"
    root = write(tmp_path / "r", {"kept.md": "x", "gone.md": "x", "big.md": pointer, "d/x.md": "x", "e/y.md": "x"})
    (root / "in.md").symlink_to("kept.md")
    (root / "out.md").symlink_to("../out/secret.md")
    (root / "dead.md").symlink_to("nowhere")
    git(root, "init", "-q", ".")
    git(root, "-c", "protocol.file.allow=always", "submodule", "add", "-q", "../sub", "module")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "one")
    (root / "gone.md").unlink()
    (root / "d/x.md").unlink()
    (root / "d").rmdir()
    write(root, {"d": "now a file"})
    (root / "e/y.md").unlink()
    (root / "e").rmdir()
    (root / "e").symlink_to("../out")
    write(tmp_path, {"out/y.md": "outside too"})

    listing = GitSource("s", root).list()

    assert [path for path in paths(listing) if path != ".gitmodules"] == ["kept.md"]
    held = reasons(listing)
    assert set(held) == {"in.md", "out.md", "dead.md", "big.md", "module", "e/y.md"}
    assert "LFS" in held["big.md"]
    assert "submodule" in held["module"]
    assert all("symbolic link" in held[path] for path in ("in.md", "out.md", "dead.md", "e/y.md"))


def test_a_linked_work_tree_lists_like_a_repository(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", {"a.md": "x", "d/b.md": "y"})
    git(root, "worktree", "add", "-q", str(tmp_path / "wt"), "HEAD")
    assert (tmp_path / "wt/.git").is_file()
    assert paths(GitSource("s", tmp_path / "wt").list()) == ["a.md", "d/b.md"]


def test_a_sparse_checkout_lists_what_is_there(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", {"a.md": "x", "d/b.md": "y", "e/c.md": "z"})
    git(root, "sparse-checkout", "set", "--cone", "--sparse-index", "d")
    assert paths(GitSource("s", root).list()) == ["a.md", "d/b.md"]


def test_a_conflict_lists_a_file_once(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", {"a.md": "one\n"})
    git(root, "checkout", "-q", "-b", "other")
    write(root, {"a.md": "two\n"})
    git(root, "commit", "-q", "-am", "two")
    git(root, "checkout", "-q", "-")
    write(root, {"a.md": "three\n"})
    git(root, "commit", "-q", "-am", "three")
    with pytest.raises(Exception, match="merge"):
        git(root, "merge", "other")
    assert paths(GitSource("s", root).list()) == ["a.md"]


def test_tracked_hidden_folders_count_and_excluded_ones_do_not(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", {".bash.d/a.sh": "x", ".github/b.yml": "x", "vendor/c.md": "x", "yarn.lock": "x"})
    assert paths(GitSource("s", root).list()) == [".bash.d/a.sh", ".github/b.yml"]


def test_nothing_of_the_repository_is_executed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = repository(tmp_path / "r", {"a.md": "x"})
    trap = tmp_path / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\n")
    trap.chmod(0o755)
    for key in ("core.fsmonitor", "core.pager", "core.sshCommand", "diff.external", "core.editor", "alias.ls-files"):
        git(root, "config", key, f"!{trap}" if key.startswith("alias") else str(trap))
    for hook in ("post-index-change", "fsmonitor-watchman", "post-checkout"):
        (root / ".git/hooks").mkdir(exist_ok=True)
        (root / ".git/hooks" / hook).write_text(trap.read_text())
        (root / ".git/hooks" / hook).chmod(0o755)
    write(root, {"git": trap.read_text()})
    (root / "git").chmod(0o755)
    monkeypatch.chdir(root)
    monkeypatch.setenv("PATH", f".{os.pathsep}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", str(trap))
    assert paths(GitSource("s", root).list()) == ["a.md"]
    assert not (tmp_path / "sprung").exists()


def test_nothing_is_written_to_the_repository(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", {"a.md": "x"})
    os.utime(root / "a.md", (1, 1))  # an index that git would like to refresh

    def state() -> dict[str, tuple[int, int]]:
        return {str(p): ((s := p.stat()).st_mtime_ns, s.st_size) for p in root.rglob("*")}

    before = state()
    GitSource("s", root).list()
    assert state() == before


def test_a_hook_environment_does_not_redirect_the_listing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = repository(tmp_path / "r", {"a.md": "x"})
    other = repository(tmp_path / "o", {"b.md": "x"})
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other / ".git/index"))
    assert paths(GitSource("s", root).list()) == ["a.md"]


def test_what_git_cannot_list_is_an_error_with_a_next_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = write(tmp_path / "plain", {"a.md": "x"})
    git(tmp_path, "init", "-q", "--bare", "bare")
    broken = repository(tmp_path / "broken", {"a.md": "x"})
    (broken / ".git/index").write_bytes(b"DIRC nonsense")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    for root, words in (
        (plain, "not in a git repository"),
        (tmp_path / "bare", "bare"),
        (broken, "cannot list"),
        (tmp_path / "none", "no folder"),
        (plain / "a.md", "not a folder"),
    ):
        with pytest.raises(SourceError, match=words) as caught:
            GitSource("s", root).list()
        assert caught.value.hint


def test_a_missing_git_is_an_error_with_a_next_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = repository(tmp_path / "r", {"a.md": "x"})
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SourceError, match="not installed") as caught:
        GitSource("s", root).list()
    assert "install git" in caught.value.hint


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_repository_of_another_user_is_an_error_with_a_next_step(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", {"a.md": "x"})
    for path in (root, *root.rglob("*")):
        os.chown(path, 12345, 12345, follow_symlinks=False)
    with pytest.raises(SourceError, match="another user") as caught:
        GitSource("s", root).list()
    assert "safe.directory" in caught.value.hint


def test_credentials_are_held_back_alike_in_a_repository_and_a_folder(tmp_path: Path) -> None:
    tracked = {
        "README.md": "how to rotate the token\n",
        ".env.example": "TOKEN=\n",
        ".npmrc": "x\n",
        "conf/server.pem": "x\n",
        "conf/credentials.json": "{}\n",
        "conf/secret.yaml": "x: y\n",
        "secrets.yaml": "x: y\n",
        ".ssh/id_example": "x\n",
        ".gitignore": "data/\n.env\n",
    }
    root = repository(tmp_path / "r", tracked)
    write(root, {".env": "TOKEN=x\n", "data/dump.md": "ignored\n"})
    by_git, by_folder = GitSource("s", root).list(), FolderSource("s", root).list()
    assert paths(by_git) == paths(by_folder) == [".env.example", ".gitignore", "README.md"]
    visible = {path: reason for path, reason in reasons(by_git).items() if not path.startswith(".ssh/")}
    assert visible == reasons(by_folder)
    assert set(visible) == {".npmrc", "conf/server.pem", "conf/credentials.json", "conf/secret.yaml", "secrets.yaml"}
    assert ".ssh/id_example" in reasons(by_git)


def test_a_changed_name_spelling_stays_one_document(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", {"Z\u030ciz\u030ckov.md": "tram"})
    git(root, "config", "core.precomposeUnicode", "false")
    (before,) = GitSource("s", root).list().entries
    (root / "Z\u030ciz\u030ckov.md").rename(root / "Žižkov.md")
    git(root, "add", "-A")
    (after,) = GitSource("s", root).list().entries
    assert before.path == after.path == "Žižkov.md"
