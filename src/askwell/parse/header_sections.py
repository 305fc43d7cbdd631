"""Splits a header comment into its named sections, and a section into its named paragraphs.

    # ━━━ OPERATIONAL SAFEGUARDS ━━━        section
    #
    # Open File Skip                        title: unindented, the next line is indented
    #   A file that a process has open …    its body
    #
    # Anything else up to the next          general text of the section
    # heading or title.

A title is one only if an indented line follows: otherwise every line of wrapped prose would be one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from askwell.parse.headings import DEFAULT_SECTIONS, find_heading, is_licence, is_rule
from askwell.parse.rows import span_of
from askwell.types import Block

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askwell.parse.comments import Said
    from askwell.parse.rows import Row

_BULLET = re.compile(r"(?:[-*•+>|]|\d{1,3}[.)]|\(\w{1,3}\)|@\w)(?:\s|$)")
_DEFINITION = re.compile(r"\S+(?:[ \t]\S+){0,3}(?:[ ]{2,}|\t+)\S")
_LINK = re.compile(r"\S+://\S+")
_TITLE_LENGTH = 90


class _Part(NamedTuple):
    """A run of comment lines under one heading; `first` and `stop` index the list of comment lines."""

    title: str  # empty before the first heading
    first: int
    stop: int


def split_header(
    said: Sequence[Said], rows: Sequence[Row], *, sections: Sequence[str] = DEFAULT_SECTIONS
) -> tuple[Block, ...]:
    """Return the blocks of a header comment, in order and disjoint; a header without sections is one block.

    Args:
        said: The comment's lines, blank ones included, in order.
        rows: The rows of the file that `said` points into.
        sections: Names that are sections however they are written; more are recognised by their look.
    """
    contents = [line.content for line in said]
    parts = _parts(contents, frozenset(name.upper() for name in sections))
    blocks: list[Block] = []
    for part in parts:
        if part.title:
            blocks.extend(_section_blocks(part, said, rows))
        else:
            blocks.extend(_preamble_blocks(part, said, rows))
    if not blocks and said:
        whole = span_of(rows, said[0].row, said[-1].row + 1)
        return (Block(span=whole, role="comment"),) if whole is not None else ()
    return tuple(blocks)


def has_heading(said: Sequence[Said], *, sections: Sequence[str] = DEFAULT_SECTIONS) -> bool:
    """Return whether a ruled heading or a configured section stands in this comment."""
    contents = [line.content for line in said]
    known = frozenset(name.upper() for name in sections)
    found = (find_heading(contents, index, sections=known, ruled=False) for index in range(len(contents)))
    return any(heading is not None and heading.reach == "ruled" for heading in found)


def is_banner(said: Sequence[Said]) -> bool:
    """Return whether a comment is a drawn box around a title and nothing more."""
    written = [line.content for line in said if line.content.strip() and not is_rule(line.content)]
    return len(written) <= 1 and len(written) < sum(1 for line in said if line.content.strip())


def _parts(contents: Sequence[str], sections: frozenset[str]) -> list[_Part]:
    """Cut the comment at its headings. A weak heading's part ends where its paragraph does."""
    parts: list[_Part] = []
    title, reach, start = "", "section", 0
    ruled = False
    index = 0
    while index < len(contents):
        heading = find_heading(contents, index, sections=sections, ruled=ruled)
        if heading is not None:
            parts.append(_Part(title, start, index))
            title, reach, start = heading.title, heading.reach, heading.stop
            ruled = ruled or reach == "ruled"
            while start < len(contents) and not contents[start].strip():
                start += 1
            index = max(start, index + 1)
            continue
        if reach == "paragraph" and _paragraph_left(contents, start, index):
            parts.append(_Part(title, start, index))
            title, reach, start = "", "section", index
        index += 1
    parts.append(_Part(title, start, len(contents)))
    return [part for part in parts if any(content.strip() for content in contents[part.first : part.stop])]


def _paragraph_left(contents: Sequence[str], start: int, index: int) -> bool:
    """Return whether the line after a blank one is no part of a section that only a word with a colon opened.

    Text that was indented under the word goes on over blank lines as long as it stays indented.
    """
    if index <= start or not contents[index].strip() or contents[index - 1].strip():
        return False
    return _indent(contents[index]) < max(_indent(contents[start]), 2)


def _preamble_blocks(part: _Part, said: Sequence[Said], rows: Sequence[Row]) -> list[Block]:
    """Return what stands outside sections: paragraphs on author and licence apart from the others."""
    groups: list[tuple[bool, int, int]] = []
    index = part.first
    while index < part.stop:
        if not said[index].content.strip() or is_rule(said[index].content):
            index += 1
            continue
        stop = index
        while stop < part.stop and said[stop].content.strip() and not is_rule(said[stop].content):
            stop += 1
        opening = " ".join(said[at].content.strip() for at in range(index, min(stop, index + 3)))
        legal = is_licence(opening) or (bool(groups) and groups[-1][0] and _LINK.fullmatch(opening) is not None)
        if groups and groups[-1][0] == legal:
            groups[-1] = (legal, groups[-1][1], stop)
        else:
            groups.append((legal, index, stop))
        index = stop
    blocks: list[Block] = []
    for legal, first, stop in groups:
        span = span_of(rows, said[first].row, said[stop - 1].row + 1)
        if span is not None:
            heading = ("LICENSE",) if legal else ()
            blocks.append(Block(span=span, headings=heading, section="".join(heading), role="comment"))
    return blocks


def _section_blocks(part: _Part, said: Sequence[Said], rows: Sequence[Row]) -> list[Block]:
    """Return the general text of a section and its named paragraphs."""
    written = [at for at in range(part.first, part.stop) if said[at].content.strip() and not is_rule(said[at].content)]
    if not written:
        return []
    margin = min(_indent(said[at].content) for at in written)
    blocks: list[Block] = []
    start = position = 0
    while position < len(written):
        if not _opens_paragraph(written, position, said, margin, start):
            position += 1
            continue
        _append(blocks, part.title, "", written[start:position], said, rows)
        stop = position + 1
        while stop < len(written) and _indent(said[written[stop]].content) > margin:
            stop += 1
        title = said[written[position]].content.strip().rstrip(":").rstrip()
        _append(blocks, part.title, title, written[position:stop], said, rows)
        start = position = stop
    _append(blocks, part.title, "", written[start:], said, rows)
    return blocks


def _opens_paragraph(written: Sequence[int], position: int, said: Sequence[Said], margin: int, start: int) -> bool:
    """Return whether a written line is the title of a named paragraph.

    The line before must not be running text at the margin, else the last line of a wrapped sentence that
    introduces an indented example would become a title.
    """
    at = written[position]
    content = said[at].content
    stripped = content.strip()
    if _indent(content) != margin or position + 1 >= len(written) or len(stripped) > _TITLE_LENGTH:
        return False
    following = written[position + 1]
    if _indent(said[following].content) <= margin or following > at + 2:
        return False
    if stripped.endswith((".", ",", ";")) or _BULLET.match(stripped) or _DEFINITION.match(stripped):
        return False
    return position == start or written[position - 1] < at - 1


def _append(
    blocks: list[Block], section: str, title: str, written: Sequence[int], said: Sequence[Said], rows: Sequence[Row]
) -> None:
    if not written:
        return
    span = span_of(rows, said[written[0]].row, said[written[-1]].row + 1)
    if span is not None:
        headings = (section, title) if title else (section,)
        blocks.append(Block(span=span, headings=headings, section=section, role="comment", own=bool(title)))


def _indent(content: str) -> int:
    return len(content) - len(content.lstrip())
