"""The code of an answer: fenced and indented blocks with their language, and where they begin."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator

Language: TypeAlias = Literal["shell", "sql", "other"]

_FENCE = re.compile(r"^[ \t>]*(?P<mark>`{3,}|~{3,})[ \t]*(?:\{?\.?(?P<language>[\w+#.-]*))?[^\n]*$", re.MULTILINE)
_SHELLS = frozenset(
    {
        "",
        "sh",
        "bash",
        "zsh",
        "shell",
        "console",
        "terminal",
        "shell-session",
        "sh-session",
        "ksh",
        "dash",
        "fish",
        "bat",
    }
)
_SQLS = frozenset({"sql", "psql", "postgresql", "pgsql", "mysql", "mariadb", "sqlite", "sqlite3", "plsql", "tsql"})
_PROMPT = re.compile(r"^[ \t]*(?:[\w.-]+@[\w.-]+[^$#\n]{0,60})?[$#%>] (?=\S)", re.MULTILINE)
_INLINE = re.compile(r"(?<!`)`([^`\n]+ [^`\n]+)`(?!`)")


@dataclass(frozen=True, slots=True)
class Block:
    """One piece of code. `line` is that of its first line in the text, 1-based."""

    language: Language
    code: str
    line: int


def blocks(text: str) -> Iterator[Block]:
    """Yield the fenced blocks of a text; where it has none, its inline code of more than one word.

    A block that is not closed reaches to the end.
    """
    any_fence = False
    at = 0
    while (opened := _FENCE.search(text, at)) is not None:
        any_fence = True
        mark = opened["mark"]
        closing = re.compile(rf"^[ \t>]*{re.escape(mark[0])}{{{len(mark)},}}[ \t]*$", re.MULTILINE)
        closed = closing.search(text, opened.end())
        end = closed.start() if closed else len(text)
        code = text[opened.end() + 1 : end]
        yield Block(
            _language(opened["language"] or "", code), _without_prompts(code), text.count("\n", 0, opened.end()) + 2
        )
        at = closed.end() if closed else len(text)
    if not any_fence:
        for found in _INLINE.finditer(text):
            yield Block("shell", found[1], text.count("\n", 0, found.start()) + 1)


def _language(name: str, code: str) -> Language:
    name = name.lower()
    if name in _SQLS:
        return "sql"
    return "shell" if name in _SHELLS or code.lstrip().startswith("#!/bin/") else "other"


def _without_prompts(code: str) -> str:
    """Return code without the prompts of a terminal, in which `#` is no comment."""
    if not _PROMPT.search(code) or code.lstrip().startswith("#!"):
        return code
    dollars = re.search(r"^[ \t]*(?:[\w.-]+@[\w.-]+[^$#\n]{0,60})?\$ \S", code, re.MULTILINE)
    return (
        re.sub(r"^[ \t]*(?:[\w.-]+@[\w.-]+[^$#\n]{0,60})?\$ (?=\S)", "", code, flags=re.MULTILINE) if dollars else code
    )
