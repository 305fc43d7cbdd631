"""Cuts the body of a script at functions and at paragraphs that a comment leads."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from askwell.parse.comments import Syntax, comment_at
from askwell.parse.rows import span_of
from askwell.types import Block

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from askwell.parse.rows import Row

_DEFINITION = re.compile(
    r"(?:(?:export[ \t]+)?(?:async[ \t]+)?function[ \t]+&?(?P<function>[\w:.-]+)"
    r"|(?P<shell>[\w:.-]+)[ \t]*\(\)[ \t]*(?:[{(]|$)"
    r"|(?:(?:public|protected|private|static|final|abstract)[ \t]+){0,4}(?:function[ \t]+&?(?P<method>\w+)"
    r"|(?:class|interface|trait|enum)[ \t]+(?P<type>\w+))"
    r"|sub[ \t]+(?P<sub>\w+)"
    r"|create[ \t]+(?:or[ \t]+replace[ \t]+)?(?:\w+[ \t]+){1,3}(?:if[ \t]+not[ \t]+exists[ \t]+)?[`\"]?(?P<sql>[\w.]+)"
    r"|:(?P<label>[A-Za-z_]\w*)[ \t]*$"
    r"|(?P<target>[\w./%-]+)[ \t]*:(?![:=])[^=\"']*$)",
    re.IGNORECASE,
)
_HEREDOC = re.compile(r"<<(?!<)-?[ \t]*[\"'\\]?(?P<word>[A-Za-z_]\w{0,60})")
_LONGEST_LINE = 500


def code_units(rows: Sequence[Row], start: int, syntax: Syntax) -> list[Block]:
    """Return the blocks of the body from row `start` on, in order and disjoint, every written row in one of them.

    A unit starts at a definition, at a comment at the margin after a blank row, and after a function's end;
    the comment right above a definition belongs to it. Nothing starts inside a here-document.
    """
    blocks: list[Block] = []
    first = index = start
    name = ""
    word = ""
    closers = {row.text.strip() for row in rows if len(row.text) <= _LONGEST_LINE}
    while index < len(rows):
        text = rows[index].text
        if word:
            word = "" if text.strip() == word else word
            index += 1
            continue
        comment = comment_at(rows, index, syntax) if text and text[0] not in " \t" else None
        stop = comment[1] if comment is not None else index
        defined = _defined(rows[stop].text) if stop < len(rows) else ""
        leads = comment is not None and (index == first or rows[index - 1].blank)
        if (defined and (comment is None or leads or index > first)) or leads:
            _append(blocks, rows, first, index, name)
            first, name = index, defined
        if comment is not None:
            index = stop
            if defined:
                index, word = index + 1, _opened_heredoc(rows[index].text, closers)
            continue
        word = _opened_heredoc(text, closers)
        index += 1
        if name and text.startswith(("}", ")")) and not word:
            _append(blocks, rows, first, index, name)
            first, name = index, ""
    _append(blocks, rows, first, len(rows), name)
    return blocks


def _append(blocks: list[Block], rows: Sequence[Row], first: int, stop: int, name: str) -> None:
    span = span_of(rows, first, stop)
    if span is not None:
        blocks.append(Block(span=span, headings=(name,) if name else (), section=name, role="code"))


def _defined(text: str) -> str:
    """Return the name that a row at the margin defines, empty if it defines none."""
    if not text or text[0] in " \t#" or len(text) > _LONGEST_LINE:
        return ""
    match = _DEFINITION.match(text)
    return next((name for name in match.groups() if name), "") if match is not None else ""


def _opened_heredoc(text: str, closers: Container[str]) -> str:
    """Return the word that ends the here-document opened in this row; a shift such as `1 << n` opens none."""
    if "<<" not in text or len(text) > _LONGEST_LINE:
        return ""
    match = _HEREDOC.search(text)
    return match["word"] if match is not None and match["word"] in closers else ""
