"""Cells of a Markdown table whose column says that it holds credentials."""

from __future__ import annotations

import re

from askwell.sources.literal import is_mixed, is_placeholder, is_strong
from askwell.sources.words import words

_RULE = re.compile(r"[ \t>]*+\|?[ \t]*+:?-[-:| \t]*+\r?")
_CELL_END = re.compile(r"(?<!\\)\|")
_MARKUP = " \t\r*_`~"
_HEADINGS = {
    "password": words("password passwords passwort kennwort passphrase passcode pass pw pwd"),
    "token": words("token secret"),
    "key": words("key apikey"),
}


def redact_tables(text: str) -> str:
    """Return `text` with the credentials replaced that stand below a heading such as `Password` or `API key`.

    A table is a heading line, a rule of dashes and the lines with a `|` that follow. Linear in the text.
    """
    if "|" not in text or "-" not in text:
        return text
    lines = text.split("\n")
    columns: dict[int, tuple[str, bool]] = {}
    changed = False
    for number, line in enumerate(lines):
        if "|" not in line:
            columns = {}
        elif number and "|" in lines[number - 1] and _RULE.fullmatch(line):
            columns = _columns(lines[number - 1])
        elif columns:
            lines[number] = _row(line, columns)
            changed = True
    return "\n".join(lines) if changed else text


def _columns(heading: str) -> dict[int, tuple[str, bool]]:
    """Return the kind of credential by column, and whether the heading speaks of defaults."""
    found: dict[int, tuple[str, bool]] = {}
    for column, cell in enumerate(_CELL_END.split(heading)):
        spoken = cell.strip(_MARKUP).lower().split()
        if not spoken or len(spoken) > 4:
            continue
        for kind, names in _HEADINGS.items():
            if spoken[-1] in names:
                found[column] = (kind, "default" in spoken)
    return found


def _row(line: str, columns: dict[int, tuple[str, bool]]) -> str:
    cells: list[str] = []
    at = 0
    for end in [match.start() for match in _CELL_END.finditer(line)] + [len(line)]:
        cell = line[at:end]
        kind, default = columns.get(len(cells), ("", False))
        value = cell.strip(_MARKUP)
        if kind and _is_credential(value, kind, default=default):
            begin = cell.index(value)
            cell = f"{cell[:begin]}[redacted: {kind}]{cell[begin + len(value) :]}"
        cells.append(cell)
        at = end + 1
    return "|".join(cells)


def _is_credential(value: str, kind: str, *, default: bool) -> bool:
    """Return whether a cell holds the credential; columns of keys and tokens mostly hold names of them."""
    if len(value.split()) != 1 or "[redacted" in value or is_placeholder(value):
        return False
    if default and not is_strong(value):
        return False  # a documented default is no secret
    if kind == "password":
        return is_mixed(value) or is_strong(value) or (value.isdigit() and len(value) >= 6)
    if kind == "token":
        return len(value) >= 8 and is_mixed(value, run=6, digits=2)
    return is_strong(value) and is_mixed(value, run=12, digits=3)
