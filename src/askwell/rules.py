"""What decides what becomes of a file besides its bytes. Light: a run with nothing to do imports it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from askwell.ids import fingerprint

if TYPE_CHECKING:
    from collections.abc import Callable

    from askwell.privacy import ClassRules
    from askwell.types import CodeMode, Kind, SourceType

PREPARATION_VERSION = "2"
"""Changes when parsers or chunking make something else of the same bytes: every document is then read again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Everything besides its bytes that decides what becomes of a file of one source.

    Attributes:
        budget: Largest chunk, in the unit of `size`.
        size: Measures a chunk's embed text; in tokens of the embedder.
        redact: Replaces credential-shaped strings, keeping the number of lines.
        redaction_version: Changes when `redact` does.
    """

    source: str
    type: SourceType
    code: CodeMode
    classes: ClassRules
    budget: int
    size: Callable[[str], int]
    redact: Callable[[str], str]
    redaction_version: str
    kinds: tuple[tuple[str, Kind], ...] = ()
    header_sections: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()  # folders whose notes are topics: what they link to are their members

    @property
    def preparation(self) -> str:
        """What of the key comes with the version of Askwell, and not from settings."""
        return f"{PREPARATION_VERSION}/{self.redaction_version}"

    @property
    def key(self) -> str:
        """What a document must be parsed again for when it changes: everything but classes and bytes."""
        return fingerprint(
            PREPARATION_VERSION,
            self.redaction_version,
            self.type,
            self.code,
            self.classes.sensitivity_key,
            str(self.budget),
            repr(self.kinds),
            repr(self.header_sections),
            repr(self.topics),
        )


def change_key(rules_key: str, content: str) -> str:
    """Return what a sync compares: rules first, so that stale rules are seen without reading the file."""
    return f"{rules_key}:{content}"
