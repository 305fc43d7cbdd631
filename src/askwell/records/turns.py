"""A turn as a conversation keeps it, and back: every field is checked again, because anybody may have edited it.

There are no roles in a file: a question is what a person said and an answer what Askwell said, so that no edit can put
words into the mouth of the instructions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from askwell.records import fields
from askwell.types import Profile, Turn

if TYPE_CHECKING:
    from collections.abc import Mapping

QUESTION = 200_000
"""Most characters of a stored question."""

ANSWER = 1_000_000
"""Most characters of a stored answer: a complete listing is long."""


@dataclass(frozen=True, slots=True)
class Dated:
    """A turn with when it was completed."""

    at: str  # ISO, with offset
    turn: Turn


def stored(dated: Dated) -> dict[str, object]:
    """Return a turn as JSON. What it cited is left out: it was evidence for an answer that is no longer being made."""
    turn = dated.turn
    return {
        "at": dated.at,
        "question": _clean(turn.question)[:QUESTION],
        "answer": _clean(turn.answer)[:ANSWER],
        "outcome": turn.outcome,
        "profile": turn.profile.value,
        "classes": sorted(item.value for item in turn.classes),
        "web": turn.web,
        "query": _clean(turn.query)[:QUESTION],
        "offered": [_clean(text)[:QUESTION] for text in turn.offered[:20]],
    }


def loaded(row: object) -> Dated:
    """Return the turn that JSON holds.

    Raises:
        ValueError: it holds none; says which field and what is wrong with it, and quotes nothing.
    """
    if not isinstance(row, dict):
        raise ValueError("it is no table")
    table: Mapping[str, object] = row
    return Dated(
        at=fields.moment(table, "at"),
        turn=Turn(
            question=fields.text(table, "question", most=QUESTION),
            answer=fields.text(table, "answer", most=ANSWER),
            outcome=_outcome(table),
            profile=fields.member(table, "profile", Profile),
            classes=fields.classes(table, "classes"),
            web=fields.flag(table, "web"),
            query=fields.text(table, "query", most=QUESTION, default=""),
            offered=fields.texts(table, "offered", most=20, length=QUESTION),
        ),
    )


def _outcome(table: Mapping[str, object]) -> Literal["answer", "abstention"]:
    return "answer" if fields.word(table, "outcome", ("answer", "abstention")) == "answer" else "abstention"


def _clean(text: str) -> str:
    """Return `text` as it can be stored: what is no character becomes U+FFFD."""
    return text.encode("utf-8", "replace").decode().replace("\0", "\ufffd")
