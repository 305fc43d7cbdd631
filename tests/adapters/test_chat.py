"""A conversation at the terminal and through a pipe: follow-ups, sources, what is kept, what can be stopped."""

from __future__ import annotations

import io
import json
import os
import sys
from typing import TYPE_CHECKING, Any

import pytest
from tests.adapters.command import WORDS_ONLY, Askwell, Said, run, spawn
from tests.adapters.terminal import CTRL_C, CTRL_D, Terminal
from tests.unit.sources.make import write

from askwell.testing.fake_openai import STALL, FakeOpenAI, Reply, said

if TYPE_CHECKING:
    from pathlib import Path

NOTES = {
    "pump.md": "# Pump\n\nThe pump of the cellar runs at noon for nine minutes.\n",
    "heron.md": "# Heron\n\nThe heron \x1b[31mcame\x1b]0;title\x07 to the pond\u202e on a Friday.\n",
    "diary.md": "---\nsensitivity: personal\n---\n# Diary\n\nZanzibar is where the parrot sleeps in winter.\n",
}


@pytest.fixture
def askwell(tmp_path: Path) -> Askwell:
    state = tmp_path / "state"
    settings = f'{WORDS_ONLY}\n[records]\npath = "{state}"\nhost = "here"\n'
    return Askwell(tmp_path, (write(tmp_path / "notes", NOTES),), settings)


def typed(askwell: Askwell, *lines: str, options: tuple[str, ...] = (), environ: dict[str, str] | None = None) -> Said:
    """Run `chat` with lines through a pipe."""
    return piped(askwell, "".join(f"{line}\n" for line in lines).encode(), options=options, environ=environ)


