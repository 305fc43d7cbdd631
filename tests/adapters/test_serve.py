"""`askwell serve` as a process: ready soon, private by default, ended in peace."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import sqlite3
import subprocess
import threading
import time
from typing import TYPE_CHECKING

import httpx
from tests.adapters.command import COMMAND
from tests.adapters.server import indexed

from askwell.testing.fake_openai import STALL, FakeOpenAI, Reply, said

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import pytest
    from tests.adapters.command import Askwell

ASKED = {"question": "when does the garden pump run?"}


@contextlib.contextmanager
def serving(askwell: Askwell, *options: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    arguments = [*COMMAND, *askwell.arguments("serve", "--port", "0", *options)]
    state = {"XDG_STATE_HOME": str(askwell.folder / "state")}
    process = subprocess.Popen(arguments, stderr=subprocess.PIPE, text=True, env={**os.environ, **state})
    assert process.stderr is not None
    lines: list[str] = []
    try:
        for line in process.stderr:
            lines.append(line)
            if found := re.search(r"http://[\w.:\[\]]+/", line):
                break
        else:
            raise AssertionError("".join(lines))
        drain = threading.Thread(target=lambda: lines.extend(process.stderr or ()), daemon=True)
        drain.start()
        base = found[0].rstrip("/")
        for _ in range(200):
            with contextlib.suppress(httpx.TransportError):
                if httpx.get(f"{base}/readyz").status_code == 200:
                    break
            time.sleep(0.05)
        yield base, process
    finally:
        process.terminate()
        process.wait(20)
        process.stderr.close()


def test_a_signal_ends_a_stream_with_an_error_and_the_process(tmp_path: Path) -> None:
    with FakeOpenAI() as model:
        settings = f'[models]\nembedding = "none"\ngeneration = "openai:m"\ngeneration_url = "{model.url}"\n'
        askwell = indexed(tmp_path, settings=settings)
        model.reply(
            Reply(type="text/event-stream", steps=(said("The garden pump runs at noon [1]. "), said("It "), STALL))
        )
        with serving(askwell, "--no-index") as (base, process):
            with httpx.stream("POST", f"{base}/api/ask", json=ASKED, timeout=20) as reply:
                lines = reply.iter_lines()
                assert next(lines) == "event: delta"
                process.send_signal(signal.SIGTERM)
                rest = "\n".join(lines)
            assert "event: error" in rest
            assert "event: done" not in rest
            assert process.wait(10) == 0
        assert model.gone.wait(5)


def test_a_signal_in_an_index_run_leaves_a_good_index(tmp_path: Path) -> None:
    askwell = indexed(tmp_path)
    for number in range(400):
        (askwell.sources[0] / f"n{number}.md").write_text(f"# Note {number}\n\nThe siphon {number}.\n" * 40, "utf-8")
    with serving(askwell) as (base, process):
        for _ in range(200):
            if httpx.get(f"{base}/api/index").json()["running"]:
                break
            time.sleep(0.02)
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0
    with contextlib.closing(sqlite3.connect(tmp_path / "index.db")) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert askwell("index").code == 0
    assert askwell.hits("siphon 399")


def test_elsewhere_needs_a_token(tmp_path: Path) -> None:
    askwell = indexed(tmp_path)
    refused = askwell("serve", "--host", "0.0.0.0")
    assert refused.code == 2
    assert "--add-token" in refused.err


def test_tokens_are_made_listed_and_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    askwell = indexed(tmp_path)
    token = askwell("serve", "--add-token", "phone", "--open-only").out.strip()
    kept = next((tmp_path / "state").rglob("tokens.json"))
    assert token.startswith("askwell_")
    assert token not in kept.read_text("utf-8")
    assert kept.stat().st_mode & 0o077 == 0
    assert "phone  (open documents only)" in askwell("serve", "--tokens").out
    assert askwell("serve", "--remove-token", "phone").code == 0
    assert askwell("serve", "--remove-token", "phone").code == 2
    assert askwell("serve", "--tokens").out == ""


def test_a_port_that_is_taken_is_told(tmp_path: Path) -> None:
    askwell = indexed(tmp_path)
    with serving(askwell, "--no-index") as (base, _):
        refused = askwell("serve", "--port", base.rpartition(":")[2])
    assert refused.code == 2
    assert "--port" in refused.err
