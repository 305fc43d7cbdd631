"""What left this machine, as JSON lines: when, where to, what for, how many bytes, of which class."""

from __future__ import annotations

from typing import TYPE_CHECKING

from askwell.records import fields
from askwell.types import Outgoing, PrivacyClass

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from askwell.records.journal import Journal
    from askwell.types import Purpose

PURPOSES: tuple[Purpose, ...] = ("generation", "embedding", "rerank", "web search", "web page", "usage pull")


class Egress:
    """What was sent, oldest first."""

    def __init__(self, journal: Journal) -> None:
        """Take where to write."""
        self._journal = journal

    def add(self, outgoing: Outgoing) -> None:
        """Append one request.

        Raises:
            OSError: it could not be written.
        """
        self._journal.add(
            {
                "at": outgoing.at,
                "destination": outgoing.destination,
                "purpose": outgoing.purpose,
                "bytes": outgoing.size,
                "class": outgoing.class_.value,
            }
        )

    def read(self, *, classes: Collection[PrivacyClass]) -> Iterator[Outgoing]:
        """Yield what was of one of `classes`; broken rows are left out.

        Raises:
            OSError: the record is there and cannot be read.
        """
        for row in self._journal.rows():
            try:
                purpose = fields.word(row, "purpose", PURPOSES)
                outgoing = Outgoing(
                    at=fields.moment(row, "at"),
                    destination=fields.text(row, "destination", most=1000),
                    purpose=next(known for known in PURPOSES if known == purpose),
                    size=fields.count(row, "bytes"),
                    class_=_class(row.get("class")),
                )
            except ValueError:
                continue
            if outgoing.class_ in classes:
                yield outgoing


def _class(value: object) -> PrivacyClass:
    return PrivacyClass.OPEN if value == PrivacyClass.OPEN.value else PrivacyClass.PERSONAL