def piped(
    askwell: Askwell, sent: bytes, *, options: tuple[str, ...] = (), environ: dict[str, str] | None = None
) -> Said:
    """Run `chat` in this process with these bytes on its standard input."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(sent), encoding="utf-8"))
        for name, value in (environ or {}).items():
            patch.setenv(name, value)
        return run([*askwell.arguments("chat"), *options])


def kept(askwell: Askwell, *options: str) -> list[dict[str, Any]]:
    listed = askwell("chat", "--list", "--json", *options)
    assert listed.code == 0, listed.err
    found: list[dict[str, Any]] = listed.json["conversations"]
    return found


def test_lines_of_a_pipe_are_questions_and_commands(askwell: Askwell) -> None:
    told = typed(
        askwell, "what runs at noon in the cellar?", "", "/sources", "/show 1", "/why 1", "/quit", "when does it end?"
    )
    assert told.code == 0, told.err
    assert told.out.count("[1] pump.md:3-3  [notes]") == 2
    assert "> 3  The pump of the cellar runs at noon for nine minutes." in told.out
    assert "support: supported" in told.out
    assert "lexical #1" in told.out
    (conversation,) = kept(askwell)
    assert [turn["question"] for turn in conversation["turns"]] == ["what runs at noon in the cellar?"]
    assert "sources" not in json.dumps(conversation)


def test_notes_drive_no_terminal(askwell: Askwell) -> None:
    told = typed(askwell, "when came the heron to the pond?", "/show 1", "/why 1", "/sources")
    again = typed(askwell, options=("--resume",))
    for raw in (told.raw, again.raw):
        assert b"Friday" in raw
        assert b"\x1b" not in raw
        assert b"\x07" not in raw
        assert "\u202e".encode() not in raw


def test_a_conversation_goes_on_where_it_ended(askwell: Askwell) -> None:
    typed(askwell, "what runs at noon in the cellar?")
    told = typed(askwell, "and how long?", options=("--resume",))
    assert told.out.startswith("> what runs at noon in the cellar?\n")
    assert "Sources of earlier answers are not kept" in told.out
    (conversation,) = kept(askwell)
    assert [turn["question"] for turn in conversation["turns"]] == ["what runs at noon in the cellar?", "and how long?"]
    by_id = typed(askwell, options=("--resume", conversation["id"][:6]))
    assert "> and how long?" in by_id.out
    wrong = typed(askwell, options=("--resume", "ffffffffff"))
    assert (wrong.code, "chat --list" in wrong.err) == (2, True)


def test_new_begins_another_conversation(askwell: Askwell) -> None:
    typed(askwell, "what runs at noon in the cellar?", "/new", "when came the heron to the pond?")
    assert [item["title"] for item in kept(askwell)] == [
        "when came the heron to the pond?",
        "what runs at noon in the cellar?",
    ]


def test_an_open_conversation_knows_nothing_of_a_personal_one(askwell: Askwell) -> None:
    typed(askwell, "where does the parrot sleep in winter?")
    assert kept(askwell, "--open-only") == []
    told = typed(askwell, options=("--open-only", "--resume"))
    assert (told.code, "no conversation is kept" in told.err) == (2, True)
    personal = kept(askwell)[0]["id"]
    guessed, absent = (typed(askwell, options=("--open-only", "--resume", id)) for id in (personal, "0" * 32))
    assert guessed.err.replace(personal, "ID") == absent.err.replace("0" * 32, "ID")
    opened = typed(askwell, "what runs at noon in the cellar?", options=("--open-only",))
    assert "Zanzibar" not in opened.out + opened.err


def test_faults_of_a_line_end_no_conversation_and_show_in_the_exit_code(askwell: Askwell) -> None:
    told = typed(
        askwell,
        "/sources",
        "/profil",
        "/open x",
        "/profile nobody",
        "???",
        "what runs at noon in the cellar?",
        "/open 9",
    )
    assert told.code == 2
    assert [line for line in told.err.splitlines() if line.startswith("error")] == [
        "error: there is no answer with sources here",
        "error: unknown command '/profil'",
        "error: there is no answer with sources here",
        "error: unknown profile 'nobody'",
        "error: nothing to search for",
        "error: there is no source '9'",
    ]
    assert "did you mean `/profile`?" in told.err
    assert "noon" in told.out


def test_json_is_one_object_a_line(askwell: Askwell) -> None:
    told = typed(
        askwell, "what runs at noon in the cellar?", "???", "when came the heron to the pond?", options=("--json",)
    )
    first, fault, last = (json.loads(line) for line in told.out.splitlines())
    assert (first["outcome"], first["citations"][0]["path"], last["citations"][0]["path"]) == (
        "answer", "pump.md", "heron.md",
    )  # fmt: skip
    assert first["conversation"] == last["conversation"] == kept(askwell)[0]["id"]
    assert fault["error"]["message"] == "nothing to search for"
    assert told.code == 2


def test_bytes_that_are_no_text_are_read_all_the_same(askwell: Askwell) -> None:
    told = piped(askwell, b"what runs \xff\xfe at noon in the cellar?\r\n")
    assert (told.code, "noon" in told.out) == (0, True)


def test_the_profiles_are_listed_and_chosen(askwell: Askwell) -> None:
    told = typed(askwell, "/profile", "/profile troubleshoot", "why does it run at noon in the cellar?", "/help")
    assert "* docs" in told.out
    assert "* troubleshoot" in told.out
    assert "/why N" in told.out
    assert kept(askwell)[0]["turns"][0]["profile"] == "troubleshoot"


def test_where_nothing_is_kept_a_conversation_works_and_says_so(askwell: Askwell) -> None:
    off = {"ASKWELL_RECORDS__ENABLED": "false"}
    told = typed(askwell, "what runs at noon in the cellar?", "/sources", environ=off)
    assert (told.code, told.out.count("[1] pump.md:3-3")) == (0, 2)
    assert not (askwell.folder / "state").exists()
    assert "nothing is kept" in typed(askwell, options=("--list",), environ=off).err
    assert typed(askwell, options=("--resume",), environ=off).code == 2
    everything_off = typed(askwell, "x", environ={"ASKWELL_ENABLED": "false"})
    assert (everything_off.code, everything_off.out) == (0, "")


def test_what_cannot_be_kept_is_told_once_and_costs_no_answer(askwell: Askwell) -> None:
    (askwell.folder / "file").write_text("")
    nowhere = {"ASKWELL_RECORDS__PATH": str(askwell.folder / "file" / "state")}
    told = typed(askwell, "what runs at noon in the cellar?", "when came the heron to the pond?", environ=nowhere)
    assert (told.code, "noon" in told.out, "Friday" in told.out) == (0, True, True)
    assert told.err.count("the conversation is not kept") == 1
    asked = spawn(askwell.arguments("ask", "--json", "pump"), environ=nowhere)
    assert asked.code == 0
    assert any("query log is not written" in warning for warning in asked.json["warnings"])


def terminal(askwell: Askwell, *options: str, **environ: str) -> Terminal:
    askwell("index")
    return Terminal([*askwell.arguments("chat"), *options], environ=environ)


def test_a_person_asks_opens_and_ends(askwell: Askwell) -> None:
    (askwell.folder / "editor").write_text('#!/bin/sh\necho "EDITOR $@"\n')
    (askwell.folder / "pager").write_text("#!/bin/sh\necho PAGER; cat\n")
    for program in ("editor", "pager"):
        (askwell.folder / program).chmod(0o700)
    programs = {"VISUAL": f"{askwell.folder}/editor -x", "PAGER": f"{askwell.folder}/pager"}
    with terminal(askwell, **programs) as person:
        person.until("docs> ")
        person.type("what runs at noon in the cellar?\n")
        person.until("[1] pump.md:3-3")
        person.until("docs> ")
        person.type("/open 1\n")
        assert f"-x +3 {(askwell.folder / 'notes' / 'pump.md').resolve()}" in person.until("docs> ")
        person.type("/show 1\n")
        person.until("PAGER")
        assert "> 3  The pump" in person.until("docs> ")
        person.type("half a line" + CTRL_C)
        person.until("docs> ")
        person.type(CTRL_D)
        assert person.ended() == 0
        assert "\x1b" not in person.shown
    typed_lines = askwell.folder / "state" / "typed"
    assert "what runs at noon in the cellar?" in typed_lines.read_text()
    assert typed_lines.stat().st_mode & 0o777 == 0o600


def test_without_an_editor_lines_are_shown_with_the_open_only_prompt(askwell: Askwell) -> None:
    with terminal(askwell, "--open-only", VISUAL="", EDITOR="/nowhere/editor", PAGER="") as person:
        person.until("docs (open only)> ")
        person.type("what runs at noon in the cellar?\n")
        person.until("docs (open only)> ")
        person.type("/open 1\n")
        assert "cannot be started" in person.until("> 3  The pump")
        person.until("docs (open only)> ")
        person.type("/quit\n")
        assert person.ended() == 0


@pytest.mark.parametrize(("environ", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_colour_is_for_terminals_that_want_it(askwell: Askwell, environ: dict[str, str], coloured: bool) -> None:
    with terminal(askwell, TERM="xterm", **environ) as person:
        shown = person.until("docs> ")
        person.type("what runs at noon in the cellar?\n")
        shown += person.until("pump.md:3-3")
        assert ("\x1b[1m" in shown) is coloured


def test_ctrl_c_stops_only_the_answer(askwell: Askwell) -> None:
    with FakeOpenAI(answer=("The pump runs at noon [1].",)) as server:
        server.reply(Reply(type="text/event-stream", steps=(said("The pump runs at"), STALL)))
        settings = askwell.settings.replace(
            "[models]", f'[models]\ngeneration = "openai:m"\ngeneration_url = "{server.url}"\ntimeout = 60\n'
        )
        with terminal(Askwell(askwell.folder, askwell.sources, settings)) as person:
            person.until("docs> ")
            person.type("what runs at noon in the cellar?\n")
            person.until("The pump runs")
            person.type(CTRL_C)
            person.until("(stopped; nothing of it is kept)")
            person.until("docs> ")
            person.type("what runs in the cellar at noon?\n")
            person.until("[1] pump.md:3-3")
            person.until("docs> ")
            person.type(CTRL_D)
            assert person.ended() == 0
    (conversation,) = kept(askwell)
    assert [turn["question"] for turn in conversation["turns"]] == ["what runs in the cellar at noon?"]
    rows = [json.loads(line) for line in (askwell.folder / "state" / "queries.jsonl").read_text().splitlines()]
    assert [row["outcome"] for row in rows] == ["cancelled", "answer"]
    ledger = (askwell.folder / "state" / "ledger.txt").read_text().splitlines()
    assert len(ledger) == 2
    assert ledger[1].split("|")[2:5] == ["here", "docs", "cli"]
    assert int(ledger[1].split("|")[5]) > 0


def test_the_typed_lines_need_no_readable_history(askwell: Askwell) -> None:
    (askwell.folder / "state").mkdir()
    os.mkdir(askwell.folder / "state" / "typed")  # noqa: PTH102 - in the way on purpose
    with terminal(askwell) as person:
        person.until("docs> ")
        person.type(CTRL_D)
        assert person.ended() == 0
        assert "the typed lines are not kept" in person.shown
