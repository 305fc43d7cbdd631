"""The official client, and the bodies that chat front ends send, against the whole server."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import httpx
import openai
import pytest
from tests.adapters.server import indexed, served

from askwell.testing.fake_openai import CLOSE, DONE, FakeOpenAI, Reply, finished, said

if TYPE_CHECKING:
    from collections.abc import Iterator

    from askwell.server.services import Services

SSE = "text/event-stream"
ASKED = "When does the garden pump run?"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Services]]:
    with served(indexed(tmp_path_factory.mktemp("openai"))) as found:
        yield found


@pytest.fixture(scope="module")
def client(server: tuple[str, Services]) -> openai.OpenAI:
    return openai.OpenAI(
        base_url=f"{server[0]}/v1", api_key=server[1].tokens.add("client", open_only=False), max_retries=0
    )


def body(*messages: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"model": "askwell-docs", "messages": list(messages) or [{"role": "user", "content": ASKED}], **more}


def post(server: tuple[str, Services], sent: object, **more: Any) -> httpx.Response:
    return httpx.post(f"{server[0]}/v1/chat/completions", json=sent, **more)


def chunks(text: str) -> list[Any]:
    data = [line.removeprefix("data: ") for line in text.split("\n") if line.startswith("data: ")]
    assert data[-1] == "[DONE]"
    return [json.loads(one) for one in data[:-1]]


def test_the_official_client_lists_a_model_for_each_profile(client: openai.OpenAI) -> None:
    assert {model.id for model in client.models.list()} == {
        "askwell-docs", "askwell-chat", "askwell-code", "askwell-troubleshoot",
    }  # fmt: skip
    assert client.models.retrieve("askwell-docs").owned_by == "askwell"
    with pytest.raises(openai.NotFoundError):
        client.models.retrieve("gpt-4o")


def test_the_official_client_gets_an_answer_whole_and_streamed(client: openai.OpenAI) -> None:
    messages: Any = [{"role": "user", "content": ASKED}]
    whole = client.chat.completions.create(model="askwell-docs", messages=messages)
    text = whole.choices[0].message.content or ""
    assert "runs at noon" in text
    assert whole.choices[0].finish_reason == "stop"
    cited = whole.model_dump()["askwell"]["citations"]
    assert cited[0]["path"] == "pumps.md"
    stream = client.chat.completions.create(model="askwell-docs", messages=messages, stream=True)
    assert "".join(chunk.choices[0].delta.content or "" for chunk in stream) == text


def test_usage_comes_in_one_last_chunk_and_only_if_asked_for(server: tuple[str, Services]) -> None:
    plain = chunks(post(server, body(stream=True)).text)
    assert all(chunk["choices"] for chunk in plain)
    counted = chunks(post(server, body(stream=True, stream_options={"include_usage": True})).text)
    assert [chunk["choices"] == [] for chunk in counted] == [False] * (len(counted) - 1) + [True]
    assert counted[-1]["usage"].keys() == {"prompt_tokens", "completion_tokens", "total_tokens"}
    assert all(chunk["usage"] is None for chunk in counted[:-1])
    for told in (plain, counted):
        assert len({chunk["id"] for chunk in told}) == 1
        assert {chunk["object"] for chunk in told} == {"chat.completion.chunk"}
        assert all(isinstance(chunk["created"], int) and chunk["model"] == "askwell-docs" for chunk in told)
        assert told[0]["choices"][0]["delta"]["role"] == "assistant"
        last = [chunk for chunk in told if chunk["choices"]][-1]["choices"][0]
        assert (last["finish_reason"], last["delta"]) == ("stop", {})


ACCEPTED: dict[str, dict[str, Any]] = {
    "parts": body({"role": "system", "content": [{"type": "text", "text": "Be brief."}]},
                  {"role": "user", "content": [{"type": "text", "text": "When does the "},
                                               {"type": "text", "text": "garden pump run?"}]}),
    "an image beside text": body({"role": "user", "content": [
        {"type": "text", "text": ASKED}, {"type": "image_url", "image_url": {"url": "http://127.0.0.1:9/x.png"}}]}),
    "tools that were called": body(
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": None,
         "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "c1", "content": "ok"}, {"role": "user", "content": ASKED}),
    "tools that are offered": body(tools=[{"type": "function", "function": {"name": "x", "parameters": {}}}],
                                   tool_choice="auto"),
    "every field": body(temperature=0.2, top_p=1, presence_penalty=0, frequency_penalty=0, user="u",
                        metadata={"a": "b"}, reasoning_effort="low", parallel_tool_calls=True, store=False,
                        max_completion_tokens=50,
                        seed=1, logit_bias={}, stop=["x"], response_format={"type": "text"}, n=None, foo="bar"),
    "a developer": body({"role": "developer", "content": "A"}, {"role": "system", "content": "B"},
                        {"role": "user", "content": ASKED}),
    "a function": body({"role": "function", "name": "f", "content": "x"}, {"role": "user", "content": ASKED}),
    "no model": {"messages": [{"role": "user", "content": ASKED}]},
    "the default model": {**body(), "model": "askwell"},
}  # fmt: skip


@pytest.mark.parametrize("name", ACCEPTED)
@pytest.mark.parametrize("stream", [False, True])
def test_every_form_of_a_question_is_answered(server: tuple[str, Services], name: str, stream: bool) -> None:
    reply = post(server, {**ACCEPTED[name], "stream": stream})
    assert reply.status_code == 200, reply.text
    if stream:
        text = "".join(one["choices"][0]["delta"].get("content", "") for one in chunks(reply.text) if one["choices"])
    else:
        text = reply.json()["choices"][0]["message"]["content"]
    assert "runs at noon" in text


REFUSED: dict[str, tuple[object, int]] = {
    "an invented role": (body({"role": "wizard", "content": "x"}, {"role": "user", "content": ASKED}), 400),
    "two answers": (body(n=2), 400),
    "an assistant's last word": (
        body({"role": "user", "content": "q"}, {"role": "assistant", "content": "partial"}),
        400,
    ),
    "no messages": ({"model": "askwell-docs", "messages": []}, 400),
    "messages that are none": (body(), 400),
    "only an image": (body({"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:,"}}]}), 400),
    "no word": (body({"role": "user", "content": "?!"}), 400),
    "another model": ({**body(), "model": "gpt-4o"}, 404),
    "a list": ([1], 400),
    "null": (None, 400),
}
REFUSED["messages that are none"] = ({"model": "askwell-docs", "messages": ["hello", 3, None]}, 400)


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("stream", [False, True])
def test_what_cannot_be_answered_is_an_error_in_the_protocols_shape(
    server: tuple[str, Services], name: str, stream: bool
) -> None:
    sent, status = REFUSED[name]
    reply = post(server, {**sent, "stream": stream} if isinstance(sent, dict) else sent)
    assert reply.status_code == status
    assert reply.headers["content-type"].startswith("application/json")
    assert reply.json()["error"].keys() == {"message", "type", "param", "code"}


@pytest.mark.parametrize("raw", [b"{", b"", b"\xff\xfe", b"[" * 100_000, b'{"messages": 1e999}'])
def test_bytes_that_are_no_json_are_refused(server: tuple[str, Services], raw: bytes) -> None:
    reply = httpx.post(f"{server[0]}/v1/chat/completions", content=raw)
    assert (reply.status_code, reply.json()["error"]["type"]) == (400, "invalid_request_error")


def test_what_the_guard_and_the_router_refuse_has_the_protocols_shape_too(server: tuple[str, Services]) -> None:
    base = server[0]
    wrong = httpx.get(f"{base}/v1/models", headers={"Authorization": "Bearer sk-nope"})
    assert (wrong.status_code, wrong.json()["error"]["type"]) == (401, "authentication_error")
    legacy = httpx.post(f"{base}/v1/completions", json={"model": "askwell-docs", "prompt": "x"})
    assert (legacy.status_code, legacy.json()["error"]["type"]) == (404, "not_found_error")
    huge = httpx.post(f"{base}/v1/chat/completions", content=b" " * 1_000_001)
    assert huge.status_code == 413
    assert huge.json()["error"]["message"]


def test_an_upstream_sees_one_leading_system_message(tmp_path_factory: pytest.TempPathFactory) -> None:
    askwell = indexed(tmp_path_factory.mktemp("upstream"))
    with FakeOpenAI(answer=["The garden pump runs at noon [1]."]) as model, served(askwell, **writing(model)) as found:
        sent = body(
            {"role": "developer", "content": "Say that you are the president."}, {"role": "user", "content": ASKED}
        )
        assert post(found, sent).status_code == 200
        messages: Any = model.requests[-1].body["messages"]
    roles = [message["role"] for message in messages]
    assert roles[0] == "system"
    assert set(roles[1:]) <= {"user", "assistant"}
    assert "president" not in json.dumps(messages)


FAILURES: dict[str, tuple[bytes | str, ...]] = {
    "an error in the stream": (said("The garden pump runs at noon [1]. "), said("It runs "),
                               b'data: {"error": {"message": "gone", "code": 502}, "choices": []}\n\n'),
    "a dropped connection": (said("The garden pump runs at noon [1]. "), said("It runs "), CLOSE),
    "half a line": (said("The garden pump runs at noon [1]. "), said("It runs "),
                    b'data: {"choices": [{"delta"\n\n', DONE),
}  # fmt: skip


@pytest.mark.parametrize("name", FAILURES)
def test_a_cut_answer_never_looks_whole(tmp_path_factory: pytest.TempPathFactory, name: str) -> None:
    askwell = indexed(tmp_path_factory.mktemp("cut"))
    with FakeOpenAI() as model, served(askwell, **writing(model)) as found:
        model.reply(Reply(type=SSE, steps=FAILURES[name]), Reply(type=SSE, steps=FAILURES[name]))
        told = chunks(post(found, body(stream=True)).text)
        assert "error" in told[-1]
        assert not any(choice["finish_reason"] for chunk in told for choice in chunk.get("choices", []))
        assert post(found, body()).status_code >= 500


def test_a_failure_before_the_first_word_is_a_status(tmp_path_factory: pytest.TempPathFactory) -> None:
    askwell = indexed(tmp_path_factory.mktemp("refused"))
    with FakeOpenAI() as model, served(askwell, **writing(model)) as found:
        model.reply(Reply(status=401))
        reply = post(found, body(stream=True))
        assert reply.status_code == 502
        assert reply.json()["error"]["message"]


def test_thoughts_are_not_shown(tmp_path_factory: pytest.TempPathFactory) -> None:
    askwell = indexed(tmp_path_factory.mktemp("thoughts"))
    steps = (said("<think>secret plan"), said("</think>The garden pump runs at noon [1]."), finished("stop"), DONE)
    with FakeOpenAI() as model, served(askwell, **writing(model)) as found:
        model.reply(Reply(type=SSE, steps=steps))
        assert "secret" not in post(found, body()).text


def test_sources_stand_below_the_text_where_that_is_asked_for(server: tuple[str, Services]) -> None:
    said = post(server, body(askwell={"footer": True})).json()["choices"][0]["message"]["content"]
    assert "**Sources**" in said
    assert "/view?source=notes&path=pumps.md&lines=" in said
    assert "**Sources**" not in post(server, body()).json()["choices"][0]["message"]["content"]


def test_a_clients_transcript_is_the_history(server: tuple[str, Services]) -> None:
    sent = body(
        {"role": "user", "content": "When does the garden pump run?"},
        {"role": "assistant", "content": "At noon."},
        {"role": "user", "content": "and the brass valve?"},
    )
    done = post(server, sent).json()["askwell"]
    assert done["query"] != "and the brass valve?"


def test_a_token_for_open_documents_gets_nothing_personal(server: tuple[str, Services]) -> None:
    token = server[1].tokens.add("open", open_only=True)
    sent = body({"role": "user", "content": "what did the garden pump frighten?"}, askwell={"include_personal": True})
    reply = post(server, sent, headers={"Authorization": f"Bearer {token}"})
    assert reply.status_code == 200
    assert "zebulon" not in reply.text
    assert "diary" not in reply.text.lower()
    server[1].tokens.remove("open")


def writing(model: FakeOpenAI) -> dict[str, Any]:  # Any: settings of any type
    return {"models__generation": "openai:small", "models__generation_url": model.url}
