"""What the protocol for agents answers over HTTP: the official client, other people's requests, and nonsense."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

import anyio
import httpx
import pytest
from tests.adapters.mcp_server import (
    HEADERS,
    INITIALIZE,
    NOTES,
    answered,
    call,
    in_session,
    indexed,
    message,
    opened,
    served,
)

from askwell.server.mcp.offered import TOOLS

if TYPE_CHECKING:
    from collections.abc import Iterator

mcp = pytest.importorskip("mcp")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(indexed(tmp_path_factory.mktemp("served"))) as (url, _):
        yield url


@pytest.fixture
def client() -> Iterator[httpx.Client]:
    with httpx.Client(timeout=20) as made:
        yield made


def test_the_official_client_finds_every_tool_and_its_replies_fit_their_schemas(address: str) -> None:
    async def session() -> None:
        async with mcp.Client(address) as agent:
            listed = (await agent.list_tools()).tools
            assert [tool.name for tool in listed] == list(TOOLS)
            for tool in listed:
                assert tool.annotations.read_only_hint is True
                assert tool.annotations.destructive_hint is False
                assert tool.annotations.open_world_hint is (tool.name == "ask")
                assert tool.input_schema["additionalProperties"] is False
            # The client checks each result against the schema that the tool declared.
            for name, arguments in (
                ("search", {"question": "when does the garden pump run", "k": 2}),
                ("ask", {"question": "when is the brass valve closed"}),
                ("ask", {"question": "what do submarines weigh"}),
                ("read", {"path": "pumps.md"}),
                ("neighbors", {"path": "pumps.md"}),
                ("topics", {}),
                ("status", {}),
            ):
                result = await agent.call_tool(name, arguments)
                assert not result.is_error, result.content
                assert json.loads(result.content[0].text) == result.structured_content
                assert name == "status" or "never instructions" in result.structured_content["notice"]

    anyio.run(session)


def test_documents_are_resources_that_can_be_listed_read_and_completed(address: str) -> None:
    async def session() -> None:
        async with mcp.Client(address) as agent:
            listed = (await agent.list_resources()).resources
            assert [one.name for one in listed] == ["pumps.md", "topics/water.md", "valves.md"]
            for one in listed:
                (contents,) = (await agent.read_resource(one.uri)).contents
                assert contents.text == NOTES[one.name].rstrip("\n")
                assert contents.mime_type == "text/markdown"
            part = (await agent.read_resource(listed[0].uri + "?lines=3-3")).contents[0]
            assert part.text.startswith("The garden pump")
            assert part.meta["askwell/lines"] == [3, 3]
            (template,) = (await agent.list_resource_templates()).resource_templates
            ref = mcp.types.ResourceTemplateReference(uri=template.uri_template)
            found = (await agent.complete(ref, {"name": "path", "value": "pum"})).completion
            assert (found.values, found.total) == (["pumps.md"], 1)
            everything = (await agent.complete(ref, {"name": "path", "value": ""})).completion
            assert everything.total == 3

    anyio.run(session)


def test_a_long_list_comes_in_pages_and_a_long_document_in_parts(tmp_path_factory: pytest.TempPathFactory) -> None:
    notes = {f"note{n:03}.md": f"# Note {n}\n" for n in range(230)}
    notes["long.md"] = "# Long\n" + "".join(f"line {n} of a long document\n" for n in range(20_000))

    async def session(url: str) -> None:
        async with mcp.Client(url) as agent:
            names: list[str] = []
            cursor = None
            for _ in range(3):
                page = await agent.list_resources(cursor=cursor)
                names += [one.name for one in page.resources]
                cursor = page.next_cursor
                assert len(page.resources) <= 100
            assert cursor is None
            assert names == sorted(notes)
            ref = mcp.types.ResourceTemplateReference(uri="askwell://{source}/{+path}{?lines}")
            offered = (await agent.complete(ref, {"name": "path", "value": "note"})).completion
            assert (len(offered.values), offered.total, offered.has_more) == (100, 230, True)
            text, uri = "", "askwell://notes/long.md"
            while uri:
                part = (await agent.read_resource(uri)).contents[0]
                text += part.text + "\n"
                uri = part.meta.get("askwell/next", "")
            assert text == notes["long.md"]
            first = (await agent.call_tool("read", {"path": "long.md", "lines": 3})).structured_content
            assert (first["lines"], first["next_line"], first["total_lines"]) == ([1, 3], 4, 20_001)
            last = (await agent.call_tool("read", {"path": "long.md", "line": 20_001})).structured_content
            assert (last["text"], last["next_line"]) == ("line 19999 of a long document", None)

    with served(indexed(tmp_path_factory.mktemp("many"), notes=notes)) as (url, _):
        anyio.run(session, url)


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("search", {}, "`question`"),
        ("search", {"question": "pump", "k": 51}, "less than or equal to 50"),
        ("search", {"question": "pump", "k": 0}, "greater than or equal to 1"),
        ("search", {"question": "pump", "depth": 3}, "`depth`"),
        ("search", {"question": "?!"}, "nothing to search for"),
        ("search", {"question": "x" * 200_001}, "200001 characters"),
        ("search", {"question": "pump", "kind": ["not"]}, "did you mean `note`"),
        ("search", {"question": "pump", "after": "soon"}, "2026-01-31"),
        ("search", {"question": "pump", "source": ["not"]}, "unknown source"),
        ("ask", {"question": "pump", "profile": "doc"}, "did you mean `docs`"),
        ("read", {"path": "nowhere.md"}, "no document 'nowhere.md'"),
        ("read", {"path": "sub/pumps.md"}, "did you mean `pumps.md`"),
        ("read", {"path": "pumps.md", "lines": 2001}, "less than or equal to 2000"),
        ("read", {"path": "../../etc/passwd"}, "no document"),
        ("neighbors", {"path": "pumps.md", "limit": 501}, "less than or equal to 500"),
        ("topics", {"offset": -1}, "greater than or equal to 0"),
        ("status", {"verbose": True}, "this tool's arguments: none"),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_wrong_arguments_are_told_to_the_model_with_the_next_step(
    address: str, client: httpx.Client, name: str, arguments: dict[str, Any], said: str
) -> None:
    session = opened(client, address)
    result = answered(client.post(address, json=call(name, arguments), headers=in_session(session)))["result"]
    assert result["isError"] is True
    (content,) = result["content"]
    assert said in content["text"]
    assert "Traceback" not in content["text"]


def test_requests_that_have_no_result_are_errors_of_the_protocol(address: str, client: httpx.Client) -> None:
    session = opened(client, address)

    def error(method: str, params: dict[str, Any]) -> dict[str, Any]:
        reply = answered(client.post(address, json=message(method, params), headers=in_session(session)))
        found: dict[str, Any] = reply["error"]
        return found

    assert "search, read" in error("tools/call", {"name": "delete", "arguments": {}})["message"]
    assert error("resources/read", {"uri": "askwell://notes/nowhere.md"})["code"] == -32602
    assert error("resources/read", {"uri": "file:///etc/passwd"})["message"] == "Resource not found"
    assert "range of lines" in error("resources/read", {"uri": "askwell://notes/pumps.md?lines=9-1"})["message"]
    assert "cursor" in error("resources/list", {"cursor": "bogus"})["message"]
    assert error("prompts/list", {})["code"] == -32601


def test_the_address_is_answered_without_a_redirect_with_and_without_a_slash(
    address: str, client: httpx.Client
) -> None:
    for url in (address, address + "/"):
        assert client.post(url, json=INITIALIZE, headers=HEADERS).status_code == 200


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": "http://elsewhere.test"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Host": "elsewhere.test"}, 421),
        ({"Host": "home.test"}, 401),
        ({"Host": "home.test", "Authorization": "Bearer askwell_unknown"}, 401),
        ({"Authorization": "Bearer askwell_unknown"}, 401),
        ({"Accept": "text/html"}, 406),
        ({"Content-Type": "text/plain"}, 400),
        ({"Mcp-Session-Id": "0" * 32}, 404),
    ],
    ids=repr,
)
def test_requests_that_are_not_meant_for_it_are_refused(
    address: str, client: httpx.Client, headers: dict[str, str], status: int
) -> None:
    assert client.post(address, json=INITIALIZE, headers={**HEADERS, **headers}).status_code == status


def test_a_body_that_is_no_message_is_refused_and_nothing_breaks(address: str, client: httpx.Client) -> None:
    session = opened(client, address)
    batch = json.dumps([message("ping"), message("tools/list", id=2)])
    for body in (
        b"", b"{", b"null", b"[]", batch, b"\xff\xfe", b'"text"', b"[" * 100_000, b'{"jsonrpc": "2.0"}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"question":"\\ud800"}}}',
    ):  # fmt: skip
        assert client.post(address, content=body, headers=in_session(session)).status_code == 400
    assert client.post(address, content=b" " * 1_000_001, headers=in_session(session)).status_code == 413
    assert client.put(address, content=b"{}", headers=in_session(session)).status_code == 405
    assert "result" in answered(client.post(address, json=message("ping"), headers=in_session(session)))


@pytest.mark.parametrize("seed", range(4))
def test_nonsense_is_never_a_fault_of_the_server(address: str, client: httpx.Client, seed: int) -> None:
    draw = random.Random(seed)
    names = ("name", "arguments", "question", "k", "path", "source", "uri", "cursor", "line", "_meta", "ref", "tag")
    texts = ("", "search", "pumps.md", "askwell://notes/pumps.md", "\0", "\U0001f600", "..", "A" * 3000, "{")

    def value(depth: int = 0) -> object:
        match draw.randrange(8 if depth < 3 else 5):
            case 0:
                return draw.choice([None, True, False])
            case 1:
                return draw.choice([0, -1, 2**63, 10**30, 1.5, 1e308])
            case 2 | 3:
                return draw.choice(texts)
            case 4:
                return "".join(chr(draw.randrange(1, 0x2FF)) for _ in range(draw.randrange(20)))
            case 5:
                return [value(depth + 1) for _ in range(draw.randrange(4))]
            case _:
                return {draw.choice(names): value(depth + 1) for _ in range(draw.randrange(5))}

    session = opened(client, address)
    for number in range(60):
        method = draw.choice(["tools/call", "tools/call", "resources/read", "resources/list", "completion/complete"])
        params: object = value()
        if draw.random() < 0.6:
            params = {
                "tools/call": {"name": draw.choice([*TOOLS]), "arguments": {"question": value(), "path": value()}},
                "resources/read": {"uri": value()},
                "resources/list": {"cursor": value()},
                "completion/complete": {"ref": {"type": "ref/resource", "uri": value()}, "argument": value()},
            }[method]
        body = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        raw = bytearray(json.dumps(body).encode())
        if draw.random() < 0.2:
            raw[draw.randrange(len(raw))] = draw.randrange(256)
        reply = client.post(address, content=bytes(raw), headers=in_session(session))
        assert reply.status_code < 500
        assert "fault in Askwell" not in reply.text
        assert '"code":0' not in reply.text


def test_a_session_is_only_its_callers(tmp_path_factory: pytest.TempPathFactory, client: httpx.Client) -> None:
    with served(indexed(tmp_path_factory.mktemp("callers"))) as (url, tokens):
        one = {"Authorization": f"Bearer {tokens.add('one', open_only=False)}"}
        two = {"Authorization": f"Bearer {tokens.add('two', open_only=False)}"}
        session = opened(client, url, **one)
        request = call("status", {})
        assert client.post(url, json=request, headers=in_session(session, **one)).status_code == 200
        assert client.post(url, json=request, headers=in_session(session, **two)).status_code == 404
        assert client.delete(url, headers=in_session(session)).status_code == 404
        assert client.post(url, json=request, headers=in_session(session, **one)).status_code == 200
