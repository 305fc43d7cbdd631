"""What is read at query time and never indexed: the end of a log, a record of a run, a file of settings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from askwell.types.answers import Reference


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """One such file, without its credentials. Its class is personal, whatever it holds."""

    kind: Reference
    path: str  # absolute, links resolved
    text: str
    first: int  # 1-based number of the text's first line
    age: float  # seconds since it was written
    names: tuple[str, ...] = ()  # of settings, for each line `section.key`, empty where it sets nothing
    note: str = ""  # what the reader must know of how it was read; empty if nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class Observations:
    """All that was read for one question, and what could not be, in words."""

    found: tuple[Observed, ...] = ()
    faults: tuple[str, ...] = ()
