"""Which text answers a question: the hits, widened, as numbered passages within a budget.

Every hit's own text comes first, so that no document crowds out another; what is left of the budget makes the top
documents whole, and then widens the other hits to their sections.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from askwell.types import EdgeKind, Lines, Passage

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from askwell.ids import DocumentId
    from askwell.ports import Store
    from askwell.types import Chunk, Document, Filter, Hit, Ranking

BUDGET = 24_000
"""Characters of passages in a prompt."""

DOCUMENTS = 2
"""How many of the top documents are shown whole where they fit."""

_SECTION = 4_000
"""Characters that one hit is widened to at most: a file without headings is one section of thousands of lines."""

_SMALLEST = 200
"""Characters under which a cut piece is left out: too little to answer from."""


@dataclass(slots=True)
class _Plan:
    """What of one document is shown."""

    document: Document
    chunks: Sequence[Chunk]  # all of the document's, in order
    shown: set[int] = field(default_factory=set)  # positions in `chunks`
    whole: bool = False

    def cost(self) -> int:
        return len(self.document.text) if self.whole else sum(len(self.chunks[n].text) for n in self.shown)


def passages(
    ranking: Ranking, *, store: Store, visible: Filter, budget: int = BUDGET, documents: int = DOCUMENTS
) -> tuple[Passage, ...]:
    """Return what a question is answered from, numbered from 1 in the order of the prompt.

    Passages of one document are adjacent and in its order; documents come by their best hit, a topic note before
    its members. The same text is never shown twice. Together they have at most `budget` characters; a piece that is
    cut to fit is `truncated`. Hits that `visible` does not admit any more are left out. Empty if there are none.
    """
    plans: dict[DocumentId, _Plan] = {}
    spent = 0
    seen: set[str] = set()
    for hit in ranking.hits:
        plan = plans.get(hit.chunk.document_id) or _read(hit, store=store, visible=visible)
        at = _position(plan, hit) if plan else None
        if plan is None or at is None or (text := hit.chunk.text.strip()) in seen:
            continue
        cost = len(hit.chunk.text)
        if at not in plan.shown and spent + cost > budget and spent > 0:
            continue
        seen.add(text)
        plans[hit.chunk.document_id] = plan
        spent += 0 if at in plan.shown else cost
        plan.shown.add(at)
    if not visible.sections:
        spent = _make_whole(list(plans.values())[:documents], spent, budget)
    for plan in plans.values():
        spent = _widen(plan, spent, budget)
    ordered = _topics_first(plans, store=store, visible=visible)
    return _numbered(ordered, budget)


def _read(hit: Hit, *, store: Store, visible: Filter) -> _Plan | None:
    id = hit.chunk.document_id
    document = store.document_by_id(id, visible=visible)
    return _Plan(document, store.document_chunks(id, visible=visible)) if document is not None else None


def _position(plan: _Plan, hit: Hit) -> int | None:
    return next((n for n, chunk in enumerate(plan.chunks) if chunk.id == hit.chunk.id), None)


def _make_whole(plans: Sequence[_Plan], spent: int, budget: int) -> int:
    """Show the top documents whole where that fits, best first; return what is spent then."""
    texts: set[str] = set()
    for plan in plans:
        more = len(plan.document.text) - plan.cost()
        if spent + more <= budget and plan.document.text.strip() not in texts:
            plan.whole = True
            texts.add(plan.document.text.strip())
            spent += more
    return spent


def _widen(plan: _Plan, spent: int, budget: int) -> int:
    """Add to each shown chunk its neighbours under the same headings, nearest first; return what is spent then."""
    if plan.whole:
        return spent
    for at in sorted(plan.shown):
        room = _SECTION - len(plan.chunks[at].text)
        ends = {-1: at - 1, 1: at + 1}  # direction → the next neighbour that way
        while ends:
            for step, n in tuple(ends.items()):
                if not 0 <= n < len(plan.chunks) or not _same_section(plan.chunks[n], plan.chunks[at]):
                    del ends[step]
                    continue
                cost = 0 if n in plan.shown else len(plan.chunks[n].text)
                if cost > room or spent + cost > budget:
                    del ends[step]
                    continue
                plan.shown.add(n)
                spent, room, ends[step] = spent + cost, room - cost, n + step
    return spent


def _same_section(one: Chunk, other: Chunk) -> bool:
    return one.headings == other.headings and one.section == other.section


def _topics_first(plans: Mapping[DocumentId, _Plan], *, store: Store, visible: Filter) -> list[_Plan]:
    """Return the plans with each topic note moved before the first of its members."""
    order = list(plans)
    for edge in store.edges_from(plans.keys(), visible=visible) if len(plans) > 1 else ():
        if edge.edge.kind is EdgeKind.TOPIC and edge.target is not None and edge.target in plans:
            topic, member = order.index(edge.origin), order.index(edge.target)
            if topic > member:
                order.insert(member, order.pop(topic))
    return [plans[id] for id in order]


def _numbered(plans: Sequence[_Plan], budget: int) -> tuple[Passage, ...]:
    found: list[Passage] = []
    left = budget
    for plan in plans:
        for first, last in [(0, len(plan.chunks) - 1)] if plan.whole else _runs(plan.shown):
            passage = _passage(plan, first, last, marker=len(found) + 1, room=left)
            if passage is not None:
                found.append(passage)
                left -= len(passage.text)
    return tuple(found)


def _runs(positions: set[int]) -> list[tuple[int, int]]:
    """Return positions as inclusive ranges of neighbours, in order."""
    runs: list[tuple[int, int]] = []
    for n in sorted(positions):
        if runs and runs[-1][1] == n - 1:
            runs[-1] = (runs[-1][0], n)
        else:
            runs.append((n, n))
    return runs


def _passage(plan: _Plan, first: int, last: int, *, marker: int, room: int) -> Passage | None:
    """Return chunks `first` to `last`, or the whole document, as one passage of at most `room` characters."""
    document = plan.document
    one, other = plan.chunks[first], plan.chunks[last]
    start, end = (0, len(document.text)) if plan.whole else (one.span.start, max(one.span.end, other.span.end))
    text = document.text[start:end]
    line = 1 if plan.whole else one.lines.first
    blank = len(text) - len(text.lstrip("\n"))
    text, line = text[blank:].rstrip(), line + blank
    cut = len(text) > room
    if cut:
        stop = text.rfind("\n", 0, room)
        text = text[: stop if stop > 0 else room]
    if not text.strip() or (cut and len(text) < _SMALLEST):
        return None
    return Passage(
        marker=marker,
        document_id=document.id,
        source=document.source,
        path=document.path,
        title=document.title,
        headings=() if plan.whole or one.headings != other.headings else one.headings,
        lines=Lines(line, line + text.count("\n")),
        text=text,
        lead="" if plan.whole else one.lead,
        class_=document.class_,
        truncated=cut,
    )
