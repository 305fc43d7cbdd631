"""Which profile takes a question that was asked in `chat`. Most specific first; what is not recognised stays.

    something is to be written            code           "write me a script that prunes logs"
    a fault with something here           troubleshoot   "why did the nightly backup fail"
    about this system                     docs           "what does arr_sync.sh do"
    anything else                         chat           "why is the sky blue"

Going over to another profile adds what it may do, so a wrong one costs more than one that was missed: each rule wants
a sign that it can name. `about here` is such a sign: a name by its shape, a name of something in the index, or words
that point at this place. English first; German, Turkish and Swedish by their verbs.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from askwell.ask.requested import asks_to_write, revises
from askwell.ask.subject import about_here, here_and_now
from askwell.ask.symptoms import describes_fault
from askwell.terms import fold
from askwell.types import Profile

if TYPE_CHECKING:
    from askwell.ask.subject import Known

_READ = 2_000
"""Characters read from each end of a question: a request stands before or after what was pasted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """The profile that takes a question, and the sign that it was chosen by."""

    profile: Profile
    why: str


def route(question: str, *, around: Known, previous: Profile | None = None, follow_up: bool = False) -> Route:
    """Return the profile that fits a question asked in `chat`.

    Args:
        question: What was asked; a follow-up as it was rewritten.
        around: What is known of this system.
        previous: The profile that answered the turn before, None for the first.
        follow_up: Whether the question leans on that turn.
    """
    text = question if len(question) <= 2 * _READ else f"{question[:_READ]}\n{question[-_READ:]}"
    folded = fold(text)
    if written := asks_to_write(folded):
        return Route(profile=Profile.CODE, why=f"asks for something to be written: {written}")
    if previous is Profile.CODE and (revised := revises(folded)):
        return Route(profile=Profile.CODE, why=f"changes what was written: {revised}")
    if around.listing:
        return Route(profile=Profile.DOCS, why="counts or lists what is indexed")
    here = about_here(text, folded, around)
    if fault := describes_fault(folded):
        if here or (here := here_and_now(folded, around)):
            return Route(profile=Profile.TROUBLESHOOT, why=f"describes a fault: {fault}; about here: {here}")
        return Route(profile=Profile.CHAT, why=f"describes a fault with nothing here: {fault}")
    if here and not _SMALL_TALK.search(folded):
        return Route(profile=Profile.DOCS, why=f"about here: {here}")
    if follow_up and previous in (Profile.DOCS, Profile.TROUBLESHOOT):
        return Route(profile=Profile.DOCS, why="goes on from a turn about here")
    return Route(profile=Profile.CHAT, why="nothing of it is recognised")


_SMALL_TALK = re.compile(
    r"\A\W*(?:thank|thanks|thx|cheers|hello|hi|hey|good (?:morning|evening|night)|bye|lol|haha|danke|hallo|tack|hej"
    r"|tesekkur|merhaba|selam)\b(?:\W+\w+){0,4}\W*\Z"
    r"|\b(?:tell me a (?:joke|story)|(?:write|compose) (?:me )?an? (?:short )?(?:poem|song|haiku|story|limerick"
    r"|joke))\b"
)
