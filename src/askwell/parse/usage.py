"""Finds what a script tells its caller: the usage function, here-document or string."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from askwell.parse.rows import Row

_NAME = r"(?:\w{0,40}_)?(?:usage|help|synopsis)(?:_\w{1,40})?"
# Only these print the text; `check_usage` or `usage_error` call the one that does.
_PRINTS = r"(?:(?:show|print|display|cmd|do)_?)?(?:usage|help|synopsis)(?:_(?:text|message|and_exit|exit))?"
_DECLARES = re.compile(
    rf"[ \t]*(?:function[ \t]+{_PRINTS}\b(?!-)|{_PRINTS}[ \t]*\(\)|sub[ \t]+{_PRINTS}\b)", re.IGNORECASE
)
_STRING = re.compile(
    r"[ \t]*(?:(?:export|readonly|local|declare|typeset|my|const|our|var|let)[ \t]+(?:-\w+[ \t]+)?)?"
    rf"[$@]?{_NAME}[ \t]*=[ \t]*(?P<quote>[\"']|\$\(cat\b|<<<)",
    re.IGNORECASE,
)
_HEREDOC = re.compile(r"<<[-<]?[ \t]*[\"'\\]?(?P<word>[A-Za-z_]\w{0,60})")
_READS = re.compile(rf"[ \t]*(?:read|define)\b.{{0,80}}\b{_NAME}\b", re.IGNORECASE)
_LONGEST = 200  # rows of one usage text; more is a fault in finding its end


def usage_rows(rows: Sequence[Row], start: int) -> Iterator[tuple[int, int]]:
    """Yield ``(first, stop)`` row ranges of usage texts from row `start` on, in order and disjoint."""
    index = start
    while index < len(rows):
        stop = _usage_at(rows, index)
        if stop is None:
            index += 1
            continue
        yield index, stop
        index = stop


def _usage_at(rows: Sequence[Row], index: int) -> int | None:
    text = rows[index].text
    if len(text) > 500:
        return None
    if _DECLARES.match(text):
        return _after_function(rows, index)
    string = _STRING.match(text)
    if string is not None:
        heredoc = _HEREDOC.search(text, string.start("quote"))
        if heredoc is not None:
            return _after_word(rows, index, heredoc["word"])
        quote = string["quote"]
        return _after_quote(rows, index, string.end(), quote) if quote in "\"'" else None
    if _READS.match(text) and (heredoc := _HEREDOC.search(text)) is not None:
        return _after_word(rows, index, heredoc["word"])
    return None


def _after_function(rows: Sequence[Row], index: int) -> int:
    """Return the row after a function: its closing brace stands at its own indentation."""
    indent = rows[index].indent
    if rows[index].text.rstrip().endswith(("}", "};")):
        return index + 1
    limit = min(len(rows), index + _LONGEST)
    word = ""
    for at in range(index + 1, limit):
        text = rows[at].text
        if word:
            word = "" if text.strip() == word else word
            continue
        if text.strip().startswith(("}", ")")) and rows[at].indent <= indent:
            return at + 1
        heredoc = _HEREDOC.search(text) if len(text) <= 500 else None
        if heredoc is not None and "<<<" not in text:
            word = heredoc["word"]
    return limit


def _after_word(rows: Sequence[Row], index: int, word: str) -> int:
    limit = min(len(rows), index + _LONGEST)
    for at in range(index + 1, limit):
        if rows[at].text.strip().rstrip(";),") == word:
            return at + 1
    return limit


def _after_quote(rows: Sequence[Row], index: int, offset: int, quote: str) -> int:
    limit = min(len(rows), index + _LONGEST)
    for at in range(index, limit):
        text = rows[at].text[offset if at == index else 0 :]
        if quote in text.replace("\\" + quote, ""):
            return at + 1
    return limit
