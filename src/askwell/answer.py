"""From a ranking to an answer: one stream of events; the finished value is that stream, drained.

refused ──────────────────────────────▶ Abstention(by gate)
no generator ─▶ extract ─▶ quote ─────▶ Delta… Answer
generator ─▶ passages ─▶ prompt ─▶ deltas ─▶ control line? ──▶ Abstention(by model)
                                      └▶ markers checked ─▶ Delta, Checked… ─▶ Answer, or Abstention(by check)
"""

from __future__ import annotations

import secrets
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from askwell.ask.context import BUDGET, DOCUMENTS, passages
from askwell.ask.extract import extract
from askwell.ask.observed import shown as as_seen
from askwell.ask.persona import Persona, cut_off, not_carried, nothing_found, voice
from askwell.ask.prompt import PROMPT_VERSION, messages
from askwell.ask.quoting import quoted
from askwell.ask.regions import regions
from askwell.ask.suggest import SUGGESTIONS, suggest
from askwell.ask.verify import Checker, Unsupported
from askwell.errors import ModelRefused, ModelUnavailable, PrivacyError
from askwell.reply import Reply
from askwell.types import Abstention, Answer, Checked, Delta, PrivacyClass, Usage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from collections.abc import Generator as TextStream

    from askwell.ports import Embedder, Generator, Message, Store
    from askwell.types import Event, Filter, Hit, Outcome, Passage, Ranking

TOKEN_BYTES = 8
"""Of randomness in what passages are fenced with: nobody guesses it, and it stands twice at each of them."""

NEAREST = 3
"""Hits shown with an abstention."""

TRIED = 2 * SUGGESTIONS
"""Questions that are asked again before they are suggested: each costs a search."""

