"""Scripts of any language: the header comment by its sections, what the usage text says, and the body if wanted.

#!/usr/bin/env bash         before the header: shebang, `<?php`, `set -e`, editor and linter lines
# ━━━ PURPOSE ━━━           the header: every comment before the first code
set -euo pipefail
usage() { cat <<EOF …       the usage text: a function, a here-document or a string of that name
run() { …                   the body: one block a function with its leading comment, one a paragraph
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from askwell.parse.code_units import code_units
from askwell.parse.comments import syntax_for
from askwell.parse.header import find_header
from askwell.parse.header_sections import split_header
from askwell.parse.headings import DEFAULT_SECTIONS, is_licence
from askwell.parse.rows import rows_of, span_of
from askwell.parse.usage import usage_rows
from askwell.types import Block, CodeMode, Parsed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askwell.parse.rows import Row

# Without a header or a usage text a script is known by its first lines: short ones are small enough to be whole.
SHORT_SCRIPT = 40

_DEFAULTED = re.compile(
    r"^[ \t]*(?::[ \t]+\"?\$\{)?(?:(?:export|readonly|declare|local|typeset)[ \t]+(?:-\w+[ \t]+)?)?"
    r"(\w{2,64})(?:=[\"']?\$\{\1:?[-=]|:?=(?![=~]))",
    re.MULTILINE,
)
_CONSTANT = re.compile(
    r"^[ \t]*(?:(?:final[ \t]+)?(?:public[ \t]+)?const[ \t]+|define\([ \t]*['\"])([A-Z][A-Z0-9_]{2,63})\b", re.MULTILINE
)
_SHELL_OWN = frozenset({"PATH", "IFS", "LANG", "LC_ALL", "HOME", "PS1", "PS4", "PWD", "SHELL", "TERM", "USER", "EOF"})


def parse(
    text: str, *, path: str, code: CodeMode = CodeMode.FULL, header_sections: Sequence[str] = DEFAULT_SECTIONS
) -> Parsed:
    """Parse a script. With `headers` or `docstrings` the body is left out, and yet every script yields a block.

    Args:
        text: The whole file.
        path: Its name tells the comment syntax where the text does not.
        code: How much is wanted.
        header_sections: Names that are sections however they are written.
    """
    rows = rows_of(text)
    syntax = syntax_for(path, text)
    header = find_header(rows, syntax, header_sections)
    blocks = list(split_header(header.said, rows, sections=header_sections)) if header.said else []
    if code is CodeMode.FULL:
        blocks.extend(code_units(rows, header.stop, syntax))
    else:
        telling = any(block.section != "LICENSE" for block in blocks) and not _only_links(blocks, text)
        blocks.extend(_intent(rows, header.stop, telling=telling))
    return Parsed(format="script", title=path.rsplit("/", 1)[-1], blocks=tuple(blocks), defines=defined_names(text))


def defined_names(text: str) -> tuple[str, ...]:
    """Return the settings a script assigns: capitals at the start of a line, or any name with a default of its own."""
    found: dict[str, None] = {}
    for match in _DEFAULTED.finditer(text):
        name = match[1]
        own_default = "${" in match[0]
        at_margin = match[0][0] not in " \t"
        if name not in _SHELL_OWN and (own_default or (at_margin and name.isupper() and len(name) > 2)):
            found.setdefault(name)
    for match in _CONSTANT.finditer(text):
        found.setdefault(match[1])
    return tuple(found)


def _only_links(blocks: Sequence[Block], text: str) -> bool:
    """Return whether no block outside licence and author says anything but where the project lives."""
    return all(
        block.section == "LICENSE" or is_licence(said) or (said.startswith(("http", "see ")) and " " not in said[5:])
        for block in blocks
        for said in (block.span.slice(text).lstrip("#/*-; \t\n"),)
    )


def _intent(rows: Sequence[Row], start: int, *, telling: bool) -> list[Block]:
    """Return the usage text after the header, and the first lines of a script that would say nothing else."""
    blocks: list[Block] = []
    for first, stop in usage_rows(rows, start):
        span = span_of(rows, first, stop)
        if span is not None:
            blocks.append(Block(span=span, headings=("USAGE",), section="USAGE", role="code"))
    if telling or blocks:
        return blocks
    while start < len(rows) and rows[start].blank:
        start += 1
    stop = len(rows) if len(rows) <= SHORT_SCRIPT else min(len(rows), start + SHORT_SCRIPT)
    span = span_of(rows, start, stop)
    return [Block(span=span, role="code")] if span is not None else []
