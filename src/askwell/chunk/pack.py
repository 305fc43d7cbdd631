"""Runs → drafts: whole blocks up to the budget, in even shares; what is larger goes to `oversize`."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from askwell.chunk.oversize import split
from askwell.chunk.prelude import embed_text, header, without_ballast
from askwell.types import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from askwell.chunk.sections import Run
    from askwell.types import Block

_CHARACTERS = 16  # most characters of a chunk per unit of budget: some tokenizers count a 5 MB word as one token
_LEAD_SHARE = 3  # of the budget, the part that a repeated lead may take at most
_INTRODUCTION = 4  # an oversize block takes along what stands before it, up to this part of the budget
_PLAIN = 3  # times smaller or larger than the budget by estimate: not worth weighing
_FENCE = re.compile(r"^[ \t>*+-]*(`{3,}|~{3,})[^\n]*$", re.MULTILINE)


class Draft(NamedTuple):
    """A chunk before it is given a name."""

    span: Span
    headings: tuple[str, ...]
    section: str
    role: str
    lead: str
    embed_text: str


@dataclass(slots=True, kw_only=True)
class Scale:
    """Weighs pieces of one document as they are embedded, and learns on the way what its characters weigh.

    Weighing is the dear part of chunking, so it is spent on what decides: every finished chunk, and blocks
    that might not fit. What is plainly small or plainly too large is estimated.
    """

    text: str
    title: str
    budget: int
    size: Callable[[str], int]
    headers: dict[tuple[str, ...], str] = field(default_factory=dict)
    weighed: int = 0  # characters so far
    units: int = 0

    @property
    def characters(self) -> int:
        """Most characters of a chunk, whatever they weigh."""
        return _CHARACTERS * self.budget

    def header(self, headings: tuple[str, ...]) -> str:
        """Return what is embedded before the text of a chunk under `headings`."""
        if headings not in self.headers:
            self.headers[headings] = header(self.title, headings, budget=self.budget, size=self.size)
        return self.headers[headings]

    def room(self, headings: tuple[str, ...]) -> int:
        """Return what the header leaves of the budget."""
        return self.budget - self.size(self.header(headings))

    def weigh(self, made: str) -> int:
        """Return the size of an embed text, and learn from it."""
        units = self.size(made)
        self.weighed += len(made)
        self.units += units
        return units

    def cost(self, block: Block, *, room: int) -> int | None:
        """Return about what a block adds to a chunk, None if it does not fit into `room`."""
        if block.span.end - block.span.start > self.characters:
            return None
        made = without_ballast(block.span.slice(self.text))
        guess = len(made) * self.units // max(1, self.weighed) if self.weighed else room
        if guess <= room // _PLAIN:
            return guess + 1
        if guess > _PLAIN * room:
            return None
        cost = self.weigh(made) + 1
        return cost if cost <= room else None

    def embedded(self, start: int, end: int, headings: tuple[str, ...], lead: str = "") -> str | None:
        """Return the embed text of a piece, None if it is over the budget."""
        if end - start > self.characters:
            return None
        made = embed_text(self.header(headings), lead, self.text[start:end])
        if self.units and len(made) * self.units > _PLAIN * self.budget * self.weighed:
            return None
        return made if self.weigh(made) <= self.budget else None


def pack(run: Run, scale: Scale) -> Iterator[Draft]:
    """Yield the drafts of a run: in order, disjoint, covering every non-blank character of its blocks."""
    first, last = run.blocks[0], run.blocks[-1]
    whole = scale.embedded(first.span.start, last.span.end, run.headings)
    if whole is not None:
        yield _draft(run, run.blocks, whole)
        return
    room = scale.room(run.headings)
    costs = [scale.cost(block, room=room) for block in run.blocks]
    total = sum(cost for cost in costs if cost is not None)
    share = total / max(1, -(-total // max(1, room)))
    pending: list[Block] = []
    used = 0
    for block, cost in zip(run.blocks, costs, strict=True):
        only_headings = all(b.role == "heading" for b in pending)
        if cost is None:
            if pending and not only_headings and used > scale.budget // _INTRODUCTION:
                yield from _whole(run, pending, scale)
                pending = []
            yield from _cut(run, [*pending, block], scale)
            pending, used = [], 0
            continue
        if pending and (used + cost > room or used >= share) and not only_headings:
            yield from _whole(run, pending, scale)
            pending, used = [], 0
        pending.append(block)
        used += cost
    if pending:
        yield from _whole(run, pending, scale)


def _whole(run: Run, blocks: Sequence[Block], scale: Scale) -> Iterator[Draft]:
    """Yield one draft of the blocks, or two or more where their sum is more than their parts."""
    while blocks:
        many = len(blocks)
        while many:
            made = scale.embedded(blocks[0].span.start, blocks[many - 1].span.end, run.headings)
            if made is not None:
                break
            many -= 1
        if many == len(blocks) or any(block.role != "heading" for block in blocks[:many]):
            yield _draft(run, blocks[:many], made or "")
        else:  # headings, if any, and a block that does not fit below them
            many += 1
            yield from _cut(run, blocks[:many], scale)
        blocks = blocks[many:]


def _draft(run: Run, blocks: Sequence[Block], embedded: str) -> Draft:
    role = next((block.role for block in blocks if block.role != "heading"), "heading")
    return Draft(Span(blocks[0].span.start, blocks[-1].span.end), run.headings, run.section, role, "", embedded)


def _cut(run: Run, blocks: Sequence[Block], scale: Scale) -> Iterator[Draft]:
    """Yield the pieces of the last of `blocks`, the first piece with what stands before it.

    Each piece that begins inside a table or a fence has its header as lead; one that is very long is not embedded.
    """
    block = blocks[-1]
    text, span = scale.text, Span(blocks[0].span.start, block.span.end)
    leads = _leads(text, block)
    starts = [start for start, _ in leads]
    room = scale.room(run.headings)
    most_lead = scale.budget // _LEAD_SHARE

    def lead_at(start: int) -> tuple[str, str]:
        """Return the lead of a piece from `start`, and as much of it as is embedded."""
        at = bisect_right(starts, start) - 1
        lead = leads[at][1] if at >= 0 else ""
        return lead, lead if lead and scale.size(lead[: scale.characters]) + 1 <= most_lead else ""

    made: dict[tuple[int, int], str | None] = {}

    def embedded(start: int, end: int) -> str | None:
        """Return the embed text of a piece; the last one is kept, for it is asked for twice."""
        if (start, end) not in made:
            made.clear()
            made[start, end] = scale.embedded(start, end, run.headings, lead_at(start)[1])
        return made[start, end]

    sample = text[block.span.start : min(block.span.end, block.span.start + 4 * scale.budget)]
    weight = max(1, scale.size(embed_text("", "", sample)))
    reach = min(scale.characters, max(1, (room - most_lead * bool(leads)) * len(sample) // weight))
    pieces = split(
        text,
        span,
        role=block.role,
        fits=lambda start, end: embedded(start, end) is not None,
        reach=reach,
    )
    for piece in pieces:
        lead = lead_at(piece.start)[0]
        yield Draft(piece, run.headings, run.section, block.role, lead, embedded(piece.start, piece.end) or "")


def _leads(text: str, block: Block) -> list[tuple[int, str]]:
    """Return from which offset on which lead applies, in order: the block's own, or that of a fence inside it."""
    if block.lead:
        inside = text.startswith(block.lead, block.span.start)
        return [(block.span.start + (len(block.lead) if inside else 0), block.lead)]
    leads: list[tuple[int, str]] = []
    mark = ""
    for match in _FENCE.finditer(text, block.span.start, block.span.end):
        if not mark:
            mark = match[1]
            leads.append((match.end(), match[0].strip()))
        elif match[1].startswith(mark) and not match[0].strip().strip(mark[0]):
            mark = ""
            leads.append((match.start() + 1, ""))
    return leads
