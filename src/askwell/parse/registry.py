"""Picks the parser for a file and falls back to plain text, with the reason, where it cannot make sense of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from askwell.formats import format_of
from askwell.parse.headings import DEFAULT_SECTIONS
from askwell.types import Block, CodeMode, Metadata, Span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askwell.types import Parsed


def parse(
    text: str,
    *,
    path: str,
    head: bytes = b"",
    code: CodeMode = CodeMode.FULL,
    header_sections: Sequence[str] = DEFAULT_SECTIONS,
    sensitivity_key: str = "sensitivity",
) -> Parsed:
    """Return what the parser of the file's format makes of it. Never raises for what a file contains.

    Args:
        text: The file, decoded, line ends as line feeds.
        path: Its name decides the format first.
        head: Its first bytes, which decide where the name does not; by default those of `text`.
        code: How much of a program file is wanted.
        header_sections: Names that are sections of a header comment however they are written.
        sensitivity_key: The frontmatter key of the privacy class.

    Returns:
        Blocks in order, disjoint and within `text`; none for a blank text. `note` says why plain text was
        used instead of the file's own format, or why the format's own parser could not be.
    """
    chosen = format_of(path, head or text[:8192].encode("utf-8", "replace")) or "text"
    if chosen == "markdown":
        from askwell.parse import markdown

        return markdown.parse(text, path=path, sensitivity_key=sensitivity_key)
    try:
        parsed = _parse_as(chosen, text, path, code, header_sections, sensitivity_key)
    except (RecursionError, MemoryError) as fault:
        from askwell.parse import text as plain

        note = f"{chosen} too deep or too large to parse: {fault}".rstrip(": ")
        flagged = chosen in ("yaml", "json") and sensitivity_key.casefold() in text.casefold()
        parsed = replace(plain.parse(text, path=path), note=note, metadata=Metadata(sensitivity_fault=flagged))
    if not parsed.blocks and text.strip():  # nothing but headings, rulings or brackets: findable all the same
        start = len(text) - len(text.lstrip())
        return replace(parsed, blocks=(Block(span=Span(start, start + len(text.strip()))),))
    return parsed


def _parse_as(
    chosen: str, text: str, path: str, code: CodeMode, header_sections: Sequence[str], sensitivity_key: str
) -> Parsed:
    match chosen:
        case "script":
            from askwell.parse import script

            return script.parse(text, path=path, code=code, header_sections=header_sections)
        case "python":
            from askwell.parse import python

            return python.parse(text, path=path, code=code, header_sections=header_sections)
        case "template":
            from askwell.parse import template

            return template.parse(text, path=path)
        case "yaml":
            from askwell.parse import yaml

            return yaml.parse(text, path=path, sensitivity_key=sensitivity_key)
        case "json":
            from askwell.parse import json

            return json.parse(text, path=path, sensitivity_key=sensitivity_key)
        case "rst":
            from askwell.parse import rst

            return rst.parse(text, path=path)
        case _:
            from askwell.parse import text as plain

            return plain.parse(text, path=path)
