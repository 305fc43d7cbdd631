"""What the command line keeps and shows of questions, tokens and what left the machine."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest
from tests.adapters.command import WORDS_ONLY, Askwell, spawn
from tests.unit.sources.make import write

from askwell import compose
from askwell.config import load
from askwell.engine import Request
from askwell.privacy import audience
from askwell.records.ledger import document, parse
from askwell.testing.fake_openai import CLOSE, FakeOpenAI, Reply, said
from askwell.types import Arm

if TYPE_CHECKING:
    from pathlib import Path

NOTES = {
    "pump.md": "# Pump\n\nThe pump of the cellar runs at noon for nine minutes.\n",
    "diary.md": "---\nsensitivity: personal\n---\n# Diary\n\nZanzibar is where the parrot sleeps in winter.\n",
}
QUESTION = "what runs at noon in the cellar?"


def settings(folder: Path, *, models: str = "", records: str = "") -> str:
    return f'{WORDS_ONLY}{models}\n[records]\npath = "{folder / "state"}"\nhost = "here"\n{records}\n'


@pytest.fixture
def askwell(tmp_path: Path) -> Askwell:
    return Askwell(tmp_path, (write(tmp_path / "notes", NOTES),), settings(tmp_path))


def test_a_question_is_logged_and_counted(askwell: Askwell) -> None:
    assert askwell("ask", "--", QUESTION).code == 0
    assert askwell("ask", "--", "how is a zeppelin steered over Lisbon?").code == 0
    rows = [json.loads(line) for line in (askwell.folder / "state" / "queries.jsonl").read_text().splitlines()]
    assert [(row["question"], row["outcome"], row["audience"]) for row in rows] == [
        (QUESTION, "answer", ["open", "personal"]),
        ("how is a zeppelin steered over Lisbon?", "abstention", ["open", "personal"]),
    ]
    assert rows[0]["sources"] == ["notes/pump.md:3-3"]
    assert rows[0]["signals"]["rare_coverage"] > 0
    assert rows[0]["latency_ms"] > 0
    usage = askwell("usage", "--json").json
    assert usage["today"] == {"turns": 2, "prompt_tokens": 0, "completion_tokens": 0, "tok_s": 0.0}
    assert (usage["hosts"]["here"], usage["profiles"]["docs"]) == (
        {name: usage[name] for name in ("today", "seven_days", "all_time")},
    ) * 2
    assert (usage["skipped"], usage["partners"], usage["warnings"]) == (0, [], [])
    told = askwell("usage")
    assert told.out.splitlines()[0].split() == ["today", "turns", "prompt", "completion", "tok/s"]
    assert "host here" in told.out
    assert "\x1b" not in told.out


def test_a_search_and_a_dry_run_are_no_turns(askwell: Askwell) -> None:
    askwell("index")
    askwell("index", "--dry-run")
    assert askwell("search", "--", "pump").code == 0
    assert askwell("ask", "--explain", "--", QUESTION).code == 0
    assert not (askwell.folder / "state").exists()


def test_a_model_that_breaks_off_is_a_failed_turn(tmp_path: Path, askwell: Askwell) -> None:
    with FakeOpenAI() as server:
        server.reply(Reply(type="text/event-stream", steps=(said("The pump"), CLOSE)))
        models = f'generation = "openai:m"\ngeneration_url = "{server.url}"\ntimeout = 5\n'
        failing = Askwell(tmp_path, askwell.sources, settings(tmp_path, models=models))
        assert failing("ask", "--", QUESTION).code == 75
    (row,) = [json.loads(line) for line in (tmp_path / "state" / "queries.jsonl").read_text().splitlines()]
    assert (row["outcome"], row["reason"], row["model"]) == ("failed", "ModelUnavailable", "m")
    assert not (tmp_path / "state" / "ledger.txt").exists()


def test_partners_are_collected_and_one_that_is_away_is_no_error(tmp_path: Path, askwell: Askwell) -> None:
    row = parse(b"2026-08-04|22:03:51|nas|chat|server|100|10|5.0")
    foreign = parse(b"2026-08-04|22:03:51|here|chat|server|999|999|5.0")
    assert row is not None
    assert foreign is not None
    (tmp_path / "nas.txt").write_bytes(document([row, foreign]))
    partners = f'partners = ["nas={tmp_path / "nas.txt"}", "pi=http://127.0.0.1:1/ledger"]'
    pulling = Askwell(tmp_path, askwell.sources, settings(tmp_path, records=partners))
    before = pulling("usage", "--json").json
    assert (before["all_time"]["turns"], [p["pulled"] for p in before["partners"]]) == (0, ["", ""])
    pulled = pulling("usage", "--json", "pull")
    assert pulled.code == 0
    assert pulled.json["hosts"]["nas"]["all_time"] == {
        "turns": 1, "prompt_tokens": 100, "completion_tokens": 10, "tok_s": 5.0,
    }  # fmt: skip
    assert "here" not in pulled.json["hosts"]
    nas, pi = pulled.json["partners"]
    assert (nas["rows"], nas["skipped"], nas["error"], bool(nas["pulled"])) == (1, 1, "", True)
    assert (pi["rows"], pi["error"]) == (0, "no connection")
    told = pulling("usage", "pull")
    assert told.code == 0
    assert "pi: no connection; not collected here" in told.err
    assert pulling("status", "--egress", "--json").json["egress"] == []


def test_a_partner_of_this_name_is_a_fault_of_the_settings(tmp_path: Path, askwell: Askwell) -> None:
    wrong = Askwell(tmp_path, askwell.sources, settings(tmp_path, records='partners = ["here=/x"]'))
    told = wrong("usage")
    assert (told.code, "is this machine" in told.err) == (2, True)


def test_where_nothing_is_kept_commands_say_so(tmp_path: Path, askwell: Askwell) -> None:
    off = Askwell(tmp_path, askwell.sources, settings(tmp_path, records="enabled = false"))
    assert off("ask", "--", QUESTION).code == 0
    for command in (("usage",), ("usage", "pull"), ("status", "--egress")):
        told = off(*command, "--json")
        assert (told.code, told.json) == (0, {"recorded": False})
        assert "nothing is kept" in told.err
    assert not (tmp_path / "state").exists()


def test_what_leaves_is_listed_with_its_class_and_loopback_is_not(tmp_path: Path, askwell: Askwell) -> None:
    """A proxy on this machine stands in for the way to another one."""
    with FakeOpenAI(answer=("The pump runs at noon [1].",)) as server:
        away = 'generation = "openai:m"\ngeneration_url = "http://models.invalid:8000/v1"\n'
        proxied = {"HTTP_PROXY": server.url.removesuffix("/v1"), "NO_PROXY": ""}
        cloud = Askwell(tmp_path, askwell.sources, settings(tmp_path, models=away))
        answered = spawn(cloud.arguments("ask", "--json", "--", QUESTION), environ=proxied)
        assert answered.code == 0, answered.err
        assert answered.json["audience"]["classes"] == ["open"]
        allowed = f"{settings(tmp_path, models=away)}\n[privacy]\nallow_cloud = true\n"
        spawn(Askwell(tmp_path, askwell.sources, allowed).arguments("ask", "--", QUESTION), environ=proxied)
        near = f'generation = "openai:m"\ngeneration_url = "{server.url}"\n'
        assert Askwell(tmp_path, askwell.sources, settings(tmp_path, models=near))("ask", "--", QUESTION).code == 0
    listed = askwell("status", "--egress", "--json").json["egress"]
    assert [(row["destination"], row["purpose"], row["class"]) for row in listed] == [
        ("models.invalid:8000", "generation", "open"),
        ("models.invalid:8000", "generation", "personal"),
    ]
    assert all(row["bytes"] > 500 and row["at"] for row in listed)
    assert len(askwell("status", "--egress", "--open-only", "--json").json["egress"]) == 1
    told = askwell("status", "--egress")
    assert told.out.count("models.invalid:8000  generation") == 2


def test_an_embedder_elsewhere_is_given_open_text_alone_and_every_request_is_listed(
    tmp_path: Path, askwell: Askwell
) -> None:
    with FakeOpenAI() as server:
        embedded = settings(tmp_path).replace(
            'embedding = "none"', 'embedding = "openai:m"\nembedding_url = "http://vectors.invalid/v1"'
        )
        away = Askwell(tmp_path, askwell.sources, embedded)
        proxied = {"HTTP_PROXY": server.url.removesuffix("/v1"), "NO_PROXY": ""}
        done = spawn(away.arguments("index"), environ=proxied)
        assert done.code == 0, done.err
        asked, searched = (
            spawn(away.arguments(command, "--json", "--", "where does the parrot sleep in winter?"), environ=proxied)
            for command in ("ask", "search")
        )
        assert asked.json["audience"]["classes"] == ["open"]
        assert "not local" in asked.json["audience"]["narrowed"]
        assert any("not local" in warning for warning in searched.json["warnings"])
        assert "Zanzibar" not in asked.out + searched.out
    listed = askwell("status", "--egress", "--json").json["egress"]
    assert len(listed) >= 4
    assert {(row["destination"], row["purpose"], row["class"]) for row in listed} == {
        ("vectors.invalid", "embedding", "open")
    }


def test_a_question_that_may_hold_personal_text_is_not_embedded_elsewhere(tmp_path: Path, askwell: Askwell) -> None:
    """Whoever forgets to narrow a request searches by words alone, and is told."""
    askwell("index")
    elsewhere = {
        "ASKWELL_STORE__URL": str(tmp_path / "index.db"),
        "ASKWELL_MODELS__EMBEDDING": "openai:m",
        "ASKWELL_MODELS__EMBEDDING_URL": "http://vectors.invalid/v1",
    }
    config = load(file=None, environ=elsewhere, sources=[str(askwell.sources[0])])
    engine = compose.engine(config, environ=elsewhere)
    everything = Request(question=QUESTION, audience=audience(include_personal=True))
    ranking = engine.search(everything)
    engine.close()
    assert "not local" in ranking.missing_arms[Arm.VECTOR]
    assert engine.destination(answering=False) == "cloud"


def test_records_are_kept_where_the_user_keeps_state(tmp_path: Path) -> None:
    notes = write(tmp_path / "notes", NOTES)
    plain = Askwell(tmp_path, (notes,))
    state = tmp_path / "xdg"
    for environ in ({"XDG_STATE_HOME": str(state)}, {"XDG_STATE_HOME": "relative", "HOME": str(tmp_path / "home")}):
        assert spawn(plain.arguments("ask", "--", QUESTION), environ=environ, cwd=tmp_path).code == 0
    assert (state / "askwell" / "queries.jsonl").is_file()
    assert not (tmp_path / "relative").exists()
    assert list((tmp_path / "home").rglob("queries.jsonl"))
    assert os.stat(state / "askwell").st_mode & 0o777 == 0o700  # noqa: PTH116


def test_doctor_looks_at_where_records_go(tmp_path: Path, askwell: Askwell) -> None:
    def found(place: Path, more: str = "") -> tuple[str, str]:
        made = f'{WORDS_ONLY}[records]\npath = "{place}"\n{more}\n'
        told = Askwell(tmp_path, askwell.sources, made)("doctor", "--json")
        (check,) = [check for check in told.json["checks"] if check["name"] == "records"]
        return check["result"], check["detail"]

    (tmp_path / "file").write_text("")
    assert found(tmp_path / "new" / "state") == ("ok", str(tmp_path / "new" / "state"))
    assert not (tmp_path / "new").exists()
    assert found(tmp_path / "file" / "state") == ("fail", f"{tmp_path / 'file' / 'state'} cannot be written")
    assert found(tmp_path / "notes" / "state")[0] == "fail"
    assert found(tmp_path / "x", 'partners = ["nas"]')[0] == "fail"
    assert found(tmp_path / "x", "enabled = false")[0] == "ok"
