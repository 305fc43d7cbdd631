"""One streamed completion of an OpenAI-style chat server, read with forgiveness for form and none for the outcome.

not started ─▶ reading ─┬─ finish reason or [DONE], and some text ─▶ done
                        ├─ error event, silence, broken line, end without either ─▶ raises
                        └─ `close()` from any thread ─▶ ends quietly
"""

from __future__ import annotations

import contextlib
import json
import socket
import threading
import time
from typing import TYPE_CHECKING

from askwell.errors import ModelRefused, ModelUnavailable
from askwell.models.refusals import error_in, no_model
from askwell.models.sse import events
from askwell.models.thinking import without_thinking
from askwell.types import Usage

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Mapping, Sequence

    import httpx

    from askwell.models.endpoint import Endpoint
    from askwell.ports import Finish

GRACE = 1.0
"""Seconds that are waited for the usage and `[DONE]` after the model said that it had finished."""

PATIENCE = 120.0
"""Seconds without any event, while the server keeps the connection alive with comments."""

_FINISHES: Mapping[str, Finish] = {"length": "length", "max_tokens": "length", "content_filter": "filtered"}


class HttpCompletion:
    """A completion that starts when it is first iterated. To be iterated once; `close()` may come from any thread.

    Each completion has a connection of its own: on a kept one nothing could be cancelled before the reply's first byte,
    and that byte comes only after the server has read the whole prompt.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        body: Mapping[str, object],
        *,
        sent: Sequence[str],
        grace: float = GRACE,
        patience: float = PATIENCE,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Prepare a request to `chat/completions` with `stream` set in `body`; `sent` are the texts in it.

        Args:
            endpoint: Where to.
            body: The request.
            sent: Its texts, so that no error quotes them.
            grace: Seconds to wait for the usage after the last word.
            patience: Seconds without an event after which the answer is given up, however alive the connection is.
            clock: Seconds, monotonic.
        """
        self.usage = Usage()
        self.finish: Finish = "stop"
        self._endpoint = endpoint
        self._body = body
        self._sent = sent
        self._grace = grace
        self._patience = patience
        self._clock = clock
        self._heard = 0.0  # when the last event came
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self._closed = False
        self._done = False  # the model said that it had finished
        self._pieces = self._run()

    def __iter__(self) -> Iterator[str]:
        """Yield the answer's text as it arrives, thinking left out.

        Raises:
            ModelUnavailable: no connection, silence, an error event, or an end that the model did not announce.
            ModelRefused: the reply is no completion.
        """
        return self._pieces

    def close(self) -> None:
        """Cancel the request. Idempotent; an iteration that runs in another thread ends."""
        with self._lock:
            self._closed = True
        self._cut()
        with contextlib.suppress(ValueError):  # "generator already executing": it runs elsewhere and has been woken
            self._pieces.close()

    def _run(self) -> Generator[str, None, None]:
        timer = threading.Timer(self._grace, self._cut)
        timer.daemon = True
        empty = True
        try:
            if self._closed:
                return
            with self._endpoint.stream(
                "chat/completions", self._body, sent=self._sent, connected=self._connected
            ) as response:
                for piece in without_thinking(self._texts(response, timer)):
                    empty = empty and not piece.strip()
                    yield piece
        except ModelUnavailable:
            # After the last word only the usage was waited for; after `close()` nobody waits.
            if not (self._closed or self._done):
                raise
        finally:
            timer.cancel()
        if self._closed:
            return
        if not self._done:
            raise ModelUnavailable(f"{self._endpoint.label} broke off in the middle of an answer", hint="try again")
        if empty:
            raise self._nothing()

    def _texts(self, response: httpx.Response, timer: threading.Timer) -> Iterator[str]:
        kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind == "application/json":  # a server that does not stream
            yield from self._whole(response.read())
            return
        if kind not in ("text/event-stream", "text/plain", "application/octet-stream", ""):
            raise no_model(self._endpoint.label)
        self._heard = self._clock()
        try:
            received = events(self._chunks(response))
            for data in received:
                if data.strip() == "[DONE]":
                    self._done = True
                    return
                self._heard = self._clock()
                try:
                    event = _parsed(data, by=self._endpoint.label)
                except ModelRefused:
                    if data.lstrip()[:1] in ("{", "[") and next(received, None) is None:
                        return  # half an event and nothing after it: a model's server that broke off
                    raise
                yield from self._event(event)
                if self._done and not timer.ident:
                    timer.start()
        except ValueError as error:
            raise no_model(self._endpoint.label) from error

    def _chunks(self, response: httpx.Response) -> Iterator[bytes]:
        for chunk in response.iter_raw():  # a comment resets the endpoint's own limit on silence
            if self._clock() - self._heard > self._patience:
                raise ModelUnavailable(f"{self._endpoint.label} sends signs of life and no answer", hint="try again")
            yield chunk

    def _whole(self, body: bytes) -> Iterator[str]:
        yield from self._event(_parsed(body.decode("utf-8", "replace"), by=self._endpoint.label))
        self._done = True

    def _event(self, event: object) -> Iterator[str]:
        """Yield the text of one event and keep what it says of the outcome. Unknown events carry nothing."""
        if not isinstance(event, dict):
            return
        if (error := error_in(event)) is not None:
            fault = self._endpoint.refusal(error, sent=self._sent)
            # Whatever the words, the server stopped a request that it had accepted.
            raise fault if isinstance(fault, ModelUnavailable) else ModelUnavailable(str(fault), hint="try again")
        self._count(event.get("usage"))
        choices = event.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        if not isinstance(choice, dict):
            return
        said = choice.get("delta") or choice.get("message") or choice
        if isinstance(said, dict):
            for name in ("content", "refusal", "text"):
                yield from _strings(said.get(name))
        reason = choice.get("finish_reason")
        if reason == "error":
            raise ModelUnavailable(f"{self._endpoint.label} failed in the middle of an answer", hint="try again")
        if isinstance(reason, str) and reason:
            self._done = True
            self.finish = _FINISHES.get(reason, "stop")

    def _count(self, usage: object) -> None:
        if isinstance(usage, dict):
            self.usage = Usage(
                prompt_tokens=_whole_number(usage.get("prompt_tokens")),
                completion_tokens=_whole_number(usage.get("completion_tokens")),
            )

    def _nothing(self) -> ModelUnavailable | ModelRefused:
        match self.finish:
            case "length":
                return ModelRefused(
                    f"{self._endpoint.label} used all its output before it began to answer",
                    hint="allow more output tokens, or use a model that thinks less",
                )
            case "filtered":
                return ModelRefused(f"{self._endpoint.label} filtered the whole answer", hint="use another model")
            case _:
                return ModelUnavailable(f"{self._endpoint.label} sent no answer", hint="try again")

    def _connected(self, stream: object) -> None:
        # httpcore's network stream; its socket can be shut down from another thread, which wakes a waiting read.
        found = stream.get_extra_info("socket") if hasattr(stream, "get_extra_info") else None
        with self._lock:
            self._socket = found if isinstance(found, socket.socket) else None
            closed = self._closed
        if closed:
            self._cut()

    def _cut(self) -> None:
        with self._lock:
            found = self._socket
        if found is not None:
            with contextlib.suppress(OSError):  # it is closed already
                socket.socket.shutdown(found, socket.SHUT_RDWR)  # the class's own: TLS would try to say goodbye


def _parsed(data: str, *, by: str) -> object:
    try:
        parsed: object = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise no_model(by) from error
    return parsed


def _strings(content: object) -> Iterator[str]:
    """Yield the text of a content value: a string, or a list of parts of which the text ones are read."""
    if isinstance(content, str) and content:
        yield content
    elif isinstance(content, list):
        for part in content:
            if isinstance(part, dict) and part.get("type") in ("text", "output_text"):
                yield from _strings(part.get("text"))


def _whole_number(value: object) -> int:
    return value if isinstance(value, int) and value > 0 else 0
