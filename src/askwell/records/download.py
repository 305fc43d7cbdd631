"""One file over HTTP within bounds: of size, of time from first to last byte, and to the address that was named."""

from __future__ import annotations

import contextlib
import http.client
import socket
import threading
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from askwell.ports.leaving import stays_here
from askwell.records.files import Failed
from askwell.types import Outgoing, PrivacyClass

if TYPE_CHECKING:
    from collections.abc import Iterator

    from askwell.ports import Leaving

_CONNECT = 5.0  # seconds
_PIECE = 65_536


def download(url: str, *, most: int, seconds: float, key: str = "", leaving: Leaving | None = None) -> bytes:
    """Return what `url` answers to one GET. No redirect is followed, no proxy is used.

    Args:
        url: `http://` or `https://`.
        most: Bytes of the reply; a longer one is not read to its end.
        seconds: For everything together.
        key: Sent as a bearer token if not empty.
        leaving: Told if the host is another machine.

    Raises:
        Failed: no connection, an answer that is not 200, too long, too late, broken off.
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise Failed("its address cannot be read") from error
    if not host or parts.username or parts.password:
        raise Failed("its address has no host, or it has a password")
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    connection = kind(host, port, timeout=min(_CONNECT, seconds))
    late = threading.Event()
    try:
        connection.connect()
        if leaving is not None and not stays_here(host):
            to = host + (f":{port}" if port else "")
            leaving(Outgoing(destination=to, purpose="usage pull", size=len(path), class_=PrivacyClass.OPEN))
        with _deadline(connection.sock, seconds, late):
            headers = {"Accept-Encoding": "identity"} | ({"Authorization": f"Bearer {key}"} if key else {})
            connection.request("GET", path, headers=headers)
            data = _body(connection.getresponse(), most)
    except (
        Failed,
        OSError,
        http.client.HTTPException,
        ValueError,
    ) as error:  # ValueError: no request can hold the path
        if late.is_set():
            raise Failed(f"no whole answer in {seconds:g} seconds") from error
        if isinstance(error, Failed):
            raise
        raise Failed("no connection" if isinstance(error, OSError) else "what came is no HTTP") from error
    finally:
        connection.close()
    if late.is_set():  # an end that the deadline made looks like any other
        raise Failed(f"no whole answer in {seconds:g} seconds")
    return data


def _body(response: http.client.HTTPResponse, most: int) -> bytes:
    if 300 <= response.status < 400:
        raise Failed("it redirects to another address; name that one")
    if response.status != 200:
        raise Failed(f"it answered {response.status}")
    data = bytearray()
    while piece := response.read(min(_PIECE, most + 1 - len(data))):
        data += piece
        if len(data) > most:
            raise Failed(f"it is larger than {most} bytes")
    if response.length:
        raise Failed("it broke off")
    return bytes(data)


@contextlib.contextmanager
def _deadline(connected: socket.socket, seconds: float, late: threading.Event) -> Iterator[None]:
    """Shut a connection down when its time is over, however alive the other side keeps it."""

    def end() -> None:
        late.set()
        with contextlib.suppress(OSError):
            connected.shutdown(socket.SHUT_RDWR)

    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
