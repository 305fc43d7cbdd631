from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest

from askwell.server.guard import SECURITY_HEADERS, Budgets, Guard, Limits, is_loopback_name
from askwell.server.tokens import TokenFile

if TYPE_CHECKING:
    from collections.abc import MutableMapping
    from pathlib import Path

    from starlette.types import Message, Receive, Scope, Send


class Reply:
    """What a request got."""

    def __init__(self) -> None:
        self.status = 0
        self.headers: dict[str, str] = {}
        self.body = b""

    @property
    def json(self) -> Any:  # Any: the shape is the claim of the test
        return json.loads(self.body)


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer with the caller and the length of the body."""
    length = 0
    while True:
        message = await receive()
        length += len(message.get("body", b""))
        if not message.get("more_body"):
            break
    caller = scope["state"]["caller"]
    body = json.dumps({"name": caller.name, "open_only": caller.open_only, "length": length}).encode()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": body})


def ask(guard: Guard, *, path: str = "/api/search", body: tuple[bytes, ...] = (b"",), **headers: str) -> Reply:
    """Send one request; `_` in the name of a header stands for `-`."""
    reply = Reply()
    pieces = [{"type": "http.request", "body": piece, "more_body": n + 1 < len(body)} for n, piece in enumerate(body)]

    async def receive() -> Message:
        return pieces.pop(0) if pieces else {"type": "http.disconnect"}

    async def send(message: MutableMapping[str, Any]) -> None:  # Any: as ASGI types it
        if message["type"] == "http.response.start":
            reply.status = message["status"]
            reply.headers = {name.decode(): value.decode() for name, value in message["headers"]}
        else:
            reply.body += message.get("body", b"")

    headers = {"host": "localhost:8420", **headers}
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope: Scope = {"type": "http", "path": path, "method": "POST", "headers": raw}
    asyncio.run(guard(scope, receive, send))
    return reply


@pytest.fixture
def tokens(tmp_path: Path) -> TokenFile:
    return TokenFile(tmp_path / "state" / "tokens.json")


def test_the_person_at_this_machine_needs_no_token(tokens: TokenFile) -> None:
    reply = ask(Guard(echo, tokens=tokens))
    assert (reply.status, reply.json["name"], reply.json["open_only"]) == (200, "owner", False)


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8420", "127.0.0.1.evil.example", "", "[::1", "10.0.0.7"]
)
def test_a_foreign_name_for_this_machine_is_refused(tokens: TokenFile, host: str) -> None:
    reply = ask(Guard(echo, tokens=tokens), host=host)
    assert reply.status == 421
    assert reply.json["hint"]


@pytest.mark.parametrize(
    "host", ["localhost", "127.0.0.1:8420", "[::1]:8420", "LOCALHOST:1", "localhost.", "x.localhost"]
)
def test_every_loopback_name_is_ours(tokens: TokenFile, host: str) -> None:
    assert ask(Guard(echo, tokens=tokens), host=host).status == 200


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "http://localhost:9999", "http://localhost", "garbage"]
)
def test_another_sites_page_is_refused(tokens: TokenFile, origin: str) -> None:
    assert ask(Guard(echo, tokens=tokens), origin=origin).status == 403


def test_our_own_page_is_not(tokens: TokenFile) -> None:
    assert ask(Guard(echo, tokens=tokens), origin="http://localhost:8420").status == 200


@pytest.mark.parametrize(("mode", "status"), [("no-cors", 403), ("cors", 403), ("navigate", 200)])
def test_what_another_site_embeds_is_refused_and_what_it_links_to_is_not(
    tokens: TokenFile, mode: str, status: int
) -> None:
    assert ask(Guard(echo, tokens=tokens), sec_fetch_site="cross-site", sec_fetch_mode=mode).status == status


def test_elsewhere_a_token_is_needed_and_decides_what_may_be_seen(tokens: TokenFile) -> None:
    guard = Guard(echo, tokens=tokens, hosts=frozenset({"notes.lan"}), loopback=False)
    assert ask(guard, host="notes.lan").status == 401
    assert ask(guard).status == 401
    secret = tokens.add("phone", open_only=True)
    reply = ask(guard, host="notes.lan", authorization=f"Bearer {secret}")
    assert (reply.status, reply.json["name"], reply.json["open_only"]) == (200, "phone", True)
    assert ask(guard, host="notes.lan", cookie=f"askwell_token={secret}").status == 200
    tokens.remove("phone")
    assert ask(guard, host="notes.lan", authorization=f"Bearer {secret}").status == 401


def test_a_wrong_token_is_refused_at_this_machine_too(tokens: TokenFile) -> None:
    reply = ask(Guard(echo, tokens=tokens), authorization="Bearer nonsense")
    assert reply.status == 401
    assert reply.headers["www-authenticate"].startswith("Bearer")


def test_liveness_needs_no_token(tokens: TokenFile) -> None:
    reply = ask(
        Guard(echo, tokens=tokens, hosts=frozenset({"notes.lan"}), loopback=False), path="/healthz", host="notes.lan"
    )
    assert (reply.status, reply.json["open_only"]) == (200, True)


def test_a_body_is_bounded_whether_its_length_is_told_or_not(tokens: TokenFile) -> None:
    guard = Guard(echo, tokens=tokens, limits=Limits(body=10))
    assert ask(guard, body=(b"12345", b"67890")).json["length"] == 10
    assert ask(guard, body=(b"12345", b"678901")).status == 413
    assert ask(guard, content_length="11").status == 413
    assert ask(guard, content_length="-1").status == 400
    assert ask(guard, content_length="9" * 5000).status == 400


def test_too_many_requests_are_told_when_to_come_back(tokens: TokenFile) -> None:
    now = [0.0]
    guard = Guard(echo, tokens=tokens, limits=Limits(per_minute=2), clock=lambda: now[0])
    assert [ask(guard).status for _ in range(3)] == [200, 200, 429]
    assert ask(guard).headers["retry-after"] == "30"
    now[0] = 31.0
    assert [ask(guard).status for _ in range(2)] == [200, 429]


def test_a_budget_of_nothing_is_no_limit() -> None:
    budgets = Budgets(0, lambda: 0.0)
    assert not any(budgets.take("me") for _ in range(1000))


@pytest.mark.parametrize("host", ["localhost", "evil.example"])
def test_every_reply_carries_the_headers_that_keep_a_page_in_its_place(tokens: TokenFile, host: str) -> None:
    reply = ask(Guard(echo, tokens=tokens), host=host)
    assert {name.lower() for name in SECURITY_HEADERS} <= {name.lower() for name in reply.headers}
    assert "access-control-allow-origin" not in reply.headers


@pytest.mark.parametrize(
    ("name", "ours"), [("127.5.5.5", True), ("::1", True), ("0.0.0.0", False), ("localhost.evil", False)]
)
def test_a_loopback_name_can_only_mean_this_machine(name: str, *, ours: bool) -> None:
    assert is_loopback_name(name) is ours
