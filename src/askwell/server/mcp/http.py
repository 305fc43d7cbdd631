"""MCP over streamable HTTP, as a route of the server: behind its guard, over its engines.

A session belongs to the caller who opened it; what a call may see is decided by the request that brings it, never by
its session. A session that this process does not know, because it is over or from before a restart, is answered with
404, on which clients open a new one. Stateless, each request is answered by itself and there is nothing to lose.
"""

from __future__ import annotations

import logging
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.requests import Request
from starlette.routing import Route

from askwell.server.guard import Caller, Limits
from askwell.server.mcp.absent import PATHS
from askwell.server.mcp.protocol import Protocol
from askwell.server.mcp.tools import Reader
from askwell.server.problems import problem

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from contextlib import AbstractContextManager

    from starlette.types import Receive, Scope, Send

    from askwell.engine import Engine

MOST_SESSIONS = 1000
"""Sessions at a time; a further client is told to come back later."""

IDLE = 30 * 60.0
"""Seconds without a request after which a session is forgotten."""

_METHODS = ("GET", "POST", "DELETE")


class HttpProtocol:
    """An ASGI application for one path. Serves while `running` is entered, once."""

    def __init__(
        self,
        *,
        lend: Callable[[], AbstractContextManager[Engine]],
        include_personal: bool,
        stateless: bool = False,
        store: str = "",
        limits: Limits | None = None,
    ) -> None:
        """Open nothing yet.

        Args:
            lend: Lends an engine to the thread that calls it.
            include_personal: The setting `mcp.include_personal`; a caller limited to open documents stays so.
            stateless: The setting `mcp.stateless`.
            store: Where the index is, in words for `status`.
            limits: Of a request's body.
        """
        self._stateless = stateless
        protocol = Protocol(
            lend=lend, reader_of=lambda request: _reader(request, include_personal=include_personal), store=store
        )
        self._sessions = StreamableHTTPSessionManager(
            protocol.server(),
            json_response=stateless,
            stateless=stateless,
            session_idle_timeout=None if stateless else IDLE,
            max_sessions=MOST_SESSIONS,
            max_request_body_size=(limits or Limits()).body,
        )

    def routes(self) -> list[Route]:
        """Return the routes to add to an application: the path with and without a slash, so that none is redirected."""
        return [Route(path, endpoint=self, include_in_schema=False) for path in PATHS]

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Serve until the context ends: to be entered in the application's lifespan."""
        logging.getLogger("mcp").setLevel(logging.WARNING)  # on a lower level it names every session, which is a key
        async with self._sessions.run():
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request that the guard let through."""
        allowed = ("POST",) if self._stateless else _METHODS
        if scope["method"] not in allowed:
            refusal = problem(405, f"{PATHS[0]} takes {', '.join(allowed)}", headers={"Allow": ", ".join(allowed)})
            await refusal(scope, receive, send)
            return
        caller = _caller(scope)
        if caller is not None:
            known = AccessToken(token="", client_id=caller.name, scopes=[])
            scope = {**scope, "user": AuthenticatedUser(known)}
        await self._sessions.handle_request(scope, receive, send)


def _caller(scope: Scope) -> Caller | None:
    caller = scope.get("state", {}).get("caller")
    return caller if isinstance(caller, Caller) else None


def _reader(request: object, *, include_personal: bool) -> Reader:
    """Return who reads: personal documents only if the setting and the caller allow it, and none if nobody is known."""
    caller = _caller(request.scope) if isinstance(request, Request) else None
    return Reader(include_personal=include_personal and caller is not None and not caller.open_only)
