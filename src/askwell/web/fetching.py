"""One page over HTTP within bounds: of addresses at every hop, of size, of time, of type."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urljoin

import httpx

from askwell.ports.leaving import carried, stays_here
from askwell.types import Outgoing
from askwell.web.addresses import Refused, Target, public, resolved, target

if TYPE_CHECKING:
    from collections.abc import Callable

    from askwell.ports import Leaving
    from askwell.web.addresses import Address

AGENT = "Askwell (reads a page that its user asked for)"
HOPS = 5
LARGEST = 2_000_000  # bytes
SECONDS = 12.0  # for everything together

_TYPES = ("text/html", "application/xhtml+xml", "text/plain", "text/markdown")


@dataclass(frozen=True, slots=True)
class Fetched:
    """A page's own address and what it holds."""

    url: str
    type: str
    text: str


class Fetcher:
    """Fetches pages. Keeps no cookie and no connection."""

    def __init__(
        self,
        *,
        admits: Callable[[Address, int], bool] = public,
        resolve: Callable[[str], list[Address]] = resolved,
        leaving: Leaving | None = None,
        seconds: float = SECONDS,
        largest: int = LARGEST,
    ) -> None:
        """Take the bounds.

        Args:
            admits: Whether an address and a port may be asked.
            resolve: From a host name to its addresses.
            leaving: Told of each request to another machine.
            seconds: For one page, redirects included.
            largest: Bytes of one page.
        """
        self._admits = admits
        self._resolve = resolve
        self._leaving = leaving
        self._seconds = seconds
        self._largest = largest

    def fetch(self, url: str) -> Fetched:
        """Return a page.

        Raises:
            Refused: it may not be fetched, is too large, takes too long, or is no text.
        """
        until = time.monotonic() + self._seconds
        for _ in range(HOPS + 1):
            where = target(url, admits=self._admits, resolve=self._resolve)
            found = self._asked(where, until)
            if isinstance(found, Fetched):
                return found
            try:
                url = urljoin(where.url, found)
            except ValueError as error:
                raise Refused("it leads to what is no address") from error
        raise Refused("it leads from one address to the next")

    def _asked(self, where: Target, until: float) -> Fetched | str:
        """Return the page, or the address that it redirects to."""
        address = f"[{where.address}]" if ":" in where.address else where.address
        host = f"[{where.host}]" if ":" in where.host else where.host
        default = where.port == {"http": 80, "https": 443}[where.scheme]
        headers = {
            "Host": host if default else f"{host}:{where.port}",
            "User-Agent": AGENT,
            "Accept": "text/html,text/plain;q=0.8",
            "Accept-Encoding": "identity",  # what unpacks to more than it weighs is not even begun
        }
        if self._leaving is not None and not stays_here(where.address):
            size = len(where.path)
            self._leaving(Outgoing(destination=where.host, purpose="web page", size=size, class_=carried()))
        left = max(0.1, until - time.monotonic())
        try:
            with (
                httpx.Client(timeout=left, trust_env=False) as client,
                client.stream(
                    "GET",
                    f"{where.scheme}://{address}:{where.port}{where.path}",
                    headers=headers,
                    extensions={"sni_hostname": where.host},
                ) as reply,
            ):
                if reply.is_redirect:
                    return str(reply.headers.get("location", ""))
                if reply.status_code != 200:
                    raise Refused(f"it answers {reply.status_code}")
                if reply.headers.get("content-encoding", "identity") != "identity":
                    raise Refused("it is packed, though that was not asked for")
                type_ = reply.headers.get("content-type", "text/html").partition(";")[0].strip().casefold()
                if type_ not in _TYPES:
                    raise Refused(f"it is no text but {type_[:60]!r}")
                body = self._body(reply, until)
                return Fetched(where.url, type_, _decoded(body, reply.charset_encoding or ""))
        except (httpx.HTTPError, httpx.InvalidURL, UnicodeError) as error:
            raise Refused("it cannot be read") from error

    def _body(self, reply: httpx.Response, until: float) -> bytes:
        taken = bytearray()
        for piece in reply.iter_bytes():  # as they come: a server that sends a byte a second is told by the time
            taken += piece
            if len(taken) > self._largest:
                raise Refused(f"it has more than {self._largest} bytes")
            if time.monotonic() > until:
                raise Refused("it takes too long")
        return bytes(taken)


_CHARSET = re.compile(rb"<meta[^>]{0,200}charset=[\"']?([\w-]{1,40})", re.IGNORECASE)


def _decoded(body: bytes, encoding: str) -> str:
    """Return a page's text in the encoding that the reply, its first bytes or the page itself names."""
    if body.startswith(b"\xef\xbb\xbf"):
        encoding = "utf-8-sig"
    elif not encoding:
        named = _CHARSET.search(body[:2048])
        encoding = named[1].decode("ascii") if named else "utf-8"
    try:
        return body.decode(encoding, "replace")
    except LookupError:  # a name that is no encoding
        return body.decode("utf-8", "replace")
