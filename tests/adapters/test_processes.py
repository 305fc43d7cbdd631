"""What only a process of its own can meet: signals, pipes, disks, permissions, environments and other processes."""

from __future__ import annotations

import ctypes
import json
import os
import resource
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.adapters.command import COMMAND, WORDS_ONLY, Askwell, Said, spawn
from tests.unit.sources.make import write

from askwell.testing.fake_openai import FakeOpenAI

if TYPE_CHECKING:
    from collections.abc import Iterator

    from askwell.testing.fake_openai import Reply, Request

NOTES = {f"pump{n}.md": f"# Pump {n}\n\nThe pump {n} of the cellar is blue.\n" for n in range(200)}

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="tests signals, permissions and devices of Linux")


@pytest.fixture
def askwell(tmp_path: Path) -> Askwell:
    return Askwell(tmp_path, (write(tmp_path / "notes", NOTES),))


class SlowServer(FakeOpenAI):
    """A model server that says when it is first asked for vectors of documents, and answers when it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.asked, self.go_on = threading.Event(), threading.Event()

    def next_reply(self, request: Request) -> Reply:
        if len(request.body["input"]) > 1:  # type: ignore[arg-type]  # the probe is one text
            self.asked.set()
            self.go_on.wait(60)
        return super().next_reply(request)


@pytest.fixture
def slow() -> Iterator[SlowServer]:
    server = SlowServer()
    with server:
        try:
            yield server
        finally:
            server.go_on.set()


def embedding(askwell: Askwell, server: FakeOpenAI) -> Askwell:
    settings = f'[models]\nembedding = "openai:m"\nembedding_url = "{server.url}"\n'
    return Askwell(askwell.folder, askwell.sources, settings)


def started(arguments: list[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def ended(process: subprocess.Popen[bytes]) -> Said:
    out, err = process.communicate(timeout=60)
    return Said(process.returncode, out, err.decode())


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_run_that_is_stopped_leaves_a_good_index(askwell: Askwell, slow: SlowServer, sent: signal.Signals) -> None:
    made = embedding(askwell, slow)
    process = started(made.arguments("index"))
    assert slow.asked.wait(60)
    process.send_signal(sent)
    said = ended(process)
    if sent is signal.SIGINT:
        assert (said.code, said.out) == (130, "")
        assert said.err.strip() == "interrupted; what was finished is kept"
    else:
        assert said.code
        assert "Traceback" not in said.err
    found = made("search", "--json", "-k", 3, "pump 7 of the cellar")
    assert (found.code, found.json["hits"][0]["path"]) == (0, "pump7.md")
    slow.go_on.set()
    rest = made("index", "--json").json
    assert (rest["unchanged"], rest["embedded"], rest["pending"]) == (200, 200, 0)


def test_a_second_run_is_told_of_the_first_and_readers_wait_for_neither(askwell: Askwell, slow: SlowServer) -> None:
    made = embedding(askwell, slow)
    first = started(made.arguments("index"))
    assert slow.asked.wait(60)
    second = made("index")
    assert second.code == 4
    assert f"another run is in progress (pid {first.pid}, since 20" in second.err
    assert "  hint: " in second.err
    for command in (("search", "--json", "pump 7"), ("ask", "which pump of the cellar is blue"), ("status",)):
        assert made(*command).code == 0
    assert first.poll() is None
    waiting = started(made.arguments("index", "--wait", "60"))
    slow.go_on.set()
    assert ended(first).code == 0
    assert ended(waiting).code == 0
    assert made("status", "--json").json["vectors"] == 200


def test_a_question_during_the_first_run_is_answered_from_what_there_is(askwell: Askwell, slow: SlowServer) -> None:
    elsewhere = write(askwell.folder / "else", {"lamp.md": "the lamp"})
    made = embedding(askwell, slow)
    first = started(made.arguments("index"))
    assert slow.asked.wait(60)
    other = Askwell(made.folder, (elsewhere,), made.settings)
    said = other("search", "lamp")  # a source that the index does not know yet, while somebody writes it
    assert (said.code, said.out) == (0, "nothing found\n")
    assert "another run is in progress" in said.err
    slow.go_on.set()
    assert ended(first).code == 0


def test_output_that_nobody_reads_any_more_is_no_fault(askwell: Askwell) -> None:
    askwell("index")
    for form in ((), ("--json",)):
        arguments = askwell.arguments("search", *form, "-k", 200, "pump")
        with subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            assert process.stdout.readline()
            process.stdout.close()
            err = process.stderr.read()
            assert process.wait(60) == 0
        assert b"rror" not in err


def test_output_that_cannot_be_written_is_told(askwell: Askwell) -> None:
    askwell("index")
    for arguments in (askwell.arguments("search", "pump"), askwell.arguments("search", "--json", "pump"), ["--help"]):
        with Path("/dev/full").open("wb") as full:
            done = subprocess.run([*COMMAND, *arguments], stdout=full, stderr=subprocess.PIPE, check=False)
        assert done.returncode == 1
        assert b"error: No space left on device\n  hint: " in done.stderr
        assert b"Traceback" not in done.stderr
        assert b"fault in Askwell" not in done.stderr
    closed = subprocess.run(
        ["sh", "-c", 'exec "$@" >&- 2>&-', "sh", *COMMAND, *askwell.arguments("search", "pump")], check=False
    )
    assert closed.returncode == 0


def test_any_environment_will_do(askwell: Askwell) -> None:
    write(askwell.sources[0], {"脚本/größe 🐦.md": "MARK die Größe 血条"})
    bare = {"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(sys.path)}
    for extra in (
        {},
        {"HOME": "/nonexistent"},
        {"LANG": "C", "LC_ALL": "C"},
        {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    ):
        arguments = askwell.arguments("search", "--json", "MARK Größe")
        done = subprocess.run([*COMMAND, *arguments], env=bare | extra, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["hits"][0]["text"] == "MARK die Größe 血条"
        done = subprocess.run(
            [*COMMAND, *askwell.arguments("ask", "MARK")], env=bare | extra, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr
        assert b"MARK die Gr" in done.stdout


def terminal() -> tuple[int, int]:
    """Open a pseudo-terminal; a machine that has none says so, and fails where nobody would read it."""
    try:
        return os.openpty()
    except OSError as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(f"no pseudo-terminal on this machine: {error}")


def test_colour_is_for_terminals_alone(askwell: Askwell) -> None:
    askwell("index")
    assert b"\x1b" not in spawn(askwell.arguments("search", "pump"), environ={"TERM": "xterm"}).raw
    for environ, coloured in (({"NO_COLOR": ""}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)):
        ours, theirs = terminal()
        process = subprocess.Popen(
            [*COMMAND, *askwell.arguments("search", "-k", 1, "pump")],
            stdout=theirs,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "TERM": "xterm", **environ},
        )
        assert process.wait(60) == 0
        os.close(theirs)
        shown = os.read(ours, 10_000)
        os.close(ours)
        assert (b"\x1b[" in shown) is coloured


def _small_files() -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))


def test_a_disk_that_takes_no_more_costs_no_document_that_was_stored(askwell: Askwell) -> None:
    said = spawn(askwell.arguments("index"), preexec_fn=_small_files)
    assert said.code == 4
    assert "hint: " in said.err
    assert "Traceback" not in said.err
    before = askwell("status", "--json")
    assert before.code in (0, 4)
    rest = askwell("index", "--json").json
    assert rest["added"] + rest["unchanged"] == 200
    assert askwell.paths("pump 199 of the cellar", "-k", 1) == ["pump199.md"]


def _bound_by_permissions() -> None:
    """Take from root what lets it pass by permissions; other users are bound anyway."""
    for capability in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
        ctypes.CDLL(None).prctl(24, capability, 0, 0, 0)  # PR_CAPBSET_DROP


def test_what_may_not_be_read_is_told_and_the_rest_is_read(askwell: Askwell, tmp_path: Path) -> None:
    root = write(tmp_path / "locked", {"a.md": "MARKREAD", "closed.md": "x", "shut/b.md": "y"})
    made = Askwell(tmp_path, (root,))
    (root / "closed.md").chmod(0)
    (root / "shut").chmod(0)
    try:
        said = spawn(made.arguments("index", "--json"), preexec_fn=_bound_by_permissions)
        assert said.json["failed"] == [{"source": "locked", "path": "closed.md", "error": "permission denied"}]
        assert said.json["added"] == 1
        assert said.json["warnings"] == [
            "'locked' could not be listed whole: 'shut/' could not be listed: permission denied"
        ]
        assert made.paths("MARKREAD") == ["a.md"]
        root.chmod(0)
        again = spawn(made.arguments("index"), preexec_fn=_bound_by_permissions)
        assert again.code == 3
        assert "permission denied" in again.err
        found = spawn(made.arguments("search", "MARKREAD"), preexec_fn=_bound_by_permissions)
        assert (found.code, "a.md" in found.out) == (0, True)
        assert "may be behind" in found.err
    finally:
        for path in (root, root / "shut", root / "closed.md"):
            path.chmod(0o700)
    assert made("index", "--json").json["added"] == 2


def test_an_index_that_may_only_be_read_is_searched(askwell: Askwell, tmp_path: Path) -> None:
    home = tmp_path / "shelf"
    home.mkdir()
    made = Askwell(tmp_path, askwell.sources, index="shelf/index.db")
    made("index")
    write(askwell.sources[0], {"new.md": "a new note"})
    for path in home.iterdir():
        path.chmod(0o444)
    home.chmod(0o555)
    try:
        for command in (("search", "pump 7"), ("ask", "which pump of the cellar is blue"), ("status",), ("doctor",)):
            said = spawn(made.arguments(*command), preexec_fn=_bound_by_permissions)
            assert said.code == 0, said.err
        said = spawn(made.arguments("index"), preexec_fn=_bound_by_permissions)
        assert said.code == 4
        assert "cannot be written" in said.err
        assert "permissions" in said.err
    finally:
        home.chmod(0o755)


def test_settings_come_from_the_environment_too(askwell: Askwell) -> None:
    bare = ["search", "--source", str(askwell.sources[0]), "--index", str(askwell.folder / "e.db"), "--json", "pump"]
    environ = {"ASKWELL_MODELS__EMBEDDING": "none", "ASKWELL_RETRIEVAL__K": "3", "ASKWELL_PRIVACY__PERSONAL": "pump1*"}
    hits = json.loads(spawn(bare, environ=environ).raw)["hits"]
    assert len(hits) == 3
    opened = json.loads(spawn([*bare[:-1], "--open-only", "pump"], environ=environ).raw)["hits"]
    assert not [hit for hit in opened if hit["path"].startswith("pump1")]


def test_a_run_with_nothing_to_do_says_the_same_each_time(askwell: Askwell) -> None:
    write(askwell.sources[0], {"empty.md": ""})
    askwell("index")
    first, second = (spawn(askwell.arguments("index")) for _ in range(2))
    assert (first.code, first.raw.split(b" in ")[0], first.err) == (
        second.code,
        second.raw.split(b" in ")[0],
        second.err,
    )
    assert "unchanged 200" in second.out
    assert "empty.md: empty file" in second.err
    (askwell.folder / "settings.toml").write_text(WORDS_ONLY)
