"""A blocking iterator, run in a thread, as a stream of server-sent events (WHATWG HTML, section 9.2).

thread:  iterator ─▶ call_soon_threadsafe ─▶ queue ─▶ event loop: `event: …` / `: ping` every few quiet seconds
client gone, server stopping ─▶ cancel ─▶ the iterator's model call is closed, the thread ends
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import TYPE_CHECKING, TypeAlias

from askwell.errors import AskwellError, ModelUnavailable

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator
    from concurrent.futures import Executor

HEARTBEAT = 4.0
"""Seconds without an event after which a comment is sent: some proxies close what is silent for 10."""

HEADERS = {
    "Cache-Control": "no-cache, no-store, no-transform",
    "X-Accel-Buffering": "no",  # nginx passes each event on at once
}

MEDIA_TYPE = "text/event-stream"

Item: TypeAlias = "tuple[str, object]"
"""An event's name and its data, which is sent as JSON."""


def encode(name: str, data: object) -> bytes:
    """Return one event. JSON has no line break, so one `data` line holds it; lone surrogates become U+FFFD."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    lines = f"event: {name}\ndata: {text}\n\n" if name else f"data: {text}\n\n"
    return lines.encode("utf-8", "surrogatepass").decode("utf-8", "replace").encode()


class Pump:
    """Runs one iterator in a thread and yields its items on the event loop."""

    def __init__(self, items: Callable[[], Iterator[Item]], *, cancel: Callable[[], None], executor: Executor) -> None:
        """Start nothing yet.

        Args:
            items: Makes the iterator, in the thread that runs it; errors of ours may leave it.
            cancel: Wakes the iterator from any thread, so that it ends soon.
            executor: Where the thread comes from.
        """
        self._items = items
        self._cancel = cancel
        self._executor = executor
        self._over = False
        self._queue: asyncio.Queue[Item | AskwellError | None] = asyncio.Queue()
        self._put: Callable[[Item | AskwellError | None], None] | None = None

    async def first(self) -> tuple[Item | None, AsyncIterator[Item | None]]:
        """Wait for the first item; return it with the iterator of the others, in which None is a heartbeat.

        An error before the first item is raised here, so that it can still be a reply of its own. Later ones are
        raised by the iterator. Whoever thinks for longer than a heartbeat is no longer waited for: then the first item
        is None and comes from the iterator, so that a proxy sees something in time.

        Raises:
            AskwellError: whatever the iterator raised.
        """
        loop = asyncio.get_running_loop()
        queue = self._queue

        def put(item: Item | AskwellError | None) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(queue.put_nowait, item)

        self._put = put

        def work() -> None:
            fault: AskwellError | None = None
            try:
                for item in self._items():
                    put(item)
                    if self._over:
                        break
            except AskwellError as error:
                fault = error
            finally:  # whatever happens, the reader is told that nothing more comes
                put(fault or (None if not sys.exception() else ModelUnavailable("the answer broke off")))

        running = loop.run_in_executor(self._executor, work)
        running.add_done_callback(lambda done: done.cancelled() or done.exception())
        try:
            first = await asyncio.wait_for(queue.get(), HEARTBEAT)
        except TimeoutError:
            return None, self._rest(queue, ended=False)
        except asyncio.CancelledError:
            self.stop()
            raise
        if isinstance(first, AskwellError):
            raise first
        return first, self._rest(queue, ended=first is None)

    def stop(self) -> None:
        """End the iterator: nobody reads it any more. Idempotent."""
        if not self._over:
            self._over = True
            self._cancel()

    def abort(self, fault: AskwellError) -> None:
        """End the stream with a fault, from any thread."""
        if self._put is not None:
            self._put(fault)
        self.stop()

    async def _rest(
        self, queue: asyncio.Queue[Item | AskwellError | None], *, ended: bool
    ) -> AsyncIterator[Item | None]:
        try:
            while not ended:
                try:
                    item = await asyncio.wait_for(queue.get(), HEARTBEAT)
                except TimeoutError:
                    yield None
                    continue
                if isinstance(item, AskwellError):
                    raise item
                if item is None:
                    return
                yield item
        finally:
            self.stop()


async def events(first: Item | None, rest: AsyncIterator[Item | None]) -> AsyncIterator[bytes]:
    """Yield encoded events; a fault of ours ends the stream with an `error` event and no other end mark."""
    try:
        if first is not None:
            yield encode(*first)
        async for item in rest:
            yield b": ping\n\n" if item is None else encode(*item)
    except AskwellError as error:
        yield encode("error", {"message": str(error), "hint": error.hint})
    except asyncio.CancelledError:
        stopping = ModelUnavailable("the server is stopping", hint="ask again when it is back")
        yield encode("error", {"message": str(stopping), "hint": stopping.hint})
        raise
