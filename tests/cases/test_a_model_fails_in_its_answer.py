"""A model fails before, in or after its answer. A cut answer never ends like a whole one, and none waits for ever."""

from __future__ import annotations

import json

import pytest

from askwell.errors import AskwellError, ModelRefused, ModelUnavailable
from askwell.models.openai_api import OpenAIGenerator
from askwell.ports import Message
from askwell.testing.fake_openai import CLOSE, DONE, STALL, FakeOpenAI, Reply, event, finished, said

SSE = "text/event-stream"

FAILURES: dict[str, tuple[Reply, str, type[AskwellError]]] = {
    "refused before the first byte": (
        Reply(status=500, steps=(b'{"error": {"message": "busy"}}',)), "", ModelUnavailable,
    ),
    "over the rate limit": (Reply(status=429), "", ModelUnavailable),
    "wrong key": (Reply(status=401), "", ModelRefused),
    "an error first": (Reply(type=SSE, steps=(event({"error": "no memory"}),)), "", ModelUnavailable),
    "an error in the stream": (
        Reply(type=SSE, steps=(said("Hello"), event({"error": {"message": "lost", "code": 502}, "choices": []}))),
        "Hello", ModelUnavailable,
    ),
    "an error about length in the stream": (
        Reply(type=SSE, steps=(said("Hello"), event({"error": {"message": "context length exceeded"}}))),
        "Hello", ModelUnavailable,
    ),
    "an error as a finish reason": (Reply(type=SSE, steps=(said("He"), finished("error"))), "He", ModelUnavailable),
    "a dropped connection": (
        Reply(type=SSE, steps=(said("Hel"), said("lo wor"), CLOSE)), "Hello wor", ModelUnavailable,
    ),
    "an end that was not announced": (Reply(type=SSE, steps=(said("Hello"),)), "Hello", ModelUnavailable),
    "a stall": (Reply(type=SSE, steps=(said("Hello"), STALL)), "Hello", ModelUnavailable),
    "a stall before the first word": (Reply(type=SSE, steps=(STALL,)), "", ModelUnavailable),
    "nothing, then done": (Reply(type=SSE, steps=(DONE,)), "", ModelUnavailable),
    "white space, then done": (Reply(type=SSE, steps=(said("\n "), finished("stop"), DONE)), "", ModelUnavailable),
    "nothing at all": (Reply(type=SSE), "", ModelUnavailable),
    "a line that is not whole": (
        Reply(type=SSE, steps=(said("Hello"), b'data: {"choices": [{"delta": {"content": "x"\n\n', DONE)),
        "Hello", ModelRefused,
    ),
    "a page": (Reply(type="text/html", steps=(b"<html>please log in</html>",)), "", ModelRefused),
    "a page that claims to be plain": (
        Reply(type="text/plain", steps=(b"<html>please log in</html>",)), "", ModelUnavailable,
    ),
    "JSON that is no completion": (Reply(steps=(b'"hello"',)), "", ModelUnavailable),
    "an error with status 200": (Reply(steps=(b'{"error": {"message": "no"}}',)), "", ModelUnavailable),
    "only thoughts": (Reply(type=SSE, steps=(said("<think>secret"), finished("stop"), DONE)), "", ModelUnavailable),
}  # fmt: skip


@pytest.mark.parametrize("name", FAILURES)
def test_a_failure_is_raised_after_what_arrived(name: str) -> None:
    reply, arrived, kind = FAILURES[name]
    with FakeOpenAI() as server:
        server.reply(reply)
        answer = OpenAIGenerator(url=server.url, model="m", timeout=0.2, grace=0.05).stream([Message("user", "?")])
        got = ""
        with pytest.raises(AskwellError) as failed:
            for piece in answer:
                got += piece
    assert arrived.startswith(got) if name == "a dropped connection" else got == arrived
    assert type(failed.value) is kind
    assert failed.value.hint


SUCCESSES: dict[str, tuple[tuple[bytes | str, ...], str, str]] = {
    "the connection stays open after the end": ((said("Hello"), finished("stop"), STALL), "Hello", "stop"),
    "the connection drops after the end": ((said("Hello"), finished("stop"), CLOSE), "Hello", "stop"),
    "no finish reason": ((said("Hello"), DONE), "Hello", "stop"),
    "the output limit": ((said("Hello"), finished("length")), "Hello", "length"),
    "a finish reason of its own": ((said("Hello"), finished("eos_token"), DONE), "Hello", "stop"),
    "thoughts first": (
        (said("<think>secret plan"), said("</think>Hello"), finished("stop"), DONE), "Hello", "stop",
    ),
    "thoughts beside": (
        (event({"choices": [{"delta": {"reasoning_content": "secret"}}]}), said("Hello"), DONE), "Hello", "stop",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SUCCESSES)
def test_an_end_is_an_end(name: str) -> None:
    steps, text, finish = SUCCESSES[name]
    with FakeOpenAI() as server:
        server.reply(Reply(type=SSE, steps=steps))
        answer = OpenAIGenerator(url=server.url, model="m", timeout=1_000, grace=0.05).stream([Message("user", "?")])
        assert "".join(answer) == text
    assert answer.finish == finish


def test_no_failure_repeats_what_was_asked() -> None:
    question = "what did my doctor write on the ninth of March"
    with FakeOpenAI() as server:
        body = json.dumps({"error": {"message": f"cannot parse: {question}"}}).encode()
        server.reply(Reply(status=400, steps=(body,)), Reply(type=SSE, steps=(event(json.loads(body)),)))
        for _ in range(2):
            with pytest.raises(AskwellError) as failed:
                list(OpenAIGenerator(url=server.url, model="m").stream([Message("user", question)]))
            assert "doctor" not in f"{failed.value} {failed.value.hint}"
