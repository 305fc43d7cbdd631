"""MCP over stdin and stdout: one client, the program that started this one. It ends when stdin does.

The library keeps stdout for itself: what anything else writes there goes to stderr, with the log.
"""

from __future__ import annotations

import logging
import sys
from typing import TYPE_CHECKING

import anyio
from mcp.server.stdio import stdio_server

from askwell import compose
from askwell.compose.records import make_records
from askwell.server.mcp.protocol import THREADS, Protocol
from askwell.server.mcp.tools import Reader
from askwell.server.pool import EnginePool, OneIndex

if TYPE_CHECKING:
    from askwell.settings import Config


def run(config: Config) -> None:
    """Serve until stdin ends.

    Raises:
        ConfigError: a setting names something that does not exist.
    """
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="askwell mcp: %(message)s")
    path = compose.index_path(config)
    pool = EnginePool(compose.engines(config, records=make_records(config, interface="mcp")), most=THREADS)
    reader = Reader(include_personal=config.mcp.include_personal)
    protocol = Protocol(lend=OneIndex(pool, path).lend, reader_of=lambda _: reader, store=str(path))
    try:
        anyio.run(_served, protocol)
    finally:
        pool.close()


async def _served(protocol: Protocol) -> None:
    server = protocol.server()
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())
