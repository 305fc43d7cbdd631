"""How a citation is written so that it can be followed: a wikilink in a vault, path and lines elsewhere."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from askwell.types import SourceType

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askwell.types import Citation, Lines

# Obsidian reads these as syntax within a link.
_IN_HEADING = re.compile(r"[#|^\[\]:\\]|%%")
_MARKDOWN = re.compile(r"\.(?:md|markdown)\Z", re.IGNORECASE)


def reference(citation: Citation, *, source_type: SourceType, headings: Sequence[str] = ()) -> str:
    """Return a citation as its reader can follow it, on one line.

    In a vault it is a path-qualified wikilink that works when pasted into Obsidian, to the innermost heading where
    there is one: `[[Folder/Note#Heading]]`. Elsewhere it is `path:12-18`, `path:12` for one line.
    """
    if source_type in (SourceType.VAULT, SourceType.LIVESYNC):
        return wikilink(citation.path, headings=headings)
    return f"{_one_line(citation.path)}:{_span(citation.lines)}"


def wikilink(path: str, *, headings: Sequence[str] = (), alias: str = "") -> str:
    """Return a link to a note of a vault by its path, to the innermost heading of `headings` if there is one.

    Obsidian takes a note by its path without extension, and a heading without the signs that mean something in a
    link. A path that has such signs cannot be linked to; it is written as a code span.
    """
    target = _MARKDOWN.sub("", path)
    if re.search(r"[|^#\[\]\n]", target):
        return f"`{_one_line(path)}`"
    heading = " ".join(_IN_HEADING.sub(" ", headings[-1]).split()) if headings else ""
    shown = f"|{' '.join(alias.replace('|', ' ').replace(']', ' ').split())}" if alias.strip() else ""
    return f"[[{target}{f'#{heading}' if heading else ''}{shown}]]"


def _span(lines: Lines) -> str:
    return str(lines.first) if lines.first == lines.last else f"{lines.first}-{lines.last}"


def _one_line(text: str) -> str:
    return re.sub(r"[\x00-\x1f\x7f]", "⏎", text)
