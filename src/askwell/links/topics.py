"""Finds topic membership: links inside a marked region of a note, and notes in folders of topics."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from typing import TYPE_CHECKING

from askwell.types import EdgeKind, Lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from askwell.types import Edge

_MARK = re.compile(r"<!--[ \t]{0,8}(?P<what>begin|end)[ \t]{0,4}:[ \t]{0,4}(?P<name>[\w./-]{1,100})[^\n>]{0,200}-->")


def topics(text: str, edges: Sequence[Edge]) -> tuple[Edge, ...]:
    r"""Return a `TOPIC` edge for every link or embed that stands in a marked region of a note, in line order.

    The given edges stay what they are; these are added to them, one a target. A region is what stands between
    `<!-- begin:NAME -->` and the next `<!-- end:NAME -->`; one without an end is none.

    Args:
        text: The note, every line end `\\n`.
        edges: The note's edges.
    """
    regions = marked_regions(text)
    if not regions:
        return ()
    found: dict[str, Edge] = {}
    inside = iter(regions)
    region: Lines | None = next(inside)
    for edge in sorted(edges, key=lambda edge: edge.line):
        if edge.kind not in (EdgeKind.LINK, EdgeKind.EMBED):
            continue
        while region is not None and region.last < edge.line:
            region = next(inside, None)
        if region is None:
            break
        if region.first <= edge.line:
            found.setdefault(edge.target, replace(edge, kind=EdgeKind.TOPIC))
    return tuple(found.values())


def marked_regions(text: str) -> tuple[Lines, ...]:
    """Return the lines of each marked region, its marks included, in order and disjoint."""
    if "<!--" not in text:
        return ()
    regions: list[Lines] = []
    opened: dict[str, int] = {}
    line = 1
    at = 0
    for mark in _MARK.finditer(text):
        line += text.count("\n", at, mark.start())
        at = mark.start()
        if mark["what"] == "begin":
            opened[mark["name"]] = line
        elif (first := opened.pop(mark["name"], None)) is not None:
            regions.append(Lines(first, line))
    return _merged(sorted(regions, key=lambda region: region.first))


def is_topic_path(path: str, folders: Iterable[str]) -> bool:
    """Return whether the note at `path` lies in one of `folders`, at any depth below it. Compared in NFC."""
    note = unicodedata.normalize("NFC", path)
    return any(
        folder and note.startswith(folder + "/")
        for folder in (unicodedata.normalize("NFC", name).strip("/") for name in folders)
    )


def _merged(regions: Iterable[Lines]) -> tuple[Lines, ...]:
    merged: list[Lines] = []
    for region in regions:
        if merged and region.first <= merged[-1].last:
            merged[-1] = Lines(merged[-1].first, max(merged[-1].last, region.last))
        else:
            merged.append(region)
    return tuple(merged)
