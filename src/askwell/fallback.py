"""What the web adds where a question allows it and the documents do not suffice: verbatim, under a heading of its own.

outcome ─▶ coverage thin? ─▶ the question alone goes out ─▶ pages ─▶ the paragraphs that speak of it ─▶ `web`

No chat model reads the pages: what stands in them can command nothing, and each quotation is theirs word for word.
"""

from __future__ import annotations

import re
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

from askwell.ask.unseen import visible
from askwell.calibrating import in_force
from askwell.errors import AskwellError
from askwell.rank.gate import Coverage, coverage
from askwell.terms import content_words, forms, index_terms
from askwell.types import Abstention, Answer, Delta, WebQuote

if TYPE_CHECKING:
    from collections.abc import Generator as Stream
    from collections.abc import Iterator, Sequence

    from askwell.engine import Engine
    from askwell.planning import Plan
    from askwell.ports import WebPage
    from askwell.types import Event, Outcome, Ranking

HALF = 0.5
"""Share of a question's words that a paragraph with its heading must have to be quoted."""

QUOTES = 2  # of one page
LONGEST = 500  # characters of a quotation
_INERT = str.maketrans("[]<`", "()‹'")
"""What would make a link, an image, a definition, a tag or code of a page's text."""

_STOP = re.compile(r"[.!?…。](?=\s)")


def coverage_of(engine: Engine, ranking: Ranking) -> Coverage:
    """Return how well the documents cover what was ranked."""
    cuts = in_force(engine.store)
    return coverage(ranking.signals, cuts, space=cuts.space)


def with_web(engine: Engine, plan: Plan, events: Stream[Event, None, None]) -> Stream[Event, None, None]:
    """Yield an answer's events, and what the web adds before the outcome.

    Args:
        engine: Who answers; without a search service the answer says that none is set.
        plan: Of the answer; its query is the question, completed from turns that this audience may see.
        events: Of the answer.
    """
    with closing(events):
        for event in events:
            if not isinstance(event, Answer | Abstention) or plan.ranking is None:
                yield event
                continue
            if isinstance(event, Answer) and coverage_of(engine, plan.ranking) is Coverage.COVERED:
                yield event
                continue
            quotes, warning = _found(engine, plan.rewritten.query)
            if quotes:
                said = _told(quotes)
                yield Delta(f"{event.text if isinstance(event, Abstention) else ''}{said}")
                event = _widened(event, quotes, said)
            yield _warned(event, warning)


def _found(engine: Engine, query: str) -> tuple[tuple[WebQuote, ...], str]:
    if engine.web is None:
        return (), "the web is allowed, and no search service is set (`web.provider`)"
    try:
        pages = engine.web.find(query)
    except AskwellError as error:
        return (), f"the web was not searched: {error}"
    quotes = tuple(quote for page in pages for quote in quoted(page, query))
    return quotes, "" if quotes else "nothing was found on the web either"


def quoted(page: WebPage, question: str) -> Iterator[WebQuote]:
    """Yield the paragraphs of a page that have most of a question's words, at most `QUOTES`, in their order."""
    wanted = [frozenset(forms(word)) for word in content_words(question)]
    ranked: list[tuple[float, int, str, str]] = []
    for section in page.sections:
        above = frozenset(index_terms(section.heading))
        for paragraph in section.text.split("\n"):
            own = frozenset(index_terms(paragraph[:4000]))
            held = sum(bool(spelling & (own | above)) for spelling in wanted)
            inside = sum(bool(spelling & own) for spelling in wanted)
            if wanted and inside and held >= HALF * len(wanted):
                ranked.append((held + inside / 2, len(ranked), section.heading, paragraph))
    best = sorted(sorted(ranked, key=lambda one: (-one[0], one[1]))[:QUOTES], key=lambda one: one[1])
    for _, _, heading, paragraph in best:
        yield WebQuote(
            title=_plain(page.title)[:200] or page.url,
            url=page.url,
            heading=_plain(heading)[:200],
            quote=_shortened(_plain(paragraph)),
            fetched=page.fetched,
        )


def _told(quotes: Sequence[WebQuote]) -> str:
    rows = ["", "", "## From the web", "", "Not from your documents."]
    for one in quotes:
        where = f"{one.title} › {one.heading}" if one.heading and one.heading != one.title else one.title
        rows += ["", f"> {one.quote}", "", f"{where}: {one.url} ({one.fetched})"]
    return "\n".join(rows)


def _widened(outcome: Outcome, quotes: tuple[WebQuote, ...], said: str) -> Outcome:
    """Return an answer with what the web adds; an abstention becomes one that says what the documents do not have."""
    if isinstance(outcome, Answer):
        return replace(outcome, text=outcome.text + said, web=quotes)
    return Answer(
        text=outcome.text + said,
        citations=(),
        sentences=(),
        invented=0,
        ranking=outcome.ranking,
        usage=outcome.usage,
        web=quotes,
        profile=outcome.profile,
        routed=outcome.routed,
        query=outcome.query,
    )


def _warned(outcome: Outcome, warning: str) -> Outcome:
    if not warning:
        return outcome
    return replace(outcome, ranking=replace(outcome.ranking, warnings=(*outcome.ranking.warnings, warning)))


def _plain(text: str) -> str:
    """Return text on one line that is no markup: a page must not put links, images or tags into an answer."""
    text = " ".join(visible(text).split())
    return text.translate(_INERT)


def _shortened(text: str) -> str:
    if len(text) <= LONGEST:
        return text
    ends = [found.end() for found in _STOP.finditer(text[:LONGEST])]
    return text[: ends[-1]] if ends and ends[-1] > LONGEST / 3 else text[: LONGEST - 1] + "…"
