"""What the index says of itself: states for a sync, counts within classes, faults, texts without vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from askwell.ids import DocumentId
from askwell.ports import Fault, IndexedState, Name, Pending, SourceInfo
from askwell.stores.conditions import clean, path_filter
from askwell.stores.sqlite.connection import select
from askwell.stores.sqlite.filters import chunk_conditions, class_codes
from askwell.stores.sqlite.rows import CLASSES, metadata_of, stat_of
from askwell.types import SourceType

if TYPE_CHECKING:
    import apsw

    from askwell.types import Filter, PrivacyClass

# A chunk whose text stands in many documents of its own class's audience is embedded once: at the copy that is
# first by class and id. Personal copies never decide which open one that is.
_REPEATED = """
    (c.boilerplate OR c.marked + c.class >= 2) AND EXISTS (
        SELECT 1 FROM chunk r WHERE r.text_key = c.text_key AND r.vector_key IS NOT NULL
        AND (r.class < c.class OR (r.class = c.class AND r.key < c.key)))
"""


def states(db: apsw.Connection) -> dict[DocumentId, IndexedState]:
    """Return what is indexed, by document."""
    rows = select(
        db,
        "SELECT d.key, s.name, d.path, d.content, d.change_key, d.size, d.mtime_ns, d.ctime_ns, d.inode, d.class,"
        " d.sensitivity, d.sensitivity_fault FROM document d JOIN source s ON s.id = d.source",
    )
    return {
        DocumentId(key): IndexedState(
            id=DocumentId(key),
            source=source,
            path=path,
            content=content,
            change_key=change_key,
            stat=stat_of(size, mtime_ns, ctime_ns, inode),
            class_=CLASSES[class_],
            sensitivity=sensitivity,
            sensitivity_fault=bool(fault),
        )
        for key, source, path, content, change_key, size, mtime_ns, ctime_ns, inode, class_, sensitivity, fault in rows
    }


def names(db: apsw.Connection, *, after: int, limit: int) -> list[tuple[int, Name]]:
    """Return what the next `limit` documents can be called, with their row ids."""
    import json

    rows = select(
        db,
        "SELECT d.id, d.key, s.name, d.path, d.title, d.metadata, d.defines FROM document d"
        " JOIN source s ON s.id = d.source WHERE d.id > ? ORDER BY d.id LIMIT ?",
        (after, limit),
    )
    found = []
    for id, key, source, path, title, metadata, defines in rows:
        data = metadata_of(metadata, None, 0)
        name = Name(
            id=DocumentId(key),
            source=source,
            path=path,
            title=title,
            aliases=data.aliases,
            permalink=data.permalink,
            defines=tuple(json.loads(defines)),
        )
        found.append((id, name))
    return found


def text_hashes(
    db: apsw.Connection, *, after: int, limit: int
) -> list[tuple[int, tuple[str, DocumentId, PrivacyClass]]]:
    """Return the text keys of the next `limit` chunks with document and class, with their row ids."""
    rows = select(
        db,
        "SELECT c.id, c.text_key, d.key, c.class FROM chunk c JOIN document d ON d.id = c.document"
        " WHERE c.id > ? ORDER BY c.id LIMIT ?",
        (after, limit),
    )
    return [(id, (key, DocumentId(document), CLASSES[code])) for id, key, document, code in rows]


def sources(db: apsw.Connection, *, visible: Filter) -> tuple[SourceInfo, ...]:
    """Return the sources by name. They are settings, not documents: every class sees them, with its own counts."""
    codes = class_codes(visible)
    rows = select(
        db,
        f"""
        SELECT s.name, s.type, s.root, s.last_run,
            (SELECT count(*) FROM document d WHERE d.source = s.id AND d.class IN ({codes})),
            (SELECT count(*) FROM chunk c WHERE c.source = s.id AND c.class IN ({codes})),
            (SELECT count(*) FROM fault f WHERE f.source = s.name AND f.status = 'failed' AND f.class IN ({codes})),
            (SELECT count(*) FROM fault f WHERE f.source = s.name AND f.status = 'skipped' AND f.class IN ({codes}))
        FROM source s ORDER BY s.name
        """,
    )
    return tuple(
        SourceInfo(
            name=name,
            type=SourceType(type_),
            root=root,
            documents=documents,
            chunks=chunks,
            failed=failed,
            skipped=skipped,
            last_run=last_run,
        )
        for name, type_, root, last_run, documents, chunks, failed, skipped in rows
        if not visible.sources or name in visible.sources
    )


def sections(db: apsw.Connection, *, visible: Filter) -> tuple[str, ...]:
    """Return the names of the sections that admitted chunks stand in, sorted."""
    if not visible.classes:
        return ()
    where, values = chunk_conditions(visible)
    rows = select(db, f"SELECT DISTINCT c.section FROM chunk c WHERE c.section <> '' AND {where}", values)
    return tuple(sorted(section for (section,) in rows))


def faults(db: apsw.Connection, *, visible: Filter) -> tuple[Fault, ...]:
    """Return faults within the filter's classes, sources and paths, by source and path."""
    rows = select(
        db,
        "SELECT source, path, reason, status, class FROM fault"
        f" WHERE class IN ({class_codes(visible)}) ORDER BY source, path, id",
    )
    admitted = path_filter(visible.paths)
    return tuple(
        Fault(source=source, path=path, reason=reason, status=status, class_=CLASSES[code])
        for source, path, reason, status, code in rows
        if (not visible.sources or source in visible.sources) and admitted(path)
    )


def vector_counts(db: apsw.Connection, *, visible: Filter) -> tuple[int, int]:
    """Return how many admitted chunks have a vector in the current space, and how many wait for one."""
    if not visible.classes:
        return (0, 0)
    where, values = chunk_conditions(visible)
    rows = select(
        db,
        "SELECT count(v.id), count(*) - count(v.id) FROM chunk c LEFT JOIN vector v ON v.key = c.vector_key"
        " AND v.space = (SELECT id FROM space WHERE current)"
        f" WHERE c.vector_key IS NOT NULL AND {where} AND (v.id IS NOT NULL OR NOT ({_REPEATED}))",
        values,
    )
    return rows[0]


def pending(db: apsw.Connection, space: str, *, limit: int, after: str) -> tuple[Pending, ...]:
    """Return at most `limit` texts without a vector in `space`, by key, keys greater than `after`."""
    rows = select(
        db,
        f"""
        SELECT w.vector_key, t.embed_text, w.class FROM (
            SELECT c.vector_key, min(c.id) AS id, max(c.class) AS class, min({_REPEATED}) AS repeated FROM chunk c
            WHERE c.vector_key > :after AND NOT EXISTS (
                SELECT 1 FROM vector v WHERE v.space = (SELECT id FROM space WHERE name = :space)
                AND v.key = c.vector_key)
            GROUP BY c.vector_key HAVING NOT repeated ORDER BY c.vector_key LIMIT :limit
        ) w JOIN chunk_text t ON t.chunk = w.id ORDER BY w.vector_key
        """,
        {"space": clean(space), "limit": max(0, limit), "after": clean(after)},
    )
    return tuple(Pending(key=key, text=text, class_=CLASSES[code]) for key, text, code in rows)
