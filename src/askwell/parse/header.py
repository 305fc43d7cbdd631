"""Finds the header of a program: every comment before its first code."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from askwell.parse.comments import Said, Syntax, comment_at
from askwell.parse.header_sections import has_heading, is_banner

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askwell.parse.rows import Row

_PROLOGUE = re.compile(
    r"\s*(?:#!|<\?php\b|<\?$|set[ \t]+[-+]|shopt[ \t]|emulate[ \t]|declare\s*\(|@?echo[ \t]+off|setlocal|namespace[ \t]"
    r"|use[ \t]+(?:strict|warnings|utf8|v?5)|['\"]use strict['\"]|#requires\b|\[CmdletBinding|IFS=|unset[ \t]+CDPATH)",
    re.IGNORECASE,
)
_DIRECTIVE = re.compile(
    r"\s*(?:shellcheck[ \t]+\w|vim?:|ex:|-\*-.{0,80}-\*-|eslint|phpcs:|pylint:|noqa\b|\$Id\b|yamllint|kate:|!/)"
)


class Header(NamedTuple):
    """The header's lines, blank ones between its comments included; none if there is no header."""

    said: list[Said]
    stop: int  # index of the first row after the header


def find_header(rows: Sequence[Row], syntax: Syntax, sections: Sequence[str]) -> Header:
    """Return the comments before the first code, without the one that explains that code and empty banners.

    Shebang, opening tags, `set -e` and the like may stand before; editor and linter lines say nothing.
    """
    runs: list[list[Said]] = []
    index = 0
    while index < len(rows):
        if rows[index].blank:
            index += 1
            continue
        if _PROLOGUE.match(rows[index].text):
            if runs:
                break
            index += 1
            continue
        comment = comment_at(rows, index, syntax)
        if comment is None:
            break
        said = [_without_directive(line) for line in comment[0]]
        index = comment[1]
        if any(line.content.strip() for line in said):
            runs.append(said)
    while len(runs) > 1 and _belongs_to_code(runs[-1], index, rows, sections):
        runs.pop()
    lines: list[Said] = []
    for run in runs:
        if lines:
            lines.extend(Said(row, "") for row in range(lines[-1].row + 1, run[0].row))
        lines.extend(run)
    return Header(lines, lines[-1].row + 1 if lines else 0)


def _belongs_to_code(run: Sequence[Said], code: int, rows: Sequence[Row], sections: Sequence[str]) -> bool:
    if is_banner(run):
        return True
    touches = run[-1].row + 1 == code and code < len(rows)
    return touches and not has_heading(run, sections=sections)


def _without_directive(line: Said) -> Said:
    return Said(line.row, "") if _DIRECTIVE.match(line.content) else line
