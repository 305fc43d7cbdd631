from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from askwell.errors import ModelRefused, ModelUnavailable
from askwell.models.completion import PATIENCE, HttpCompletion
from askwell.models.endpoint import Endpoint
from askwell.models.openai_api import OpenAIGenerator, wire_messages
from askwell.ports import Message
from askwell.testing.fake_openai import DONE, STALL, FakeOpenAI, Reply, completion, event, finished, json_reply, said
from askwell.types import Usage

if TYPE_CHECKING:
    from askwell.testing.fake_openai import Step

ASKED = (Message("user", "which port?"),)


def ask(server: FakeOpenAI, *steps: Step, type: str = "text/event-stream", timeout: float = 5.0) -> HttpCompletion:
    server.reply(Reply(type=type, steps=steps))
    return OpenAIGenerator(url=server.url, model="m", timeout=timeout, grace=0.05).stream(ASKED)


def test_usage_and_finish_are_known_at_the_end() -> None:
    with FakeOpenAI() as server:
        answer = ask(server, *completion("Port ", "9117"))
        assert "".join(answer) == "Port 9117"
    assert answer.usage == Usage(prompt_tokens=7, completion_tokens=2)


def test_characters_split_over_network_chunks_are_whole() -> None:
    raw = said("ö🗂️备") + finished("stop") + DONE
    with FakeOpenAI() as server:
        assert "".join(ask(server, *[raw[at : at + 1] for at in range(len(raw))])) == "ö🗂️备"


def test_a_server_that_does_not_stream_is_understood() -> None:
    body = {"choices": [{"message": {"content": "Port 9117"}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 3}}
    with FakeOpenAI() as server:
        server.reply(json_reply(body))
        answer = OpenAIGenerator(url=server.url, model="m").stream(ASKED)
        assert ("".join(answer), answer.usage.prompt_tokens) == ("Port 9117", 3)


def test_content_may_come_in_parts() -> None:
    parts = [{"type": "thinking", "thinking": "hmm"}, {"type": "text", "text": "Port"}, None, "x"]
    with FakeOpenAI() as server:
        chunk = event({"choices": [{"delta": {"content": parts}}]})
        assert "".join(ask(server, chunk, said(" 9117"), DONE)) == "Port 9117"


@pytest.mark.parametrize(
    "odd",
    [b"data: null\n\n", b"data: []\n\n", b'data: {"choices": [null]}\n\n', b'data: {"choices": [{"delta": "x"}]}\n\n',
     b'data: {"usage": {"prompt_tokens": null}}\n\n', b'data: {"choices": {}}\n\n'],
)  # fmt: skip
def test_events_without_meaning_are_passed_over(odd: bytes) -> None:
    with FakeOpenAI() as server:
        assert "".join(ask(server, odd, said("yes"), odd, finished("stop"), odd, DONE)) == "yes"


def test_silence_is_given_up_after_the_time_limit() -> None:
    with FakeOpenAI() as server:
        got: list[str] = []
        with pytest.raises(ModelUnavailable, match="in time"):
            got.extend(piece for piece in ask(server, said("Hello"), STALL, timeout=0.1))


def test_signs_of_life_are_not_an_answer_for_ever() -> None:
    now = iter(range(0, 100_000, int(PATIENCE) // 2))
    with FakeOpenAI() as server:
        server.reply(Reply(type="text/event-stream", steps=(*[b": ping\n\n"] * 6, *completion("late"))))
        endpoint = Endpoint(server.url, reuse=False)
        with pytest.raises(ModelUnavailable, match="signs of life"):
            list(HttpCompletion(endpoint, {}, sent=[], clock=lambda: float(next(now))))


def test_signs_of_life_end_with_the_time_limit_of_the_model() -> None:
    with FakeOpenAI() as server:
        answer = ask(server, said("Hello"), *[b": ping\n\n"] * 200_000, timeout=0.05)
        with pytest.raises(ModelUnavailable, match="signs of life"):
            list(answer)


@pytest.mark.parametrize("half", [said(" 9117")[:20], said(" 9117")[:-4], b"data: [DO", b"dat"])
@pytest.mark.parametrize("begun", [True, False])
def test_a_stream_that_is_cut_in_an_event_broke_off(half: bytes, begun: bool) -> None:
    with FakeOpenAI() as server, pytest.raises(ModelUnavailable, match="broke off"):
        list(ask(server, *[said("Port")] * begun, half))


def test_an_event_that_is_no_json_is_no_models_reply() -> None:
    for broken in (b"data: <html>\n\n", b"data: {no}\n\n" + said("yes") + DONE):
        with FakeOpenAI() as server, pytest.raises(ModelRefused, match="no model's reply"):
            list(ask(server, broken))


@pytest.mark.parametrize("begun", [True, False])
def test_closing_from_another_thread_ends_a_waiting_iteration(begun: bool) -> None:
    steps = [said("Hello")] if begun else []
    with FakeOpenAI() as server:
        answer = ask(server, *steps, STALL, timeout=30)
        got: list[str] = []
        reader = threading.Thread(target=lambda: got.extend(answer))
        reader.start()
        while not server.requests or (begun and not got):
            reader.join(0.005)
        answer.close()
        reader.join(5)
        assert not reader.is_alive()
        assert server.gone.wait(5)
    assert got == ["Hello"] * begun


def test_leaving_a_stream_tells_the_server() -> None:
    with FakeOpenAI() as server:
        answer = ask(server, said("Hello"), STALL, timeout=30)
        assert next(iter(answer)) == "Hello"
        answer.close()
        assert server.gone.wait(5)


def test_a_filtered_answer_and_one_that_was_all_thought_are_refused() -> None:
    with FakeOpenAI() as server:
        with pytest.raises(ModelRefused, match="filtered"):
            list(ask(server, finished("content_filter"), DONE))
        with pytest.raises(ModelRefused, match="before it began"):
            list(ask(server, said("<think>hm"), finished("length"), DONE))


def test_a_request_says_what_is_wanted() -> None:
    with FakeOpenAI() as server:
        generator = OpenAIGenerator(url=server.url, model="m", key="k", temperature=None, max_tokens=9)
        assert "".join(generator.stream([*ASKED, Message("system", "late"), Message("system", "two")])) == "Port 9117"
        (request,) = server.requests
    assert request.path == "/v1/chat/completions"
    assert request.headers["authorization"] == "Bearer k"
    assert request.body == {
        "model": "m",
        "messages": [{"role": "system", "content": "late\n\ntwo"}, {"role": "user", "content": "which port?"}],
        "stream": True,
        "stream_options": {"include_usage": True},
        "max_tokens": 9,
    }


def test_any_text_can_be_sent() -> None:
    assert wire_messages([Message("user", "\ud800")])[0]["content"].encode()
