"""The two text indexes: one over open chunks, one over all.

Word statistics are part of every score. With one index an open request's scores, and through them its order,
would tell of personal documents; so an open request reads an index that they never enter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from askwell.stores.sqlite.connection import select
from askwell.stores.sqlite.rows import CLASS_CODES
from askwell.stores.sqlite.schema import TEXT_INDEXES, create_text_indexes, drop_text_indexes
from askwell.terms import ANALYSIS_VERSION, index_text
from askwell.types import PrivacyClass

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import apsw

_OPEN, _ALL = TEXT_INDEXES
_OPEN_CODE = CLASS_CODES[PrivacyClass.OPEN]
_BATCH = 2_000

_ADDITION = "INSERT INTO {0}(rowid, body, prelude) VALUES (?, ?, ?)"
_REMOVAL = "INSERT INTO {0}({0}, rowid, body, prelude) VALUES ('delete', ?, ?, ?)"

Analysed = tuple[int, str, str]


def analysed(id: int, *, text: str, lead: str, prelude: str) -> Analysed:
    """Return a chunk's row in a text index: id, terms of its body, terms of its prelude."""
    return id, index_text(f"{text}\n{lead}" if lead else text), index_text(prelude)


def add(db: apsw.Connection, rows: Iterable[tuple[int, Analysed]], *, veiled: Mapping[int, Analysed] = {}) -> None:
    """Add chunks, each with the code of its class; `veiled` as in `remove`."""
    _write(db, list(rows), _ADDITION, veiled)


def remove(db: apsw.Connection, rows: Iterable[tuple[int, Analysed]], *, veiled: Mapping[int, Analysed] = {}) -> None:
    """Remove chunks, each with the code of the class it was added under. Terms must be what was added.

    Args:
        db: Inside a transaction.
        rows: As added.
        veiled: By row id, what the open index holds instead.
    """
    _write(db, list(rows), _REMOVAL, veiled)


def replace_open(db: apsw.Connection, rows: Sequence[tuple[Analysed, Analysed]]) -> None:
    """Put other terms of open chunks into what an open request reads: from what was added to what is to be there."""
    db.executemany(_REMOVAL.format(_OPEN), [before for before, _ in rows])
    db.executemany(_ADDITION.format(_OPEN), [after for _, after in rows])


def reclass(db: apsw.Connection, rows: Sequence[Analysed], *, to: PrivacyClass) -> None:
    """Move chunks into or out of what an open request reads. Terms must be what it holds, or is to hold."""
    statement = _ADDITION if to is PrivacyClass.OPEN else _REMOVAL
    db.executemany(statement.format(_OPEN), rows)


def is_current(db: apsw.Connection) -> bool:
    """Return whether the text indexes were made by this analysis: only then can rows be removed from them."""
    stamp = select(db, "SELECT value FROM stamp WHERE name = 'analysis'")
    return bool(stamp) and stamp[0][0] == ANALYSIS_VERSION


def rebuild(db: apsw.Connection) -> None:
    """Analyse every stored chunk again. Must be called inside a transaction. Reads no source, embeds nothing."""
    from askwell.stores.sqlite import veils  # which analyses by this module

    drop_text_indexes(db)
    create_text_indexes(db)
    last = 0
    while rows := select(
        db,
        "SELECT c.id, c.class, t.text, t.lead, t.prelude FROM chunk c JOIN chunk_text t ON t.chunk = c.id "
        "WHERE c.id > ? ORDER BY c.id LIMIT ?",
        (last, _BATCH),
    ):
        made = [(code, analysed(id, text=text, lead=lead, prelude=pre)) for id, code, text, lead, pre in rows]
        _write(db, made, _ADDITION, veils.terms_of(db, [row[0] for row in rows]))
        last = rows[-1][0]


def _write(
    db: apsw.Connection, rows: Sequence[tuple[int, Analysed]], statement: str, veiled: Mapping[int, Analysed]
) -> None:
    if not rows:
        return
    db.executemany(statement.format(_ALL), [row for _, row in rows])
    db.executemany(statement.format(_OPEN), [veiled.get(row[0], row) for code, row in rows if code == _OPEN_CODE])
