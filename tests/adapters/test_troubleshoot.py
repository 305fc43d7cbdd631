"""`--log` and `--report`: what a diagnosis reads besides documents, who may, and what is written."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from tests.adapters.command import Askwell, Said

from askwell import compose
from askwell.answer import AnswerSettings, final
from askwell.ask.profiles import PROFILES, Capability
from askwell.config import load
from askwell.engine import Engine, Request
from askwell.errors import PrivacyError
from askwell.observing import kinds_of, read_now
from askwell.privacy import audience
from askwell.testing.scripted_generator import ScriptedGenerator
from askwell.types import Answer, Audience, PrivacyClass, Profile

SETTINGS = """
[models]
embedding = "none"
[records]
enabled = false
[troubleshoot]
logs = ["logs"]
files = ["health*.json"]
settings = ["service.env"]
reports = "reports"
"""
QUESTION = "why does the backup fail on the lock wait"


@pytest.fixture
def askwell(tmp_path: Path) -> Askwell:
    for name, text in {
        "notes/backup.md": "# Backup\n\nThe nightly backup writes to the repository.\n",
        "logs/backup.log": "INFO start\nERROR backup: lock is held, password=hunter2\nINFO end\n",
        "health.json": '{"job": "backup", "status": "failed"}\n',
        "service.env": "LOCK_WAIT=600\nDB_PASSWORD=tiger\n",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    os.utime(tmp_path / "health.json", (1e9, 1e9))
    made = Askwell(tmp_path, (tmp_path / "notes",), settings=SETTINGS)
    assert made("index").code == 0
    return made


def log(askwell: Askwell) -> Path:
    return askwell.folder / "logs" / "backup.log"


def test_a_log_a_record_and_a_setting_are_shown_with_file_and_lines(askwell: Askwell) -> None:
    said = askwell("ask", "--json", "--log", log(askwell), "--", QUESTION)
    assert said.code == 0, said.err
    found = {(item["kind"], Path(item["path"]).name, *item["lines"]) for item in said.json["citations"]}
    assert {("log", "backup.log", 1, 3), ("record", "health.json", 1, 1), ("setting", "service.env", 1, 1)} <= found
    assert all(item["source"] == item["kind"] for item in said.json["citations"] if item["kind"] != "document")
    assert said.json["profile"] == "troubleshoot"
    assert "days ago" in said.json["text"]
    assert not any(secret in said.out for secret in ("hunter2", "tiger"))


def test_a_person_reads_where_it_stands(askwell: Askwell) -> None:
    said = askwell("ask", "--log", log(askwell), "--", QUESTION)
    assert f"log:{log(askwell)}:1-3" in said.out
    assert "read now" in said.out


def test_a_log_elsewhere_is_refused_with_the_settings_name(askwell: Askwell) -> None:
    said = askwell("ask", "--log", "/etc/passwd", "--", QUESTION)
    assert said.code != 0
    assert "troubleshoot.logs" in said.err
    assert "Traceback" not in said.err


@pytest.mark.parametrize("option", ["--log=x", "--report"])
@pytest.mark.parametrize("profile", ["docs", "chat", "code"])
def test_other_profiles_read_no_log_and_write_no_report(askwell: Askwell, option: str, profile: str) -> None:
    said = askwell("ask", option, "--profile", profile, "--", QUESTION)
    assert said.code != 0
    assert "--profile troubleshoot" in said.err


def test_an_open_request_reads_nothing_of_it(askwell: Askwell) -> None:
    left_out = askwell("ask", "--json", "--open-only", "--log", log(askwell), "--", QUESTION)
    assert any("left out" in warning for warning in left_out.json["warnings"])
    assert not any(word in left_out.out for word in ("lock is held", "health.json", "LOCK_WAIT"))
    said = askwell("ask", "--json", "--open-only", "--profile", "troubleshoot", "--", QUESTION)
    assert said.code == 0
    assert not any(word in said.out + said.err for word in ("health.json", "service.env", "LOCK_WAIT", "failed"))


def test_other_profiles_see_none_of_the_files(askwell: Askwell) -> None:
    said = askwell("ask", "--json", "--", QUESTION)
    assert not any(word in said.out for word in ("health.json", "service.env", "LOCK_WAIT"))


def test_nothing_of_it_is_indexed(askwell: Askwell) -> None:
    askwell("ask", "--log", log(askwell), "--", QUESTION)
    assert askwell("index").code == 0
    assert {hit["path"] for hit in askwell.hits("lock wait backup")} <= {"backup.md"}


def test_a_report_is_written_on_the_askers_word_alone_and_never_over_another(askwell: Askwell) -> None:
    reports = askwell.folder / "reports"
    assert askwell("ask", "--log", log(askwell), "--", QUESTION).code == 0
    assert not reports.exists()
    written = [askwell("ask", "--json", "--report", "--log", log(askwell), "--", QUESTION).json["report"] for _ in "ab"]
    assert len(set(written)) == len(list(reports.iterdir())) == 2
    text = Path(written[0]).read_text(encoding="utf-8")
    assert QUESTION in text
    assert "lock is held" in text
    assert f"{log(askwell)}:1-3" in text
    assert not any(secret in text for secret in ("hunter2", "tiger"))
    assert Path(written[0]).stat().st_mode & 0o077 == 0


def test_a_report_of_an_open_request_holds_nothing_personal(askwell: Askwell) -> None:
    said = askwell(
        "ask", "--json", "--report", "--open-only", "--", "what does the nightly backup write to the repository"
    )
    assert said.code == 0, said.err
    text = Path(said.json["report"]).read_text(encoding="utf-8")
    assert not any(word in text for word in ("health.json", "LOCK_WAIT", "lock is held"))


def test_a_report_needs_a_folder_that_can_be_written(askwell: Askwell) -> None:
    bare = replace(askwell, settings=SETTINGS.replace('reports = "reports"', ""))
    assert "troubleshoot.reports" in bare("ask", "--report", "--", QUESTION).err
    blocked = replace(askwell, settings=SETTINGS.replace('"reports"', '"health.json/reports"'))
    said = blocked("ask", "--report", "--", QUESTION)
    assert said.code != 0
    assert "troubleshoot.reports" in said.err


def engine(askwell: Askwell, script: ScriptedGenerator) -> Engine:
    config = load(
        file=askwell.folder / "settings.toml",
        environ={},
        sources=[str(askwell.folder / "notes")],
        flags={"store.url": str(askwell.folder / askwell.index)},
    )
    return replace(compose.engine(config, environ={}), make_generator=lambda: script)


def request(askwell: Askwell, *, web: bool = False) -> Request:
    return Request(
        question=QUESTION,
        audience=audience(include_personal=True, allow_web=web),
        profile=Profile.TROUBLESHOOT,
        log=str(log(askwell)),
    )


def test_a_model_reads_the_log_in_the_same_fences_and_cites_it(askwell: Askwell) -> None:
    script = ScriptedGenerator("The lock is held [1].")
    outcome = final(engine(askwell, script).ask(request(askwell)))
    assert isinstance(outcome, Answer)
    assert (outcome.citations[0].kind, outcome.citations[0].lines.first) == ("log", 2)
    prompt = script.asked[0][-1].content
    assert "lock is held" in prompt
    assert f'path="{log(askwell)}"' in prompt
    assert not any(secret in prompt for secret in ("hunter2", "tiger"))


def test_neither_the_web_nor_a_model_elsewhere_gets_a_log(askwell: Askwell) -> None:
    script = ScriptedGenerator("The lock is held [1].", trust="cloud")
    with pytest.raises(PrivacyError):
        final(engine(askwell, script).ask(request(askwell)))
    local = ScriptedGenerator("The lock is held [1].")
    outcome = final(engine(askwell, local).ask(request(askwell, web=True)))
    assert any("left out" in warning for warning in outcome.ranking.warnings)
    assert not any("lock is held" in message.content for prompt in local.asked for message in prompt)
    assert script.asked == []


def test_chat_reads_a_log_and_reports(askwell: Askwell, monkeypatch: pytest.MonkeyPatch) -> None:
    import io
    import sys

    typed = io.StringIO(f"/report\n/log {log(askwell)}\n{QUESTION}\n/show 1\n/report\n")
    monkeypatch.setattr(sys, "stdin", typed)
    said = askwell("chat")
    assert "nothing to report" in said.err
    assert "lock is held" in said.out
    (report,) = (askwell.folder / "reports").iterdir()
    assert f"written: {report}" in said.out
    assert json.dumps(QUESTION)[1:-1] in report.read_text(encoding="utf-8")


RUNBOOK = "# Stale locks\n\nWhen restic says `repository is already locked`, run `restic unlock` on the host.\n"


def locked(askwell: Askwell) -> Path:
    (askwell.folder / "notes" / "locks.md").write_text(RUNBOOK, encoding="utf-8")
    for name in ("garden", "printer", "router", "bread", "bicycle", "taxes", "piano", "camera", "tent", "kettle"):
        (askwell.folder / "notes" / f"{name}.md").write_text(f"# The {name}\n\nIt is a {name}.\n", encoding="utf-8")
    assert askwell("index").code == 0
    path = askwell.folder / "logs" / "night.log"
    path.write_text(
        "INFO begin\n2026-11-30T03:00:07Z ERROR repository is already locked by pid 4711\n", encoding="utf-8"
    )
    return path


def test_a_logs_failure_finds_the_runbook_that_the_question_does_not_name(askwell: Askwell) -> None:
    question, path = "why did it break", locked(askwell)
    alone = askwell("ask", "--json", "--profile", "troubleshoot", "--", question).json
    assert not any(item["path"] == "locks.md" for item in alone["citations"])
    said = askwell("ask", "--json", "--log", path, "--", question).json
    assert said["citations"][0]["kind"] == "log"
    assert any(item["path"] == "locks.md" for item in said["citations"])
    assert said["text"].index("already locked by pid") < said["text"].index("restic unlock")
    explained = askwell("ask", "--json", "--explain", "--log", path, "--", question).json
    assert "locked" in explained["widened"]
    assert not any(part in explained["widened"] for part in ("4711", "2026", "ERROR"))


def test_a_log_alone_is_not_what_the_documents_say(askwell: Askwell) -> None:
    path = askwell.folder / "logs" / "other.log"
    path.write_text("ERROR zeppelin gondola detached\n", encoding="utf-8")
    said = askwell("ask", "--json", "--log", path, "--", "why did it break").json
    assert not any(item["kind"] == "document" for item in said["citations"])
    assert "zeppelin gondola detached" in said["text"]
    assert said["text"].endswith("nothing on that in the indexed documents.")


def test_a_model_that_read_a_log_alone_says_so_too(askwell: Askwell) -> None:
    path = askwell.folder / "logs" / "other.log"
    path.write_text("ERROR zeppelin gondola detached\n", encoding="utf-8")
    script = ScriptedGenerator("The zeppelin gondola detached [1].")
    asked = replace(request(askwell), question="why did it break", log=str(path))
    outcome = final(engine(askwell, script).ask(asked))
    assert outcome.text.startswith("The zeppelin gondola detached [1].")
    assert outcome.text.endswith("nothing on that in the indexed documents.")


def test_a_model_that_read_documents_too_does_not(askwell: Askwell) -> None:
    path = locked(askwell)
    script = ScriptedGenerator("The repository is already locked [1].")
    asked = replace(request(askwell), question="why did it break", log=str(path))
    outcome = final(engine(askwell, script).ask(asked))
    assert "indexed documents" not in outcome.text
    assert "restic unlock" in script.asked[0][-1].content


def test_what_a_log_says_is_not_noted_as_the_question(askwell: Askwell) -> None:
    path = locked(askwell)
    asked = replace(request(askwell), question="why did it break", log=str(path))
    plan = engine(askwell, ScriptedGenerator("x")).plan(asked)
    assert plan.widened
    assert plan.ranking is not None
    assert plan.ranking.question == "why did it break"


def test_a_report_names_versions_and_is_never_written_into_a_source(askwell: Askwell) -> None:
    said = askwell("ask", "--json", "--report", "--log", log(askwell), "--", QUESTION)
    text = Path(said.json["report"]).read_text(encoding="utf-8")
    assert "## Made with" in text
    assert "model: none" in text
    for inside in ("notes", "notes/reports", "reports/../notes/x"):
        sources = replace(askwell, settings=SETTINGS.replace('"reports"', f'"{inside}"'))
        refused = sources("ask", "--report", "--", QUESTION)
        assert refused.code != 0
        assert "outside of every source" in refused.err
    assert [path.name for path in (askwell.folder / "notes").iterdir()] == ["backup.md"]


def test_a_request_that_may_search_the_web_reads_no_log_whatever_else_it_sees(askwell: Askwell) -> None:
    both = Audience(classes=frozenset(PrivacyClass), allow_web=True)
    asked = replace(request(askwell), audience=both)
    assert read_now(engine(askwell, ScriptedGenerator("x")), asked, Profile.TROUBLESHOOT).found == ()


def talked(askwell: Askwell, monkeypatch: pytest.MonkeyPatch, *lines: object, flags: tuple[str, ...] = ()) -> Said:
    import io
    import sys

    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    return askwell("chat", *flags)


def test_chat_refuses_a_log_when_it_is_named(askwell: Askwell, monkeypatch: pytest.MonkeyPatch) -> None:
    said = talked(askwell, monkeypatch, "/log /etc/passwd", "/log logs/absent.log", QUESTION)
    assert said.err.count("troubleshoot.logs") == 2
    assert "that follow read" not in said.out
    assert "log:" not in said.out


def test_another_profile_in_chat_reads_the_log_no_more(askwell: Askwell, monkeypatch: pytest.MonkeyPatch) -> None:
    said = talked(askwell, monkeypatch, f"/log {log(askwell)}", "/profile docs", "what does the backup write to")
    assert "reads no logs" not in said.err
    assert "lock is held" not in said.out


def test_an_open_chat_says_that_the_log_is_left_out(askwell: Askwell, monkeypatch: pytest.MonkeyPatch) -> None:
    said = talked(askwell, monkeypatch, f"/log {log(askwell)}", QUESTION, flags=("--open-only",))
    assert "left out" in said.out
    assert "lock is held" not in said.out


def cloudy(askwell: Askwell, script: ScriptedGenerator) -> Engine:
    made = engine(askwell, script)
    return replace(made, allow_cloud=True, answering=lambda: replace(AnswerSettings(), allow_cloud=True))


def test_a_model_elsewhere_reads_a_log_where_it_may_read_personal_notes(askwell: Askwell) -> None:
    script = ScriptedGenerator("The lock is held [1].", trust="cloud")
    outcome = final(cloudy(askwell, script).ask(request(askwell)))
    assert isinstance(outcome, Answer)
    assert "lock is held" in script.asked[0][-1].content


def test_what_is_said_of_left_out_logs_does_not_depend_on_whether_there_are_any(askwell: Askwell) -> None:
    def warned(settings: str) -> object:
        said = replace(askwell, settings=settings)(
            "ask", "--json", "--open-only", "--profile", "troubleshoot", "--", "x"
        )
        return said.json["warnings"], said.json["text"]

    assert warned(SETTINGS) == warned(SETTINGS.partition("[troubleshoot]")[0])


@pytest.mark.parametrize(
    "missing", [{Capability.LOGS}, {Capability.RECORDS}, {Capability.LIVE_SETTINGS}], ids=lambda one: str(*one)
)
def test_a_kind_is_asked_for_where_a_profile_grants_it(askwell: Askwell, missing: set[Capability]) -> None:
    granted = PROFILES[Profile.TROUBLESHOOT].capabilities - missing
    made = engine(askwell, ScriptedGenerator("x"))
    kinds = kinds_of(granted)
    assert made.observe is not None
    found = {one.kind for one in made.observe(str(log(askwell)), kinds).found}
    assert found == kinds
    assert len(kinds) == 2


def test_an_empty_log_is_said_to_be(askwell: Askwell) -> None:
    path = askwell.folder / "logs" / "empty.log"
    path.write_text("\n", encoding="utf-8")
    said = askwell("ask", "--json", "--log", path, "--", "zeppelin")
    assert f"{path} is empty" in said.json["warnings"]


def test_a_few_words_of_a_failure_find_nothing_that_is_not_about_it(askwell: Askwell) -> None:
    path = locked(askwell)
    path.write_text("ERROR printer and kettle: bicycle zeppelin gondola detached from camera\n", encoding="utf-8")
    said = askwell("ask", "--json", "--log", path, "--", "why did it break").json
    assert not any(item["kind"] == "document" for item in said["citations"])
    assert said["text"].endswith("nothing on that in the indexed documents.")
