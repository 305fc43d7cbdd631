"""Server-sent events as model servers really send them: any line end, any split, comments between.

Source: WHATWG, HTML Living Standard, section 9.2, server-sent events. Deviation: an event that the stream ends in is
delivered, because some servers leave out the last empty line.
"""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MAX_EVENT = 8_000_000
"""Characters of one event; a longer one is no completion but something else."""


def events(chunks: Iterable[bytes]) -> Iterator[str]:
    r"""Yield the data of each event, as soon as its last line is complete.

    Characters and line ends may be split over chunks. Comments, other fields and events without data are dropped;
    several data lines of one event are joined by "\n". Invalid UTF-8 becomes U+FFFD.

    Raises:
        ValueError: an event is longer than `MAX_EVENT`.
    """
    data: list[str] = []
    size = 0
    for line in _lines(chunks):
        if not line:
            if data:
                yield "\n".join(data)
            data, size = [], 0
            continue
        name, _, value = line.partition(":")
        if name == "data":
            data.append(value.removeprefix(" "))
            size += len(value)
            if size > MAX_EVENT:
                raise ValueError("an event is too long")
    if data:
        yield "\n".join(data)


def _lines(chunks: Iterable[bytes]) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
    held: list[str] = []
    size = 0
    after_return = False
    for chunk in chunks:
        text = decoder.decode(chunk)
        if not text:
            continue
        if after_return and text.startswith("\n"):
            text = text[1:]
        after_return = text.endswith("\r") if text else False
        *complete, rest = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        for line in complete:
            yield "".join([*held, line])
            held, size = [], 0
        if rest:
            held.append(rest)
            size += len(rest)
            if size > MAX_EVENT:
                raise ValueError("a line is too long")
    last = "".join(held) + decoder.decode(b"", final=True)
    if last:
        yield last
