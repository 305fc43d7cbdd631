from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askwell.models import sse
from askwell.models.sse import events

if TYPE_CHECKING:
    from collections.abc import Iterator

STREAM = (
    ': hello\r\n\r\ndata:{"a":"ö🗂️"}\r\n\r\nevent: ping\ndata: 1\n\nid: 3\n\n'
    "data: two\ndata:  lines\n\rdata\r\rdata: last"
)
EXPECTED = ['{"a":"ö🗂️"}', "1", "two\n lines", "", "last"]


def test_every_form_of_event_is_read() -> None:
    assert list(events([STREAM.encode()])) == EXPECTED


@given(st.lists(st.integers(0, len(STREAM.encode())), max_size=12))
def test_it_does_not_matter_where_the_network_cuts(cuts: list[int]) -> None:
    raw = STREAM.encode()
    bounds = [0, *sorted(cuts), len(raw)]
    chunks = [raw[a:b] for a, b in itertools.pairwise(bounds)]
    assert list(events(chunks)) == EXPECTED


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_byte_by_byte_with_every_line_end(end: str) -> None:
    raw = STREAM.replace("\r\n", "\n").replace("\r", "\n").replace("\n", end).encode()
    assert list(events(raw[at : at + 1] for at in range(len(raw)))) == EXPECTED


def test_a_byte_order_mark_and_broken_utf_8_do_no_harm() -> None:
    assert list(events([b"\xef\xbb\xbfdata: a\xff\n\n"])) == ["a\ufffd"]


def test_an_event_is_given_out_before_the_next_chunk_is_asked_for() -> None:
    asked: list[int] = []

    def chunks() -> Iterator[bytes]:
        for number in range(2):
            asked.append(number)
            yield b"data: %d\n\n" % number

    assert next(iter(events(chunks()))) == "0"
    assert asked == [0]


def test_a_line_without_end_is_given_up() -> None:
    piece = b"data: " + b"x" * 1_000_000
    with pytest.raises(ValueError, match="too long"):
        list(events(piece for _ in range(sse.MAX_EVENT // 1_000_000 + 2)))
