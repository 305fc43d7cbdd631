"""The outline of something like YAML from its indentation alone: for templates and files that do not parse."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from askwell.parse.outline import DEEPEST, LONGEST_VALUE, Item

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askwell.parse.rows import Row

_KEY = re.compile(
    r"(?P<key>\"[^\"\n]{1,120}\"|'[^'\n]{1,120}'|[\w$./<>@~+(][\w $./<>@~+(){}-]{0,120}?)"
    r"[ \t]*:(?:[ \t]+(?P<value>.*))?$"
)
_DASH = re.compile(r"-(?:[ \t]+|$)")
_LITERAL = re.compile(r"(?:![^\s]{0,60}[ \t]+)?[|>][+-]?\d?[+-]?(?:[ \t]+#.*)?$")
_LONGEST_LINE = 2_000


class _Open(NamedTuple):
    item: Item
    depth: int  # twice its column; an entry of a list counts one more, as it may stand right under its key


def outline(rows: Sequence[Row]) -> list[Item]:
    """Return one item a document, split at `---`, each with what looks like keys and entries."""
    documents = [Item("", 0, 0)]
    stack = [_Open(documents[0], -1)]
    literal = -1  # column of the key whose block scalar the rows are in
    for index, row in enumerate(rows):
        stripped = row.text.strip()
        if not stripped or (stripped.startswith("#") and literal < 0):
            continue
        indent = row.indent
        if literal >= 0 and indent > literal:
            stack[-1].item.stop = index + 1
            continue
        literal = -1
        if stripped.startswith("---") and indent == 0:
            _fold(stack, -1)
            documents.append(Item("", index, index + 1))
            stack = [_Open(documents[-1], -1)]
            continue
        if stripped[0] in "{}[]%" or len(stripped) > _LONGEST_LINE:
            stack[-1].item.stop = index + 1
            continue
        literal = _place(stack, stripped, indent, index)
    _fold(stack, -1)
    return [document for document in documents if document.stop > document.start]


def _place(stack: list[_Open], stripped: str, indent: int, index: int) -> int:
    """Put one row into the tree; return its column if a block scalar starts on it, else -1."""
    column = indent
    dash = _DASH.match(stripped)
    if dash is not None:
        _fold(stack, 2 * indent + 1)
        entry = Item("", index, index + 1)
        stack[-1].item.entries = True
        _add(stack, entry, 2 * indent + 1)
        stripped = stripped[dash.end() :]
        column += dash.end()
    key = _KEY.match(stripped)
    if key is None:
        if dash is None:
            stack[-1].item.stop = index + 1
        elif len(stripped) <= LONGEST_VALUE:
            stack[-1].item.value = stripped
        return -1
    if dash is None:
        _fold(stack, 2 * column)
    value = (key["value"] or "").strip()
    text = value.strip("\"'") if len(value) <= LONGEST_VALUE else ""
    _add(stack, Item(key["key"].strip("\"'"), index, index + 1, text), 2 * column)
    return column if _LITERAL.match(value) else -1


def _add(stack: list[_Open], item: Item, depth: int) -> None:
    if len(stack) <= DEEPEST:
        stack[-1].item.children.append(item)
    stack.append(_Open(item, depth))


def _fold(stack: list[_Open], depth: int) -> None:
    """Close what is as deep as `depth` or deeper, but never the document."""
    while len(stack) > 1 and stack[-1].depth >= depth:
        closed = stack.pop().item
        stack[-1].item.stop = max(stack[-1].item.stop, closed.stop)
