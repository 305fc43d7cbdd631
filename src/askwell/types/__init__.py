"""The nouns. Frozen values that travel one way: source → document → chunk → hit → passage → answer.

Entry       a file as a source lists it          Document   a file, read, decoded and described
Block       what a parser must not cut           Chunk      the unit embedded and ranked; verbatim text
Sighting    what one arm said of a chunk         Hit        a chunk in a ranking
Passage     a chunk in a prompt, numbered        Citation   a claim's pointer to lines
Audience    what a request may see; fixed first  Answer | Abstention   the two outcomes
Profile     contract and inputs of an answer     Turn       an earlier question and its answer
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from askwell.types.documents import (
    Block,
    Chunk,
    Document,
    Edge,
    EdgeKind,
    Entry,
    FileStat,
    Listing,
    Metadata,
    Parsed,
    RawFile,
    Skipped,
)
from askwell.types.rankings import Hit, Location, Ranking, Removed, Sighting, Signals
from askwell.types.requests import Audience, Filter, Turn
from askwell.types.words import Arm, CodeMode, Kind, Lines, PrivacyClass, Profile, SourceType, Span

if TYPE_CHECKING:
    from askwell.types.answers import (
        Abstention,
        Answer,
        Checked,
        Citation,
        Delta,
        Event,
        Finding,
        Outcome,
        Passage,
        Reference,
        Sentence,
        Support,
        Usage,
        WebQuote,
    )
    from askwell.types.observed import Observations, Observed
    from askwell.types.records import (
        Conversation,
        Ending,
        LedgerRow,
        LedgerRows,
        Outgoing,
        Partner,
        Purpose,
        Total,
        Totals,
        TurnRecord,
        UsageReport,
    )

__all__ = [
    "Abstention",
    "Answer",
    "Arm",
    "Audience",
    "Block",
    "Checked",
    "Chunk",
    "Citation",
    "CodeMode",
    "Conversation",
    "Delta",
    "Document",
    "Edge",
    "EdgeKind",
    "Ending",
    "Entry",
    "Event",
    "FileStat",
    "Filter",
    "Finding",
    "Hit",
    "Kind",
    "LedgerRow",
    "LedgerRows",
    "Lines",
    "Listing",
    "Location",
    "Metadata",
    "Observations",
    "Observed",
    "Outcome",
    "Outgoing",
    "Parsed",
    "Partner",
    "Passage",
    "PrivacyClass",
    "Profile",
    "Purpose",
    "Ranking",
    "RawFile",
    "Reference",
    "Removed",
    "Sentence",
    "Sighting",
    "Signals",
    "Skipped",
    "SourceType",
    "Span",
    "Support",
    "Total",
    "Totals",
    "Turn",
    "TurnRecord",
    "Usage",
    "UsageReport",
    "WebQuote",
]

_LATER = ("askwell.types.answers", "askwell.types.observed", "askwell.types.records")


def __getattr__(name: str) -> object:
    """Return a noun that a search makes no use of, loaded when it is first named: each takes a millisecond to make.

    Raises:
        AttributeError: there is no such noun.
    """
    if name in __all__:
        for module in _LATER:
            found = getattr(import_module(module), name, None)
            if found is not None:
                return globals().setdefault(name, found)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
