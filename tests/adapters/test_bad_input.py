"""Whatever a command is given, it says what is wrong and what to do next, and goes on with the rest."""

from __future__ import annotations

import json
import os
import sqlite3
from typing import TYPE_CHECKING

import pytest
from tests.adapters.command import WORDS_ONLY, Askwell, Said, run, spawn
from tests.unit.sources.make import git, write

if TYPE_CHECKING:
    from pathlib import Path

NOTES = {"pump.md": "# Pump\n\nThe pump of the cellar is blue.\n", "lamp.md": "# Lamp\n\n## Bulb\n\nThe lamp is red.\n"}


@pytest.fixture
def askwell(tmp_path: Path) -> Askwell:
    return Askwell(tmp_path, (write(tmp_path / "notes", NOTES),))


def refused(said: Said, code: int, *words: str) -> None:
    """Assert that a command said what is wrong and what to do next, without a traceback, and nothing else."""
    assert said.code == code, said.err
    lines = [line for line in said.err.splitlines() if not line.startswith("no index yet")]
    assert lines[0].startswith("error: ")
    assert not lines[0].endswith(".")
    assert lines[1].startswith("  hint: ")
    assert len(lines) == 2
    assert "fault in Askwell" not in said.err
    for word in words:
        assert word in said.err


QUESTIONS = [
    ("-k", "0", "from 1 to 1000"),
    ("-k", "-3", "from 1 to 1000"),
    ("-k", "1000000", "from 1 to 1000"),
    ("-k", "9" * 20, "from 1 to 1000"),
    ("-k", "x", "no number"),
    ("-k", "", "no number"),
    ("-k", "1.5", "no number"),
    ("--kind", "nots", "did you mean `note`?"),
    ("--kind", "", "unknown kind"),
    ("--section", "Bulp", "did you mean `Bulb`?"),
    ("--after", "yesterday", "2026-01-31"),
    ("--before", "2026-02-30", "2026-01-31"),
    ("--jsn", "", "unrecognized"),
]


@pytest.mark.parametrize("command", ["search", "ask"])
@pytest.mark.parametrize(("option", "value", "word"), QUESTIONS, ids=lambda part: part[:20])
def test_a_wrong_option_is_named_with_what_is_right(
    askwell: Askwell, command: str, option: str, value: str, word: str
) -> None:
    askwell("index")
    refused(askwell(command, *([f"{option}={value}"] if value else [option, ""]), "--", "pump"), 2, word)


@pytest.mark.parametrize("command", ["search", "ask"])
@pytest.mark.parametrize(
    "question", ["", " ", "\n\t", "???", "-", "--", '"', "*", "…", "😀", "(", "::", "\u200b", "\x00"]
)
def test_a_question_without_a_word_is_refused_before_anything_is_built(
    askwell: Askwell, command: str, question: str
) -> None:
    refused(askwell(command, "--", question), 2, "nothing to search for", "at least one word")
    assert not (askwell.folder / askwell.index).exists()


@pytest.mark.parametrize("command", ["search", "ask"])
def test_a_long_question_is_read_and_a_longer_one_refused(askwell: Askwell, command: str) -> None:
    askwell("index")
    assert "pump.md" in askwell(command, "what is with the pump " * 5_000).out
    assert askwell(command, "x" * 100_000).code == 0
    refused(askwell(command, "pump " * 50_000), 2, "characters")


COMMANDS = [
    (("serch", "x"), "did you mean `askwell search`?"),
    (("frobnicate",), "`askwell --help`"),
    (("search",), "question"),
    (("ask", "--json"), "question"),
    (("config", "retrieval.kk"), "did you mean `retrieval.k`?"),
    (("completion", "tcsh"), "bash"),
    (("init", "--nme", "x"), "--help"),
    (("index", "--wait", "long"), "--wait"),
    (("index", "--index", "postgres://x/y"), "store.url"),
    (("eval", "nowhere.jsonl"), "nowhere.jsonl"),
    (("config", "--config", "nowhere.toml"), "askwell init"),
    (("search", "--config", "", "x"), "askwell init"),
]


