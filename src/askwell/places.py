"""Where else the text of a hit can be read: the same text elsewhere, and documents that embed it."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from askwell.neighbours import hit_of, overlaps, target_lines
from askwell.rank.diversity import listed, location
from askwell.types import EdgeKind, Filter, Lines, Location

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from askwell.ids import ChunkId, DocumentId
    from askwell.ports import Store
    from askwell.types import Hit

PLACES = 20
"""Most places of one text that are looked up: a footer may stand in thousands of documents."""


def with_places(hits: tuple[Hit, ...], *, store: Store, visible: Filter) -> tuple[Hit, ...]:
    """Return the hits with every other visible place of their text: the same text, and documents that embed it."""
    if not hits:
        return hits
    same = store.same_text([hit.chunk.id for hit in hits], visible=visible)
    wanted = dict.fromkeys(id for hit in hits for id in same.get(hit.chunk.id, ())[:PLACES])
    read = store.hits(list(wanted), visible=visible) if wanted else {}
    shown = shown_in(hits, store=store, visible=visible)
    placed = []
    for hit in hits:
        others = [
            location(hit_of(*read[id], score=0.0, sightings=()))
            for id in same.get(hit.chunk.id, ())[:PLACES]
            if id in read
        ]
        placed.append(listed(hit, (*others, *shown.get(hit.chunk.id, ()))))
    return tuple(placed)


def shown_in(hits: Sequence[Hit], *, store: Store, visible: Filter) -> Mapping[ChunkId, Sequence[Location]]:
    """Return, by chunk, the places in other visible documents that embed it, at most twenty a document."""
    by_document: defaultdict[DocumentId, list[Hit]] = defaultdict(list)
    for hit in hits:
        by_document[hit.chunk.document_id].append(hit)
    seen: Counter[DocumentId] = Counter()
    places: defaultdict[ChunkId, list[Location]] = defaultdict(list)
    for edge in store.edges_to(list(by_document), visible=visible, kinds=(EdgeKind.EMBED,)):
        if edge.target is None or seen[edge.target] == PLACES:
            continue
        seen[edge.target] += 1
        lines = target_lines(edge, store=store, visible=visible)
        shown = [hit for hit in by_document[edge.target] if lines is not None and overlaps(hit.chunk.lines, lines)]
        origin = store.document_by_id(edge.origin, visible=visible) if shown else None
        if origin is not None:
            at = Location(source=origin.source, path=origin.path, lines=Lines(edge.edge.line, edge.edge.line))
            for hit in shown:
                places[hit.chunk.id].append(at)
    return places
