"""Verbatim pieces as the text of an answer: each with its marker, none able to pass for a marker or to hide one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from askwell.ask.markers import marked
from askwell.types import Citation, Passage, Sentence, Support

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askwell.ask.extract import Piece

_RUN = re.compile(r"[`~]{3,}")
_TABLE_ROW = re.compile(r"\|[^\n]*\|?\s*\Z")


@dataclass(frozen=True, slots=True)
class Quoted:
    """An answer made of quotations. `blocks` joined are its text."""

    blocks: tuple[str, ...]
    citations: tuple[Citation, ...]
    sentences: tuple[Sentence, ...]


def quoted(pieces: Sequence[Piece], *, first: int = 1) -> Quoted:
    """Return pieces as an answer: a paragraph each, numbered from `first`, the marker behind it.

    Prose stands as it is. Lines of programs and settings, and any prose that holds something like a marker or would
    swallow ours (an open code fence, say), stand in a code block, where brackets are text and nothing is rendered.
    """
    blocks: list[str] = []
    citations: list[Citation] = []
    sentences: list[Sentence] = []
    for marker, piece in enumerate(pieces, start=first):
        blocks.append(("\n\n" if blocks else "") + _block(piece, marker))
        citations.append(
            Citation(
                marker=marker,
                source=piece.hit.source,
                path=piece.hit.path,
                lines=piece.lines,
                quote=piece.text,
                support=Support.SUPPORTED,
            )
        )
        sentences.append(Sentence(text=piece.text, support=Support.SUPPORTED, markers=(marker,)))
    return Quoted(tuple(blocks), tuple(citations), tuple(sentences))


def _block(piece: Piece, marker: int) -> str:
    """Return one piece with its marker."""
    text = piece.text
    if piece.prose:
        own_line = text.rstrip().endswith(("```", "~~~")) or _TABLE_ROW.match(text.rpartition("\n")[2].strip())
        shown = f"{text.rstrip()}{chr(10) if own_line else ' '}[{marker}]"
        if _is_plain(shown, marker, piece):
            return shown
    longest = max((len(run) for run in _RUN.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{text}\n{fence}\n[{marker}]"


def _is_plain(shown: str, marker: int, piece: Piece) -> bool:
    """Say whether a reader of markers finds ours alone in a block, at its end, and would change nothing."""
    known = [_any_passage(n, piece) for n in range(1, 100)]
    text, placed, invented = marked(shown, known)
    return text == shown and not invented and [one.marker for one in placed] == [marker] and placed[0].end == len(shown)


def _any_passage(marker: int, piece: Piece) -> Passage:
    chunk = piece.hit.chunk
    return Passage(
        marker=marker,
        document_id=chunk.document_id,
        source=piece.hit.source,
        path="",
        title="",
        headings=(),
        lines=piece.lines,
        text=piece.text,
        lead="",
        class_=chunk.class_,
    )
