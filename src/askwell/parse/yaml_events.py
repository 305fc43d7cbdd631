"""The outline of a YAML file from the YAML parser's own events: nothing is constructed, no alias is followed."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import yaml

from askwell.parse.outline import DEEPEST, LONGEST_VALUE, Item

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askwell.parse.rows import Row

_SLOW_PARSER_LIMIT = 1_000_000  # characters; the parser without its C library reads some 50 KB a second


class NotYaml(ValueError):
    """The text does not parse as YAML; the message says why, in the parser's words without its context."""


def outline(text: str, rows: Sequence[Row]) -> list[Item]:
    """Return one item a document, each with its keys or entries. Linear in the text; depth costs no stack.

    Raises:
        NotYaml: the parser refuses the text.
    """
    loader = getattr(yaml, "CSafeLoader", None)
    if loader is None:
        if len(text) > _SLOW_PARSER_LIMIT:
            raise NotYaml("too large for the parser without its C library")
        loader = yaml.SafeLoader
    builder = _Builder([row.start for row in rows], rows)
    try:
        for event in yaml.parse(text, Loader=loader):
            builder.take(event)
    except yaml.MarkedYAMLError as fault:
        raise NotYaml(fault.problem or "not parseable") from fault
    except (yaml.YAMLError, ValueError, RecursionError) as fault:
        raise NotYaml(type(fault).__name__) from fault
    return builder.documents


class _Mark(Protocol):
    """A position of either parser, counted in characters from the start of the text."""

    index: int


def _at(mark: _Mark | None) -> int:
    return mark.index if mark is not None else 0


@dataclass(slots=True)
class _Open:
    """A collection being filled."""

    item: Item
    mapping: bool
    as_key: bool  # it is itself the key of a mapping
    key: tuple[str, int] | None = None  # in a mapping: the key whose value comes next, and its row


class _Builder:
    """Turns events into items with a stack of its own."""

    def __init__(self, starts: Sequence[int], rows: Sequence[Row]) -> None:
        self.starts = starts
        self.rows = rows
        self.documents: list[Item] = []
        self.open: list[_Open] = []

    def take(self, event: yaml.Event) -> None:
        """Take the next event of the stream."""
        if isinstance(event, yaml.DocumentStartEvent):
            row = self._row(_at(event.start_mark))
            self.documents.append(Item("", row, row))
            self.open = []
        elif isinstance(event, yaml.ScalarEvent):
            self._touch(event)
            self._leaf(event.value if len(event.value) <= LONGEST_VALUE else "", event)
        elif isinstance(event, yaml.AliasEvent):
            self._touch(event)
            self._leaf("", event)
        elif isinstance(event, yaml.MappingStartEvent | yaml.SequenceStartEvent):
            self._enter(event)
        elif isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
            if _at(event.end_mark) > _at(event.start_mark):  # a closing bracket; a block's end is an empty mark
                self._touch(event)
            self._leave()

    def _row(self, index: int) -> int:
        return max(bisect_right(self.starts, index) - 1, 0)

    def _touch(self, event: yaml.Event) -> None:
        """Let every open node, and the document, reach to the last written row of this event."""
        row = self._row(max(_at(event.end_mark) - 1, _at(event.start_mark)))
        while row > 0 and row < len(self.rows) and self.rows[row].blank:
            row -= 1
        if self.open:
            self.open[-1].item.stop = max(self.open[-1].item.stop, row + 1)
        else:
            self.documents[-1].stop = max(self.documents[-1].stop, row + 1)

    def _leaf(self, value: str, event: yaml.Event) -> None:
        row = self._row(_at(event.start_mark))
        if self._expects_key():
            self.open[-1].key = (value, row)
        else:
            self._child(value, row)

    def _expects_key(self) -> bool:
        return bool(self.open) and self.open[-1].mapping and self.open[-1].key is None

    def _child(self, value: str, row: int) -> Item:
        """Add a node to the one that is open, under the waiting key of a mapping."""
        if not self.open:
            self.documents[-1].value = value
            return self.documents[-1]
        top = self.open[-1]
        key = ""
        if top.key is not None:
            (key, row), top.key = top.key, None
        item = Item(key, row, max(top.item.stop, row + 1), value)
        if len(self.open) <= DEEPEST:
            top.item.children.append(item)
        return item

    def _enter(self, event: yaml.Event) -> None:
        mapping = isinstance(event, yaml.MappingStartEvent)
        row = self._row(_at(event.start_mark))
        as_key = self._expects_key()
        item = Item("", row, row + 1) if as_key else self._child("", row)
        item.entries = not mapping
        self.open.append(_Open(item, mapping, as_key))

    def _leave(self) -> None:
        left = self.open.pop()
        if not self.open:
            self.documents[-1].stop = max(self.documents[-1].stop, left.item.stop)
            return
        parent = self.open[-1]
        parent.item.stop = max(parent.item.stop, left.item.stop)
        if left.as_key:
            parent.key = ("", left.item.start)
