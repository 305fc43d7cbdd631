"""What a chunk says besides its own text: to the word search whole, to the embedder in part."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from askwell.types import Document

_DATA_URI = re.compile(r"data:[\w.+-]{1,40}/[\w.+-]{1,80}(?:;[\w=.+-]{1,80}){0,4},[^\s\"'<>)]*")
_BARE_BASE64 = re.compile(r"data:;base64,[^\s\"'<>)]*")
_LONG_URL = re.compile(r"(https?://[^\s<>\"')\]]{40})[^\s<>\"')\]]{12,}")
_SHARE = 4  # of the budget, the part that title and headings may take at most


def prelude(document: Document, headings: Sequence[str], topics: Sequence[str]) -> str:
    """Return what is searched with a chunk: title, path, headings, topics, tags, aliases, dates, a line each.

    Never shown as if it were the document. No labels: a word that stood in every prelude would find everything.
    """
    metadata = document.metadata
    lines = (
        document.title,
        document.path,
        " > ".join(headings),
        ", ".join(topics),
        ", ".join(metadata.tags),
        ", ".join(metadata.aliases),
        " ".join(dict.fromkeys(date for date in (metadata.created, metadata.updated) if date)),
    )
    return "\n".join(line for line in lines if line)


def header(title: str, headings: Sequence[str], *, budget: int, size: Callable[[str], int]) -> str:
    r"""Return the part of the prelude that is embedded: ``"Title > Heading > Heading\n"``.

    Without the path, so that a move costs no embedding. Takes a quarter of `budget` at most: the outer
    headings go first, then the end of what is left. May be empty.
    """
    names = [*([title] if title else []), *headings]
    names = [name for at, name in enumerate(names) if not at or name != names[at - 1]]
    most = budget // _SHARE
    shorter = [names, [names[0], names[-1]], [names[-1]]] if names else []
    for kept in shorter:
        line = " > ".join(kept)
        if len(line) <= _most_characters(most) and size(line + "\n") <= most:
            return line + "\n"
    line = names[-1][: _most_characters(most)] if names else ""
    while line and size(line + "\n") > most:
        line = line[: len(line) // 2]
    return line + "\n" if line else ""


def embed_text(header: str, lead: str, body: str) -> str:
    """Return exactly what the embedder is given: header, repeated lead and the body without ballast."""
    return f"{header}{lead}\n{without_ballast(body)}" if lead else header + without_ballast(body)


def without_ballast(text: str) -> str:
    """Return `text` without embedded pictures, and with long addresses cut short. Linear."""
    if "data:" in text:
        text = _BARE_BASE64.sub("", _DATA_URI.sub("", text))
    if "://" in text:
        text = _LONG_URL.sub(r"\1", text)
    return text


def _most_characters(units: int) -> int:
    """Return how long a header of so many units is worth measuring."""
    return 8 * units
