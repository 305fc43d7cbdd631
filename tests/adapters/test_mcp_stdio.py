"""`askwell mcp` as the program that starts it sees it: a process with a protocol on its pipes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from queue import Empty, Queue
from typing import TYPE_CHECKING, Any

import anyio
import pytest
from tests.adapters.command import COMMAND, WORDS_ONLY, Askwell
from tests.adapters.mcp_server import INITIALIZE, call, indexed, message

from askwell.testing.fake_openai import STALL, FakeOpenAI, Reply, said

if TYPE_CHECKING:
    from pathlib import Path

mcp = pytest.importorskip("mcp")

PATIENCE = 60.0


class Process:
    """`askwell mcp`, with what it says on stdout as it comes. Use it as a context."""

    def __init__(self, askwell: Askwell) -> None:
        self._process = subprocess.Popen(
            [*COMMAND, *askwell.arguments("mcp")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONWARNINGS": "always"},
        )
        self._lines: Queue[bytes] = Queue()
        self._errors: list[bytes] = []
        self._readers = [threading.Thread(target=self._read), threading.Thread(target=self._listen)]
        for reader in self._readers:
            reader.start()

    def __enter__(self) -> Process:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self.ended()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line)

    def _listen(self) -> None:
        assert self._process.stderr is not None
        self._errors.extend(self._process.stderr)

    def raw(self, line: bytes) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + b"\n")
        self._process.stdin.flush()

    def send(self, *messages: dict[str, Any]) -> None:
        for one in messages:
            self.raw(json.dumps(one).encode())

    def next(self, *, within: float = PATIENCE) -> Any:  # Any: the shape is the claim of the test
        """Return the next message; fails if what is on stdout is none."""
        found = json.loads(self._lines.get(timeout=within))
        assert found["jsonrpc"] == "2.0"
        return found

    def reply(self, id: int) -> Any:  # Any: as above
        while (found := self.next()).get("id") != id:
            pass
        return found

    def begin(self) -> None:
        self.send(INITIALIZE, {"jsonrpc": "2.0", "method": "notifications/initialized"})
        assert self.reply(0)["result"]["serverInfo"]["name"] == "askwell"

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()

    def signal(self, number: int) -> None:
        self._process.send_signal(number)

    def ended(self) -> tuple[int, str]:
        """Wait for its end; return its exit code and what it said on stderr. What is left of stdout is messages."""
        code = self._process.wait(PATIENCE)
        for reader in self._readers:
            reader.join(PATIENCE)
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None and not stream.closed:
                stream.close()
        while True:
            try:
                assert json.loads(self._lines.get_nowait())["jsonrpc"] == "2.0"
            except Empty:
                return code, b"".join(self._errors).decode()


def test_the_official_client_works_over_pipes(tmp_path: Path) -> None:
    notes = indexed(tmp_path)
    program = mcp.StdioServerParameters(
        command=COMMAND[0], args=[*COMMAND[1:], *notes.arguments("mcp")], env=dict(os.environ)
    )

    async def session() -> None:
        async with mcp.Client(mcp.stdio_client(program)) as agent:
            assert len((await agent.list_tools()).tools) == 6
            found = await agent.call_tool("search", {"question": "when is the brass valve closed"})
            assert found.structured_content["hits"][0]["path"] == "valves.md"
            told = await agent.call_tool("ask", {"question": "when is the brass valve closed"})
            assert told.structured_content["outcome"] == "answer"
            assert "winter" in told.structured_content["text"]
            assert told.structured_content["citations"][0]["lines"] == [3, 3]

    anyio.run(session)


def test_stdout_carries_the_protocol_alone_and_the_process_ends_with_stdin(tmp_path: Path) -> None:
    with Process(indexed(tmp_path)) as process:
        process.begin()
        process.raw(b"this is no message")
        process.raw(b'{"jsonrpc": "2.0", "id": ')
        process.raw(b"[" * 50_000)
        process.send(call("search", {"question": "pump"}, id=1), message("no/such", id=2), message("ping", id=3))
        replies = {found["id"]: found for found in (process.next() for _ in range(3))}
        assert replies[1]["result"]["structuredContent"]["hits"]
        assert replies[2]["error"]["code"] == -32601
        assert replies[3]["result"] == {}
        process.close()
        code, err = process.ended()
    assert code == 0
    assert "Traceback" not in err
    assert "Warning" not in err


def test_without_an_index_it_starts_and_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "pumps.md").write_text("# Pumps\n\nThe garden pump runs at noon.\n")
    notes = Askwell(tmp_path, (tmp_path / "notes",), WORDS_ONLY)
    with Process(notes) as process:
        process.begin()
        for id, name in enumerate(("search", "ask"), start=1):
            process.send(call(name, {"question": "garden pump"}, id=id))
            result = process.reply(id)["result"]
            assert result["isError"] is True
            assert "askwell index" in result["content"][0]["text"]
        process.send(message("resources/list", id=5))
        assert "askwell index" in process.reply(5)["error"]["data"]["hint"]
        assert notes("index").code == 0
        process.send(call("search", {"question": "garden pump"}, id=6))
        assert process.reply(6)["result"]["structuredContent"]["hits"][0]["path"] == "pumps.md"


def test_an_index_that_is_made_anew_is_read(tmp_path: Path) -> None:
    notes = indexed(tmp_path)
    with Process(notes) as process:
        process.begin()
        process.send(call("search", {"question": "garden pump"}, id=1))
        assert process.reply(1)["result"]["structuredContent"]["hits"]
        for file in tmp_path.glob("index.db*"):
            file.unlink()
        (tmp_path / "notes" / "pumps.md").write_text("# Pumps\n\nThe garden pump runs at midnight.\n")
        assert notes("index").code == 0
        process.send(call("search", {"question": "garden pump"}, id=2))
        assert "midnight" in process.reply(2)["result"]["structuredContent"]["hits"][0]["text"]


def test_personal_documents_are_shown_only_where_the_settings_say_so(tmp_path: Path) -> None:
    found = []
    for setting in ("", "[mcp]\ninclude_personal = true\n"):
        with Process(indexed(tmp_path, settings=WORDS_ONLY + setting)) as process:
            process.begin()
            process.send(call("search", {"question": "zebulon"}, id=1))
            hits = process.reply(1)["result"]["structuredContent"]["hits"]
            found.append("diary.md" in [hit["path"] for hit in hits])
    assert found == [False, True]


def test_reads_go_on_while_an_index_run_writes(tmp_path: Path) -> None:
    notes = indexed(tmp_path, notes={f"note{n}.md": f"# Note {n}\n\nThe pump {n} is blue.\n" for n in range(300)})
    with Process(notes) as process:
        process.begin()
        run = threading.Thread(target=notes, args=("index", "--rebuild"))
        run.start()
        id, during = 1, 0
        while run.is_alive():
            process.send(call("search", {"question": "pump"}, id=id), call("read", {"path": "note7.md"}, id=id + 1))
            replies = [process.next(), process.next()]
            assert not [reply for reply in replies if reply["result"].get("isError")]
            id, during = id + 2, during + 1
        run.join()
        assert during


def test_a_damaged_index_is_an_error_of_the_call(tmp_path: Path) -> None:
    notes = indexed(tmp_path)
    (tmp_path / "index.db").write_bytes(b"this is no database" * 1000)
    with Process(notes) as process:
        process.begin()
        process.send(call("status", {}, id=1))
        result = process.reply(1)["result"]
        assert result["isError"] is True
        assert "hint:" in result["content"][0]["text"]
        process.close()
        assert process.ended()[0] == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_without_a_word(tmp_path: Path, number: int) -> None:
    with Process(indexed(tmp_path)) as process:
        process.begin()
        process.signal(number)
        code, err = process.ended()
    assert code == -number
    assert err == ""


def asking(folder: Path, server: FakeOpenAI) -> Askwell:
    models = f'{WORDS_ONLY}generation = "openai:m"\ngeneration_url = "{server.url}"\n'
    return indexed(folder, settings=models)


WRITING = Reply(type="text/event-stream", steps=(said("The brass valve is closed in winter [1]. "), STALL))


def until_asked(process: Process, server: FakeOpenAI) -> None:
    """Wait until the model was asked; the process answers other requests meanwhile."""
    for _ in range(600):
        if server.requests:
            return
        process.send(message("ping", id=2))
        process.reply(2)
        time.sleep(0.05)
    pytest.fail("the model was not asked")


def ask(id: int) -> dict[str, Any]:
    request = call("ask", {"question": "when is the brass valve closed"}, id=id)
    request["params"]["_meta"] = {"progressToken": "token"}
    return request


def test_an_answer_tells_how_far_it_is_and_a_cancelled_one_ends_the_models_work(tmp_path: Path) -> None:
    with FakeOpenAI() as server:
        notes = asking(tmp_path, server)
        server.reply(WRITING)
        with Process(notes) as process:
            process.begin()
            process.send(ask(1))
            told = process.next()
            assert told["method"] == "notifications/progress"
            assert told["params"]["progressToken"] == "token"
            assert told["params"]["message"] == "looking for passages"
            until_asked(process, server)
            process.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}})
            assert server.gone.wait(PATIENCE)
            process.send(ask(3))
            assert process.reply(3)["result"]["structuredContent"]["outcome"] in ("answer", "abstention")


def test_closing_stdin_ends_a_process_whose_model_does_not_answer(tmp_path: Path) -> None:
    with FakeOpenAI() as server:
        notes = asking(tmp_path, server)
        server.reply(WRITING)
        with Process(notes) as process:
            process.begin()
            process.send(ask(1))
            until_asked(process, server)
            process.close()
            code, err = process.ended()
        assert code == 0
        assert "Traceback" not in err


def test_without_the_extra_it_names_the_command_that_installs_it(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "sys.modules['mcp'] = sys.modules['mcp_types'] = None\n"
        "from askwell.cli.main import main\n"
        f"sys.exit(main({indexed(tmp_path).arguments('mcp')!r}))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "pip install 'askwell[mcp]'" in done.stderr
    assert "Traceback" not in done.stderr


def test_turned_off_it_says_so_and_contacts_nothing(tmp_path: Path) -> None:
    notes = indexed(tmp_path)
    off = Askwell(notes.folder, notes.sources, settings=f"enabled = false\n{WORDS_ONLY}")
    done = off("mcp")
    assert (done.code, done.out) == (0, "")
    assert "turned off" in done.err
