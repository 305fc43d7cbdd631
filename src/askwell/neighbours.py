"""Read from the index what stands one link away from a hit. What `visible` does not admit does not exist."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from askwell.rank.expand import DISCOUNT, Neighbour, neighbours
from askwell.types import Arm, EdgeKind, Filter, Hit, Lines, Sighting

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from askwell.ids import ChunkId, DocumentId
    from askwell.ports import DocumentInfo, ResolvedEdge, Store
    from askwell.types import Chunk

EXAMINED = 40
"""Most neighbours whose chunks are read for one ranking; topic notes may list thousands."""

CHUNKS = 200
"""Most chunks of one neighbour among which the best is looked for."""

EMBEDDED = 0.9
"""What the score of embedded text is of the score of the hit that shows it."""


def linked_hits(
    hits: Sequence[Hit],
    *,
    store: Store,
    visible: Filter,
    matches: Callable[[Chunk], float],
    limit: int,
) -> tuple[Hit, ...]:
    """Return at most `limit` hits from the topic notes and siblings of `hits`, nearest first.

    Links are walked within the audience's classes; what they lead to must pass the whole filter. A
    neighbour is shown by its chunk with the highest `matches`, the first of equals.
    """
    classes = Filter(classes=visible.classes)
    ids = {hit.chunk.document_id for hit in hits}
    topics: defaultdict[DocumentId, list[DocumentId]] = defaultdict(list)
    for edge in store.edges_to(ids, visible=classes, kinds=(EdgeKind.TOPIC,)):
        if edge.edge.kind is EdgeKind.TOPIC and edge.target is not None:
            topics[edge.target].append(edge.origin)
    members: defaultdict[DocumentId, list[DocumentId]] = defaultdict(list)
    around = {topic for found in topics.values() for topic in found}
    for edge in store.edges_from(around, visible=classes) if around else ():
        if edge.edge.kind is EdgeKind.TOPIC and edge.target is not None:
            members[edge.origin].append(edge.target)
    found: list[Hit] = []
    for rank, neighbour in enumerate(neighbours(hits, topics=topics, members=members), start=1):
        if len(found) == limit or rank > EXAMINED:
            break
        hit = _shown_by(neighbour, rank, store=store, visible=visible, matches=matches)
        if hit is not None:
            found.append(hit)
    return tuple(found)


def cited_hits(
    ids: Sequence[DocumentId],
    *,
    best: float,
    store: Store,
    visible: Filter,
    matches: Callable[[Chunk], float],
) -> tuple[Hit, ...]:
    """Return one hit a document of `ids` that has anything of the question: what the answer before it cited.

    Args:
        ids: Documents, in the order of their citations.
        best: Score of the best hit; a cited document gets a part of it.
        store: The index.
        visible: The whole filter; a document that it does not admit brings nothing.
        matches: Share of the question that a chunk holds, in [0, 1]. A document without any brings nothing.
    """
    found = []
    for rank, id in enumerate(ids, start=1):
        why = f"x{DISCOUNT:g} cited in the answer before"
        neighbour = Neighbour(document_id=id, score=DISCOUNT * best, why=why)
        hit = _shown_by(neighbour, rank, store=store, visible=visible, matches=matches)
        if hit is not None and (share := matches(hit.chunk)) > 0:
            score = share * hit.score
            found.append(replace(hit, score=score, sightings=(_sighting(rank, score),)))
    return tuple(found)


def embedded_hits(hits: Sequence[Hit], *, store: Store, visible: Filter) -> tuple[Hit, ...]:
    """Return the chunks that `hits` embed (`![[note#^block]]`, an include), cited where they really stand.

    One hit an embedded place: the chunk that holds the heading or block that is named, else the
    document's first. A place that is not visible, or that a hit already shows, brings nothing.
    """
    shows = _embeds(hits, store=store, visible=visible)
    have = {hit.chunk.id for hit in hits}
    wanted: dict[ChunkId, tuple[Hit, ResolvedEdge]] = {}
    for hit, edge in shows:
        chunk = _embedded_chunk(edge, store=store, visible=visible)
        if chunk is not None and chunk.id not in have:
            wanted.setdefault(chunk.id, (hit, edge))
    read = store.hits(list(wanted), visible=visible) if wanted else {}
    found = []
    for rank, (id, (hit, edge)) in enumerate(wanted.items(), start=1):
        if id in read:
            score = EMBEDDED * hit.score
            why = f"x{EMBEDDED:g} embedded in {hit.path} at line {edge.edge.line}"
            found.append(hit_of(*read[id], score=score, sightings=(_sighting(rank, score),), moves=(why,)))
    return tuple(found)


def hit_of(
    chunk: Chunk,
    info: DocumentInfo,
    *,
    score: float,
    sightings: tuple[Sighting, ...],
    moves: tuple[str, ...] = (),
) -> Hit:
    """Return a chunk and its document as a hit."""
    return Hit(
        chunk=chunk,
        source=info.source,
        path=info.path,
        title=info.title,
        score=score,
        sightings=sightings,
        moves=moves,
    )


def _shown_by(
    neighbour: Neighbour, rank: int, *, store: Store, visible: Filter, matches: Callable[[Chunk], float]
) -> Hit | None:
    chunks = store.document_chunks(neighbour.document_id, visible=visible)[:CHUNKS]
    read = store.hits([chunk.id for chunk in chunks], visible=visible) if chunks else {}
    permitted = [read[chunk.id] for chunk in chunks if chunk.id in read]
    if not permitted:
        return None
    chunk, info = max(permitted, key=lambda pair: (matches(pair[0]), -pair[0].ordinal))
    sighting = _sighting(rank, neighbour.score)
    return hit_of(chunk, info, score=neighbour.score, sightings=(sighting,), moves=(neighbour.why,))


def _sighting(rank: int, score: float) -> Sighting:
    return Sighting(arm=Arm.GRAPH, rank=rank, score=score)


def _embeds(hits: Sequence[Hit], *, store: Store, visible: Filter) -> list[tuple[Hit, ResolvedEdge]]:
    ids = {hit.chunk.document_id for hit in hits}
    by_origin: defaultdict[DocumentId, list[ResolvedEdge]] = defaultdict(list)
    for edge in store.edges_from(ids, visible=Filter(classes=visible.classes)):
        if edge.edge.kind is EdgeKind.EMBED and edge.target is not None:
            by_origin[edge.origin].append(edge)
    return [
        (hit, edge)
        for hit in hits
        for edge in by_origin[hit.chunk.document_id]
        if hit.chunk.lines.first <= edge.edge.line <= hit.chunk.lines.last
    ]


def _embedded_chunk(edge: ResolvedEdge, *, store: Store, visible: Filter) -> Chunk | None:
    if edge.target is None:
        return None
    lines = target_lines(edge, store=store, visible=visible)
    if lines is None:
        return None
    chunks = store.document_chunks(edge.target, visible=visible)
    return next((chunk for chunk in chunks if overlaps(chunk.lines, lines)), None)


def target_lines(edge: ResolvedEdge, *, store: Store, visible: Filter) -> Lines | None:
    """Return the lines that an embed shows: the whole document without a fragment, None if it leads nowhere."""
    if edge.target is None:
        return None
    if not edge.edge.fragment:
        return Lines(1, _LAST)
    document = store.document_by_id(edge.target, visible=Filter(classes=visible.classes))
    if document is None:
        return None
    anchors = document.anchors
    fragment = edge.edge.fragment
    return anchors.get(fragment) or anchors.get(fragment.casefold()) or anchors.get(_slug(fragment))


_LAST = 2**31


def _slug(heading: str) -> str:
    return "-".join(heading.casefold().split())


def overlaps(one: Lines, other: Lines) -> bool:
    """Return whether two ranges share a line."""
    return one.first <= other.last and other.first <= one.last
