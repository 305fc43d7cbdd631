"""Earlier turns for tests."""

from __future__ import annotations

from typing import Any

from askwell.types import PrivacyClass, Turn

EVERYTHING = frozenset(PrivacyClass)
OPEN = frozenset({PrivacyClass.OPEN})


def turn(question: str, answer: str = "As it stands.", **more: Any) -> Turn:  # Any: the fields of a turn
    values: dict[str, Any] = {"outcome": "answer", "classes": EVERYTHING, **more}
    return Turn(question=question, answer=answer, **values)
