"""What a hostile page can do with its addresses and its markup: nothing for long, nothing unseen."""

from __future__ import annotations

import ipaddress

import pytest

from askwell.web.addresses import public, target
from askwell.web.readable import readable


@pytest.mark.parametrize(
    "address",
    [
        "::127.0.0.1",
        "fec0::1",
        "64:ff9b:1::7f00:1",
        "5f00::1",
        "3fff::1",
        "192.0.0.192",
        "192.88.99.1",
        "168.63.129.16",
    ],
)
def test_addresses_that_count_as_global_and_are_not_of_the_web_are_refused(address: str) -> None:
    assert not public(ipaddress.ip_address(address), 443)


def test_an_address_that_is_shown_is_no_markup() -> None:
    found = target("http://one.test/a<b>[1]`c d%20?e=f&g", resolve=lambda _: [ipaddress.ip_address("93.184.216.34")])
    assert found.url == "http://one.test/a%3Cb%3E%5B1%5D%60c%20d%20?e=f&g"


@pytest.mark.parametrize("piece", ['<a b="', "<a b='", "<!--", "<![CDATA[", "<?", "</", "<!x", "<script>", "<p "])
def test_a_page_of_open_ends_is_read_in_one_pass(piece: str) -> None:
    """Read from each open end to the end of the page, any of these takes minutes to hours."""
    title, sections = readable(f"<title>T</title><p>before</p>{piece * 150_000}", html=True)
    assert title == "T"
    assert sections[0].text.startswith("before")


def test_attributes_comments_and_code_are_passed_over_and_signs_are_kept() -> None:
    _, sections = readable(
        "<p title='a > b' class=x>1 < 2 &lt;b&gt; and a<b</p><!-- <p>no --><STYLE>p > a {}</STYLE ><p\n>3 > 2<br/>end",
        html=True,
    )
    assert [one.text for one in sections] == ["1 < 2 <b> and a<b\n3 > 2\nend"]
