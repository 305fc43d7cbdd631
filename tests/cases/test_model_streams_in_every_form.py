"""Servers stream the same answer in many forms; all of them say the same."""

from __future__ import annotations

import json

import pytest

from askwell.models.openai_api import OpenAIGenerator
from askwell.ports import Message
from askwell.testing.fake_openai import FakeOpenAI, Reply
from askwell.types import Usage


def chunk(**fields: object) -> str:
    return json.dumps({"id": "c1", "object": "chat.completion.chunk", **fields})


def delta(content: object, **more: object) -> str:
    return chunk(choices=[{"index": 0, "delta": {"content": content, **more}}])


EVENTS = [
    (": OPENROUTER PROCESSING", ""),
    ("data:", chunk(choices=[], prompt_filter_results=[{}])),
    ("data: ", chunk(choices=[{"index": 0, "delta": {"role": "assistant", "content": ""}}])),
    ("data: ", chunk(choices=None)),
    ("data: ", chunk()),
    ("data: ", delta("Disk ")),
    ("event: ping\ndata: ", '{"type": "ping"}'),
    (": keep-alive", ""),
    ("data: ", delta(None, reasoning_content="which disk?")),
    ("data: ", delta(None, reasoning="the cache")),
    ("data:", delta("cache-2")),
    ("data: ", chunk(choices=[{"index": 0, "delta": {}, "finish_reason": "stop"}])),
    ("data: ", chunk(choices=[], usage={"prompt_tokens": 40, "completion_tokens": 3, "total_tokens": 43})),
    ("data: ", "[DONE]"),
]
STREAM = "".join(f"{field}{value}\n\n" for field, value in EVENTS)


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("piece", [1, 7, 100_000])
def test_the_answer_is_the_same(line_end: str, piece: int) -> None:
    raw = STREAM.replace("\n", line_end).encode()
    with FakeOpenAI() as server:
        steps = tuple(raw[at : at + piece] for at in range(0, len(raw), piece))
        server.reply(Reply(type="text/event-stream; charset=utf-8", steps=steps))
        answer = OpenAIGenerator(url=server.url, model="m").stream([Message("user", "which disk?")])
        assert "".join(answer) == "Disk cache-2"
    assert answer.usage == Usage(prompt_tokens=40, completion_tokens=3)
    assert answer.finish == "stop"


def test_a_stream_without_a_last_empty_line_is_whole() -> None:
    with FakeOpenAI() as server:
        server.reply(Reply(type="text/event-stream", steps=(STREAM.rstrip().encode(),)))
        assert "".join(OpenAIGenerator(url=server.url, model="m").stream([Message("user", "?")])) == "Disk cache-2"