@pytest.mark.parametrize(("arguments", "word"), COMMANDS, ids=lambda part: " ".join(part) if part else "")
def test_a_wrong_command_line_names_the_next_step(arguments: tuple[str, ...], word: str) -> None:
    refused(run(arguments), 2, word)


SETTINGS = [
    ("x = [", "TOML"),
    ("[retreival]\nk = 3", "did you mean `retrieval`?"),
    ("[retrieval]\nkk = 3", "did you mean `retrieval.k`?"),
    ("[retrieval]\nk = 'eight'", "whole number"),
    ("[retrieval]\nk = 0", "from 1 to 1000"),
    ("[retrieval]\nk = true", "whole number"),
    ("[retrieval]\nfusion = 'both'", "`rrf`"),
    ("retrieval = 3", "[retrieval]"),
    ("source = 3", "[[source]]"),
    ("[[source]]\nname = 'x'", "path"),
    ("[[source]]\npath = '.'\ntype = 'svn'", "`git`"),
    ("[[source]]\npath = '.'\nmax_bytes = -1", "max_bytes"),
    ("[[source]]\npath = 'a'\nname = 'x'\n[[source]]\npath = 'b'\nname = 'x'", "name"),
    ("[models]\nembedding = 'bundeld'", "did you mean `bundled`?"),
    ("[models]\ngeneration = 'gpt'", "openai:MODEL"),
    ("[models]\ngeneration = 'openai:m'\ngeneration_url = 'here'", "http://"),
    ("[privacy]\npersonal = 3", "list"),
    ("enabled = 'perhaps'", "true or false"),
    (b"\xff\xfe", "UTF-8"),
]  # fmt: skip


@pytest.mark.parametrize(("settings", "word"), SETTINGS, ids=lambda part: str(part)[:30])
def test_a_wrong_setting_is_named_with_what_is_right(tmp_path: Path, settings: str | bytes, word: str) -> None:
    write(tmp_path, {"askwell.toml": settings, "notes/a.md": "pump"})
    where = ("--config", str(tmp_path / "askwell.toml"), "--index", str(tmp_path / "i.db"))
    run(("index", "--source", str(tmp_path / "notes"), "--index", str(tmp_path / "i.db"), "--no-vectors"))
    refused(run(("ask", *where, "--source", str(tmp_path / "notes"), "pump")), 2, word)


def test_settings_of_the_environment_are_checked_as_well(askwell: Askwell, tmp_path: Path) -> None:
    for name, value, word in (
        ("ASKWELL_RETRIEVAL__KK", "3", "did you mean `retrieval.k`?"),
        ("ASKWELL_RETREIVAL__K", "3", "ASKWELL_RETREIVAL__K"),
        ("ASKWELL_RETRIEVAL__K", "many", "whole number"),
        ("ASKWELL_CONFIG", str(tmp_path / "none.toml"), "none.toml"),
    ):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(name, value)
            refused(run(("config",)), 2, word)


def test_a_source_that_is_not_there_is_named(askwell: Askwell, tmp_path: Path) -> None:
    gone = Askwell(tmp_path, (tmp_path / "gone",))
    for command in (("index",), ("index", "--dry-run"), ("search", "x"), ("ask", "x")):
        refused(gone(*command), 3, "gone", "path")
    refused(gone("search", "x"), 3, "gone", "path")  # the attempt before left no index that finds nothing
    file = Askwell(tmp_path, (tmp_path / "notes" / "pump.md",))
    refused(file("index"), 3, "not a folder")
    said = gone("doctor")
    assert said.code == 1
    assert "FAIL source gone" in said.out


