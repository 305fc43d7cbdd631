"""The web as the core sees it: pages that were found for a question, as text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True, kw_only=True)
class WebSection:
    """One heading of a page with the text below it."""

    heading: str  # empty above the first
    text: str  # paragraphs, a line each


@dataclass(frozen=True, slots=True, kw_only=True)
class WebPage:
    """A page as it was read."""

    url: str  # that its text came from, after redirects
    title: str
    sections: tuple[WebSection, ...]
    fetched: str  # ISO date


class WebSearch(Protocol):
    """Finds pages. What it is asked leaves the machine, so it is never asked with anything personal."""

    def find(self, query: str) -> Sequence[WebPage]:
        """Return at most a few pages, the nearest first; pages that cannot be read are left out.

        Raises:
            ModelUnavailable: the service cannot be reached, refuses, or answers nonsense.
        """
        ...
