"""The sensitivity flag outside of frontmatter: as an inline field of a note, as a top-level key of a file of data.

Whatever is said twice, or is no short text, puts the flag at fault: it was meant to be read.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from askwell.types import Metadata

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from askwell.parse.outline import Item

_LONGEST = 120  # characters of a value; a longer one is no flag that anybody set
_CLOSES = {"[": "]", "(": ")"}


def inline_flags(text: str, *, key: str) -> Iterator[str]:
    """Yield the values of `key:: value` in running text; code is the caller's to blank.

    The field may stand on a line of its own, in a list or in brackets, in any case and emphasised. Linear in `text`.
    """
    if "::" not in text:
        return
    for found in re.finditer(
        rf"([\[(]?)[*_]{{0,3}}(?<!\w){re.escape(key)}[*_]{{0,3}}[ \t]{{0,3}}::", text, re.IGNORECASE
    ):
        value = text[found.end() : found.end() + _LONGEST].partition("\n")[0]
        if found[1]:
            value, closed, _ = value.partition(_CLOSES[found[1]])
            value = value if closed else ""
        yield value.strip(" \t*_\"'%")


def with_flags(metadata: Metadata, flags: Sequence[str]) -> Metadata:
    """Return what a note says of itself, its inline flags included."""
    if not flags:
        return metadata
    if len(flags) > 1 or metadata.sensitivity is not None:
        return replace(metadata, sensitivity_fault=True)
    return replace(metadata, sensitivity=flags[0])


def data_flag(documents: Iterable[Item], *, key: str, readable: bool = True) -> Metadata:
    """Return what a file of keys and values says of itself at its top level.

    Args:
        documents: Its outline.
        key: The sensitivity key.
        readable: Whether the file parses: if not, a flag in it is not trusted.
    """
    found = [child for document in documents for child in document.children if child.key.casefold() == key.casefold()]
    if not found:
        return Metadata()
    single = len(found) == 1 and readable and not found[0].children and bool(found[0].value)
    return Metadata(sensitivity=found[0].value if single else None, sensitivity_fault=not single)
