"""What a comment says: its lines without markers, in any of the comment syntaxes of scripts and settings files."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askwell.parse.rows import Row


class Said(NamedTuple):
    """One line of a comment: the index of its row, and what stands behind the marker, indentation kept."""

    row: int
    content: str


class Syntax(NamedTuple):
    """How one language writes comments."""

    line: re.Pattern[str]  # matches the marker of a line comment at the start of a row
    opens: tuple[tuple[str, str], ...] = ()  # pairs that enclose a block comment


# A third hash belongs to what is said: `### USAGE ###` is a ruled title, `## text` is text.
_HASH = r"##?(?=\s|$)|#"
_SLASH = r"//[/#!]?"
_SHELL = Syntax(re.compile(rf"[ \t]*(?:{_HASH})"))
_SYNTAXES: dict[str, Syntax] = {
    "php": Syntax(re.compile(rf"[ \t]*(?:{_SLASH}|(?!#\[)(?:{_HASH}))"), (("/*", "*/"),)),
    "js": Syntax(re.compile(rf"[ \t]*(?:{_SLASH})"), (("/*", "*/"),)),
    "ps1": Syntax(re.compile(rf"[ \t]*(?!#>)(?:{_HASH})"), (("<#", "#>"),)),
    "psm1": Syntax(re.compile(rf"[ \t]*(?!#>)(?:{_HASH})"), (("<#", "#>"),)),
    "sql": Syntax(re.compile(rf"[ \t]*(?:--|{_HASH})"), (("/*", "*/"),)),
    "lua": Syntax(re.compile(r"[ \t]*--"), (("--[[", "]]"),)),
    "bat": Syntax(re.compile(r"[ \t]*(?:@?rem(?=\s|$)|::)", re.IGNORECASE)),
    "cmd": Syntax(re.compile(r"[ \t]*(?:@?rem(?=\s|$)|::)", re.IGNORECASE)),
    "pl": Syntax(_SHELL.line, (("=pod", "=cut"), ("=head", "=cut"), ("=begin", "=cut"))),
    "pm": Syntax(_SHELL.line, (("=pod", "=cut"), ("=head", "=cut"), ("=begin", "=cut"))),
    "jenkinsfile": Syntax(re.compile(rf"[ \t]*(?:{_SLASH}|{_HASH})"), (("/*", "*/"),)),
    "settings": Syntax(re.compile(rf"[ \t]*(?:{_HASH}|;+|//)"), (("/*", "*/"),)),
}
_STAR = re.compile(r"[ \t]*\*+(?!/)")
_HEREDOC_COMMENT = re.compile(r"[ \t]*:[ \t]*<<-?[ \t]*(['\"]?)(\w+)\1[ \t]*$")


def syntax_for(path: str, text: str = "") -> Syntax:
    """Return the comment syntax of the script at `path`; by its first line where the name has no extension."""
    name = path.rsplit("/", 1)[-1].lower()
    extension = name.rpartition(".")[2]
    if extension in _SYNTAXES and extension != "settings":
        return _SYNTAXES[extension]
    first = text[:200].lower()
    if "<?php" in first or "/php" in first.split("\n", 1)[0]:
        return _SYNTAXES["php"]
    shebang = first.split("\n", 1)[0] if first.startswith("#!") else ""
    if "node" in shebang:
        return _SYNTAXES["js"]
    for interpreter, syntax in (("perl", "pl"), ("pwsh", "ps1"), ("lua", "lua")):
        if interpreter in shebang:
            return _SYNTAXES[syntax]
    return _SHELL


SETTINGS = _SYNTAXES["settings"]
"""Comments of settings files: `#`, `;`, `//` and `/* */`."""


def comment_at(rows: Sequence[Row], index: int, syntax: Syntax) -> tuple[list[Said], int] | None:
    """Return the comment that starts at ``rows[index]`` and the index of the row after it, or None.

    Line comments on adjacent rows are one comment. A block comment that is never closed ends with the text.
    """
    text = rows[index].text
    stripped = text.lstrip()
    for opening, closing in syntax.opens:
        if stripped.startswith(opening):
            return _block(rows, index, opening, closing)
    heredoc = _HEREDOC_COMMENT.match(text)
    if heredoc is not None and syntax is _SHELL:
        return _heredoc(rows, index, heredoc[2])
    said: list[Said] = []
    while index < len(rows) and (marker := syntax.line.match(rows[index].text)) is not None:
        if said and any(rows[index].text.lstrip().startswith(opening) for opening, _ in syntax.opens):
            break
        said.append(Said(index, rows[index].text[marker.end() :].rstrip()))
        index += 1
    return (said, index) if said else None


def _block(rows: Sequence[Row], index: int, opening: str, closing: str) -> tuple[list[Said], int]:
    said: list[Said] = []
    first = index
    while index < len(rows):
        text = rows[index].text
        if index == first and not opening.startswith("="):
            skip = text.index(opening) + len(opening)
            content = text[skip:]
            if opening == "/*":
                content = content.lstrip("*") if not content.startswith("*/") else content
        elif opening == "/*" and (star := _STAR.match(text)) is not None:
            content = text[star.end() :]
        elif index == first and not opening.startswith("=head"):
            content = ""
        else:
            content = text
        end = content.find(closing)
        said.append(Said(index, (content if end < 0 else content[:end]).rstrip()))
        index += 1
        if end >= 0:
            break
    return said, index


def _heredoc(rows: Sequence[Row], index: int, word: str) -> tuple[list[Said], int]:
    said = [Said(index, "")]
    index += 1
    while index < len(rows) and rows[index].text.strip() != word:
        said.append(Said(index, rows[index].text.rstrip()))
        index += 1
    if index < len(rows):
        said.append(Said(index, ""))
        index += 1
    return said, index
