from __future__ import annotations

import logging
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import anyio
import pytest

from askwell.errors import ModelUnavailable

mcp = pytest.importorskip("mcp")

from askwell.server.mcp.protocol import Protocol  # noqa: E402 - its library is an extra
from askwell.server.mcp.tools import Reader  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from askwell.engine import Engine


def failing(error: Exception) -> Protocol:
    """Return a protocol whose engines cannot be had."""

    @contextmanager
    def lend() -> Iterator[Engine]:
        raise error
        yield

    return Protocol(lend=lend, reader_of=lambda _: Reader())


def told(error: Exception, use: Callable[[Any], Any]) -> Any:  # Any: a result, or what the client raised
    async def session() -> Any:
        async with mcp.Client(failing(error).server()) as agent:
            try:
                return await use(agent)
            except mcp.MCPError as refused:
                return refused

    return anyio.run(session)


def test_a_fault_of_ours_is_told_by_its_type_and_never_by_its_words(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR, "askwell.mcp"):
        result = told(RuntimeError("journal/zebulon.md"), lambda agent: agent.call_tool("search", {"question": "pump"}))
        refused = told(RuntimeError("journal/zebulon.md"), lambda agent: agent.list_resources())
    assert result.is_error
    assert "RuntimeError" in result.content[0].text
    assert (refused.code, refused.message) == (-32603, "a fault in Askwell (RuntimeError)")
    said = f"{result} {refused.error} {caplog.text}"
    assert "zebulon" not in said
    assert "Traceback" not in said
    assert caplog.text.count("RuntimeError") == 2


def test_a_fault_that_the_caller_can_mend_comes_with_the_next_step() -> None:
    busy = ModelUnavailable("too many questions", hint="try again in a moment")
    result = told(busy, lambda agent: agent.call_tool("ask", {"question": "pump"}))
    assert (result.is_error, result.content[0].text) == (True, "too many questions\nhint: try again in a moment")
    refused = told(busy, lambda agent: agent.read_resource("askwell://notes/pumps.md"))
    assert refused.data == {"hint": "try again in a moment"}
