"""Search services in their own wire formats, pages within bounds, and HTML as a reader reads it."""

from __future__ import annotations

import gzip
import ipaddress
from typing import TYPE_CHECKING

import pytest

from askwell.errors import ConfigError, ModelUnavailable
from askwell.testing.fake_web import KEY, FakeWeb, Served
from askwell.web.addresses import Refused, public, target
from askwell.web.fetching import Fetcher
from askwell.web.providers import PROVIDERS, provider_named
from askwell.web.readable import readable
from askwell.web.searching import HttpWebSearch

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = "<title>Pumps</title><body><nav>menu</nav><h2>Noon</h2><p>The pump runs at noon.</p></body>"


@pytest.fixture
def web() -> Iterator[FakeWeb]:
    with FakeWeb() as made:
        made.page("/pump", PAGE)
        made.found = [made.url("/pump")]
        yield made


def loopback(web: FakeWeb) -> Fetcher:
    return Fetcher(admits=lambda address, port: str(address) == "127.0.0.1" and port == web.port, seconds=3)


def search(name: str, web: FakeWeb, *, key: str = KEY, results: int = 3) -> HttpWebSearch:
    return HttpWebSearch(
        PROVIDERS[name],
        url=web.base,
        key=key,
        results=results,
        fetcher=loopback(web),
        today=lambda: "2026-12-01",
        sleep=lambda _: None,
        seconds=2,
    )


@pytest.mark.parametrize("name", PROVIDERS)
class TestEveryService:
    def test_finds_pages_and_reads_them(self, web: FakeWeb, name: str) -> None:
        (page,) = search(name, web).find("  when does the\n pump run? ")
        assert (page.url, page.title, page.fetched) == (web.url("/pump"), "Pumps", "2026-12-01")
        assert [(one.heading, one.text) for one in page.sections] == [("Noon", "The pump runs at noon.")]
        assert web.queries == ["when does the pump run?"]

    def test_reads_no_more_pages_than_are_wanted(self, web: FakeWeb, name: str) -> None:
        web.found = [web.url("/pump")] * 9
        assert len(search(name, web, results=2).find("pump")) == 2

    def test_leaves_out_a_page_that_cannot_be_read(self, web: FakeWeb, name: str) -> None:
        web.found = [web.url("/gone"), "http://10.0.0.1/", "javascript:1", web.url("/pump")]
        assert [page.url for page in search(name, web, results=3).find("pump")] == []
        web.found = [web.url("/gone"), web.url("/pump")]
        assert [page.url for page in search(name, web).find("pump")] == [web.url("/pump")]

    def test_finds_nothing_where_nothing_is(self, web: FakeWeb, name: str) -> None:
        web.found = []
        assert search(name, web).find("pump") == []

    def test_is_asked_once_more_when_it_is_busy(self, web: FakeWeb, name: str) -> None:
        web.instead = [Served(body=b"busy", status=503)]
        assert search(name, web).find("pump")
        web.instead = [Served(body=b"busy", status=429)] * 2
        with pytest.raises(ModelUnavailable) as told:
            search(name, web).find("pump")
        assert told.value.hint

    @pytest.mark.parametrize(
        "reply",
        [
            Served(body=b"<html>are you a robot?</html>"),
            Served(body=b'{"error": "quota"}', type="application/json"),
            Served(body=b"[1]", type="application/json"),
            Served(body=b"\xff\xfe", type="application/json"),
            Served(body=b"no", status=403),
            Served(body=b"no", status=500),
        ],
        ids=["a puzzle", "an error with 200", "a list", "no text", "refused", "broken"],
    )
    def test_says_what_is_wrong_with_it(self, web: FakeWeb, name: str, reply: Served) -> None:
        web.instead = [reply, reply]
        with pytest.raises(ModelUnavailable) as told:
            search(name, web).find("pump")
        assert name in str(told.value)
        assert told.value.hint

    def test_that_is_not_there_is_told(self, name: str) -> None:
        with FakeWeb() as gone:
            asked = search(name, gone)
        with pytest.raises(ModelUnavailable):
            asked.find("pump")


@pytest.mark.parametrize("name", ["tavily", "brave"])
def test_a_wrong_key_is_told_with_its_variable_and_never_shown(web: FakeWeb, name: str) -> None:
    with pytest.raises(ModelUnavailable) as told:
        search(name, web, key="wrong-key").find("pump")
    assert PROVIDERS[name].key_env in told.value.hint
    assert "wrong-key" not in f"{told.value} {told.value.hint}"


