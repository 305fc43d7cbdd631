"""Edges, both ways. What a filter does not admit is unresolved as a target and absent as an origin."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from askwell.ids import DocumentId
from askwell.ports import ResolvedEdge, StoredEdge
from askwell.stores.sqlite.connection import select
from askwell.stores.sqlite.filters import document_conditions
from askwell.stores.sqlite.rows import edge_of
from askwell.types import EdgeKind

if TYPE_CHECKING:
    from collections.abc import Collection

    import apsw

    from askwell.types import Filter

_COLUMNS = "e.kind, e.target, e.fragment, e.alias, e.line"
_LINKS = (EdgeKind.LINK, EdgeKind.EMBED, EdgeKind.TOPIC)


def edges_from(db: apsw.Connection, ids: Collection[DocumentId], *, visible: Filter) -> tuple[ResolvedEdge, ...]:
    """Return edges whose origin is among `ids`, by origin's path and then as they stand in it."""
    return _select(db, visible, "d.key IN (SELECT value FROM json_each(:ids))", {"ids": json.dumps(list(ids))})


def edges_to(
    db: apsw.Connection, ids: Collection[DocumentId], *, visible: Filter, kinds: Collection[EdgeKind]
) -> tuple[ResolvedEdge, ...]:
    """Return edges of `kinds` (all, if empty) whose visible target is among `ids`."""
    where = "target_key IN (SELECT value FROM json_each(:ids))"
    extra = "e.target_document IN (SELECT id FROM document WHERE key IN (SELECT value FROM json_each(:ids)))"
    values = {"ids": json.dumps(list(ids))}
    if kinds:
        extra += " AND e.kind IN (SELECT value FROM json_each(:edge_kinds))"
        values["edge_kinds"] = json.dumps([kind.value for kind in kinds])
    return _select(db, visible, extra, values, having=where)


def unresolved(db: apsw.Connection, *, visible: Filter) -> tuple[ResolvedEdge, ...]:
    """Return links, embeds and topic edges that have no visible target."""
    kinds = json.dumps([kind.value for kind in _LINKS])
    return _select(
        db,
        visible,
        "e.kind IN (SELECT value FROM json_each(:edge_kinds))",
        {"edge_kinds": kinds},
        having="target_key IS NULL",
    )


def stored_edges(db: apsw.Connection, *, after: int, limit: int) -> list[StoredEdge]:
    """Return the next `limit` edges of all documents, by key."""
    rows = select(
        db,
        f"SELECT e.id, d.key, {_COLUMNS}, o.key FROM edge e JOIN document d ON d.id = e.document"
        " LEFT JOIN document o ON o.id = e.target_document WHERE e.id > ? ORDER BY e.id LIMIT ?",
        (after, limit),
    )
    return [StoredEdge(key=row[0], origin=DocumentId(row[1]), edge=edge_of(*row[2:7]), target=row[7]) for row in rows]


def _select(
    db: apsw.Connection, visible: Filter, where: str, values: dict[str, str], *, having: str = "1"
) -> tuple[ResolvedEdge, ...]:
    if not visible.classes:
        return ()
    origin, bound = document_conditions(visible, document="d")
    target, _ = document_conditions(visible, document="o")
    rows = select(
        db,
        f"SELECT origin_key, target_key, kind, target, fragment, alias, line FROM ("
        f"SELECT d.key AS origin_key, o.key AS target_key, {_COLUMNS}, d.source, d.path, e.id AS place"
        f" FROM edge e JOIN document d ON d.id = e.document"
        f" LEFT JOIN document o ON o.id = e.target_document AND {target}"
        f" WHERE {origin} AND {where}) WHERE {having} ORDER BY source, path, place",
        {**bound, **values},
    )
    return tuple(
        ResolvedEdge(origin=DocumentId(row[0]), target=DocumentId(row[1]) if row[1] else None, edge=edge_of(*row[2:]))
        for row in rows
    )
