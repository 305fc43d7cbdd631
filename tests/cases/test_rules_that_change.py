"""A changed rule holds for files that did not change: at the next run, without embedding anything again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.adapters.command import Askwell, run
from tests.unit.sources.make import git, write

from askwell.testing.fake_openai import FakeOpenAI

if TYPE_CHECKING:
    from pathlib import Path

NOTES = {
    "Attic/letters.md": "# Letters\n\nMARKLETTER\n",
    "work/plan.md": "# Plan\n\nMARKPLAN\n",
    "links.md": "[[Attic/letters]]\n",
    "Attic/empty.md": "",
}


def traces(folder: Path, word: str) -> list[str]:
    return [path.name for path in folder.glob("i.db*") if word.encode() in path.read_bytes()]


def test_privacy_and_exclusion_reach_what_is_indexed(tmp_path: Path) -> None:
    write(tmp_path / "notes", NOTES)
    where = ("--config", str(tmp_path / "askwell.toml"), "--index", str(tmp_path / "i.db"))

    with FakeOpenAI() as server:

        def indexed(rules: str, source: str = "") -> Any:  # Any: as JSON has it
            models = f'[models]\nembedding = "openai:m"\nembedding_url = "{server.url}"\n'
            write(tmp_path, {"askwell.toml": f'[[source]]\npath = "notes"\n{source}\n{models}{rules}'})
            said = run(("index", *where, "--json"))
            assert said.code == 0, said.err
            return said.json

        def told(*options: str) -> str:
            said = [run((command, *where, *options, "--open-only", "--", "MARKLETTER letters attic")).out
                    for command in ("search", "ask")]  # fmt: skip
            return "\n".join([*said, run(("status", *where, "--open-only", *options)).out])

        assert indexed("")["embedded"] == 3
        assert "MARKLETTER" in told()
        assert run(("index", *where, "--json")).json["unchanged"] == 3
        asked = len(server.requests)
        said = indexed('[privacy]\npersonal = ["Attic/**"]\n')
        assert (said["embedded"], said["unchanged"], said["reclassified"], said["warnings"]) == (0, 2, 1, [])
        assert len(server.requests) == asked
        for hidden in ("MARKLETTER", "Letters", "Attic", "letters.md"):
            assert hidden not in told()
            assert hidden not in told("--json").replace('": "MARKLETTER letters attic"', "")

        said = indexed('[privacy]\npersonal = ["attic/**"]\n', 'exclude = ["work/**"]')
        assert said["removed"] == 1
        (warning,) = said["warnings"]
        assert "`attic/**` matches no document" in warning
        assert "differs from it in case only" in warning
        assert traces(tmp_path, "MARKPLAN") == []
        assert traces(tmp_path, "MARKLETTER")
        assert indexed("")["warnings"] == []


def test_another_chunk_size_cuts_unchanged_files_again(tmp_path: Path) -> None:
    write(tmp_path / "notes", {"long.md": "# Long\n\n" + "A sentence of some words about pumps.\n\n" * 200})
    small = Askwell(tmp_path, (tmp_path / "notes",), '[models]\nembedding = "none"\n[index]\nchunk_tokens = 60\n')
    large = Askwell(tmp_path, (tmp_path / "notes",), '[models]\nembedding = "none"\n')
    before = large("index", "--json").json["chunks"]
    said = small("index", "--json").json
    assert (said["updated"], said["chunks"] > 2 * before) == (1, True)
    assert small("index", "--json").json["updated"] == 0


@pytest.mark.parametrize("kind", ["folder", "git"])
def test_credentials_stay_out_until_they_are_asked_for(tmp_path: Path, kind: str) -> None:
    root = write(tmp_path / "p", {
        "README.md": "MARKDOC how to rotate the api token",
        ".env": "SERVICE_TOKEN=not-real-MARK1X\n",
        ".env.example": "SERVICE_TOKEN=\n",
        ".npmrc": "//registry.invalid/:_authToken=not-real-MARK2X\n",
        "conf/server.pem": "-----BEGIN EXAMPLE PRIVATE KEY-----\nnot-real-MARK3X\n-----END EXAMPLE PRIVATE KEY-----\n",
        "conf/credentials.json": '{"private_key":"not-real-MARK4X"}\n',
        "conf/secret.yaml": "kind: Secret\ndata:\n  password: MARK5X\n",
        "secrets.yaml": "recorder_db: not-real-MARK6X\n",
        ".ssh/id_example": "not-real-MARK7X\n",
        ".gitignore": "data/\n.env\n",
        "data/dump.md": "MARK8X ignored by git\n",
        "notes.md": "the password is in the safe\n\napi_key = 'sk-proj-MARK9Xabcdefghijklmnopqrstuvwxyz0123456789'\n",
    })  # fmt: skip
    git(root, "init", "-q", ".")
    git(root, "add", "-A")
    where = ("--config", str(tmp_path / "askwell.toml"), "--index", str(tmp_path / "i.db"))
    source = f'[[source]]\npath = "p"\ntype = "{kind}"\n'
    models = '[models]\nembedding = "none"\n'
    write(tmp_path, {"askwell.toml": source + models})
    said = run(("index", *where, "--json"))
    held = {fault["path"] for fault in said.json["skipped"]}
    assert {".npmrc", "conf/server.pem", "conf/credentials.json", "conf/secret.yaml", "secrets.yaml"} <= held
    question = "api key credentials token password secret MARK1X MARK5X MARK8X"
    told = [run((command, *where, *form, question)) for command in ("search", "ask") for form in ((), ("--json",))]
    hits = {hit["path"] for hit in told[1].json["hits"]}
    assert {"README.md", ".env.example"} <= hits <= {"README.md", ".env.example", "notes.md", ".gitignore"}
    everything = "\n".join(f"{one.out}{one.err}" for one in [said, *told]).replace(question, "")
    for n in range(1, 10):
        assert f"MARK{n}X" not in everything
        assert traces(tmp_path, f"MARK{n}X") == []
    write(tmp_path, {"askwell.toml": source + 'allow_secrets = ["conf/secret.yaml"]\n' + models})
    assert run(("index", *where, "--json")).json["added"] == 1
