"""The whole server on loopback, in a thread of the test's process, over an index of its own."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from typing import TYPE_CHECKING

import uvicorn
from tests.adapters.mcp_server import indexed

from askwell.config import load
from askwell.server.app import create_app
from askwell.server.run import Server
from askwell.server.services import Services, services

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.adapters.command import Askwell

__all__ = ["indexed", "served"]


@contextlib.contextmanager
def served(askwell: Askwell, *, indexing: bool = False, **flags: object) -> Iterator[tuple[str, Services]]:
    """Serve an index; yield the address of the server and its parts.

    Args:
        askwell: Commands over the folder that is served.
        indexing: Whether index runs are made.
        flags: Settings, with two underscores for the dot.
    """
    config = load(
        file=askwell.folder / "settings.toml",
        environ={},
        sources=[str(source) for source in askwell.sources],
        flags={
            "store.url": str(askwell.folder / askwell.index),
            "records.path": str(askwell.folder / "records"),
            "server.per_minute": 0,
            "server.hosts": ("home.test",),
            **{name.replace("__", "."): value for name, value in flags.items()},
        },
    )
    arguments = ["--config", str(askwell.folder / "settings.toml"), "--index", str(askwell.folder / askwell.index)]
    arguments += [word for source in askwell.sources for word in ("--source", str(source))]
    parts = services(config, arguments, environ={}, indexing=indexing)
    bound = socket.create_server(("127.0.0.1", 0))
    server = Server(uvicorn.Config(create_app(parts), log_level="error", timeout_graceful_shutdown=2), parts)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
    thread.start()
    try:
        while not server.started:
            time.sleep(0.01)
        yield f"http://127.0.0.1:{bound.getsockname()[1]}", parts
    finally:
        server.handle_exit(0, None)
        thread.join(20)
        bound.close()
