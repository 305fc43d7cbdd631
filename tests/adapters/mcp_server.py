"""A server with nothing but the protocol for agents, on loopback, behind the real guard; and folders to serve."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
import time
from typing import TYPE_CHECKING, Any

import uvicorn
from starlette.applications import Starlette
from tests.adapters.command import WORDS_ONLY, Askwell

from askwell import compose
from askwell.config import load
from askwell.server.guard import Guard, Limits
from askwell.server.pool import EnginePool
from askwell.server.tokens import TokenFile

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import httpx

NOTES = {
    "pumps.md": "# Pumps\n\nThe garden pump runs at noon for 20 minutes. See [[valves]].\n",
    "valves.md": "# Valves\n\nThe brass valve is closed in winter.\n",
    "topics/water.md": "# Water\n\n- [[pumps]]\n- [[valves]]\n",
    "diary.md": "---\nsensitivity: personal\n---\n# Diary\n\nThe garden pump frightened zebulon. See [[valves]].\n",
}
"""Three open notes and a personal one, which is the only one to hold `zebulon`."""

HEADERS = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}


def indexed(folder: Path, *, settings: str = WORDS_ONLY, notes: dict[str, str] | None = None) -> Askwell:
    """Return commands over a folder of notes that is indexed."""
    for name, text in (NOTES if notes is None else notes).items():
        file = folder / "notes" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    askwell = Askwell(folder, (folder / "notes",), settings=settings)
    done = askwell("index")
    assert done.code == 0, done.err
    return askwell


@contextlib.contextmanager
def served(
    askwell: Askwell, *, include_personal: bool = False, stateless: bool = False, port: int = 0
) -> Iterator[tuple[str, TokenFile]]:
    """Serve an index; yield the address of the protocol and the tokens that are known."""
    from askwell.server.mcp.http import HttpProtocol  # its library is an extra

    config = load(
        file=askwell.folder / "settings.toml",
        environ={},
        sources=[str(source) for source in askwell.sources],
        flags={"store.url": str(askwell.folder / askwell.index)},
    )
    pool = EnginePool(compose.engines(config), most=4)
    protocol = HttpProtocol(lend=pool.lend, include_personal=include_personal, stateless=stateless)
    tokens = TokenFile(askwell.folder / "tokens.json")

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> Any:  # Any: as Starlette has it
        async with protocol.running():
            yield

    inner = Starlette(routes=protocol.routes(), lifespan=lifespan)
    app = Guard(inner, tokens=tokens, hosts=frozenset({"home.test"}), limits=Limits(per_minute=0))
    bound = socket.create_server(("127.0.0.1", port))
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=2))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
    thread.start()
    try:
        while not server.started:
            time.sleep(0.01)
        yield f"http://127.0.0.1:{bound.getsockname()[1]}/mcp", tokens
    finally:
        server.should_exit = True
        thread.join(20)
        bound.close()
        pool.close()


def message(method: str, params: dict[str, Any] | None = None, *, id: int = 1) -> dict[str, Any]:
    """Return a JSON-RPC request."""
    return {"jsonrpc": "2.0", "id": id, "method": method, "params": params or {}}


def call(name: str, arguments: dict[str, Any], *, id: int = 1) -> dict[str, Any]:
    """Return a request that calls a tool."""
    return message("tools/call", {"name": name, "arguments": arguments}, id=id)


def opened(client: httpx.Client, url: str, **headers: str) -> str:
    """Open a session; return its id."""
    reply = client.post(url, json=INITIALIZE, headers={**HEADERS, **headers})
    assert reply.status_code == 200, reply.text
    session: str = reply.headers["mcp-session-id"]
    told = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    assert client.post(url, json=told, headers=in_session(session, **headers)).status_code == 202
    return session


def in_session(session: str, **headers: str) -> dict[str, str]:
    """Return the headers of a request within a session."""
    return {**HEADERS, "Mcp-Session-Id": session, "Mcp-Protocol-Version": "2025-06-18", **headers}


def answered(reply: httpx.Response) -> Any:  # Any: the shape is the claim of the test
    """Return the one JSON-RPC message of a reply that is no notification, from JSON or from an event stream."""
    assert reply.status_code == 200, reply.text
    if reply.headers["content-type"].startswith("application/json"):
        return reply.json()
    events = [line.removeprefix("data:").strip() for line in reply.text.splitlines() if line.startswith("data:")]
    messages = [json.loads(event) for event in events if event]
    return next(one for one in messages if "id" in one)
