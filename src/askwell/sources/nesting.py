"""Where each line of a file of settings stands: `timeout` below `backup:` or `[backup]` is `backup.timeout`.

Read by line, section and indentation, so that one reading serves env, ini, toml, yaml, json and conf files, and a file
that no parser takes is read as far as it goes.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

Place: TypeAlias = tuple[str, ...]
"""Names from the outermost on; the last is the line's own key, or empty if it has none."""

_SECTION = re.compile(r"^\s*\[{1,2}\s*([^\[\]]+?)\s*\]{1,2}\s*(?:[#;].*)?$")
_ENTRY = re.compile(
    r"^(?P<indent>\s*(?:-\s+)*)(?:export\s+)?[\"']?(?P<key>[A-Za-z_][\w.\-]*)[\"']?\s*"
    r"(?P<sign>=|:(?=\s|$)|\s)\s*(?P<value>.*)$"
)
_COMMENT = re.compile(r"^\s*(?:#|;|//)")
_OPENS = re.compile(r"(?:[{\[]|[|>][-+\d]*)?\s*(?:#.*)?")
_LONG = re.compile(r"(\"\"\"|''')")


def places(lines: Sequence[str]) -> tuple[Place, ...]:
    """Return for each line where it stands; a comment and a blank line stand nowhere: their place is empty."""
    found: list[Place] = []
    section: Place = ()
    above: list[tuple[int, str]] = []  # indentation and key of what is open, outermost first
    within = ""  # the sign that ends a value of several lines
    for line in lines:
        if within:
            found.append((*section, *(key for _, key in above), ""))
            if within in line:
                above.pop()
                within = ""
            continue
        if not line.strip() or _COMMENT.match(line):
            found.append(())
            continue
        if header := _SECTION.match(line):
            section, above = tuple(part.strip(" \"'") for part in header[1].split(".")), []
            found.append((*section, ""))
            continue
        entry = _ENTRY.match(line)
        depth = len(entry["indent"]) if entry else len(line) - len(line.lstrip(" \t-"))
        while above and above[-1][0] >= depth:
            above.pop()
        found.append((*section, *(key for _, key in above), entry["key"] if entry else ""))
        if entry is None:
            continue
        quotes = _LONG.findall(entry["value"])
        if len(quotes) == 1:
            within = quotes[0]
        if within or (entry["sign"] != " " and _OPENS.fullmatch(entry["value"])):
            above.append((depth, entry["key"]))
    return tuple(found)
