"""Checks of what a person or a program asks for, the same behind every interface."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING

from askwell.errors import BadRequest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askwell.types import Kind, Profile

MAX_K = 1000
"""Most hits of one search."""

MAX_QUESTION = 200_000
"""Characters; longer than any question, short enough to be answered in time."""


def checked_question(text: str) -> str:
    """Return `text` if it can be searched for.

    Raises:
        BadRequest: it is too long, or holds neither a letter nor a digit.
    """
    if len(text) > MAX_QUESTION:
        raise BadRequest(f"the question has {len(text)} characters", hint=f"ask in at most {MAX_QUESTION} characters")
    if not any(character.isalnum() for character in text):
        raise BadRequest("nothing to search for", hint="ask with at least one word or number")
    return text


def checked_kinds(names: Sequence[str]) -> frozenset[Kind]:
    """Return the kinds of these names, compared without case.

    Raises:
        BadRequest: there is no such kind; the nearest one is the hint.
    """
    from askwell.engine import named_values
    from askwell.types import Kind

    return frozenset(Kind(k) for k in named_values(names, [k.value for k in Kind], what="kind"))


def checked_profile(name: str) -> Profile:
    """Return the profile of this name, compared without case.

    Raises:
        BadRequest: there is no such profile; the nearest one is the hint.
    """
    from askwell.engine import named_values
    from askwell.types import Profile

    (profile,) = named_values([name], [p.value for p in Profile], what="profile")
    return Profile(profile)


def checked_date(text: str) -> str:
    """Return `text` if it is an ISO date or empty.

    Raises:
        BadRequest: it is neither.
    """
    try:
        if text:
            datetime.date.fromisoformat(text)
    except ValueError as error:
        raise BadRequest(f"{text!r} is no date", hint="write it as 2026-01-31") from error
    return text
