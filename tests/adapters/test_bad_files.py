"""One bad file is told with its reason, never stops a run, and never costs another file."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

import pytest
from tests.adapters.command import Askwell
from tests.unit.sources.make import git, write

if TYPE_CHECKING:
    from pathlib import Path

READ: dict[str | bytes, bytes | str] = {
    "utf-8 mark.md": b"\xef\xbb\xbf---\ntitle: Marked\n---\nMARKBOM",
    "utf-16.md": "# Größe\n\nMARKUTFLE größer".encode("utf-16"),
    "utf-16 big.md": b"\xfe\xff" + "MARKUTFBE".encode("utf-16-be"),
    "utf-16 odd.md": "MARKUTFODD".encode("utf-16") + b"x",
    "latin.txt": "Käse und Löwe MARKLATIN".encode("latin-1"),
    "stray bytes.md": b"# x\n\nMARKSTRAY \xff\xfe\xfa caf\xe9\n",
    "old mac.md": b"# A\r\rMARKRETURN\rline\r",
    "stray nul.txt": b"some text\0 and MARKNUL",
    "broken front.md": "---\ntitle: [\n - x: : :\n---\nMARKFRONT\n",
    "tab front.md": "---\n\t- @x\n---\nMARKTAB\n",
    "unclosed front.md": "---\ntitle: never closed\n\nMARKUNCLOSED body\n",
    "broken.yaml": "a: [1,\n b: }\nMARKYAML: x\n",
    "broken.json": '{"a": MARKJSON',
    "broken.py": 'def f(:\n  "MARKPY"\n',
    "broken.toml": "[a\nMARKTOML = 1\n",
    "broken.sh": "#!/bin/sh\n# MARKSH says nothing\nif (( ; then 'unclosed\n",
    "deep.json": "[" * 20_000 + '"MARKDEEPJSON"' + "]" * 20_000,
    "deep.md": ">" * 5_000 + " MARKDEEPMD",
    "deep.py": "(" * 5_000 + ")" * 5_000 + "\n# MARKDEEPPY",
    "bomb.yaml": "a: &a [x, x, x]\n" + "".join(f"k{n}: &k{n} [*a, *a, *a, *a]\n" for n in range(50)) + "MARKBOMB: 1\n",
    "new\nline.md": "MARKNEWLINE",
    "tab\there.md": "MARKTABNAME",
    "it's \"quoted\" $(x) `y`.md": "MARKQUOTED",
    "bird 🐦.md": "MARKEMOJI",
    "-rf.md": "MARKDASH",
    " spaces .md": "MARKSPACES",
    "back\\slash.md": "MARKBACK",
    b"not utf-8 \xff.md": "MARKRAWNAME",
    "\x1b[31mred.md": "MARKESCAPE",
    "脚本/血条.md": "MARKHAN",
    "d/" * 60 + "deep.md": "MARKDEEPPATH",
}  # fmt: skip

HELD_BACK = {
    "empty.md": "empty file",
    "picture.md": "binary content",
    "huge.md": "300,000,000 bytes, over the limit of 5,000,000",
    "loop": "a symbolic link: not followed",
    "self.md": "a symbolic link: not followed",
    "dead.md": "a symbolic link: not followed",
    "out.md": "a symbolic link: not followed",
    "pipe.md": "not a regular file",
    "id_rsa": "holds credentials by its name (`id_*`)",
}


@pytest.fixture(scope="module")
def askwell(tmp_path_factory: pytest.TempPathFactory) -> Askwell:
    folder = tmp_path_factory.mktemp("bad")
    root = write(folder / "notes", READ)
    write(root, {"empty.md": "", "picture.md": bytes(range(256)) * 8, "id_rsa": "MARKKEY", "good.md": "MARKGOOD"})
    (folder / "outside.md").write_text("MARKOUTSIDE")
    for name, target in (("loop", "."), ("self.md", "self.md"), ("dead.md", "nowhere"), ("out.md", "../outside.md")):
        (root / name).symlink_to(target)
    os.mkfifo(root / "pipe.md")
    with (root / "huge.md").open("wb") as file:
        file.truncate(300_000_000)
    made = Askwell(folder, (root,))
    said = made("index", "--json")
    assert said.code == 0
    assert said.json["failed"] == []
    assert {fault["path"]: fault["reason"] for fault in said.json["skipped"]} == HELD_BACK
    assert said.json["added"] == len(READ) + 1
    return made


@pytest.mark.parametrize("name", READ, ids=repr)
def test_what_is_in_the_file_is_found_under_its_name(askwell: Askwell, name: str | bytes) -> None:
    content = READ[name]
    text = content if isinstance(content, str) else content.decode("latin-1").replace("\0", "")
    (word,) = re.findall(r"MARK[A-Z]+", text)
    hits = askwell.hits(word, "-k", 3)
    path = name if isinstance(name, str) else "not utf-8 \\xff.md"
    assert hits[0]["path"] == path
    first, last = hits[0]["lines"]
    assert 1 <= first <= last


def test_nothing_else_was_read(askwell: Askwell) -> None:
    assert askwell.paths("MARKGOOD") == ["good.md"]
    for word in ("MARKOUTSIDE", "MARKKEY"):
        assert askwell.paths(word) == []


def test_the_same_is_told_again_by_status_and_the_next_run(askwell: Askwell) -> None:
    assert {f["path"]: f["reason"] for f in askwell("status", "--json").json["skipped"]} == HELD_BACK
    said = askwell("index")
    assert "unchanged 32" in said.out
    for path, reason in HELD_BACK.items():
        assert f"{path}: {reason}" in said.err
    assert "documents changed" not in askwell("search", "MARKGOOD").err


def test_no_name_or_text_drives_the_terminal(askwell: Askwell) -> None:
    write(
        askwell.folder / "more", {"a.md": "MARKTERMINAL \x1b[2J\x07 \u202e txt", "\x1b]0;x\x07.md": "MARKTERMINAL too"}
    )
    made = Askwell(askwell.folder, (askwell.folder / "more",), index="more.db")
    for command in (("index",), ("search", "MARKTERMINAL"), ("ask", "MARKTERMINAL"), ("status",)):
        said = made(*command)
        assert said.code == 0
        assert not set("\x1b\x07\u202e") & set(said.out + said.err)


def test_a_large_file_on_one_line_is_found_in_a_chunk(tmp_path: Path) -> None:
    rows = ",".join(f'{{"k":"row","v":{n}}}' for n in range(20_000))
    askwell = Askwell(tmp_path, (write(tmp_path / "notes", {"line.json": f'{{"a":[{rows},{{"k":"MARKEND"}}]}}'}),))
    askwell("index")
    (hit,) = askwell.hits("MARKEND")
    assert (hit["path"], hit["lines"], len(hit["text"]) < 2_000) == ("line.json", [1, 1], True)


def test_the_work_tree_is_read_as_it_stands(tmp_path: Path) -> None:
    root = write(
        tmp_path / "repo",
        {"kept.md": "MARKKEPT", "gone.md": "MARKGONE", "d/x.md": "MARKFOLDER", ".gitignore": "*.log\n"},
    )
    write(root, {"large.md": f"version https://git-lfs.github.com/spec/v1\noid sha256:{0:064d}\nsize 123456\n"})
    write(tmp_path / "sub", {"inner.md": "MARKSUB"})
    (root / "link.md").symlink_to("kept.md")
    for repository in (tmp_path / "sub", root):
        git(repository, "init", "-q", ".")
        if repository == root:
            git(root, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(tmp_path / "sub"), "vendored")
        git(repository, "add", "-A")
        git(repository, "commit", "-qm", "one")
    git(root, "worktree", "add", "-q", str(tmp_path / "tree"), "HEAD")
    (root / "gone.md").unlink()
    (root / "d/x.md").unlink()
    (root / "d").rmdir()
    write(root, {"d": "now a file", "untracked.md": "MARKUNTRACKED", "x.log": "MARKLOG"})
    askwell = Askwell(tmp_path, (root,))
    said = askwell("index", "--json").json
    assert {fault["path"] for fault in said["skipped"]} == {"large.md", "link.md", "vendored"}
    assert askwell.paths("MARKKEPT") == ["kept.md"]
    for word in ("MARKGONE", "MARKFOLDER", "MARKUNTRACKED", "MARKLOG", "MARKSUB"):
        assert askwell.paths(word) == []
    tree = Askwell(tmp_path, (tmp_path / "tree",), index="tree.db")
    tree("index")
    assert set(tree.paths("MARKGONE MARKKEPT MARKFOLDER")) == {"d/x.md", "gone.md", "kept.md"}
