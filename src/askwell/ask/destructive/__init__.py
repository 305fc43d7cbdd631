"""What a drafted script would destroy: each such operation with its line and the reason, before anybody pastes it.

answer ─▶ `blocks`: its code, by language ─▶ `parse.shell` ─▶ `wrappers` off ─▶ `rules`, `sql` ─▶ findings

Disguises are read as a shell reads them: quotes, variables, wrappers such as `sudo`, scripts within strings,
here-documents and pipes. What cannot be parsed is judged line by line, and that is said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from askwell.ask.destructive.blocks import blocks
from askwell.ask.destructive.commands import scan
from askwell.ask.destructive.elsewhere import scan_code
from askwell.ask.destructive.sql import scan_sql

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askwell.types import Finding

__all__ = ["scan", "scan_answer", "scan_sql", "summary"]

MOST = 200
"""Findings that are told of one answer; no script that anybody reads has more."""


def scan_answer(text: str) -> tuple[tuple[Finding, ...], int]:
    """Return what the code in a Markdown text would destroy, by line of the text, and how many blocks were read."""
    found: list[Finding] = []
    read = 0
    for block in blocks(text):
        read += 1
        match block.language:
            case "shell":
                found += scan(block.code, line=block.line)
            case "sql":
                found += scan_sql(block.code, line=block.line)
            case _:
                found += scan_code(block.code, line=block.line)
    unique = {(one.line, one.what, one.command): one for one in found}
    return tuple(sorted(unique.values(), key=lambda one: one.line))[:MOST], read


def summary(findings: Sequence[Finding], *, blocks: int) -> str:
    """Return what a person is told of a scan, in Markdown; empty if there was no code."""
    if not blocks:
        return ""
    if not findings:
        return "Checked for destructive operations: none found."
    shown = (f"- line {one.line}: `{_plain(one)}`: {one.why}" for one in findings)
    return "\n".join(("**Careful: this can destroy data.**", "", *shown))


def _plain(finding: Finding) -> str:
    text = " ".join(finding.command.replace("`", "'").split())
    return text if len(text) <= 80 else text[:79] + "…"
