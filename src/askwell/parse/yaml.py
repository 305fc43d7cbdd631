"""YAML by documents and keys: a large value is cut at its own keys or entries, the key path is the heading path.

# the comment above a key is part of its block
recorder:                         → headings ("recorder",)
  db_url: !secret recorder_db       tags stay text: nothing is constructed, no secret is looked up
services:                         → large: ("services", "web"), ("services", "db") …
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Literal

from askwell.parse import yaml_lines
from askwell.parse.flags import data_flag
from askwell.parse.headings import drawn_heading
from askwell.parse.outline import Item, label, settings
from askwell.parse.rows import rows_of, span_of
from askwell.parse.template_rows import remark_of
from askwell.types import Block, Parsed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askwell.parse.rows import Row

_LARGE = 1_200  # characters of a value that is cut at its children
_TOGETHER = 600  # characters of short values that stand together


def parse(text: str, *, path: str, sensitivity_key: str = "sensitivity") -> Parsed:
    """Return a YAML file's blocks; by indentation, with a note, where it does not parse."""
    from askwell.parse import yaml_events

    rows = rows_of(text)
    note = ""
    try:
        documents = yaml_events.outline(text, rows)
    except yaml_events.NotYaml as fault:
        note = f"not valid YAML: {fault}"
        documents = yaml_lines.outline(rows)
    cutter = _Cutter(rows)
    for index, document in enumerate(documents):
        stop = documents[index + 1].start if index + 1 < len(documents) else len(rows)
        cutter.document(document, cutter.done, stop)
    cutter.rest(len(rows))
    defines = tuple(dict.fromkeys(key for document in documents for key in settings(document)))
    name = path.rsplit("/", 1)[-1]
    return Parsed(
        format="yaml",
        title=name.split(".", 1)[0] or name,
        blocks=tuple(cutter.blocks),
        metadata=data_flag(documents, key=sensitivity_key, readable=not note),
        defines=defines,
        note=note,
    )


class _Cutter:
    """Cuts rows into blocks from the top of the file to its end; every written row falls into one block."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = rows
        self.blocks: list[Block] = []
        self.done = 0

    def document(self, document: Item, first: int, stop: int) -> None:
        """Cut one document, the rows ``[first, stop)``."""
        name = label(document)
        self._children(document, first, stop, (name,) if name and self._size(first, stop) > _LARGE else (), name)

    def rest(self, stop: int) -> None:
        """Take what no document holds: a file of comments only."""
        self._block(self.done, stop, ())

    def _children(self, parent: Item, first: int, stop: int, headings: tuple[str, ...], name: str = "") -> None:
        """Cut ``[first, stop)`` at the parent's children; comments between two children belong to the later."""
        children = _one_a_row(parent.children)
        small_document = bool(name) and self._size(first, stop) <= _LARGE
        if not children or small_document:
            self._block(first, stop, headings or ((name,) if name else ()))
            return
        begins = [first]
        for before, child in itertools.pairwise(children):
            begins.append(self._comment_start(before.stop, child.start))
        together, run = first, list[Item]()  # where the run of short values starts, and what is in it
        banner: tuple[str, ...] = ()
        top = not headings
        for at, child in enumerate(children):
            begin, end = begins[at], begins[at + 1] if at + 1 < len(children) else stop
            body = self._after_preface(begin, child.start)
            found = self._banner(begin, child.start) if top else ""
            if found:
                self._run(run, together, begin, (*headings, *banner))
                together, banner = begin, (found,)
            remarked = child.start > begin and self.rows[child.start - 1].text.lstrip().startswith("#")
            plain = not child.children and not remarked and end - child.start <= 2
            if not plain or self._size(together, end) > _TOGETHER:
                self._run(run, together, begin, (*headings, *banner))
                together = begin
            if plain:
                run.append(child)
                continue
            self._block(begin, body, (*headings, *banner), role="comment")
            self._value(child, body, end, (*headings, *banner))
            together = end
        self._run(run, together, stop, (*headings, *banner))

    def _run(self, run: list[Item], first: int, stop: int, headings: tuple[str, ...]) -> None:
        """End a run of short values; one that is alone is under its own key."""
        alone = run[0] if len(run) == 1 else None
        named = alone is not None and headings and alone.value == headings[-1]  # `- name: X` under the heading X
        own = label(alone)[:100] if alone is not None and not named else ""
        self._block(first, stop, (*headings, own) if own else headings)
        run.clear()

    def _value(self, child: Item, first: int, stop: int, headings: tuple[str, ...]) -> None:
        """Cut one key's value, the rows ``[first, stop)`` with its comment, if it is large."""
        called = label(child)[:100]
        path = (*headings, called) if called else headings
        inner = _one_a_row(child.children)
        if self._size(first, stop) > _LARGE and (len(inner) > 1 or (inner and inner[0].children)):
            self._children(child, first, stop, path)
            return
        written = min(max(child.stop, first + 1), stop)
        while written < stop and not self.rows[written].blank:
            written += 1
        self._block(first, written, path)
        self._block(written, stop, headings, role="comment")

    def _block(
        self, first: int, stop: int, headings: tuple[str, ...], *, role: Literal["data", "comment"] = "data"
    ) -> None:
        first = max(first, self.done)
        while first < stop and self.rows[first].text.strip() in ("---", "...", "#", ""):
            first += 1
        span = span_of(self.rows, first, stop)
        self.done = max(self.done, stop)
        if span is not None:
            self.blocks.append(Block(span=span, headings=headings, section=headings[-1] if headings else "", role=role))

    def _size(self, first: int, stop: int) -> int:
        return self.rows[stop - 1].end - self.rows[first].start if stop > first else 0

    def _comment_start(self, after: int, row: int) -> int:
        """Return where the rows between two children go over to the later: past deeper comments of the earlier."""
        start = after
        while start < row and not self.rows[start].blank and self.rows[start].indent > self.rows[row].indent:
            start += 1
        return start

    def _after_preface(self, begin: int, row: int) -> int:
        """Return the first row of the comment right above `row`: earlier paragraphs stand for themselves."""
        start = row
        while start > begin and self.rows[start - 1].text.lstrip().startswith("#"):
            start -= 1
        before = [self.rows[at].text.strip() for at in range(begin, start)]
        remarks = all(not text or text.startswith(("#", "---")) for text in before)  # the parent's key may stand there
        return start if remarks and any(before) else begin

    def _banner(self, begin: int, row: int) -> str:
        """Return the last drawn heading in the comments of ``rows[begin:row]``, empty if there is none."""
        said = [remark_of(self.rows[at].text) for at in range(begin, row)]
        found = (drawn_heading(said, at) for at in range(len(said)))
        return next((heading.title for heading in reversed([*found]) if heading is not None), "")


def _one_a_row(children: Sequence[Item]) -> list[Item]:
    """Return the children that start on a row of their own, in order: rows can be cut between those only."""
    kept: list[Item] = []
    for child in children:
        if not kept or child.start > kept[-1].start:
            kept.append(child)
    return kept
