"""Whether what is sent to an address stays with the user."""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from askwell.ports import Trust

_OWN_SUFFIXES = (".localhost", ".local", ".home.arpa")
"""Names that never leave the machine or the link (RFC 6761, RFC 6762, RFC 8375)."""


def trust_of(url: str, *, declared: Trust | None) -> Trust:
    """Return what the user declared; else "local" for this machine and private networks, "cloud" for anything else.

    Decided from the address as written: a name is never looked up, because what it resolves to may change between
    the decision and the connection. So a public name of a private server is "cloud" until declared otherwise.
    """
    if declared is not None:
        return declared
    try:
        parts = urlsplit(url)
    except ValueError:
        return "cloud"
    if parts.scheme == "unix":
        return "local"
    host = (parts.hostname or "").rstrip(".").lower()
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return "local" if host == "localhost" or host.endswith(_OWN_SUFFIXES) else "cloud"
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    return "local" if address.is_loopback or _private(address) else "cloud"


def _private(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Return whether an address is for private networks (RFC 1918, RFC 3927, RFC 4193, RFC 4291, RFC 6598).

    `is_private` says more than that: it also admits ranges for documentation and benchmarks.
    """
    networks = _PRIVATE_4 if address.version == 4 else _PRIVATE_6
    return any(address in network for network in networks)


_PRIVATE_4 = tuple(
    map(ipaddress.ip_network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10"))
)
_PRIVATE_6 = tuple(map(ipaddress.ip_network, ("fc00::/7", "fe80::/10")))
