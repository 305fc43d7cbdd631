"""Blocks → runs: what stands under one heading, with tiny sections joined to a sibling."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askwell.types import Block

_TINY = 60  # characters below its heading line: less than a line of text is no passage that answers anything
_SCRAP = 40  # an `own` block shorter than this and without a letter says nothing alone


@dataclass(slots=True)
class Run:
    """Consecutive blocks that may share chunks. Between them stands nothing but white space."""

    blocks: list[Block]
    headings: tuple[str, ...]
    section: str
    own: bool = False

    @property
    def bare(self) -> bool:
        """Whether it is headings and nothing else that is shown."""
        return all(block.role == "heading" or (block.role == "comment" and not block.own) for block in self.blocks)

    @property
    def body(self) -> int:
        """Characters below headings that are shown."""
        return sum(b.span.end - b.span.start for b in self.blocks if b.role not in ("heading", "comment"))


def runs(text: str, blocks: Sequence[Block], *, most: int) -> list[Run]:
    """Return the runs of a document, in order.

    A heading without text of its own goes with the first section below it. A section of less than a line is
    joined to a neighbour under the same parent, both headings staying in the text; their common heading path
    is the run's. An `own` block takes the heading above it and nothing else.

    Args:
        text: The document.
        blocks: Its blocks.
        most: Characters that joined sections may have together.
    """
    return _joined(text, _below(text, _by_heading(text, blocks), most=most), most=most)


def _by_heading(text: str, blocks: Sequence[Block]) -> list[Run]:
    found: list[Run] = []
    for block in blocks:
        own = block.own and not _is_scrap(text, block)
        last = found[-1] if found else None
        if (
            last is not None
            and block.role != "heading"
            and not own
            and not last.own
            and (last.headings, last.section) == (block.headings, block.section)
            and _adjacent(text, last.blocks[-1], block)
        ):
            last.blocks.append(block)
        else:
            found.append(Run([block], block.headings, block.section, own))
    return found


def _below(text: str, found: Sequence[Run], *, most: int) -> list[Run]:
    """Return the runs with each bare heading put before the section that it heads."""
    done: list[Run] = []
    for run in found:
        last = done[-1] if done else None
        if (
            last is not None
            and last.bare
            and last.blocks[0].role == "heading"
            and sum(b.span.end - b.span.start for b in last.blocks) <= most
            and not (run.own and run.blocks[0].role == "comment")
            and run.headings[: len(last.headings)] == last.headings
            and _adjacent(text, last.blocks[-1], run.blocks[0])
        ):
            done[-1] = Run([*last.blocks, *run.blocks], run.headings, run.section, run.own)
        else:
            done.append(run)
    return done


def _joined(text: str, found: Sequence[Run], *, most: int) -> list[Run]:
    done: list[Run] = []
    last_body = 0  # of the last section in `done[-1]`
    parent: tuple[str, ...] = ()
    for run in found:
        last = done[-1] if done else None
        body = run.body
        if (
            last is not None
            and not (run.own or last.own)
            and run.blocks[0].role == last.blocks[0].role == "heading"
            and parent == run.headings[:-1]
            and min(body, last_body) < _TINY
            and run.blocks[-1].span.end - last.blocks[0].span.start <= most
            and _adjacent(text, last.blocks[-1], run.blocks[0])
        ):
            last.blocks += run.blocks
            last.headings = parent
        else:
            done.append(run)
            parent = run.headings[:-1]
        last_body = body
    return done


def _adjacent(text: str, before: Block, after: Block) -> bool:
    """Whether nothing but white space stands between two blocks."""
    return not text[before.span.end : after.span.start].strip()


def _is_scrap(text: str, block: Block) -> bool:
    return block.span.end - block.span.start < _SCRAP and not any(map(str.isalpha, block.span.slice(text)))