ENOUGH_SUGGESTIONS = 2
"""With fewer, documents that introduce the others are looked at too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerSettings:
    """How answers are made."""

    persona: Persona = "neutral"
    name: str = ""  # what the answerer is called; empty for no name
    context_chars: int = BUDGET  # characters of passages in a prompt
    whole_documents: int = DOCUMENTS  # top documents shown whole where they fit
    max_chars: int = 20_000  # a reply that is longer than this is ended
    unsupported: Unsupported = "mark"  # what becomes of a sentence that nothing carries
    allow_cloud: bool = False  # whether personal passages may go to a model that is not local


def stream_answer(
    question: str,
    *,
    ranking: Ranking,
    refused: str | None,
    store: Store,
    visible: Filter,
    generator: Generator | None,
    embedder: Embedder | None,
    settings: AnswerSettings,
    history: Sequence[Message] = (),
    draw: Callable[[], str] = lambda: secrets.token_hex(TOKEN_BYTES),
    rules: str = "",
    answered: Callable[[str], bool] | None = None,
    observed: Sequence[Passage] = (),
    searched: str = "",
) -> TextStream[Event, None, None]:
    """Yield text as it is made, then exactly one `Answer` whose text is its concatenation, or one `Abstention`.

    Behind each sentence that a model wrote stands a verdict, once all of the sentence has arrived. An abstention has no
    deltas. Closing the iterator cancels the model. A fault after the first delta raises: what
    was shown is then not an answer.

    Args:
        question: As the person asked it.
        ranking: The evidence, already cut to what the audience may see.
        refused: Why the gate holds the evidence too weak, None if it does not; then no model is called.
        store: Where passages are read from.
        visible: What may be seen; every read takes it.
        generator: None for an answer of verbatim pieces.
        embedder: Adds meaning to the choice of pieces and to the check of sentences; None judges by words.
        settings: How the answer is made.
        history: Earlier turns, oldest first.
        draw: Gives unguessable words, one of which fences the passages of the prompt.
        rules: What a profile adds to the contract.
        answered: Whether a question, asked by the same audience, would be answered: none other is suggested.
        observed: Passages that are from no document, numbered from 1; with any, weak evidence is left out, not refused.
        searched: What pieces of documents must have to do with, where it is more than the question.

    Raises:
        ModelUnavailable: the model cannot be reached, or broke off.
        ModelRefused: the model said nothing, or gave back its instructions.
        PrivacyError: a personal passage would go to a model that is not local.
    """
    asked = _Asked(
        question=question,
        searched=searched or question,
        ranking=ranking,
        store=store,
        visible=visible,
        settings=settings,
        answered=answered or (lambda _: True),
    )
    if refused is not None and not observed:
        yield _abstention(asked, "gate", refused)
        return
    similarity = _similarity(embedder if _may_read(embedder, visible, settings) else None)
    if generator is None:
        yield from _extractive(asked, similarity, observed, documents=refused is None)
        return
    of_documents = (
        ()
        if refused is not None
        else passages(
            ranking, store=store, visible=visible, budget=settings.context_chars, documents=settings.whole_documents
        )
    )
    shown = (*observed, *(replace(one, marker=one.marker + len(observed)) for one in of_documents))
    if not shown:
        yield _abstention(asked, "gate", "no passage to answer from")
        return
    _check_trust(shown, generator, settings)
    prompt = messages(
        question,
        shown,
        draw=draw,
        persona=settings.persona,
        history=history,
        added=rules + voice("neutral", settings.name),
    )
    checker = Checker(shown, similarity=similarity, unsupported=settings.unsupported)
    reply = Reply(generator, prompt, shown, question=question, checker=checker, most=settings.max_chars)
    with closing(reply.events()) as told:
        yield from told
    if reply.declined:
        reason = reply.reason or "the passages do not answer the question"
        yield _abstention(asked, "model", reason, usage=reply.usage)
        return
    if not reply.text:
        yield replace(
            _abstention(asked, "check", "nothing in the passages carries what the model wrote", usage=reply.usage),
            text=not_carried(question),
        )
        return
    notice = f"\n\n{cut_off(question, reply.cut)}" if reply.cut else ""
    if not of_documents:
        notice += f"\n\n{nothing_found(question)}"
    if notice:
        yield Delta(notice)
    yield Answer(
        text=reply.text + notice,
        citations=checker.citations,
        sentences=tuple(checker.sentences),
        invented=reply.invented,
        removed=checker.removed,
        contract=PROMPT_VERSION,
        ranking=ranking,
        usage=reply.usage,
    )


def final(events: Iterator[Event]) -> Outcome:
    """Drain a stream and return its outcome.

    Raises:
        RuntimeError: the stream ended without one.
    """
    outcome: Outcome | None = None
    for event in events:
        match event:
            case Delta() | Checked():
                continue
            case Answer() | Abstention():
                outcome = event
    if outcome is None:
        raise RuntimeError("answer stream ended without an outcome")
    return outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """A question with what it is answered from."""

    question: str
    searched: str
    ranking: Ranking
    store: Store
    visible: Filter
    settings: AnswerSettings
    answered: Callable[[str], bool]


def holds_an_answer(question: str, hits: Sequence[Hit], *, store: Store, visible: Filter) -> bool:
    """Return whether some piece of what was found has to do with the question, judged by words."""
    return bool(extract(question, regions(hits, store=store, visible=visible)))


def _extractive(
    asked: _Asked,
    similarity: Callable[[str, Sequence[str]], Sequence[float]] | None,
    observed: Sequence[Passage],
    *,
    documents: bool,
) -> Iterator[Event]:
    """Yield an answer of verbatim pieces, or an abstention if no piece has to do with the question."""
    places = regions(asked.ranking.hits, store=asked.store, visible=asked.visible) if documents else ()
    pieces = extract(asked.searched, places, similarity=similarity) if places else ()
    if not pieces and not observed:
        yield _abstention(asked, "gate", "no sentence of the nearest documents has to do with the question")
        return
    answer = quoted(pieces, first=len(observed) + 1)
    blocks, citations, sentences = answer.blocks, answer.citations, answer.sentences
    if observed:
        seen, cited, said = as_seen(observed)
        between = ("\n\n",) if blocks else ()
        blocks, citations, sentences = (*seen, *between, *blocks), (*cited, *citations), (*said, *sentences)
    if not pieces:
        blocks = (*blocks, f"\n\n{nothing_found(asked.question)}")
    yield from map(Delta, blocks)
    yield Answer(
        text="".join(blocks),
        citations=citations,
        sentences=sentences,
        invented=0,
        ranking=asked.ranking,
    )


def _abstention(
    asked: _Asked, by: Literal["gate", "model", "check"], reason: str, *, usage: Usage | None = None
) -> Abstention:
    """Return an abstention with what came nearest and questions that the visible documents answer."""
    nearest = _admitted(asked)
    suggestions = _suggestions(asked, nearest)
    return Abstention(
        by=by,
        reason=reason,
        text=nothing_found(asked.question, persona=asked.settings.persona),
        nearest=nearest[:NEAREST],
        suggestions=suggestions,
        ranking=asked.ranking,
        usage=usage or Usage(),
    )


def _suggestions(asked: _Asked, nearest: Sequence[Hit]) -> tuple[str, ...]:
    """Return questions near to the one that was asked, each of which would be answered."""
    tried: dict[str, bool] = {}
    for documents in ((), asked.store.documents(visible=asked.visible)):
        for question in suggest(asked.question, nearest, documents, limit=TRIED):
            if sum(tried.values()) < SUGGESTIONS and question not in tried:
                tried[question] = asked.answered(question)
        if sum(tried.values()) >= ENOUGH_SUGGESTIONS:
            break
    return tuple(question for question, holds in tried.items() if holds)


def _admitted(asked: _Asked) -> tuple[Hit, ...]:
    """Return the hits that may be seen now: a class may have changed since they were found."""
    hits = asked.ranking.hits
    admitted = asked.store.hits([hit.chunk.id for hit in hits], visible=asked.visible)
    return tuple(hit for hit in hits if hit.chunk.id in admitted)


def _check_trust(shown: Sequence[Passage], generator: Generator, settings: AnswerSettings) -> None:
    """Hold back personal passages from a model that is not local.

    Raises:
        PrivacyError: there is one and the settings do not allow it.
    """
    held_back = generator.trust == "cloud" and not settings.allow_cloud
    if held_back and any(passage.class_ is PrivacyClass.PERSONAL for passage in shown):
        raise PrivacyError("this request may not be sent to a model that is not local")


def _may_read(embedder: Embedder | None, visible: Filter, settings: AnswerSettings) -> bool:
    """Return whether what is visible may be given to this embedder: one that is elsewhere reads nothing personal."""
    away = embedder is not None and embedder.trust == "cloud" and not settings.allow_cloud
    return not (away and PrivacyClass.PERSONAL in visible.classes)


def _similarity(embedder: Embedder | None) -> Callable[[str, Sequence[str]], Sequence[float]] | None:
    """Return a function that gives the cosine of a text to each of others, in [-1, 1]; None without an embedder.

    An embedder that fails says nothing: every cosine is then 0.0, and words decide.
    """
    if embedder is None:
        return None

    def cosines(text: str, others: Sequence[str]) -> Sequence[float]:
        if not others:
            return ()
        try:
            query = embedder.embed_query(text)
            return [float(value) for value in embedder.embed_documents(list(others)) @ query]
        except (ModelUnavailable, ModelRefused):
            return [0.0] * len(others)

    return cosines
