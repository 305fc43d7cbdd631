"""The protocol's requests → threads with an engine → its replies. The outermost frame of what an agent calls.

What a document says reaches a client as JSON strings or as a resource's text, so that nothing in it can end the place
where it stands. A fault is told as a sentence with the next step; one of ours is told by its type alone, because its
words may quote what the reader must not see.
"""

from __future__ import annotations

import json
import logging
import os
from typing import TYPE_CHECKING, Any, TypeVar

import anyio
import anyio.from_thread
import anyio.to_thread
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError

from askwell import __version__
from askwell.errors import AskwellError, BadRequest
from askwell.server.interruptible import Waiting
from askwell.server.mcp import resources
from askwell.server.mcp.arguments import checked
from askwell.server.mcp.offered import INSTRUCTIONS, TOOLS
from askwell.server.mcp.tools import Call, Cancelled, Reader

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from mcp.server.context import CallNext, HandlerResult, ServerRequestContext

    from askwell.engine import Engine
    from askwell.wire import Json

    Tell = Callable[[float, str], None]

THREADS = 8
"""Calls that are worked on at the same time; further ones wait."""

_log = logging.getLogger("askwell.mcp")
_Result = TypeVar("_Result")


class Protocol:
    """What a server answers, over whichever transport."""

    def __init__(
        self,
        *,
        lend: Callable[[], AbstractContextManager[Engine]],
        reader_of: Callable[[object], Reader],
        store: str = "",
    ) -> None:
        """Open nothing yet.

        Args:
            lend: Lends an engine to the thread that calls it.
            reader_of: Who reads, by the HTTP request that a message came with; None over stdio.
            store: Where the index is, in words for `status`.
        """
        self._lend = lend
        self._reader_of = reader_of
        self._store = store
        self._threads = anyio.CapacityLimiter(THREADS)

    def server(self) -> Server[Any]:
        """Return the official library's server with our answers."""
        made: Server[Any] = Server(
            "askwell",
            title="Askwell",
            version=__version__,
            instructions=INSTRUCTIONS,
            on_list_tools=self.list_tools,
            on_call_tool=self.call_tool,
            on_list_resources=self.list_resources,
            on_list_resource_templates=self.list_templates,
            on_read_resource=self.read_resource,
            on_completion=self.complete,
        )
        made.middleware.append(_outermost)
        return made

    async def list_tools(self, _: ServerRequestContext[Any], __: object) -> types.ListToolsResult:
        """Answer `tools/list`."""
        return types.ListToolsResult(tools=[tool.declared(name) for name, tool in TOOLS.items()])

    async def call_tool(
        self, context: ServerRequestContext[Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        """Answer `tools/call`. What a caller can put right is a result marked as an error, which its model reads."""
        tool = TOOLS.get(params.name)
        if tool is None:
            raise MCPError(
                code=types.INVALID_PARAMS, message=f"unknown tool {params.name[:100]!r}; there are: {', '.join(TOOLS)}"
            )
        try:
            given = checked(tool.takes, params.arguments or {})

            def work(engine: Engine, reader: Reader, tell: Tell, waiting: Waiting) -> Json:
                return tool.run(
                    Call(engine=engine, reader=reader, tell=tell, waiting=waiting, store=self._store), given
                )

            return _result(await self._in_thread(context, work))
        except AskwellError as error:
            return _fault(str(error), error.hint)
        except Cancelled:
            return _fault("cancelled", "")
        except MCPError:
            raise
        except Exception as error:  # noqa: BLE001 - told by its type, logged, and the next call is served
            _report(error, params.name)
            return _fault(f"a fault in Askwell ({type(error).__name__})", "the server's log on stderr says where")

    async def list_resources(
        self, context: ServerRequestContext[Any], params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        """Answer `resources/list`, a page at a time."""
        cursor = params.cursor if params is not None else None
        shown, following = await self._told(
            context, lambda engine, reader: resources.page(engine, cursor, audience=reader.own())
        )
        listed = [
            types.Resource(
                uri=resources.address(info.source, info.path),
                name=_shown(info.path),
                title=_shown(info.title) or None,
                description=f"{info.kind.value}, from {_shown(info.source)}",
                mime_type=resources.mime_type(info.format),
            )
            for info in shown
        ]
        return types.ListResourcesResult(resources=listed, next_cursor=following)

    async def list_templates(self, _: ServerRequestContext[Any], __: object) -> types.ListResourceTemplatesResult:
        """Answer `resources/templates/list`."""
        template = types.ResourceTemplate(
            uri_template=resources.TEMPLATE,
            name="document",
            title="A document, or some of its lines",
            description="An indexed document of a source; `lines` is `A-B`, the whole document if left out",
            mime_type="text/plain",
        )
        return types.ListResourceTemplatesResult(resource_templates=[template])

    async def read_resource(
        self, context: ServerRequestContext[Any], params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        """Answer `resources/read`."""
        uri = str(params.uri)
        excerpt = await self._told(context, lambda engine, reader: resources.read(engine, uri, audience=reader.own()))
        if excerpt is None:
            raise MCPError(
                code=types.INVALID_PARAMS,
                message="Resource not found",
                data={"uri": uri[:500], "hint": "take the address from `resources/list`, or use the tool `search`"},
            )
        contents = types.TextResourceContents(
            uri=excerpt.uri, mime_type=excerpt.mime, text=_shown(excerpt.text), _meta=resources.meta(excerpt)
        )
        return types.ReadResourceResult(contents=[contents])

    async def complete(
        self, context: ServerRequestContext[Any], params: types.CompleteRequestParams
    ) -> types.CompleteResult:
        """Answer `completion/complete` for the template's names."""
        if not isinstance(params.ref, types.ResourceTemplateReference) or params.ref.uri != resources.TEMPLATE:
            return types.CompleteResult(completion=types.Completion(values=[], total=0, has_more=False))
        chosen = (params.context.arguments if params.context is not None else None) or {}
        name, typed, source = params.argument.name, params.argument.value, chosen.get("source", "")
        values, total = await self._told(
            context,
            lambda engine, reader: resources.completions(engine, name, typed, source=source, audience=reader.own()),
        )
        return types.CompleteResult(
            completion=types.Completion(values=list(map(_shown, values)), total=total, has_more=total > len(values))
        )

    async def _told(self, context: ServerRequestContext[Any], read: Callable[[Engine, Reader], _Result]) -> _Result:
        """Read in a thread; a fault becomes an error of the protocol, as these requests have no other."""
        try:
            return await self._in_thread(context, lambda engine, reader, _, __: read(engine, reader))
        except BadRequest as error:
            raise MCPError(code=types.INVALID_PARAMS, message=str(error), data={"hint": error.hint}) from error
        except AskwellError as error:
            raise MCPError(code=types.INTERNAL_ERROR, message=str(error), data={"hint": error.hint}) from error

    async def _in_thread(
        self,
        context: ServerRequestContext[Any],
        work: Callable[[Engine, Reader, Tell, Waiting], _Result],
    ) -> _Result:
        """Run `work` in a thread with an engine of its own. Cancelled, it is told, and nobody waits for it."""
        reader = self._reader_of(context.request)
        waiting = Waiting()

        async def report(progress: float, message: str) -> None:
            if not waiting.over:
                await context.session.report_progress(progress, None, message)

        def tell(progress: float, message: str) -> None:
            if not waiting.over:
                anyio.from_thread.run(report, progress, message)

        def run() -> _Result:
            with self._lend() as engine:
                return work(engine, reader, tell, waiting)

        try:
            return await anyio.to_thread.run_sync(run, abandon_on_cancel=True, limiter=self._threads)
        finally:
            waiting.end()


async def _outermost(ctx: ServerRequestContext[Any], call_next: CallNext) -> HandlerResult:
    try:
        return await call_next(ctx)
    except (MCPError, ValidationError):  # the library tells the latter as wrong parameters, without its words
        raise
    except Exception as error:  # noqa: BLE001 - as above
        _report(error, ctx.method)
        raise MCPError(code=types.INTERNAL_ERROR, message=f"a fault in Askwell ({type(error).__name__})") from None


def _report(error: Exception, where: str) -> None:
    """Log a fault of ours: by its type alone unless asked for more, as its words may quote personal text."""
    told = error if os.environ.get("ASKWELL_TRACEBACK") else None
    _log.error("%s in `%s`; ASKWELL_TRACEBACK=1 shows where it happened", type(error).__name__, where, exc_info=told)


def _result(value: Json) -> types.CallToolResult:
    """Return a result as structured content and, for clients that read text alone, as the same JSON in a text."""
    text = json.dumps(value, ensure_ascii=False)
    clean = _shown(text)
    structured = value if clean is text else json.loads(clean)
    return types.CallToolResult(content=[types.TextContent(type="text", text=clean)], structured_content=structured)


def _fault(message: str, hint: str) -> types.CallToolResult:
    text = f"{message}\nhint: {hint}" if hint else message
    return types.CallToolResult(content=[types.TextContent(type="text", text=_shown(text))], is_error=True)


def _shown(text: str) -> str:
    """Return `text` as it can be sent: lone surrogates become U+FFFD."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
    return text
