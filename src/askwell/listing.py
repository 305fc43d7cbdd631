"""Answers counting and listing questions from the index itself: completely, each item with the lines that show it.

What is named and does not exist for this request (a folder, a note) makes it no listing: the question then goes the
ordinary way, in the same manner whether it is hidden or not there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from askwell.ask.listing import ListingQuery, OfClass, listing_query
from askwell.ask.listing.wording import fault_line, heading, line, name_line
from askwell.members import members
from askwell.types import Answer, Citation, Ranking, Sentence, Signals, Support

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askwell.members import Item
    from askwell.ports import Store
    from askwell.types import Filter


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """A question that the index itself answers."""

    query: ListingQuery
    blocks: tuple[str, ...]  # joined, the text of the answer; the number first, then one an item
    answer: Answer


def listed(question: str, *, store: Store, visible: Filter) -> Listed | None:
    """Return the answer to a counting or listing question, None if it is another question.

    Every read takes `visible`: what it does not admit is neither counted nor listed nor cited, and the other
    conditions of the request narrow the set. The words of a note are looked for in its whole text, a section's where
    the request names sections.

    Args:
        question: As typed.
        store: The index.
        visible: What may be seen.
    """
    query = listing_query(question)
    if query is None:
        return None
    if query.what in ("failed", "skipped"):
        return _faults(question, query, store=store, visible=visible)
    asked = {one.class_ for one in query.criteria if isinstance(one, OfClass)}
    if not asked <= visible.classes:
        return None
    items = members(query, store=store, visible=visible)
    return None if items is None else _said(question, query, items)


def _said(question: str, query: ListingQuery, items: Sequence[Item]) -> Listed:
    """Return the answer that lists items."""
    first = heading(query, len(items))
    named = query.what in ("setting", "tag")
    shown = [
        name_line(one.label, n) if named else line(one.label, one.info.path, n) for n, one in enumerate(items, start=1)
    ]
    citations = tuple(
        Citation(
            marker=n,
            source=one.at.source,
            path=one.at.path,
            lines=one.lines,
            quote=one.quote,
            support=Support.SUPPORTED,
        )
        for n, one in enumerate(items, start=1)
    )
    markers = tuple(one.marker for one in citations)
    sentences = (
        Sentence(text=first, support=Support.SUPPORTED, markers=markers),
        *(Sentence(text=text, support=Support.SUPPORTED, markers=(n,)) for n, text in enumerate(shown, start=1)),
    )
    return _answer(question, query, [first, *shown], citations, sentences)


def _faults(question: str, query: ListingQuery, *, store: Store, visible: Filter) -> Listed:
    """Return the answer that lists what is not in the index: there are no lines to cite."""
    faults = [fault for fault in store.faults(visible=visible) if fault.status == query.what]
    lines = [heading(query, len(faults)), *(fault_line(fault.path, fault.reason) for fault in faults)]
    sentences = tuple(Sentence(text=text, support=Support.SUPPORTED, markers=()) for text in lines)
    return _answer(question, query, lines, (), sentences)


def _answer(
    question: str,
    query: ListingQuery,
    lines: Sequence[str],
    citations: tuple[Citation, ...],
    sentences: tuple[Sentence, ...],
) -> Listed:
    blocks = (lines[0], *(("\n\n" if n == 0 else "\n") + text for n, text in enumerate(lines[1:])))
    nothing = Signals(best_cosine=None, cosine_margin=None, rare_coverage=0.0, rare_missing=(), agreement=0.0)
    answer = Answer(
        text="".join(blocks),
        citations=citations,
        sentences=sentences,
        invented=0,
        ranking=Ranking(question=question, hits=(), signals=nothing, intents=("listing",)),
        listed=query.described,
    )
    return Listed(query=query, blocks=blocks, answer=answer)
