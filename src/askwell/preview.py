"""What an index run would do, told without doing it: contacts no model and writes nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from askwell.indexing import (
    RunOptions,
    RunReport,
    others_note,
    others_of,
    plans_of,
    report_of,
    reread_note,
    warnings_of,
)
from askwell.privacy import EVERYTHING
from askwell.sync import Plan, rehearsed
from askwell.types import Filter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askwell.engine import BoundSource
    from askwell.ports import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Behind:
    """How far an index is behind its sources."""

    changed: int  # documents that were added, edited or deleted
    reread: str  # why documents are to be read again that may be the same; empty if none are


def dry_run(sources: Sequence[BoundSource], store: Store | None, *, options: RunOptions) -> RunReport:
    """Return what a run would do. Files that it would read are opened, to see which of them are no text.

    Args:
        sources: In order.
        store: None when there is no index yet.
        options: Of the run.

    Raises:
        SourceError: no source can be listed.
    """
    plans = [
        rehearsed(planned, source=bound.source, rules=bound.rules) if isinstance(planned, Plan) else planned
        for bound, planned in zip(sources, plans_of(sources, store, options), strict=True)
    ]
    again = reread_note(sources, plans, store) if store is not None else []
    others = others_of(sources, store, options) if store is not None else []
    warnings = [*warnings_of(sources, plans), *others_note(others), *again]
    return report_of(plans, [], store, warnings=warnings, others=len(others))


def behind(sources: Sequence[BoundSource], store: Store) -> Behind:
    """Return how many documents changed since they were indexed.

    Files that could not be read when they were last tried do not count: another run would not bring them in.

    Raises:
        SourceError: no source can be listed.
    """
    tried = {(fault.source, fault.path) for fault in store.faults(visible=Filter(classes=EVERYTHING))}
    plans = plans_of(sources, store, RunOptions())
    made = [planned for planned in plans if isinstance(planned, Plan)]
    return Behind(
        changed=sum(
            len(planned.update)
            - planned.reread
            + len(planned.remove)
            + sum((planned.source, entry.path) not in tried for entry in planned.add)
            for planned in made
        ),
        reread="".join(reread_note(sources, plans, store)),
    )
