"""Which addresses may be fetched: public ones alone, by the very address that the connection is then made to."""

from __future__ import annotations

import ipaddress
import socket
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

if TYPE_CHECKING:
    from collections.abc import Callable

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

PORTS = frozenset({80, 443})
_PLAIN = "/%?&=:;@+$,!~*'()"

_UNICAST = ipaddress.IPv6Network("2000::/3")
"""All of IPv6 that is handed out for the public internet (RFC 4291); mapped, translated and local forms are outside."""

_NEVER = tuple(
    ipaddress.ip_network(each)
    for each in (
        "192.0.0.0/24",  # protocol assignments, among them a cloud's metadata service
        "192.88.99.0/24",  # relays to IPv6
        "168.63.129.16/32",  # a cloud's own services, at an address that counts as public
        "3fff::/20",  # documentation (RFC 9637)
    )
)


class Refused(Exception):
    """An address that is not fetched, and why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Where a request goes: the name for the certificate and the `Host` header, and the address it was found at."""

    scheme: str
    host: str
    port: int
    address: str
    path: str  # with the query

    @property
    def url(self) -> str:
        """The address as a person reads it."""
        port = "" if self.port == {"http": 80, "https": 443}[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{self.host}{port}{self.path}"


def public(address: Address, port: int) -> bool:
    """Return whether an address belongs to the public internet, and the port to the web."""
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else None)
        if inner is not None:
            return public(inner, port)
        if address in ipaddress.ip_network("64:ff9b::/96"):
            return public(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF), port)
        if address not in _UNICAST:
            return False
    if any(address in network for network in _NEVER):
        return False
    return address.is_global and not address.is_multicast and port in PORTS


def resolved(host: str) -> list[Address]:
    """Return the addresses of a name, by the system's resolver.

    Raises:
        Refused: there is none.
    """
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise Refused("its host is not known") from error
    return [ipaddress.ip_address(str(entry[4][0]).partition("%")[0]) for entry in found]


def target(
    url: str,
    *,
    admits: Callable[[Address, int], bool] = public,
    resolve: Callable[[str], list[Address]] = resolved,
) -> Target:
    """Return where a request for `url` may go. A name that has one address which may not be asked is refused.

    Args:
        url: As it was found, or as a redirect names it.
        admits: Whether an address and a port may be asked.
        resolve: From a host name to its addresses.

    Raises:
        Refused: it is not of the public web.
    """
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").rstrip("."), parts.port
    except ValueError as error:
        raise Refused("it is no address") from error
    if parts.scheme not in ("http", "https") or not host:
        raise Refused("it is no web address")
    if parts.username is not None or parts.password is not None:
        raise Refused("it carries a password")
    port = port or {"http": 80, "https": 443}[parts.scheme]
    addresses = resolve(host)
    if not addresses or not all(admits(address, port) for address in addresses):
        raise Refused("it is not of the public web")
    # An answer shows the address: what could be markup there goes as an escape, which means the same to the server.
    path = quote((parts.path or "/") + (f"?{parts.query}" if parts.query else ""), safe=_PLAIN)
    return Target(scheme=parts.scheme, host=host, port=port, address=str(addresses[0]), path=path)
