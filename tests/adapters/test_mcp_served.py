"""The protocol for agents as a part of the whole server: its guard, its tokens, its end, and cancelled models."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

import anyio
import anyio.to_thread
import httpx
import pytest
from tests.adapters import mcp_server, server
from tests.adapters.command import WORDS_ONLY
from tests.adapters.mcp_server import HEADERS, INITIALIZE, answered, call, in_session, indexed, opened

from askwell.testing.fake_openai import STALL, FakeOpenAI, Reply, said

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.adapters.command import Askwell

mcp = pytest.importorskip("mcp")

PATIENCE = 30.0
WRITING = Reply(type="text/event-stream", steps=(said("The brass valve is closed in winter [1]. "), STALL))
QUESTION = {"question": "when is the brass valve closed"}


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_official_client_works_against_the_whole_server(tmp_path: Path, mode: str) -> None:
    async def session(url: str) -> None:
        async with mcp.Client(url, mode=mode) as agent:
            found = await agent.call_tool("search", {"question": "garden pump"})
            assert found.structured_content["hits"][0]["path"] == "pumps.md"
            assert (await agent.list_resources()).resources[0].name == "pumps.md"

    with server.served(indexed(tmp_path)) as (url, _):
        anyio.run(session, f"{url}/mcp")


def test_a_token_is_needed_by_another_name_and_says_what_may_be_seen(tmp_path: Path) -> None:
    with server.served(indexed(tmp_path), mcp__include_personal=True) as (url, parts), httpx.Client() as client:
        named = {"Host": "home.test"}
        assert client.post(f"{url}/mcp", json=INITIALIZE, headers={**HEADERS, **named}).status_code == 401
        seen = {}
        for name, open_only in (("full", False), ("guest", True)):
            token = {**named, "Authorization": f"Bearer {parts.tokens.add(name, open_only=open_only)}"}
            session = opened(client, f"{url}/mcp", **token)
            found = client.post(
                f"{url}/mcp", json=call("search", {"question": "zebulon"}), headers=in_session(session, **token)
            )
            seen[name] = [hit["path"] for hit in answered(found)["result"]["structuredContent"]["hits"]]
        assert seen["full"][0] == "diary.md"
        assert "diary.md" not in seen["guest"]


def test_settings_of_the_server_hold_for_it(tmp_path: Path) -> None:
    with server.served(indexed(tmp_path), mcp__stateless=True, server__max_body=2000) as (url, _):
        reply = httpx.post(f"{url}/mcp", json=call("search", {"question": "garden pump"}), headers=HEADERS)
        assert reply.headers["content-type"] == "application/json"
        long = httpx.post(f"{url}/mcp", json=call("search", {"question": "x" * 3000}), headers=HEADERS)
        assert long.status_code == 413


def test_without_the_extra_its_address_names_the_command_that_installs_it(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "sys.modules['mcp'] = sys.modules['mcp_types'] = None\n"
        "import httpx\n"
        "from pathlib import Path\n"
        "from tests.adapters.server import indexed, served\n"
        f"with served(indexed(Path({str(tmp_path)!r}))) as (url, _):\n"
        "    print(httpx.post(f'{url}/mcp', json={}, timeout=60).text)\n"
        "    print(httpx.get(f'{url}/healthz', timeout=60).text)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pip install 'askwell[mcp]'" in done.stdout
    assert '{"alive":true}' in done.stdout


def until(holds: Callable[[], object]) -> None:
    """Wait until something holds; fail if it never does."""
    ends = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < ends
        time.sleep(0.02)


def asking(folder: Path, model: FakeOpenAI) -> Askwell:
    return indexed(folder, settings=f'{WORDS_ONLY}generation = "openai:m"\ngeneration_url = "{model.url}"\n')


def in_background(work: Callable[[], object]) -> threading.Thread:
    thread = threading.Thread(target=work)
    thread.start()
    return thread


def test_a_cancelled_answer_ends_the_models_work(tmp_path: Path) -> None:
    with FakeOpenAI() as model, mcp_server.served(asking(tmp_path, model)) as (url, _), httpx.Client() as client:
        session = opened(client, url)
        model.reply(WRITING)
        ended: list[httpx.Response] = []
        asked = in_background(
            lambda: ended.append(
                httpx.post(url, json=call("ask", QUESTION, id=7), headers=in_session(session), timeout=PATIENCE)
            )
        )
        until(lambda: model.requests)
        cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}}
        assert client.post(url, json=cancel, headers=in_session(session)).status_code == 202
        assert model.gone.wait(PATIENCE)
        asked.join(PATIENCE)
        assert "error" in answered(ended[0])
        again = client.post(url, json=call("search", QUESTION), headers=in_session(session))
        assert answered(again)["result"]["structuredContent"]["hits"]


def test_a_client_that_goes_away_ends_the_models_work(tmp_path: Path) -> None:
    async def session(url: str, model: FakeOpenAI) -> None:
        async with mcp.Client(url) as agent:  # in the protocol of 2026, going away is cancelling
            with anyio.move_on_after(PATIENCE) as waiting:

                async def ask() -> None:
                    await agent.call_tool("ask", QUESTION)

                async with anyio.create_task_group() as tasks:
                    tasks.start_soon(ask)
                    await anyio.to_thread.run_sync(until, lambda: model.requests)
                    tasks.cancel_scope.cancel()
            assert not waiting.cancelled_caught

    with FakeOpenAI() as model, mcp_server.served(asking(tmp_path, model)) as (url, _):
        model.reply(WRITING)
        anyio.run(session, url, model)
        assert model.gone.wait(PATIENCE)


def test_a_session_that_is_deleted_ends_the_models_work(tmp_path: Path) -> None:
    with FakeOpenAI() as model, mcp_server.served(asking(tmp_path, model)) as (url, _), httpx.Client() as client:
        session = opened(client, url)
        model.reply(WRITING)
        asked = in_background(
            lambda: httpx.post(url, json=call("ask", QUESTION, id=7), headers=in_session(session), timeout=PATIENCE)
        )
        until(lambda: model.requests)
        assert client.delete(url, headers=in_session(session)).status_code == 200
        assert model.gone.wait(PATIENCE)
        asked.join(PATIENCE)


def test_a_server_that_stops_does_not_wait_for_a_model(tmp_path: Path) -> None:
    with FakeOpenAI() as model:
        with mcp_server.served(asking(tmp_path, model)) as (url, _), httpx.Client() as client:
            session = opened(client, url)
            model.reply(WRITING)

            def ask() -> None:
                with pytest.raises(httpx.HTTPError):
                    httpx.post(url, json=call("ask", QUESTION), headers=in_session(session), timeout=PATIENCE)

            asked = in_background(ask)
            until(lambda: model.requests)
        assert model.gone.wait(PATIENCE)
        asked.join(PATIENCE)
