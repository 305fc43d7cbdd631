"""A piece of the web on loopback: search services in their own wire formats, and pages, as well or as badly as told.

with FakeWeb() as web:
    web.page("/pump", "<h1>Pump</h1><p>The pump runs at noon.</p>")
    web.found = [web.url("/pump")]      # what every service finds
    HttpWebSearch(PROVIDERS["searxng"], url=web.base, …)
"""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, quote, urlsplit

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType

KEY = "right-key"
"""The one that the services with keys take."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """One page, or one reply of a service."""

    body: bytes
    status: int = 200
    type: str = "text/html; charset=utf-8"
    location: str = ""
    packed: bool = False  # told to be gzip
    endless: bool = False  # more of the same until nobody reads


class FakeWeb:
    """A threaded HTTP server. Use it as a context."""

    def __init__(self) -> None:
        """Serve nothing yet."""
        self._pages: dict[str, Served] = {}
        self.found: list[str] = []
        self.queries: list[str] = []  # as the services understood them
        self.paths: list[str] = []  # of pages that were asked for
        self.instead: list[Served] = []  # the next replies of a service
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.fake = self
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self._server.server_address[1])

    @property
    def base(self) -> str:
        """Address of the services."""
        return f"http://127.0.0.1:{self.port}"

    def url(self, path: str) -> str:
        """Return the address of a page."""
        return self.base + path

    def page(self, path: str, body: str | bytes, **more: object) -> None:
        """Serve a page."""
        raw = body if isinstance(body, bytes) else body.encode()
        self._pages[path] = Served(body=raw, **more)  # type: ignore[arg-type]  # fields of a reply

    def __enter__(self) -> FakeWeb:
        """Begin."""
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)

    def answer(self, method: str, address: str, headers: Mapping[str, str], body: bytes) -> Served:
        """Return what a request gets."""
        parts = urlsplit(address)
        given = {name: values[0] for name, values in parse_qs(parts.query).items()}
        match method, parts.path:
            case "GET", "/search" if given.get("format") == "json":
                return self._service(given.get("q", ""), {"results": self._listed()})
            case "POST", "/search":
                if headers.get("authorization") != f"Bearer {KEY}":
                    return _json({"detail": {"error": "Unauthorized: missing or invalid API key."}}, status=401)
                asked = json.loads(body)
                return self._service(str(asked["query"]), {"query": asked["query"], "results": self._listed()})
            case "GET", "/res/v1/web/search":
                if headers.get("x-subscription-token") != KEY:
                    return _json({"type": "ErrorResponse", "error": {"code": "SUBSCRIPTION_TOKEN_INVALID"}}, status=401)
                return self._service(given.get("q", ""), {"type": "search", "web": {"results": self._listed()}})
            case "POST", "/html/":
                return self._instead(parse_qs(body.decode()).get("q", [""])[0]) or Served(body=self._html().encode())
            case "GET", path:
                self.paths.append(path)
                return self._pages.get(path, Served(body=b"gone", status=404))
            case _:
                return Served(body=b"", status=405)

    def _listed(self) -> list[dict[str, object]]:
        return [{"title": f"Page {n}", "url": url, "content": "a snippet"} for n, url in enumerate(self.found)]

    def _html(self) -> str:
        rows = [
            f'<div class="result"><a class="result__a" href="//duckduckgo.com/l/?uddg={quote(url, safe="")}&amp;rut=x">'
            f"Page <b>{n}</b></a></div>"
            for n, url in enumerate(self.found)
        ]
        return f"<html><body>{''.join(rows) or '<div class=no-results>No results.</div>'}</body></html>"

    def _service(self, query: str, value: object) -> Served:
        return self._instead(query) or _json(value)

    def _instead(self, query: str) -> Served | None:
        self.queries.append(query)
        return self.instead.pop(0) if self.instead else None


def _json(value: object, *, status: int = 200) -> Served:
    return Served(body=json.dumps(value).encode(), status=status, type="application/json")


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    fake: FakeWeb

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: a client that has read enough goes away."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def do_GET(self) -> None:
        self._reply()

    def do_POST(self) -> None:
        self._reply()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - http.server's name
        """Say nothing."""

    def _reply(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        served = self.server.fake.answer(self.command, self.path, headers, body)
        self.send_response(served.status)
        self.send_header("Content-Type", served.type)
        if served.location:
            self.send_header("Location", served.location)
        if served.packed:
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        self.wfile.write(served.body)
        while served.endless:
            self.wfile.write(served.body)
