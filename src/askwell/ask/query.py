"""What is searched for in place of a question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewritten:
    """The query of a question.

    Attributes:
        by: Who rewrote it; empty if it is the question itself.
        why: What the question lacked.
        sure: Whether nothing had to be guessed. Where it had, a model may do better.
    """

    query: str
    by: Literal["", "rules", "model"] = ""
    why: str = ""
    sure: bool = True
