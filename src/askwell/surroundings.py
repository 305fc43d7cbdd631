"""What stands around one document: what it points at, what points at it, the topics it belongs to.

Everything is read within one filter: a neighbour that may not be seen is neither named nor counted, and a link to it
reads as a link to nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from askwell.types import EdgeKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from askwell.ids import DocumentId
    from askwell.ports import DocumentInfo, ResolvedEdge, Store
    from askwell.types import Filter

MOST = 500
"""Neighbours that are told of one document; an index note may have thousands."""

LINKING = (EdgeKind.LINK, EdgeKind.EMBED, EdgeKind.TOPIC)
"""Kinds of link that a person wrote to be followed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbour:
    """A document one link away."""

    kind: EdgeKind
    outgoing: bool  # from the document in question, or to it
    info: DocumentInfo
    line: int  # of the link, in the document that holds it; 1-based
    fragment: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """One document's neighbours: outgoing ones by line, incoming ones by path."""

    document: DocumentInfo
    neighbours: tuple[Neighbour, ...]
    tags: tuple[str, ...]  # without `#`, sorted
    unresolved: tuple[str, ...]  # targets as written, in order, that no visible document is
    cut: bool = False  # whether there were more than `MOST`
    pointing: Mapping[str, DocumentInfo] = field(default_factory=dict)  # target as written → the document it means

    def of_kind(self, kind: EdgeKind, *, outgoing: bool) -> tuple[Neighbour, ...]:
        """Return the neighbours by one kind of link in one direction."""
        return tuple(n for n in self.neighbours if n.kind is kind and n.outgoing is outgoing)


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """A topic note with how many visible documents it lists."""

    info: DocumentInfo
    members: int


def surroundings(store: Store, source: str, path: str, *, visible: Filter) -> Surroundings | None:
    """Return what stands around a document; None if it is not visible or does not exist, which are the same."""
    document = store.document(source, path, visible=visible)
    if document is None:
        return None
    infos = {info.id: info for info in store.documents(visible=visible)}
    away = store.edges_from([document.id], visible=visible)
    towards = store.edges_to([document.id], visible=visible)
    outgoing = [(edge, infos[edge.target]) for edge in away if edge.target in infos and edge.target != document.id]
    incoming = [(edge, infos[edge.origin]) for edge in towards if edge.origin in infos and edge.origin != document.id]
    found = [
        *_neighbours(sorted(outgoing, key=lambda pair: (pair[0].edge.line, pair[1].path)), outgoing=True),
        *_neighbours(sorted(incoming, key=lambda pair: (pair[1].path, pair[0].edge.line)), outgoing=False),
    ]
    return Surroundings(
        document=infos[document.id],
        neighbours=tuple(found[:MOST]),
        tags=tuple(sorted({e.edge.target.removeprefix("#") for e in away if e.edge.kind is EdgeKind.TAG})),
        unresolved=_unresolved(away),
        cut=len(found) > MOST,
        pointing={e.edge.target: infos[e.target] for e in away if e.edge.kind in LINKING and e.target in infos},
    )


def topics(store: Store, *, visible: Filter) -> tuple[Topic, ...]:
    """Return the topic notes that list a visible document, the one with most members first, then by path."""
    infos = {info.id: info for info in store.documents(visible=visible)}
    members: dict[DocumentId, set[DocumentId]] = {}
    for edge in store.edges_to(list(infos), visible=visible, kinds=(EdgeKind.TOPIC,)):
        if edge.target is not None:
            members.setdefault(edge.origin, set()).add(edge.target)
    found = [Topic(info=infos[id], members=len(listed)) for id, listed in members.items() if id in infos]
    return tuple(sorted(found, key=lambda topic: (-topic.members, topic.info.source, topic.info.path)))


def _neighbours(pairs: Iterable[tuple[ResolvedEdge, DocumentInfo]], *, outgoing: bool) -> list[Neighbour]:
    """Return one neighbour for each document and kind of link, at its first line."""
    first: dict[tuple[DocumentId, EdgeKind], Neighbour] = {}
    for resolved, info in pairs:
        edge = resolved.edge
        first.setdefault(
            (info.id, edge.kind),
            Neighbour(kind=edge.kind, outgoing=outgoing, info=info, line=edge.line, fragment=edge.fragment),
        )
    return list(first.values())


def _unresolved(edges: Sequence[ResolvedEdge]) -> tuple[str, ...]:
    targets = [e.edge.target for e in edges if e.target is None and e.edge.kind in LINKING]
    return tuple(dict.fromkeys(targets))[:MOST]