def test_a_source_that_is_not_there_stops_no_other(tmp_path: Path) -> None:
    write(tmp_path, {f"{name}/{name}.md": f"the {name} is blue" for name in ("pump", "lamp")})
    (tmp_path / "askwell.toml").write_text(
        "".join(f'[[source]]\npath = "{name}"\n' for name in ("pump", "lamp")) + WORDS_ONLY
    )
    where = ("--config", str(tmp_path / "askwell.toml"), "--index", str(tmp_path / "i.db"))
    assert run(("index", *where)).code == 0
    (tmp_path / "lamp").rename(tmp_path / "away")
    (tmp_path / "pump/more.md").write_text("another blue pump")
    said = run(("index", *where))
    assert said.code == 0
    assert "added 1" in said.out
    assert "'lamp' could not be listed" in said.err
    hits = run(("search", *where, "--json", "blue")).json["hits"]
    assert {hit["path"] for hit in hits} == {"pump.md", "more.md", "lamp.md"}


def test_a_folder_that_is_no_repository_is_told(tmp_path: Path) -> None:
    write(tmp_path, {"notes/a.md": "pump"})
    write(tmp_path, {"askwell.toml": f'[[source]]\npath = "notes"\ntype = "git"\n{WORDS_ONLY}'})
    where = ("--config", str(tmp_path / "askwell.toml"), "--index", str(tmp_path / "i.db"))
    for command in (("index",), ("search", "pump"), ("search", "pump")):
        refused(run((command[0], *where, *command[1:])), 3, "not in a git repository", 'type = "folder"')


@pytest.mark.skipif(not hasattr(os, "chown") or os.geteuid() != 0, reason="only root can give a folder away")
def test_a_repository_of_somebody_else_is_told(tmp_path: Path) -> None:
    root = write(tmp_path / "theirs", {"a.md": "pump"})
    git(root, "init", "-q", ".")
    git(root, "add", "-A")
    for folder, _, files in os.walk(root):
        for path in (folder, *(os.path.join(folder, name) for name in files)):  # noqa: PTH118
            os.chown(path, 12345, 12345)
    refused(Askwell(tmp_path, (root,))("index"), 3, "another user", "safe.directory")


INDEXES = {
    "text": (b"hello world\n" * 500, "not a database", "--index"),
    "short text": (b"hi", "not a database", "--index"),
    "folder": (None, "is a folder", "--index"),
}


@pytest.mark.parametrize("name", INDEXES)
@pytest.mark.parametrize("command", [("search", "pump"), ("ask", "pump"), ("status",), ("index",)], ids=" ".join)
def test_what_is_no_index_is_refused_and_left_alone(askwell: Askwell, name: str, command: tuple[str, ...]) -> None:
    content, *words = INDEXES[name]
    path = askwell.folder / askwell.index
    path.mkdir() if content is None else path.write_bytes(content)
    refused(askwell(*command), 4, *words)
    refused(askwell("index", "--rebuild"), 4, "not an Askwell index", "--index")
    assert path.is_dir() if content is None else path.read_bytes() == content
    said = askwell("doctor")
    assert said.code == 1
    assert "FAIL index" in said.out


def test_another_programs_database_is_left_alone(askwell: Askwell) -> None:
    path = askwell.folder / askwell.index
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE theirs (x)")
    db.close()
    before = path.read_bytes()
    for command in (("search", "pump"), ("index",), ("status",), ("index", "--rebuild")):
        refused(askwell(*command), 4, "not an Askwell index", "--index")
    assert path.read_bytes() == before


