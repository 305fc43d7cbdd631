"""The application: routes over one engine, the guard before them, and every fault in its client's own language.

app.state.services   what the routes use (`services`)
routers              `PAGES`, `PROGRAMS`, and MCP where its package is installed
"""

from __future__ import annotations

import json
import logging
import time
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from askwell import __version__
from askwell.errors import AskwellError
from askwell.server import api_docs, kept, login, rest, settings_api
from askwell.server.guard import Guard, Limits, is_loopback_name
from askwell.server.mcp import absent
from askwell.server.openai import routes as openai
from askwell.server.openai.chunks import error as openai_error
from askwell.server.pages import admin, assets, chat, insights, sources, viewer
from askwell.server.pages.site import Site
from askwell.server.problems import problem, told

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from askwell.server.services import Services

log = logging.getLogger("askwell.server")

PAGES = (chat, viewer, sources, insights, admin, login, api_docs)
"""Modules with a `router` of what people see."""

PROGRAMS = (rest, kept, settings_api, openai)
"""Modules with a `router` of what programs call; `/api/openapi.json` describes it."""


def create_app(services: Services) -> ASGIApp:
    """Return the server as an ASGI application, guarded. Its lifespan starts and stops the indexer."""
    mcp = _mcp(services)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            stack.callback(services.close)
            if mcp is not None:
                await stack.enter_async_context(mcp.running())
            if services.indexer is not None:
                services.indexer.start()
            services.threads.submit(_warm, services)
            yield

    app = FastAPI(
        title="Askwell",
        version=__version__,
        description="Ask your own documents; every claim opens at its lines.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    app.state.services = services
    app.state.site = Site(
        config=services.config,
        lend=services.lend,
        records=services.records,
        indexer=services.indexer,
        web=services.config.web.provider != "none",
    )
    app.add_exception_handler(AskwellError, _ours)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, _fault)
    for module in PAGES:
        app.include_router(module.router, include_in_schema=False)
    for module in PROGRAMS:
        app.include_router(module.router)
    app.router.routes.extend(mcp.routes() if mcp is not None else absent.routes())
    assets.mount(app)
    server = services.config.server
    return Guard(
        Measured(app, services),
        tokens=services.tokens,
        hosts=frozenset(server.hosts),
        loopback=is_loopback_name(server.host),
        limits=Limits(body=server.max_body, per_minute=server.per_minute),
        dressed=_in_protocol,
    )


def _mcp(services: Services) -> Any:  # Any: its package is an extra
    try:
        from askwell.server.mcp.http import HttpProtocol
    except ModuleNotFoundError:
        return None
    mcp = services.config.mcp
    return HttpProtocol(
        lend=services.lend,
        include_personal=mcp.include_personal,
        stateless=mcp.stateless,
        store=services.store,
        limits=Limits(body=services.config.server.max_body),
    )


def _warm(services: Services) -> None:
    """Load the embedder before anybody asks."""
    try:
        with services.lend() as engine:
            engine.embedder()
    except AskwellError as error:  # whoever asks is told then
        log.warning(json.dumps({"warning": str(error)}))


class Measured:
    """ASGI middleware that counts replies by route."""

    def __init__(self, app: ASGIApp, services: Services) -> None:
        self._app = app
        self._metrics = services.metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and count it when its reply has ended."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started, status = time.perf_counter(), 500

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, watched)
        finally:
            route = getattr(scope.get("route"), "path", "other")
            self._metrics.requests.labels(route, str(status)).inc()
            self._metrics.seconds.labels(route).observe(time.perf_counter() - started)


def _ours(request: Request, error: Exception) -> Response:
    assert isinstance(error, AskwellError)  # noqa: S101 - registered for it
    return _dressed(request, told(error))


def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # noqa: S101 - registered for it
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"] if part != "body") or "the body"
    said = str(first["msg"])
    return _dressed(
        request,
        problem(422, f"{where}: {said[:1].lower()}{said[1:]}", hint="`/api/docs` shows what each request takes"),
    )


def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 - registered for it
    hint = "`/api/docs` lists the addresses" if error.status_code == 404 else ""
    return _dressed(request, problem(error.status_code, str(error.detail), hint=hint, headers=error.headers))


def _fault(request: Request, error: Exception) -> Response:
    """Tell that the fault is ours; its words may quote what the client must not see."""
    log.error(json.dumps({"fault": type(error).__name__, "route": request.scope["path"]}))
    return _dressed(
        request,
        problem(500, "this is a fault in Askwell", hint="start the server with ASKWELL_TRACEBACK=1 and report it"),
    )


def _dressed(request: Request, reply: Response) -> Response:
    """Return an error as its client reads it: an OpenAI error, a page, or the problem details as they are."""
    path = request.url.path
    if path.startswith("/v1/"):
        return _in_protocol(path, reply)
    body = json.loads(bytes(reply.body))
    accepts = request.headers.get("accept", "")
    if request.method == "GET" and "text/html" in accepts and not path.startswith("/api/"):
        return assets.error_page(request, reply.status_code, body)
    return reply


def _in_protocol(path: str, reply: Response) -> Response:
    """Return a refusal in OpenAI's shape where its clients ask, else as it is."""
    if not path.startswith("/v1/"):
        return reply
    return openai_error(reply.status_code, json.loads(bytes(reply.body)), headers=reply.headers)
