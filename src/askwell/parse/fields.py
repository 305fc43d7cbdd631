"""Frontmatter's keys and values, read without constructing anything: as nodes, as TOML, or line by line."""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    import yaml

_STRING = "tag:yaml.org,2002:str"
_NULL = "tag:yaml.org,2002:null"
_DEEPEST = 40  # nesting; what is deeper is no frontmatter, and a parser in C has no recursion limit
_COMPACT = re.compile(r"^[ \t]*(?:[-?:][ \t]+){" + str(_DEEPEST) + "}", re.MULTILINE)
_LINE = re.compile(r"[\"']?(?P<key>[^\W\d][\w .-]{0,60}?)[\"']?[ \t]*:(?:[ \t]+(?P<value>\S.*))?$")


class Unreadable(Exception):
    """The block is no mapping, or no YAML or TOML at all."""


class Field(NamedTuple):
    """One key with the texts it holds; none where the value is null or of a shape that says nothing here."""

    key: str
    values: tuple[tuple[str, int], ...]  # as written, and the line in the block, from 0
    is_list: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Fields:
    """A block's fields in order, and its sensitivity flag."""

    items: tuple[Field, ...]
    sensitivity: str | None = None
    fault: bool = False

    def named(self, *keys: str) -> Iterator[Field]:
        """Yield the fields under any of `keys`, case-insensitively; a key written twice comes twice."""
        return (item for item in self.items if item.key.casefold() in keys)


def yaml_fields(block: str, *, key: str) -> Fields:
    """Return the fields of a YAML block. No tag is ever constructed.

    Raises:
        Unreadable: it does not parse, or to something else than a mapping or nothing.
    """
    import yaml

    if not block.strip():
        return Fields(items=())
    _refuse_deep(block)
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        root = yaml.compose(block, Loader=loader)
    except (yaml.YAMLError, UnicodeError, RecursionError, ValueError) as error:
        raise Unreadable(str(error)) from error
    if root is None or (isinstance(root, yaml.ScalarNode) and root.tag == _NULL):
        return Fields(items=())
    if not isinstance(root, yaml.MappingNode):
        raise Unreadable("not a mapping")
    items = tuple(_field(name.value, value) for name, value in root.value if isinstance(name, yaml.ScalarNode))
    flag, fault = _yaml_flag(root, key)
    return Fields(items=items, sensitivity=flag, fault=fault)


def toml_fields(block: str, *, key: str) -> Fields:
    """Return the fields of a TOML block.

    Raises:
        Unreadable: it does not parse.
    """
    import tomllib

    try:
        table = tomllib.loads(block)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        raise Unreadable(str(error)) from error
    lines = [line.lstrip().partition("=")[0].strip().strip("\"'") for line in block.split("\n")]
    items = []
    for name, value in table.items():
        line = lines.index(name) if name in lines else 0
        texts = [text for part in (value if isinstance(value, list) else [value]) if (text := _toml_text(part))]
        items.append(Field(name, tuple((text, line) for text in texts), isinstance(value, list)))
    wanted = [value for name, value in table.items() if name.casefold().strip() == key.casefold()]
    everywhere = sum(name.casefold().strip() == key.casefold() for name in _toml_keys(table))
    flag = wanted[0] if wanted and isinstance(wanted[0], str) else None
    return Fields(items=tuple(items), sensitivity=flag, fault=everywhere > 1 or (everywhere == 1 and flag is None))


def recovered(block: str) -> Fields:
    """Return what can be read line by line of a block that does not parse. Its flag is always at fault.

    A key that is written twice is left out: which of the two was meant is not known.
    """
    found: dict[str, Field | None] = {}
    open_key = ""
    for number, line in enumerate(block.split("\n")):
        match = _LINE.match(line)
        if match is not None:
            open_key = match["key"]
            value = (match["value"] or "").strip()
            is_list = not value or value.startswith("[")
            texts = value.strip("[]").split(",") if value.startswith("[") else [value]
            values = tuple((text, number) for part in texts if (text := _unquoted(part)))
            found[open_key] = None if open_key in found else Field(open_key, values, is_list)
        elif line.lstrip().startswith("- ") and (item := found.get(open_key)) is not None and item.is_list:
            if text := _unquoted(line.lstrip()[2:]):
                found[open_key] = item._replace(values=(*item.values, (text, number)))
        elif line.strip():
            open_key = ""
    return Fields(items=tuple(item for item in found.values() if item is not None), fault=True)


def _refuse_deep(block: str) -> None:
    """Raise `Unreadable` for a block nested deeper than any frontmatter: the composer recurses."""
    depth = 0
    for match in re.finditer(r"[\[{\]}]", block):
        depth += 1 if match[0] in "[{" else -1
        if depth > _DEEPEST:
            raise Unreadable("nested too deeply")
    if _COMPACT.search(block) or any(
        len(line) - len(line.lstrip(" ")) > 4 * _DEEPEST for line in block.split("\n") if line.strip()
    ):
        raise Unreadable("nested too deeply")


def _field(key: str, node: yaml.Node) -> Field:
    """Return one key with the scalars of its value."""
    import yaml

    parts = node.value if isinstance(node, yaml.SequenceNode) else [node]
    values = tuple(
        (part.value, part.start_mark.line)
        for part in parts
        if isinstance(part, yaml.ScalarNode) and part.tag != _NULL and part.value.strip()
    )
    return Field(key.strip(), values, isinstance(node, yaml.SequenceNode))


def _yaml_flag(root: yaml.MappingNode, key: str) -> tuple[str | None, bool]:
    """Return the flag as written, and whether it is at fault: written twice, nested, aliased, or no string.

    Every mapping is looked at once, however often aliases lead to it.
    """
    import yaml

    top: list[tuple[yaml.Node, yaml.Node]] = []
    nested = 0
    seen: set[int] = set()
    todo: list[yaml.Node] = [root]
    while todo:
        node = todo.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, yaml.SequenceNode):
            todo += node.value
        elif isinstance(node, yaml.MappingNode):
            for name, value in node.value:
                todo += (name, value)
                if isinstance(name, yaml.ScalarNode) and name.value.strip().casefold() == key.casefold():
                    nested += node is not root
                    if node is root:
                        top.append((name, value))
    if not top:
        return None, nested > 0
    name, value = top[0]
    plain_text = isinstance(value, yaml.ScalarNode) and value.tag == _STRING
    aliased = value.start_mark.index < name.end_mark.index
    flag = value.value if plain_text else None
    return flag, len(top) > 1 or nested > 0 or aliased or not plain_text


def _toml_text(value: object) -> str:
    """Return a TOML scalar as text, empty for a table or an array."""
    if isinstance(value, datetime.date | datetime.time):  # a date-time is a date
        return value.isoformat()
    return str(value) if isinstance(value, str | int | float) else ""


def _toml_keys(table: object) -> Iterator[str]:
    """Yield every key at every depth."""
    todo = [table]
    while todo:
        node = todo.pop()
        if isinstance(node, dict):
            yield from node
            todo += node.values()
        elif isinstance(node, list):
            todo += node


def _unquoted(text: str) -> str:
    text = text.strip()
    return text[1:-1].strip() if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else text