def spoil(path: Path, how: str) -> None:
    raw = path.read_bytes()
    if how == "holes":
        path.write_bytes(raw[:8192] + b"\xa5" * (len(raw) - 8192))
    elif how == "cut":
        path.write_bytes(raw[: len(raw) // 2])
    else:
        with sqlite3.connect(path) as db:
            (version,) = db.execute("PRAGMA user_version").fetchone()
            db.execute(f"PRAGMA user_version = {version + 1}")
        db.close()


@pytest.mark.parametrize("how", ["holes", "cut", "another version"])
def test_an_index_that_cannot_be_read_is_made_again(askwell: Askwell, how: str) -> None:
    askwell("index")
    spoil(askwell.folder / askwell.index, how)
    for command in (("search", "pump"), ("ask", "pump"), ("status",), ("index",)):
        refused(askwell(*command), 4, "askwell index --rebuild")
    assert askwell("doctor").code == 1
    assert askwell("index", "--rebuild").code == 0
    assert askwell.paths("pump") == ["pump.md"]


def test_an_empty_file_is_an_index_that_is_not_there_yet(askwell: Askwell) -> None:
    (askwell.folder / askwell.index).touch()
    refused(askwell("status"), 4, "askwell index")
    assert askwell.paths("pump") == ["pump.md"]


@pytest.mark.parametrize("path", ["notes/pump.md/i.db", "nowhere\x00/i.db", "/proc/nowhere/i.db", "/dev/null"])
def test_a_place_where_no_index_can_be_is_told(askwell: Askwell, path: str) -> None:
    for command in (("index",), ("search", "pump")):
        elsewhere = Askwell(askwell.folder, askwell.sources, index=path)
        refused(elsewhere(*command), 4 if "\x00" not in path else 2)


ERRORS = [
    ("search", "-k", "0", "pump"),
    ("search", "--kind", "nonsense", "pump"),
    ("search", ""),
    ("serch", "pump"),
    ("status",),
    ("index", "--wait", "x"),
]


@pytest.mark.parametrize("command", ERRORS, ids=" ".join)
def test_an_error_is_one_json_object_too(askwell: Askwell, command: tuple[str, ...]) -> None:
    said = askwell(command[0], "--json", *command[1:])
    assert said.code
    assert said.json == {"error": {"message": said.json["error"]["message"], "hint": said.json["error"]["hint"]}}
    assert said.json["error"]["message"] in said.err
    assert said.json["error"]["hint"]


def test_a_question_that_looks_like_an_option_is_a_question(askwell: Askwell) -> None:
    askwell("index")
    assert askwell("search", "--", "--json").out == "nothing found\n"
    said = askwell("search", "--", "--json", "--help")
    assert said.out == "nothing found\n"


def test_every_object_is_json_in_utf_8(askwell: Askwell) -> None:
    write(askwell.sources[0], {b"odd\xff\nname \x1b[31m.md": b'{"half": "\\ud83d"} blue \xff \x85'})
    for command in (("index",), ("search", "blue"), ("ask", "what is blue"), ("status",), ("doctor",), ("config",)):
        said = askwell(command[0], "--json", *command[1:])
        assert said.code == 0, said.err
        assert isinstance(said.json, dict)
        assert said.out.startswith("{\n")
        assert said.out.endswith("\n}\n")


def test_turned_off_every_command_says_so(askwell: Askwell, tmp_path: Path) -> None:
    off = Askwell(tmp_path, askwell.sources, "enabled = false\n")
    for command in (("index",), ("search", "x"), ("ask", "x"), ("status",), ("doctor",)):
        said = off(*command)
        assert (said.code, said.out) == (0, "")
        assert "turned off" in said.err
        assert off(command[0], "--json", *command[1:]).json == {"enabled": False}
    assert not (tmp_path / off.index).exists()


@pytest.mark.parametrize(
    "lines", ["{nonsense", "[1]", "", '{"question": 3}', '{"id": "a"}', "\ufeff"], ids=lambda text: text or "nothing"
)
def test_a_question_file_that_is_none_is_told(askwell: Askwell, lines: str) -> None:
    askwell("index")
    write(askwell.folder, {"q.jsonl": lines})
    refused(askwell("eval", askwell.folder / "q.jsonl"), 2, "q.jsonl", "gold_docs")


def test_a_question_file_that_is_no_text_is_told(askwell: Askwell) -> None:
    write(askwell.folder, {"q.jsonl": b"\xff\xfe\x00"})
    refused(askwell("eval", askwell.folder / "q.jsonl"), 2, "q.jsonl", "question file")
    refused(askwell("eval", askwell.folder), 2, "question file")


def test_a_process_tells_a_fault_by_its_exit_code_and_no_traceback(askwell: Askwell) -> None:
    said = spawn(askwell.arguments("search", "-k", "0", "pump"))
    refused(said, 2, "from 1 to 1000")
    assert said.out == ""
    assert json.loads(spawn(askwell.arguments("search", "--json", "pump")).raw)["hits"]
