"""What the pages use of the server: the engines, the records, the indexer, and who is asking."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import TYPE_CHECKING

from askwell.errors import StoreError
from askwell.privacy import audience

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from starlette.requests import Request

    from askwell.engine import Engine
    from askwell.records.keeping import FileRecords
    from askwell.server.guard import Caller
    from askwell.server.indexer import Indexer
    from askwell.settings import Config
    from askwell.types import Audience, UsageReport


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """The server behind the pages."""

    config: Config
    lend: Callable[[], AbstractContextManager[Engine]]
    records: FileRecords | None = None
    indexer: Indexer | None = None
    web: bool = False

    @property
    def generates(self) -> bool:
        """Whether there is a chat model."""
        return self.config.models.generation != "none"

    def usage(self) -> UsageReport | None:
        """Return what answers cost on this host and its partners."""
        if self.records is None:
            return None
        from askwell.records.usage import report

        today = datetime.datetime.now().astimezone().date()
        return report(self.records.ledger(), today=today, partners=self.records.partners())

    def calibration(self) -> str:
        """Return where the gate's numbers come from; empty without an index."""
        try:
            with self.lend() as engine:
                return engine.calibration()
        except StoreError:
            return ""


def site_of(request: Request) -> Site:
    """Return the server behind the pages."""
    site: Site = request.app.state.site
    return site


def caller_of(request: Request) -> Caller:
    """Return who asks, as the guard found."""
    caller: Caller = request.scope["state"]["caller"]
    return caller


def audience_of(request: Request) -> Audience:
    """Return what the caller may see on a page that asks no model."""
    return audience(include_personal=not caller_of(request).open_only)
