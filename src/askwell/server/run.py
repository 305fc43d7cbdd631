"""Runs the server until it is told to stop: streams end with an error their clients can see, an index run in peace."""

from __future__ import annotations

import json
import logging
import os
import socket
from typing import TYPE_CHECKING

import uvicorn

from askwell.errors import ConfigError, ModelUnavailable
from askwell.server.app import create_app
from askwell.server.services import services

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import FrameType

    from askwell.server.services import Services
    from askwell.settings import Config

GRACE = 8
"""Seconds that replies may take to end once the server was told to stop."""

log = logging.getLogger("askwell.server")


class Server(uvicorn.Server):
    """Ends the streams as soon as a signal arrives: a model may write for minutes."""

    def __init__(self, config: uvicorn.Config, parts: Services) -> None:
        super().__init__(config)
        self._parts = parts

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Take a signal; a second one ends the server without waiting for anybody. Being told to stop is no failure."""
        self._parts.streams.end(ModelUnavailable("the server is stopping", hint="ask again when it is back"))
        self.force_exit = self.should_exit
        self.should_exit = True


def serve(
    config: Config,
    arguments: Sequence[str],
    *,
    indexing: bool = True,
    told: Callable[[str], None] = lambda _: None,
) -> None:
    """Serve until SIGTERM or SIGINT.

    Args:
        config: Settings in force.
        arguments: Of index runs: which settings file, which sources, which index.
        indexing: Whether index runs are made.
        told: Called with the address once the port is held.

    Raises:
        ConfigError: the port is taken, or a setting names something that does not exist.
    """
    parts = services(config, arguments, environ=os.environ, indexing=indexing)
    listening = _listen(config.server.host, config.server.port)
    host, port = listening.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    server = Server(
        uvicorn.Config(
            create_app(parts),
            log_config=None,
            access_log=False,
            server_header=False,
            date_header=True,
            timeout_graceful_shutdown=GRACE,
            timeout_keep_alive=30,
            h11_max_incomplete_event_size=65_536,
            ws="none",
        ),
        parts,
    )
    told(f"http://{shown}:{port}/")
    log.info(json.dumps({"serving": f"http://{shown}:{port}/", "index": parts.store}))
    try:
        server.run(sockets=[listening])
    finally:
        parts.close()


def _listen(host: str, port: int) -> socket.socket:
    listening = None
    try:
        family, kind, proto, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, kind, proto)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(256)
    except OSError as error:
        if listening is not None:
            listening.close()
        raise ConfigError(
            f"cannot listen on {host}:{port}: {(error.strerror or type(error).__name__).lower()}",
            hint="choose another with `--port`, or end what holds it",
        ) from error
    return listening
