"""A server on loopback that sends bytes as it is told to, whatever is asked."""

from __future__ import annotations

import contextlib
import socket
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType

CLOSE = b"\0close"
"""A step that closes the connection; without it the connection stays open and silent."""


class Scripted:
    """Accepts connections one after another and plays the same steps to each. Use it as a context."""

    def __init__(self, steps: Sequence[bytes], *, pause: float = 0.0) -> None:
        self._steps = steps
        self._pause = pause
        self._over = threading.Event()
        self._socket = socket.create_server(("127.0.0.1", 0))
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self.heard: list[bytes] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._socket.getsockname()[1]}"

    def __enter__(self) -> Scripted:
        self.address = self._socket.getsockname()
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join(5)

    def _serve(self) -> None:
        while not self._over.is_set():
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            with connection, contextlib.suppress(OSError):
                self.heard.append(connection.recv(65536))
                for step in self._steps:
                    if step == CLOSE or self._over.wait(self._pause):
                        break
                    connection.sendall(step)
                else:
                    connection.settimeout(0.05)
                    while not self._over.is_set():
                        with contextlib.suppress(TimeoutError):
                            if not connection.recv(1000):
                                break
