"""What must not share a chunk with its neighbours: footers, licence banners, embedded pictures."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import quote

from askwell.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from askwell.types import Block

_PAYLOAD = re.compile(r"(?<=;base64,)[A-Za-z0-9+/=%]{400,}")
_FOOTER_MARK = re.compile(r"\s*(?:%%|<!--).{0,80}?(?:\bfooter\b|\bbelow this (?:line|comment)\b)", re.IGNORECASE)
_FOOTER_REACH = 12  # blocks at the end among which a footer may begin
_LONGEST_FOOTER = 3000  # characters
_RULE = re.compile(r"\s{0,3}[-*_](?:[ \t]*[-*_]){2,}\s*$")
_ADDRESS = re.compile(r"\]\([^()\s]*\)?|https?://\S+|<[^<>\n]{1,400}>|\[\[[^\[\]\n]*\]\]")
_LEGAL = re.compile(
    r"licen[cs]ed under|\ball rights reserved\b|\bcopyright (?:\(c\)|©|\d)|spdx-license-identifier|"
    r"permission is hereby granted|this program is free software|without warranty|"
    r"^\W*(?:author|licen[cs]e)s?[ \t]*:|see accompanying.{0,80}licen[cs]e",
    re.IGNORECASE | re.MULTILINE,
)
_LONGEST_BANNER = 1200
_BANNER_REACH = 8  # blocks at the start among which a banner may stand


def set_apart(text: str, blocks: Sequence[Block], *, path: str) -> list[Block]:
    """Return the blocks with what is repeated from document to document in blocks of their own.

    A text can only be recognised as standing in many documents if it is cut off at the same two places in
    each of them. A footer becomes one block; a licence or author banner near the top keeps to itself. Such a
    block has the role `comment` and `own`. The payload of an embedded picture belongs to no block: it is not
    text, and would be cut into thousands of chunks.
    """
    kept = [part for block in blocks for part in _without_payload(text, block)]
    for at, block in enumerate(kept[:_BANNER_REACH]):
        written = block.span.slice(text)
        if block.role in ("prose", "comment") and len(written) <= _LONGEST_BANNER and _LEGAL.search(written):
            kept[at] = replace(block, own=True, role="comment")
    start = _footer(text, kept, path)
    if start < 0:
        return kept
    last = kept[-1]
    footer = replace(last, span=Span(kept[start].span.start, last.span.end), role="comment", own=True, lead="")
    return [*kept[:start], footer]


def _without_payload(text: str, block: Block) -> Iterator[Block]:
    """Yield what is left of a block around the base64 payloads in it."""
    at = block.span.start
    if text.find(";base64,", at, block.span.end) < 0:
        yield block
        return
    for payload in _PAYLOAD.finditer(text, at, block.span.end):
        yield replace(block, span=Span(at, payload.start()))
        at = payload.end()
    if text[at : block.span.end].strip():
        yield replace(block, span=Span(at, block.span.end))


def _footer(text: str, blocks: Sequence[Block], path: str) -> int:
    """Return the index of the block that a footer begins with, -1 if the document has none.

    A footer is what follows a comment that says so; or a last section or the lines below a last rule that
    are mostly links, the section one to the document itself.
    """
    if not blocks:
        return -1
    end = blocks[-1].span.end
    first = max(1, len(blocks) - _FOOTER_REACH)
    near = [at for at in range(first, len(blocks)) if end - blocks[at].span.start <= _LONGEST_FOOTER]
    for at in near:
        if _FOOTER_MARK.match(text, blocks[at].span.start, blocks[at].span.end):
            return at
    spelt = quote(path.rpartition("/")[2])
    for at in reversed(near):
        if blocks[at].own or blocks[at].role not in ("heading", "prose"):
            continue
        rest = text[blocks[at].span.start : end]
        heading = blocks[at].role == "heading"
        if heading or _RULE.match(rest.partition("\n")[0]):
            if _mostly_links(rest) and (not heading or (spelt in rest and "://" in rest)):
                return at
            return -1
    return -1


def _mostly_links(text: str) -> bool:
    """Whether more than half of the letters stand in addresses."""
    rest = _ADDRESS.sub("", text)
    return 2 * sum(map(str.isalpha, rest)) < sum(map(str.isalpha, text))
