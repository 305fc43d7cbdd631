"""What is answered at the protocol's address where its package is not installed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.routing import Route

from askwell.server.problems import problem

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

PATHS = ("/mcp", "/mcp/")


class Absent:
    """An ASGI application that names the command to run."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer any request."""
        said = problem(
            404,
            "this server does not speak MCP: the package `mcp` is not installed",
            hint="install it with `pip install 'askwell[mcp]'`, and start the server again",
        )
        await said(scope, receive, send)


def routes() -> list[Route]:
    """Return the routes to add to an application."""
    return [Route(path, endpoint=Absent(), include_in_schema=False) for path in PATHS]
