"""How whatever sends to another machine tells that it does, and with what class of text."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from askwell.types import Outgoing, PrivacyClass

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from askwell.types import Purpose

Leaving: TypeAlias = Callable[[Outgoing], None]
"""Called when a connection to another machine stands and before the request goes. Never raises."""

_CARRIED: ContextVar[frozenset[PrivacyClass]] = ContextVar("askwell_carried", default=frozenset(PrivacyClass))
"""Classes of the text that this thread of work may send. Everything, until somebody knows better."""


@contextmanager
def carrying(classes: Collection[PrivacyClass]) -> Iterator[None]:
    """Declare for a block which classes of text may be in what it sends."""
    token = _CARRIED.set(frozenset(classes))
    try:
        yield
    finally:
        _CARRIED.reset(token)


def carried() -> PrivacyClass:
    """Return the class of what may be sent now: personal unless it was declared that nothing personal can be in it."""
    return PrivacyClass.PERSONAL if PrivacyClass.PERSONAL in _CARRIED.get() else PrivacyClass.OPEN


class HttpUrl(Protocol):
    """The part of httpx's URL that is read here."""

    @property
    def host(self) -> str: ...  # noqa: D102 - httpx's own word
    @property
    def port(self) -> int | None: ...  # noqa: D102
    @property
    def raw_path(self) -> bytes: ...  # noqa: D102


class HttpRequest(Protocol):
    """The part of httpx's request that is read here."""

    extensions: dict[str, Any]  # Any: as httpx has it

    @property
    def url(self) -> HttpUrl: ...  # noqa: D102
    @property
    def content(self) -> bytes: ...  # noqa: D102


def told(record: Leaving, purpose: Purpose) -> Callable[[HttpRequest], None]:
    """Return a request hook for an httpx client: each request to another machine is told once, when it really goes.

    What stays on this machine is not told, and neither is an attempt for which no connection came about.

    Args:
        record: Where it is told.
        purpose: What the client's requests are for.
    """

    def hook(request: HttpRequest) -> None:
        destination = request.url.host + (f":{request.url.port}" if request.url.port else "")
        if stays_here(request.url.host):
            return
        outgoing = Outgoing(
            destination=destination,
            purpose=purpose,
            size=len(request.content) or len(request.url.raw_path),
            class_=carried(),
        )
        _trace(request, outgoing, record)

    return hook


def _trace(request: HttpRequest, outgoing: Outgoing, record: Leaving) -> None:
    """Have `outgoing` told when the first byte of the request is about to be sent."""
    before = request.extensions.get("trace")
    waiting = [outgoing]

    def trace(event: str, info: Mapping[str, object]) -> None:
        if waiting and event.endswith(".send_request_headers.started"):
            record(waiting.pop())
        if callable(before):
            before(event, info)

    request.extensions = {**request.extensions, "trace": trace}


def stays_here(host: str) -> bool:
    """Return whether `host`, as written in a URL, is this machine. Names are never looked up."""
    import ipaddress

    name = host.strip("[]").rstrip(".").lower()
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        address = ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return False
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    return address.is_loopback
