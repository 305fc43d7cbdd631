"""What an open request may know of a chunk, where that is less than its text: kept beside it, in the open text index.

chunk ── veil     the open text index has the veil's terms, the vector is of the veil's embed text
      └─ no veil  both are of the chunk's own texts
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from askwell.stores.conditions import clean
from askwell.stores.sqlite import text_index
from askwell.stores.sqlite.connection import select
from askwell.stores.sqlite.rows import CLASS_CODES
from askwell.types import PrivacyClass

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    import apsw

    from askwell.ids import ChunkId
    from askwell.ports import Veil
    from askwell.stores.sqlite.text_index import Analysed

OPEN = CLASS_CODES[PrivacyClass.OPEN]
_AT_ONCE = 500


class Texts(NamedTuple):
    """The texts of a chunk, its own or those of its veil."""

    text: str
    lead: str
    prelude: str


class Change(NamedTuple):
    """From what to what the open index goes for a chunk; `veiled` is None for its own texts."""

    id: int
    before: Texts
    after: Texts
    veiled: Texts | None


def changes(db: apsw.Connection, veils: Mapping[ChunkId, Veil]) -> list[Change]:
    """Return what `veils` would change; unknown chunks and those that are not open are left out."""
    wanted = {clean(key): Texts(clean(v.text), clean(v.lead), clean(v.prelude)) for key, v in veils.items()}
    veiled = [key for (key,) in select(db, "SELECT c.key FROM veil v JOIN chunk c ON c.id = v.chunk")]
    keys = list(dict.fromkeys([*wanted, *veiled]))
    found: list[Change] = []
    for at in range(0, len(keys), _AT_ONCE):
        rows = select(
            db,
            "SELECT c.key, c.id, c.class, t.text, t.lead, t.prelude, v.text, v.lead, v.prelude FROM json_each(?) w"
            " CROSS JOIN chunk c ON c.key = w.value JOIN chunk_text t ON t.chunk = c.id"
            " LEFT JOIN veil v ON v.chunk = c.id",
            (json.dumps(keys[at : at + _AT_ONCE]),),
        )
        for key, id, code, *texts in rows:
            own = Texts(*texts[:3])
            now = Texts(*texts[3:]) if texts[3] is not None else None
            then = wanted.get(key) if code == OPEN else None
            if now != then:
                found.append(Change(id, now or own, then or own, then))
    return found


def apply(db: apsw.Connection, found: Sequence[Change]) -> None:
    """Carry changes out. Must be called inside a transaction; the chunks are open."""
    text_index.replace_open(db, [(_terms(one.id, one.before), _terms(one.id, one.after)) for one in found])
    forget(db, [one.id for one in found])
    db.executemany(
        "INSERT INTO veil VALUES (?, ?, ?, ?)", [(one.id, *one.veiled) for one in found if one.veiled is not None]
    )


def cover(db: apsw.Connection, ids: Sequence[int]) -> dict[int, Analysed]:
    """Put chunks under a veil that lets nothing through; return their terms.

    So a chunk with links waits for the run to say where they lead. To take nothing out of a text index later is also
    far cheaper than to take a text out of it.
    """
    nothing = Texts("", "", "")
    db.executemany("INSERT OR REPLACE INTO veil VALUES (?, ?, ?, ?)", [(id, *nothing) for id in ids])
    return {id: _terms(id, nothing) for id in ids}


def terms_of(db: apsw.Connection, ids: Collection[int]) -> dict[int, Analysed]:
    """Return what the open text index holds of those chunks that are veiled, by row id."""
    rows = select(db, "SELECT * FROM veil WHERE chunk IN (SELECT value FROM json_each(?))", (json.dumps(list(ids)),))
    return {id: _terms(id, Texts(*texts)) for id, *texts in rows}


def veiled(db: apsw.Connection) -> frozenset[int]:
    """Return the row ids of all chunks under a veil; none in an index that was made before there were any."""
    if not select(db, "SELECT 1 FROM sqlite_schema WHERE name = 'veil'"):
        return frozenset()
    return frozenset(id for (id,) in select(db, "SELECT chunk FROM veil"))


def forget(db: apsw.Connection, ids: Collection[int]) -> None:
    """Take the veils off chunks. The open text index is the caller's to change."""
    db.executemany("DELETE FROM veil WHERE chunk = ?", [(id,) for id in ids])


def _terms(id: int, texts: Texts) -> Analysed:
    return text_index.analysed(id, text=texts.text, lead=texts.lead, prelude=texts.prelude)
