from __future__ import annotations

import asyncio
import json
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from askwell.errors import BadRequest, ModelUnavailable
from askwell.server.sse import Item, Pump, encode, events

if TYPE_CHECKING:
    from collections.abc import Iterator


def collected(items: Iterator[Item]) -> list[bytes]:
    async def run() -> list[bytes]:
        with ThreadPoolExecutor(1) as executor:
            pump = Pump(lambda: items, cancel=lambda: None, executor=executor)
            first, rest = await pump.first()
            return [piece async for piece in events(first, rest)]

    return asyncio.run(run())


def test_an_event_is_one_line_whatever_it_holds() -> None:
    sent = encode("delta", {"text": "a\nb\r\u2028c \ud800 ü"})
    head, data, end = sent.split(b"\n", 2)
    assert (head, end) == (b"event: delta", b"\n")
    assert json.loads(data.removeprefix(b"data: "))["text"].startswith("a\nb\r\u2028c ")


def test_items_arrive_in_order_and_the_stream_ends() -> None:
    sent = collected(iter([("delta", {"text": "a"}), ("delta", {"text": "b"}), ("done", {})]))
    assert [piece.split(b"\n")[0] for piece in sent] == [b"event: delta", b"event: delta", b"event: done"]


def test_nothing_at_all_is_an_empty_stream() -> None:
    assert collected(iter([])) == []


def test_a_fault_before_the_first_item_is_raised() -> None:
    def items() -> Iterator[Item]:
        raise BadRequest("nothing to search for")
        yield  # makes it an iterator

    with pytest.raises(BadRequest):
        collected(items())


def test_a_later_fault_ends_the_stream_with_an_error_event() -> None:
    def items() -> Iterator[Item]:
        yield "delta", {"text": "half an ans"}
        raise ModelUnavailable("the model broke off", hint="ask again")

    sent = collected(items())
    assert len(sent) == 2
    assert sent[1].startswith(b"event: error\n")
    assert json.loads(sent[1].split(b"data: ")[1]) == {"message": "the model broke off", "hint": "ask again"}


def test_a_reader_that_goes_away_cancels_and_ends_the_thread() -> None:
    gone, ended = threading.Event(), threading.Event()

    def items() -> Iterator[Item]:
        try:
            yield "delta", {"text": "a"}
            gone.wait(10)  # a model that is slow to say the next word
            yield "delta", {"text": "b"}
        finally:
            ended.set()

    async def run() -> None:
        with ThreadPoolExecutor(1) as executor:
            pump = Pump(items, cancel=gone.set, executor=executor)
            first, rest = await pump.first()
            stream = events(first, rest)
            assert (await anext(stream)).startswith(b"event: delta")
            reading = asyncio.ensure_future(anext(stream))
            await asyncio.sleep(0)
            reading.cancel()
            with pytest.raises(asyncio.CancelledError):
                while True:  # the error event of a stopping server may come first
                    await reading
                    reading = asyncio.ensure_future(anext(stream))
            await rest.aclose()  # type: ignore[attr-defined]  # an async generator

    asyncio.run(run())
    assert gone.is_set()
    assert ended.wait(10)
