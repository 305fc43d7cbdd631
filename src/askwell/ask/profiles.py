"""The four profiles: what each may use, how much of a conversation it reads, and its rules for a model.

This is the only definition. Interfaces list `PROFILES`; nothing else knows how many there are.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from askwell.errors import BadRequest
from askwell.types import Profile

if TYPE_CHECKING:
    from collections.abc import Mapping


class Capability(StrEnum):
    """An input or an output that a profile may use. What is not granted is not done, whatever the question says."""

    RETRIEVAL = "retrieval"  # reads the index
    LOGS = "logs"  # reads a log that the asker opens or names, from allowed folders
    RECORDS = "records"  # reads health, run and incident files
    LIVE_SETTINGS = "live settings"  # reads values at query time from files that the configuration names
    BUG_REPORTS = "bug reports"  # may write one into the configured folder
    OUTPUT_SCAN = "output scan"  # what it wrote is searched for destructive operations


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileRules:
    """What one profile is.

    Attributes:
        about: What it answers, for a reader who chooses one.
        turns: Earlier turns of a conversation that it reads.
        contract: With retrieval, rules added to those of `askwell.ask.prompt`; without, all that a model is told.
    """

    profile: Profile
    about: str
    turns: int
    capabilities: frozenset[Capability] = frozenset()
    contract: str = ""

    @property
    def retrieves(self) -> bool:
        """Whether it answers from the index, and from nothing else."""
        return Capability.RETRIEVAL in self.capabilities

    @property
    def needs_model(self) -> bool:
        """Whether it cannot answer without a chat model: there is nothing to quote."""
        return not self.retrieves


CHAT_OPENING = "You hold an ordinary conversation and know nothing about this person's system."
CODE_OPENING = "You draft shell scripts, commands and configuration for somebody who will read them before use."

_CHAT = (
    CHAT_OPENING
    + """

Rules:
1. You have not seen their documents, machines, scripts, settings or logs. Claim nothing about them: no name, path, \
value, state or habit that the person has not written in this conversation.
2. If a question needs such knowledge, say in one sentence that this profile does not read their documents and that \
the profile `docs` does.
3. General knowledge is welcome. Say so where you are not sure. Invent no source and no quotation.
4. Answer in the language of the question, and be short.
"""
)

_CODE = (
    CODE_OPENING
    + """

Rules:
1. Write what was asked for and no more, in one code block with its language named. After it, in a few lines: what it \
does, what it changes or deletes, and what to adapt.
2. You have not seen this system. Every path, host, user and value that the person did not give is a variable at the \
top with a name that says what belongs there. Never present a guess as theirs.
3. Prefer the careful form: stop at the first error, quote every expansion, refuse to run with an empty variable, show \
what would be done before doing it where something is deleted or overwritten.
4. If a step cannot be undone, say so in the line before the code.
5. Use no command that fetches a program and runs it unread. Put no password or key into the text.
6. Explain in the language of the request.
"""
)

_TROUBLESHOOT = """Diagnosis:
a. Begin with what the evidence shows, then the likely cause, then the next check that would tell causes apart.
b. Keep apart what a passage says of this system and what it says in general. A document says how it should be, not \
how it is now.
c. Where the evidence does not show the cause, say which observation is missing. Do not fill the gap.
d. Name commands only as the passages give them, each with its number.
"""

PROFILES: Mapping[Profile, ProfileRules] = {
    rules.profile: rules
    for rules in (
        ProfileRules(
            profile=Profile.DOCS,
            about="answers from your documents, every claim with its lines",
            turns=3,
            capabilities=frozenset({Capability.RETRIEVAL}),
        ),
        ProfileRules(
            profile=Profile.CHAT,
            about="ordinary conversation; knows nothing about your system, and hands over what does",
            turns=8,
            contract=_CHAT,
        ),
        ProfileRules(
            profile=Profile.CODE,
            about="drafts scripts, commands and configuration",
            turns=4,
            capabilities=frozenset({Capability.OUTPUT_SCAN}),
            contract=_CODE,
        ),
        ProfileRules(
            profile=Profile.TROUBLESHOOT,
            about="looks for the cause of a fault, from your documents, and logs and records that you name",
            turns=2,
            capabilities=frozenset(
                {
                    Capability.RETRIEVAL,
                    Capability.LOGS,
                    Capability.RECORDS,
                    Capability.LIVE_SETTINGS,
                    Capability.BUG_REPORTS,
                }
            ),
            contract=_TROUBLESHOOT,
        ),
    )
}


def profile_named(name: str) -> Profile:
    """Return the profile that a reader names, in any case.

    Raises:
        BadRequest: there is none; the nearest name is the hint.
    """
    import difflib

    wanted = name.strip().casefold()
    known = [profile.value for profile in PROFILES]
    if wanted in known:
        return Profile(wanted)
    near = difflib.get_close_matches(wanted[:40], known, n=1, cutoff=0.5)
    hint = f"did you mean `{near[0]}`?" if near else f"known: {', '.join(known)}"
    raise BadRequest(f"unknown profile {name[:40]!r}", hint=hint)
