"""Parsed blocks → finished chunks: prelude, lines, embed text and identity."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from typing import TYPE_CHECKING

from askwell.chunk.apart import set_apart
from askwell.chunk.pack import Scale, pack
from askwell.chunk.prelude import prelude
from askwell.chunk.sections import runs
from askwell.ids import chunk_id
from askwell.types import Chunk, Lines

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from askwell.chunk.pack import Draft
    from askwell.types import Document, Parsed

_NEWLINE = re.compile("\n")
_WORD = re.compile(r"\w")
_TELLING = re.compile(
    r"^[ \t]*(?!(?:title|alias|aliases|tags?)\b)(?:[\w-][\w -]{0,60}[:=]|-)[ \t]*(?:[^\s\[{]+[ \t]+){3}\S",
    re.IGNORECASE | re.MULTILINE,
)


def chunks(
    document: Document, parsed: Parsed, *, budget: int, size: Callable[[str], int], topics: Sequence[str] = ()
) -> tuple[Chunk, ...]:
    """Return a document's chunks, in order, deterministic; none for a document without text.

    Their spans are disjoint and cover every non-blank character of the blocks but the payload of embedded
    pictures. No embed text is over `budget`, whatever its characters weigh. Linear in the text's length;
    `size` is called a few times a chunk and once a block, never on more than 16 characters a unit of
    budget, header and lead aside.

    Args:
        document: With the text that `parsed` was made of.
        parsed: Its blocks; the spans lie in `document.text`.
        budget: Largest embed text, in the unit of `size`, at least 1.
        size: Measures an embed text, in tokens of the embedder.
        topics: Titles of the topic notes it is a member of; searched, not embedded.

    Raises:
        ValueError: `budget` is under 1.
    """
    if budget < 1:
        raise ValueError(f"budget needs at least 1, got {budget}")
    text = document.text
    scale = Scale(text=text, title=document.title, budget=budget, size=size)
    blocks = set_apart(text, parsed.blocks, path=document.path)
    line_starts = [0, *(match.end() for match in _NEWLINE.finditer(text))]
    preludes: dict[tuple[str, ...], str] = {}
    seen: Counter[str] = Counter()
    made: list[Chunk] = []
    for run in runs(text, blocks, most=budget):
        for draft in pack(run, scale):
            if draft.headings not in preludes:
                preludes[draft.headings] = prelude(document, draft.headings, topics)
            verbatim = draft.span.slice(text)
            embedded = (
                draft.embed_text
                if _worth_embedding(draft, verbatim, has_frontmatter=parsed.format == "markdown")
                else ""
            )
            identity = embedded or verbatim
            made.append(
                Chunk(
                    id=chunk_id(document.id, identity, seen[identity]),
                    document_id=document.id,
                    ordinal=len(made),
                    span=draft.span,
                    lines=Lines(
                        bisect_right(line_starts, draft.span.start),
                        bisect_right(line_starts, draft.span.end - 1),
                    ),
                    headings=draft.headings,
                    section=draft.section,
                    kind=document.kind,
                    class_=document.class_,
                    text=verbatim,
                    lead=draft.lead,
                    prelude=preludes[draft.headings],
                    embed_text=embedded,
                )
            )
            seen[identity] += 1
    return tuple(made)


def _worth_embedding(draft: Draft, body: str, *, has_frontmatter: bool) -> bool:
    """Whether a vector could find this: it has a word, and as frontmatter a phrase, not keys and dates alone."""
    if has_frontmatter and draft.role == "data":
        return _TELLING.search(body) is not None
    return bool(draft.embed_text) and _WORD.search(body) is not None
