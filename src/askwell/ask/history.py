"""Which earlier turns may take part in a question, and how a model reads them.

A turn takes part if everything it could see may be seen by the question now asked. Nothing else of a conversation is
looked at, so no word, title or citation of a turn with personal text reaches an open request, a web query or a model
that is not local.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from askwell.ports import Message
from askwell.types import Answer, Location, Turn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askwell.types import Audience, Outcome

QUESTION_CHARS = 2_000
"""Characters of an earlier question that are read."""

ANSWER_CHARS = 4_000
"""Characters of an earlier answer that are read."""

CITED = 24
"""Cited places of an earlier answer that are kept."""


def admitted(history: Sequence[Turn], *, audience: Audience, turns: int) -> tuple[Turn, ...]:
    """Return those of the last `turns` turns that may take part, oldest first, their texts cut to what is read.

    Cost does not depend on the length of the conversation. Text from the web and personal documents never meet, so an
    answer that was made from the web lends only its question to a request that sees personal documents.
    """
    recent = history[-turns:] if turns > 0 else ()
    return tuple(_cut(turn, audience) for turn in recent if turn.classes <= audience.classes)


def _cut(turn: Turn, audience: Audience) -> Turn:
    apart = turn.web and audience.include_personal
    return replace(
        turn,
        question=turn.question[:QUESTION_CHARS],
        query=turn.query[:QUESTION_CHARS],
        answer="" if apart else turn.answer[:ANSWER_CHARS],
        offered=() if apart else turn.offered,
        cited=() if apart else turn.cited[:CITED],
    )


def turn_of(question: str, outcome: Outcome, *, audience: Audience, web: bool = False) -> Turn:
    """Return what a conversation keeps of a question and its outcome, for the next question to be asked with.

    Args:
        question: As the person asked it.
        outcome: What `Engine.ask` ended with.
        audience: What the question was asked with.
        web: Whether text from the web was used.
    """
    turn = Turn(
        question=question,
        answer=outcome.text,
        outcome="abstention",
        classes=audience.classes,
        profile=outcome.profile,
        query=outcome.query,
        web=web,
    )
    if not isinstance(outcome, Answer):
        return replace(turn, offered=outcome.suggestions)
    places = (Location(source=c.source, path=c.path, lines=c.lines) for c in outcome.citations if c.kind == "document")
    text = outcome.text.partition("\n\n")[2] if outcome.routed else outcome.text
    return replace(turn, outcome="answer", answer=text, cited=tuple(dict.fromkeys(places)))


def as_messages(turns: Sequence[Turn]) -> tuple[Message, ...]:
    """Return earlier turns as a model reads them, oldest first; a turn whose answer is left out is left out whole."""
    return tuple(
        message
        for turn in turns
        if turn.answer
        for message in (Message("user", turn.question), Message("assistant", turn.answer))
    )
