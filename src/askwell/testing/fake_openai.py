"""A model server on loopback that speaks the OpenAI protocol as well, or as badly, as it is told to.

with FakeOpenAI() as server:
    server.reply(Reply(status=503), Reply(status=503))   # the next two requests
    OpenAIEmbedder(url=server.url, model="m")            # then it embeds by `HashingEmbedder`
"""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, TypeAlias

from askwell.testing.hashing_embedder import HashingEmbedder

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from types import TracebackType

CLOSE = "close"
"""A step that drops the connection without an end of the body."""

STALL = "stall"
"""A step that keeps the connection open and sends nothing, until the client or the server goes away."""

Step: TypeAlias = bytes | str | float
"""What is sent next: bytes as they are, or `CLOSE`, or `STALL`; a number waits that many seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One scripted reply."""

    status: int = 200
    type: str = "application/json"
    steps: tuple[Step, ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What a client sent."""

    path: str
    headers: Mapping[str, str]  # names in lower case
    body: Mapping[str, object]


class FakeOpenAI:
    """A threaded HTTP server; scripted replies first, then honest ones. Use it as a context."""

    def __init__(self, *, embedder: HashingEmbedder | None = None, answer: Sequence[str] = ("Port ", "9117")) -> None:
        """Take what it embeds by and the pieces that it answers with."""
        self._embedder = embedder or HashingEmbedder(window=1_000_000)
        self._answer = tuple(answer)
        self._scripted: list[Reply] = []
        self._lock = threading.Lock()
        self._over = threading.Event()
        self.requests: list[Request] = []
        self.gone = threading.Event()  # set when a client went away during a reply
        self.counts: Callable[[str], int] | None = None
        self.limit = 0
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.fake = self
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)

    @property
    def url(self) -> str:
        """Base URL for a client."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def reply(self, *replies: Reply) -> None:
        """Answer the next requests with these."""
        with self._lock:
            self._scripted += replies

    def refuse_over(self, limit: int, *, counts: Callable[[str], int]) -> None:
        """Refuse every embedding request in which a text counts over `limit`, whatever else is in it."""
        self.limit, self.counts = limit, counts

    def __enter__(self) -> FakeOpenAI:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def next_reply(self, request: Request) -> Reply:
        """Return the reply to a request and record it."""
        with self._lock:
            self.requests.append(request)
            if self._scripted:
                return self._scripted.pop(0)
        if request.path.endswith("/embeddings"):
            return self._embeddings(request)
        if request.path.endswith("/rerank"):
            return self._rerank(request)
        if request.path.endswith("/chat/completions"):
            return Reply(type="text/event-stream", steps=completion(*self._answer))
        return json_reply({"error": {"message": "no such path"}}, status=404)

    @property
    def over(self) -> bool:
        """Whether the server is being closed."""
        return self._over.is_set()

    def wait(self, seconds: float) -> None:
        """Wait, but not beyond the server's end."""
        self._over.wait(seconds)

    def _embeddings(self, request: Request) -> Reply:
        texts = _strings(request.body.get("input"))
        if self.counts is not None and any(self.counts(text) > self.limit for text in texts):
            return json_reply({"error": "the input length exceeds the context length"}, status=400)
        data = [
            {"index": index, "object": "embedding", "embedding": row.tolist()}
            for index, row in enumerate(self._embedder.embed_documents(texts))
        ]
        return json_reply({"object": "list", "data": data, "model": request.body.get("model")})

    def _rerank(self, request: Request) -> Reply:
        question = self._embedder.embed_query(str(request.body.get("query")))
        texts = _strings(request.body.get("documents", request.body.get("texts")))
        scores = self._embedder.embed_documents(texts) @ question
        best = sorted(enumerate(scores.tolist()), key=lambda item: -item[1])
        if "texts" in request.body:
            return json_reply([{"index": index, "score": score} for index, score in best])
        return json_reply({"results": [{"index": index, "relevance_score": score} for index, score in best]})


def json_reply(body: object, *, status: int = 200, headers: Mapping[str, str] | None = None) -> Reply:
    """Return a reply with a JSON body."""
    return Reply(status=status, steps=(json.dumps(body).encode(),), headers=headers or {})


def event(body: object) -> bytes:
    """Return one server-sent event with a JSON body."""
    return b"data: " + json.dumps(body, ensure_ascii=False).encode() + b"\n\n"


def said(text: str) -> bytes:
    """Return an ordinary content chunk."""
    return event({"choices": [{"index": 0, "delta": {"content": text}}]})


def finished(reason: str) -> bytes:
    """Return a chunk with a finish reason."""
    return event({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})


DONE = b"data: [DONE]\n\n"


def completion(*pieces: str) -> tuple[Step, ...]:
    """Return the steps of a well-formed completion with usage."""
    usage = event({"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": len(pieces)}})
    return (*map(said, pieces), finished("stop"), usage, DONE)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    fake: FakeOpenAI

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: a client that goes away is part of the play."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # a reply is many small writes, each of which would wait 40 ms for the client
    server: _Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or b"{}")
        headers = {name.lower(): value for name, value in self.headers.items()}
        reply = self.server.fake.next_reply(Request(path=self.path, headers=headers, body=body))
        try:
            self._send(reply)
        except OSError:
            self.close_connection = True
            self.server.fake.gone.set()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - http.server's name
        """Say nothing."""

    def _send(self, reply: Reply) -> None:
        self.send_response(reply.status)
        self.send_header("Content-Type", reply.type)
        self.send_header("Transfer-Encoding", "chunked")
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.end_headers()
        for step in reply.steps:
            if step == CLOSE:
                self.close_connection = True
                return
            if step == STALL:
                self.wfile.flush()
                self._wait_for_client()
                return
            if isinstance(step, float):
                self.server.fake.wait(step)
                continue
            data = step if isinstance(step, bytes) else step.encode()
            self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
            self.wfile.flush()
        self.wfile.write(b"0\r\n\r\n")

    def _wait_for_client(self) -> None:
        """Return when the client or the server goes away."""
        self.close_connection = True
        self.connection.settimeout(0.02)
        while not self.server.fake.over:
            try:
                if not self.connection.recv(1):
                    self.server.fake.gone.set()
                    return
            except TimeoutError:
                continue


def _strings(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