def test_a_service_without_its_key_or_address_cannot_be_selected() -> None:
    for name in ("tavily", "brave"):
        with pytest.raises(ConfigError, match=PROVIDERS[name].key_env):
            provider_named(name, url="", environ={})
        assert provider_named(name, url="", environ={PROVIDERS[name].key_env: "x"}).name == name
    with pytest.raises(ConfigError, match=r"web\.url"):
        provider_named("searxng", url="", environ={})


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1",
        "255.255.255.255", "::1", "::", "fe80::1", "fc00::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1",
        "64:ff9b::7f00:1", "2002:7f00:1::", "192.0.2.1", "198.18.0.1",
    ],
)  # fmt: skip
def test_no_address_of_this_machine_or_network_is_public(address: str) -> None:
    assert not public(ipaddress.ip_address(address), 443)


def test_public_addresses_are_asked_on_the_webs_ports_alone() -> None:
    address = ipaddress.ip_address("93.184.216.34")
    assert public(address, 80)
    assert public(address, 443)
    assert not public(address, 22)
    assert public(ipaddress.ip_address("2606:2800:220:1:248:1893:25c8:1946"), 443)


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/", "http://localhost/", "http://2130706433/", "http://0x7f000001/", "http://0177.0.0.1/",
        "http://127.1/", "http://[::1]/", "http://[::ffff:127.0.0.1]/", "ftp://example.com/", "file:///etc/passwd",
        "http://user:word@example.com/", "http://", "http://[", "javascript:alert(1)", "http://example.com:99999/",
    ],
)  # fmt: skip
def test_addresses_that_only_look_public_are_refused(url: str) -> None:
    with pytest.raises(Refused):
        target(url)


def test_a_name_with_one_private_address_is_refused_and_the_address_that_was_checked_is_asked() -> None:
    good, bad = ipaddress.ip_address("93.184.216.34"), ipaddress.ip_address("10.0.0.1")
    with pytest.raises(Refused):
        target("http://two.test/", resolve=lambda _: [good, bad])
    found = target("https://one.test./a?b=1#c", resolve=lambda _: [good])
    assert (found.address, found.host, found.port, found.path) == ("93.184.216.34", "one.test", 443, "/a?b=1")


def test_every_hop_of_a_redirect_is_checked(web: FakeWeb) -> None:
    web.page("/near", "", status=302, location="/pump")
    web.page("/far", "", status=302, location="http://169.254.169.254/latest/meta-data/")
    web.page("/round", "", status=302, location="/round")
    assert loopback(web).fetch(web.url("/near")).url == web.url("/pump")
    for path in ("/far", "/round"):
        with pytest.raises(Refused):
            loopback(web).fetch(web.url(path))
    assert web.paths.count("/round") <= 7


def test_the_default_refuses_this_machine(web: FakeWeb) -> None:
    with pytest.raises(Refused):
        Fetcher().fetch(web.url("/pump"))
    assert web.paths == []


def test_pages_that_are_too_large_packed_endless_or_no_text_are_refused(web: FakeWeb) -> None:
    web.page("/large", b"x" * 3_000_000)
    web.page("/packed", gzip.compress(b"x" * 50_000_000), packed=True)
    web.page("/endless", b"x" * 10_000, endless=True)
    web.page("/image", b"\x89PNG", type="image/png")
    for path in ("/large", "/packed", "/endless", "/image"):
        with pytest.raises(Refused):
            loopback(web).fetch(web.url(path))


def test_text_is_read_in_the_pages_own_encoding(web: FakeWeb) -> None:
    web.page("/latin", "<p>Größe</p>".encode("latin-1"), type="text/html; charset=iso-8859-1")
    web.page("/odd", b"<p>x</p>", type="text/html; charset=no-such-thing")
    assert "Größe" in loopback(web).fetch(web.url("/latin")).text
    assert "x" in loopback(web).fetch(web.url("/odd")).text


def test_html_is_read_as_a_reader_reads_it() -> None:
    title, sections = readable(
        "<title>T</title><script>bad()</script><header>menu</header><p>One<br>two <b>three</b></p><h2>H &amp; I</h2>"
        "<div>text<style>x{}</style></div><ul><li>a</li><li>b</li></ul><form>no</form><h3></h3><p>last",
        html=True,
    )
    assert title == "T"
    assert [(one.heading, one.text) for one in sections] == [("", "One\ntwo three"), ("H & I", "text\na\nb\nlast")]


@pytest.mark.parametrize(
    "text", ["", "<", "<p" * 9999, "<div>" * 9999, "<h1>" * 999, "</nav>" * 99 + "x", "\x00<p>x", "<![CDATA[x"]
)
def test_no_html_is_a_fault(text: str) -> None:
    readable(text, html=True)
