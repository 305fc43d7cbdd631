"""Whether the files of what is shown are still what was indexed: looked up for what is shown alone.

An index is made of one moment. A hit from a file that was deleted or edited since then is still shown, because it
may be all there is, but never without saying so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from askwell.errors import SourceError, UnreadableFile
from askwell.ids import content_hash

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from askwell.ports import Source, Store
    from askwell.types import Answer, Document, Filter, Hit

Standing: TypeAlias = Literal["current", "changed", "gone", "unknown"]
"""`unknown`: its source is not part of this configuration, or the file cannot be read."""

Place: TypeAlias = tuple[str, str]
"""Source and path."""


def standings(
    places: Iterable[Place], *, sources: Mapping[str, Source], store: Store, visible: Filter
) -> dict[Place, Standing]:
    """Return how each place stands. A stat decides; where it is another than the indexed one, the content does.

    Args:
        places: What is shown; a place that is not visible is left out.
        sources: By name.
        store: The index.
        visible: What may be seen.
    """
    found: dict[Place, Standing] = {}
    for place in dict.fromkeys(places):
        document = store.document(*place, visible=visible)
        if document is not None:
            found[place] = _standing(document, sources.get(document.source))
    return found


def _standing(document: Document, source: Source | None) -> Standing:
    if source is None:
        return "unknown"
    now = source.look(document.path)
    if now is None:
        return "gone"
    if now == document.stat:
        return "current"
    try:
        return "current" if content_hash(source.read(document.path).raw) == document.content else "changed"
    except (SourceError, UnreadableFile):
        return "unknown"


def places_of_hits(hits: Iterable[Hit]) -> list[Place]:
    """Return where hits stand, the other places of the same text included."""
    return [place for hit in hits for place in [(hit.source, hit.path), *((at.source, at.path) for at in hit.also_at)]]


def places_of_answer(answer: Answer) -> list[Place]:
    """Return where an answer's citations stand."""
    return [(item.source, item.path) for item in answer.citations]
