"""A named place that documents come from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askwell.types import FileStat, Listing, RawFile, SourceType


class Source(Protocol):
    """A named place that documents come from. Nothing is ever written to it or executed from it."""

    @property
    def name(self) -> str:
        """Its name in citations, filters and document identities."""
        ...

    @property
    def type(self) -> SourceType:
        """How it is listed."""
        ...

    def list(self) -> Listing:
        """List every document, in path order.

        Raises:
            SourceError: the source as a whole cannot be listed.
        """
        ...

    def read(self, path: str) -> RawFile:
        """Read one listed document by its identity path; bytes and stat come from one open file.

        Raises:
            UnreadableFile: it is gone, refused, grew past the size limit or is no regular file.
        """
        ...

    def look(self, path: str) -> FileStat | None:
        """Return the stat of one document's file as it is now, None if there is none; the source is not listed."""
        ...

    def watched(self) -> Sequence[bytes]:
        """Return absolute on-disk paths whose stats decide what `list` and `read` return; call it after `list`.

        As long as no stat of theirs changes, neither does any document. Empty where a source cannot tell.
        """
        ...
