"""What goes to another machine is told once, when it goes, with what it may hold; what stays is not."""

from __future__ import annotations

import httpx
import pytest

from askwell.ports import carried, carrying
from askwell.ports.leaving import stays_here, told
from askwell.types import Outgoing, PrivacyClass


@pytest.mark.parametrize(
    "host",
    ["localhost", "LOCALHOST.", "a.localhost", "127.0.0.1", "127.8.8.8", "::1", "[::1]", "::ffff:127.0.0.1"],
)
def test_this_machine(host: str) -> None:
    assert stays_here(host)


@pytest.mark.parametrize(
    "host",
    [
        "nas",
        "nas.local",
        "10.0.0.1",
        "192.168.1.2",
        "localhost.example.org",
        "127.0.0.1.nip.io",
        "fe80::1%eth0",
        "0.0.0.0",
        "",
    ],
)
def test_another_machine(host: str) -> None:
    assert not stays_here(host)


def sent(url: str, *events: str, content: bytes = b"", method: str = "POST") -> list[Outgoing]:
    """Return what is told of a request on whose way the HTTP library reports these events."""
    found: list[Outgoing] = []
    seen: list[str] = []
    request = httpx.Request(method, url, content=content, extensions={"trace": lambda event, _: seen.append(event)})
    told(found.append, "generation")(request)
    trace = request.extensions["trace"]
    for event in events:
        trace(event, {})
    assert seen == list(events)
    return found


CONNECTED = "connection.connect_tcp.complete"
GOES = "http11.send_request_headers.started"


def test_a_request_is_told_once_when_it_goes() -> None:
    with carrying({PrivacyClass.OPEN}):
        (told_,) = sent("https://models.example:8443/v1/chat", CONNECTED, GOES, GOES, content=b"12345")
    assert told_ == Outgoing(destination="models.example:8443", purpose="generation", size=5, class_=PrivacyClass.OPEN)


def test_without_a_connection_nothing_left() -> None:
    assert sent("http://10.0.0.1/", "connection.connect_tcp.started", "connection.connect_tcp.failed") == []


def test_without_a_body_the_address_is_what_left() -> None:
    (told_,) = sent("http://search.example/find?q=pump", GOES, method="GET")
    assert told_.size == len("/find?q=pump")


def test_what_stays_is_not_told() -> None:
    assert sent("http://127.0.0.1:11434/v1/chat", CONNECTED, GOES) == []


def test_the_class_is_personal_until_it_is_declared() -> None:
    assert carried() is PrivacyClass.PERSONAL
    with carrying({PrivacyClass.OPEN}):
        assert carried() is PrivacyClass.OPEN
        with carrying(frozenset(PrivacyClass)):
            assert carried() is PrivacyClass.PERSONAL
        assert carried() is PrivacyClass.OPEN
    assert carried() is PrivacyClass.PERSONAL
