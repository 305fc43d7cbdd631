"""REST and event streams over a real connection: shapes, refusals, who sees what, what ends a model's work."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from tests.adapters.server import indexed, served

from askwell.testing.fake_openai import STALL, FakeOpenAI, Reply, completion, said

if TYPE_CHECKING:
    from collections.abc import Iterator

    from askwell.server.services import Services

SSE = "text/event-stream"

NOWHERE = {"question": "how tall is the eiffel tower in paris"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Services]]:
    with served(indexed(tmp_path_factory.mktemp("rest"))) as found:
        yield found


@pytest.fixture(scope="module")
def limited(server: tuple[str, Services]) -> dict[str, str]:
    return {"Authorization": f"Bearer {server[1].tokens.add('reader', open_only=True)}"}


def events(text: str) -> list[tuple[str, Any]]:
    found = []
    for block in text.split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.split("\n") if ": " in line and not line.startswith(":"))
        if "data" in lines:
            found.append((lines.get("event", ""), json.loads(lines["data"])))
    return found


def test_a_search_has_the_shape_of_the_command(server: tuple[str, Services]) -> None:
    found = httpx.post(f"{server[0]}/api/search", json={"question": "when does the garden pump run", "k": 1}).json()
    assert [(hit["path"], hit["lines"]) for hit in found["hits"]] == [("pumps.md", [1, 3])]
    assert found["missing_arms"][0]["arm"] == "vector"


def test_an_answer_streams_and_ends_once(server: tuple[str, Services]) -> None:
    reply = httpx.post(f"{server[0]}/api/ask", json={"question": "when does the garden pump run?"})
    assert reply.headers["content-type"].startswith("text/event-stream")
    assert reply.headers["x-accel-buffering"] == "no"
    assert {"no-cache", "no-transform"} <= set(reply.headers["cache-control"].split(", "))
    told = events(reply.text)
    assert [name for name, _ in told if name in ("done", "error")] == ["done"]
    assert told[-1][1]["text"] == "".join(data["text"] for name, data in told if name == "delta")
    assert told[-1][1]["citations"][0]["path"] == "pumps.md"


def test_an_abstention_is_a_value(server: tuple[str, Services]) -> None:
    told = events(httpx.post(f"{server[0]}/api/ask", json=NOWHERE).text)
    assert told[-1][0] == "done"
    assert told[-1][1]["outcome"] == "abstention"
    for question in told[-1][1]["suggestions"]:
        again = events(httpx.post(f"{server[0]}/api/ask", json={"question": question}).text)
        assert again[-1][1]["outcome"] == "answer"


def test_a_conversation_goes_on_and_is_deleted(server: tuple[str, Services]) -> None:
    base = server[0]
    first = events(
        httpx.post(f"{base}/api/ask", json={"question": "when does the garden pump run?", "keep": True}).text
    )
    id = first[-1][1]["conversation"]
    body = {"question": "and the brass valve?", "conversation": id}
    then = events(httpx.post(f"{base}/api/ask", json=body).text)
    assert then[-1][1]["query"] != body["question"]
    kept = httpx.get(f"{base}/api/conversations/{id}").json()
    assert [turn["question"] for turn in kept["turns"]] == ["when does the garden pump run?", "and the brass valve?"]
    assert httpx.delete(f"{base}/api/conversations/{id}").status_code == 204
    assert httpx.get(f"{base}/api/conversations/{id}").status_code == 404
    gone = httpx.post(f"{base}/api/ask", json=body)
    assert (gone.status_code, gone.headers["content-type"]) == (404, "application/problem+json")


@pytest.mark.parametrize(
    "question",
    ["what did the garden pump frighten?", "the garden pump frightened whom", "diary"],
)
def test_a_token_for_open_documents_sees_no_personal_ones(
    server: tuple[str, Services], limited: dict[str, str], question: str
) -> None:
    base = server[0]
    found = httpx.post(f"{base}/api/search", json={"question": question}, headers=limited).text
    answer = httpx.post(f"{base}/api/ask", json={"question": question}, headers=limited).text
    listed = httpx.get(f"{base}/api/documents", headers=limited).text
    status = httpx.get(f"{base}/api/status", headers=limited).text
    for text in (found, answer, listed, status):
        assert "zebulon" not in text
        assert "diary.md" not in text
    assert "diary.md" in httpx.get(f"{base}/api/documents").text


def test_hidden_and_missing_documents_are_the_same(server: tuple[str, Services], limited: dict[str, str]) -> None:
    base = server[0]
    for path in ("documents/content", "graph"):
        hidden = httpx.get(f"{base}/api/{path}", params={"source": "notes", "path": "diary.md"}, headers=limited)
        missing = httpx.get(f"{base}/api/{path}", params={"source": "notes", "path": "nothing.md"}, headers=limited)
        assert (hidden.status_code, hidden.text) == (missing.status_code, missing.text) == (404, missing.text)
    around = httpx.get(f"{base}/api/graph", params={"source": "notes", "path": "valves.md"}, headers=limited).json()
    assert {neighbour["path"] for neighbour in around["neighbors"]} == {"pumps.md", "topics/water.md"}


@pytest.mark.parametrize(
    "path",
    ["../settings.toml", "/etc/passwd", "..%2fsettings.toml", "notes/../../settings.toml", "\x00", "a\nb", "é" * 900],
)
def test_only_what_is_indexed_can_be_read(server: tuple[str, Services], path: str) -> None:
    reply = httpx.get(f"{server[0]}/api/documents/content", params={"source": "notes", "path": path})
    assert reply.status_code == 404


@pytest.mark.parametrize("method, path", [("GET", "/api/usage"), ("GET", "/api/usage/ledger"), ("GET", "/api/index"),
                                          ("POST", "/api/index"), ("GET", "/metrics")])  # fmt: skip
def test_figures_that_count_personal_turns_are_the_owners(
    server: tuple[str, Services], limited: dict[str, str], method: str, path: str
) -> None:
    assert httpx.request(method, server[0] + path, headers=limited).status_code == 403


def test_a_partner_can_pull_the_ledger(server: tuple[str, Services]) -> None:
    httpx.post(f"{server[0]}/api/ask", json={"question": "when does the garden pump run?"})
    lines = httpx.get(f"{server[0]}/api/usage/ledger").text.splitlines()
    assert lines[0] == "date|time|host|profile|source|prompt_tokens|completion_tokens|tok_s"
    assert lines[-1].split("|")[3:5] == ["docs", "server"]


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ({}, "question"),
        ({"question": "?!"}, "nothing to search for"),
        ({"question": "pump", "k": 0}, "k"),
        ({"question": "pump", "kind": ["nope"]}, "nope"),
        ({"question": "pump", "after": "yesterday"}, "yesterday"),
        ({"question": "pump", "surprise": 1}, "surprise"),
        ([1], "the body"),
    ],
)
def test_what_cannot_be_used_is_told_with_the_next_step(server: tuple[str, Services], body: object, says: str) -> None:
    for route in ("search", "ask"):
        reply = httpx.post(f"{server[0]}/api/{route}", json=body)
        assert (reply.status_code, reply.headers["content-type"]) == (422, "application/problem+json")
        assert says in reply.json()["detail"]
        assert reply.json()["hint"]


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.test"}, 421),
        ({"Host": "127.0.0.1.evil.test"}, 421),
        ({"Origin": "http://evil.test"}, 403),
        ({"Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors"}, 403),
        ({"Authorization": "Bearer askwell_wrong"}, 401),
        ({"Host": "home.test"}, 401),
    ],
)
def test_who_is_not_meant_is_refused_everywhere(
    server: tuple[str, Services], headers: dict[str, str], status: int
) -> None:
    for way in (
        "GET /",
        "GET /api/status",
        "GET /metrics",
        "GET /view",
        "POST /api/search",
        "POST /v1/models",
        "POST /mcp",
    ):
        method, path = way.split()
        reply = httpx.request(method, server[0] + path, headers=headers, json={} if method == "POST" else None)
        assert reply.status_code == status, path


def test_every_reply_forbids_what_pages_do_not_need(server: tuple[str, Services]) -> None:
    for path in ("/", "/api/status", "/api/docs", "/nothing", "/static/askwell.css"):
        policy = httpx.get(server[0] + path).headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy


def test_the_interface_is_described_without_anything_from_elsewhere(server: tuple[str, Services]) -> None:
    page = httpx.get(f"{server[0]}/api/docs").text
    assert "POST /api/ask" in page
    assert "//cdn" not in page
    assert httpx.get(f"{server[0]}/api/openapi.json").json()["paths"]["/api/search"]


def test_a_fault_before_the_first_word_is_a_status_and_after_it_an_event(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    askwell = indexed(tmp_path_factory.mktemp("faults"))
    with FakeOpenAI() as model, served(askwell, **writing(model)) as (base, _):
        model.reply(Reply(status=401))
        refused = httpx.post(f"{base}/api/ask", json={"question": "when does the garden pump run?"})
        assert refused.status_code == 502
        assert refused.json()["hint"]
        model.reply(
            Reply(type=SSE, steps=(said("The garden pump runs at noon [1]. "), said("It runs "), b"data: {oops\n\n"))
        )
        told = events(httpx.post(f"{base}/api/ask", json={"question": "when does the garden pump run?"}).text)
        assert [name for name, _ in told if name in ("done", "error")] == ["error"]


def test_a_client_that_goes_away_ends_the_models_work(tmp_path_factory: pytest.TempPathFactory) -> None:
    askwell = indexed(tmp_path_factory.mktemp("gone"))
    with FakeOpenAI() as model, served(askwell, **writing(model)) as (base, _):
        for steps in ((STALL,), (said("The garden pump runs at noon [1]. "), said("It"), STALL)):
            model.gone.clear()
            model.reply(Reply(type=SSE, steps=steps))
            with pytest.raises(httpx.TimeoutException):
                httpx.post(f"{base}/api/ask", json={"question": "when does the garden pump run?"}, timeout=0.7)
            assert model.gone.wait(5)


def test_stopping_ends_a_stream_with_an_error(tmp_path_factory: pytest.TempPathFactory) -> None:
    askwell = indexed(tmp_path_factory.mktemp("stop"))
    with FakeOpenAI() as model, served(askwell, **writing(model)) as (base, parts):
        model.reply(Reply(type=SSE, steps=(said("The garden pump runs at noon [1]. "), said("It runs"), STALL)))
        with httpx.stream("POST", f"{base}/api/ask", json={"question": "when does the garden pump run?"}) as reply:
            lines = reply.iter_lines()
            assert next(lines) == "event: delta"
            from askwell.errors import ModelUnavailable

            parts.streams.end(ModelUnavailable("the server is stopping"))
            rest = "\n".join(lines)
        assert "event: error" in rest
        assert "stopping" in rest
        assert "event: done" not in rest
        assert model.gone.wait(5)


def test_a_run_is_started_followed_and_told(tmp_path_factory: pytest.TempPathFactory) -> None:
    askwell = indexed(tmp_path_factory.mktemp("runs"))
    with served(askwell, indexing=True, server__watch=0.2) as (base, _):
        ended = settled(base)
        assert ended["error"] == ""
        (askwell.sources[0] / "new.md").write_text("# Siphon\n\nThe siphon is copper.\n", encoding="utf-8")
        for _ in range(100):
            hits = httpx.post(f"{base}/api/search", json={"question": "siphon"}).json()["hits"]
            if hits:
                break
            time.sleep(0.1)
        assert hits[0]["path"] == "new.md"
        settled(base)
        assert httpx.post(f"{base}/api/index").status_code == 202
        assert settled(base)["report"]["unchanged"] == 5
        assert "askwell_index_runs_total" in httpx.get(f"{base}/metrics").text


def settled(base: str) -> Any:
    for _ in range(200):
        state = httpx.get(f"{base}/api/index").json()
        if not state["running"] and state["ended"]:
            return state
        time.sleep(0.05)
    raise AssertionError(state)


def writing(model: FakeOpenAI) -> dict[str, Any]:  # Any: settings of any type
    return {"models__generation": "openai:small", "models__generation_url": model.url}


def test_an_unmatched_model_answer_is_judged_in_the_stream(tmp_path_factory: pytest.TempPathFactory) -> None:
    askwell = indexed(tmp_path_factory.mktemp("judged"))
    with FakeOpenAI() as model, served(askwell, **writing(model)) as (base, _):
        model.reply(
            Reply(type=SSE, steps=completion("The garden pump runs at noon [1]. ", "It runs for 45 minutes [1]."))
        )
        told = events(httpx.post(f"{base}/api/ask", json={"question": "when does the garden pump run?"}).text)
    judged = [data["support"] for name, data in told if name == "sentence"]
    assert judged == ["supported", "unsupported"]


@pytest.mark.parametrize(
    "wanted", ["https://evil.test/", "//evil.test/", "/\\evil.test", "javascript:1", "sources\n", "http:evil.test"]
)
def test_entering_a_token_never_leads_to_another_site(server: tuple[str, Services], wanted: str) -> None:
    base, parts = server
    token = parts.tokens.add("page", open_only=True)
    entered = httpx.post(f"{base}/login", data={"token": token, "next": wanted})
    parts.tokens.remove("page")
    assert (entered.status_code, entered.headers["location"]) == (303, "./")
    cookie = entered.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    own = httpx.get(f"{base}/login", params={"next": wanted})
    assert 'name="next" value="./"' in own.text
