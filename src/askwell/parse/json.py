"""JSON by keys and entries: small ones stand together, large ones are cut inside; headings are the key path."""

from __future__ import annotations

from typing import TYPE_CHECKING

from askwell.parse.flags import data_flag
from askwell.parse.json_scan import scan
from askwell.parse.outline import Item, label, settings
from askwell.types import Block, Metadata, Parsed, Span

if TYPE_CHECKING:
    from collections.abc import Sequence

_LARGE = 1_200  # characters of a value that is cut at its children
_TOGETHER = 600  # characters of small values that stand together
_MOST_SETTINGS = 200  # keys of a settings file; more are data
_MOST_CHARS = 12_000_000  # an outline takes thirty times its text in memory, so more is cut as plain text
_SMALL = 150  # characters of a value that is not a block of its own


def parse(text: str, *, path: str, sensitivity_key: str = "sensitivity") -> Parsed:
    """Return the blocks of a JSON document, JSON lines, or JSON with comments; none for an empty file.

    Plain text, with a note, where there is no bracket and more than one value, or where it is too long to outline.
    """
    if len(text) > _MOST_CHARS:
        return _plain(text, path, f"more than {_MOST_CHARS:,} characters of JSON, cut as text")
    scanned = scan(text)
    if not scanned.brackets and len(scanned.roots) > 1:
        return _plain(text, path, "not valid JSON: no object and no list")
    blocks: list[Block] = []
    roots = scanned.roots
    if len(roots) == 1:
        # What stands before and after the one value is comment, and part of it.
        _cut(blocks, text, roots[0], Span(0, len(text)), ())
    elif roots:
        _children(blocks, text, roots, Span(0, len(text)), ())
    else:
        _add(blocks, text, 0, len(text), ())
    name = path.rsplit("/", 1)[-1]
    keys = [key for root in roots for key in settings(root)]
    return Parsed(
        format="json",
        title=name.split(".", 1)[0] or name,
        blocks=tuple(blocks),
        metadata=data_flag(roots, key=sensitivity_key, readable=not scanned.fault) if len(roots) == 1 else Metadata(),
        defines=tuple(dict.fromkeys(keys)) if len(keys) <= _MOST_SETTINGS else (),
        note=f"not valid JSON: {scanned.fault}" if scanned.fault else "",
    )


def _plain(text: str, path: str, note: str) -> Parsed:
    from askwell.parse import text as plain

    return plain.parse(text, path=path, note=note)


def _cut(blocks: list[Block], text: str, item: Item, span: Span, headings: tuple[str, ...]) -> None:
    """Cut the characters of one value, and what belongs to it, at its children."""
    if item.children:
        _children(blocks, text, item.children, span, headings)
    else:
        _add(blocks, text, span.start, span.end, headings)


def _children(blocks: list[Block], text: str, children: Sequence[Item], span: Span, headings: tuple[str, ...]) -> None:
    together = span.start
    run: list[Item] = []
    for at, child in enumerate(children):
        begin = span.start if at == 0 else child.start
        end = children[at + 1].start if at + 1 < len(children) else span.end
        small = child.stop - child.start <= _SMALL
        if not small or end - together > _TOGETHER:
            _run(blocks, text, run, together, begin, headings)
            together = begin
        if small:
            run.append(child)
            continue
        called = label(child)[:100]
        path = (*headings, called) if called else headings
        if end - begin > _LARGE and child.children:
            _children(blocks, text, child.children, Span(begin, end), path)
        else:
            _add(blocks, text, begin, end, path)
        together = end
    _run(blocks, text, run, together, span.end, headings)


def _run(blocks: list[Block], text: str, run: list[Item], start: int, end: int, headings: tuple[str, ...]) -> None:
    """End a run of small values; one that is alone is under its own key."""
    own = label(run[0])[:100] if len(run) == 1 else ""
    _add(blocks, text, start, end, (*headings, own) if own else headings)
    run.clear()


def _add(blocks: list[Block], text: str, start: int, end: int, headings: tuple[str, ...]) -> None:
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    stop = start + len(piece.strip())
    if stop > start:
        section = headings[-1] if headings else ""
        blocks.append(Block(span=Span(start, stop), headings=headings, section=section, role="data"))
