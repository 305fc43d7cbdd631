"""From vectors in the database to a search: load what changed, keep what did not.

The database is the truth. What is searched is a copy of one moment, known by its stamp: the index's own
identity, the generation of its rows and the embedding space.
"""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING

import numpy as np

from askwell.stores.sqlite import lock, vector_file, veils
from askwell.stores.sqlite.connection import select
from askwell.stores.sqlite.filters import OPEN_ONLY, Values, described_conditions, section_condition
from askwell.stores.sqlite.rows import CLASS_CODES, KIND_CODES
from askwell.stores.sqlite.vector_rows import VectorRows, codes_mask, nearest
from askwell.types import PrivacyClass

if TYPE_CHECKING:
    from pathlib import Path

    import apsw
    import numpy.typing as npt

    from askwell.ids import ChunkId
    from askwell.ports import Matrix, Vector
    from askwell.types import Filter, Sighting

_BLOCK = 4_096

VEILED = 2
"""Code of the class of an open chunk whose vector says what an open request must not see."""


class VectorSearch:
    """Holds the copy that is searched, for one store. Safe to call from several threads."""

    def __init__(self, index: Path) -> None:
        self._index = index
        self._lock = threading.Lock()
        self._loaded: tuple[str, VectorRows] | None = None

    def search(
        self, db: apsw.Connection, query: Vector, *, k: int, visible: Filter
    ) -> tuple[tuple[ChunkId, Sighting], ...]:
        """Return at most `k` sightings by cosine, exact, of the moment that `db`'s transaction reads."""
        rows = self.rows(db)
        if rows is None or not visible.classes:
            return ()
        return nearest(rows, query, k=k, mask=_mask(db, rows, visible))

    def rows(self, db: apsw.Connection) -> VectorRows | None:
        """Return the rows of the current moment, None where no space was declared or nothing is embedded."""
        found = stamp_of(db)
        if found is None:
            return None
        stamp, space = found
        loaded = self._loaded
        if loaded is not None and loaded[0] == stamp:
            return loaded[1]
        with self._lock:
            loaded = self._loaded or vector_file.read(self._index)
            if loaded is None or loaded[0] != stamp:
                known = loaded[1] if loaded is not None and _same_space(loaded[0], stamp) else None
                loaded = (stamp, load(db, space, known=known))
                if len(loaded[1]) and not lock.is_held(self._index) and vector_file.write(self._index, *loaded):
                    mapped = vector_file.read(self._index)
                    loaded = mapped if mapped is not None and mapped[0] == stamp else loaded
            self._loaded = loaded
            return loaded[1]

    def forget(self) -> None:
        """Let go of the copy."""
        with self._lock:
            self._loaded = None


def refresh_file(db: apsw.Connection, index: Path) -> None:
    """Bring the copy beside the database up to date, or remove it where there is nothing to search."""
    found = stamp_of(db)
    old = vector_file.read(index)
    if found is not None and old is not None and old[0] == found[0]:
        return
    rows = None
    if found is not None:
        rows = load(db, found[1], known=old[1] if old is not None and _same_space(old[0], found[0]) else None)
    vector_file.discard(index)
    if found is not None and rows is not None and len(rows):
        vector_file.write(index, found[0], rows)


def stamp_of(db: apsw.Connection) -> tuple[str, int] | None:
    """Return what names the current moment of the searched rows, and the space's row id; None without a space."""
    found = select(
        db,
        "SELECT (SELECT value FROM stamp WHERE name = 'index'), s.id,"
        " (SELECT value FROM counter WHERE name = 'rows') FROM space s WHERE s.current",
    )
    if not found:
        return None
    index, space, generation = found[0]
    return f"{index}/{space}/{generation}", space


def _same_space(one: str, other: str) -> bool:
    """Return whether two stamps are of one index and one space, so that a row id names the same vector in both."""
    return one.rsplit("/", 1)[0] == other.rsplit("/", 1)[0]


def load(db: apsw.Connection, space: int, *, known: VectorRows | None) -> VectorRows:
    """Read the rows of a space. Vectors that `known` holds are taken from it; blobs are read for the others."""
    rows = select(
        db,
        "SELECT c.key, c.id, c.document, v.id, c.source, c.class, c.kind FROM vector v CROSS JOIN chunk c"
        " ON c.vector_key = v.key WHERE v.space = ?",
        (space,),
    )
    rows.sort()
    under = veils.veiled(db)
    columns = list(zip(*rows, strict=True)) if rows else [()] * 7
    vectors = np.array(columns[3], dtype=np.int64)
    return VectorRows(
        keys=np.array([key.encode() for key in columns[0]], dtype=np.bytes_),
        chunks=np.array(columns[1], dtype=np.int64),
        documents=np.array(columns[2], dtype=np.int64),
        vectors=vectors,
        sources=np.array(columns[4], dtype=np.int32),
        classes=np.array(
            [VEILED if id in under else code for id, code in zip(columns[1], columns[5], strict=True)], np.uint8
        ),
        kinds=np.array([KIND_CODES[kind] for kind in columns[6]], dtype=np.uint8),
        matrix=_matrix(db, space, vectors, known),
    )


def _matrix(db: apsw.Connection, space: int, vectors: npt.NDArray[np.int64], known: VectorRows | None) -> Matrix:
    """Return float32[n, d] with the vector of each row id."""
    order = np.argsort(vectors, kind="stable")
    wanted = vectors[order]
    width = select(db, "SELECT length(value) / 4 FROM vector WHERE space = ? LIMIT 1", (space,))
    matrix = np.empty((len(vectors), width[0][0] if width else 0), dtype=np.float32)
    missing = np.unique(wanted)
    if known is not None and len(known) and known.matrix.shape[1] == matrix.shape[1]:
        old = np.argsort(known.vectors, kind="stable")
        at = np.searchsorted(known.vectors[old], wanted)
        at[at == len(old)] = 0
        held = known.vectors[old[at]] == wanted
        for start in range(0, len(order), _BLOCK):
            piece = slice(start, start + _BLOCK)
            matrix[order[piece][held[piece]]] = known.matrix[old[at[piece][held[piece]]]]
        missing = np.unique(wanted[~held])
    for start in range(0, len(missing), _BLOCK):
        ids = missing[start : start + _BLOCK]
        blobs = select(
            db,
            "SELECT value FROM vector WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id",
            (json.dumps(ids.tolist()),),
        )
        block = np.frombuffer(b"".join(blob for (blob,) in blobs), dtype="<f4").reshape(len(ids), -1)
        first, last = np.searchsorted(wanted, ids[0], "left"), np.searchsorted(wanted, ids[-1], "right")
        inside = np.isin(wanted[first:last], ids)
        matrix[order[first:last][inside]] = block[np.searchsorted(ids, wanted[first:last][inside])]
    return matrix


def _mask(db: apsw.Connection, rows: VectorRows, visible: Filter) -> npt.NDArray[np.bool_] | None:
    """Return which rows a filter admits, None for all of them."""
    sources: frozenset[int] | None = None
    if visible.sources:
        named = select(
            db,
            "SELECT id FROM source WHERE name IN (SELECT value FROM json_each(?))",
            (json.dumps(list(visible.sources)),),
        )
        sources = frozenset(id for (id,) in named)
    mask = codes_mask(
        rows,
        classes=frozenset(CLASS_CODES[class_] for class_ in visible.classes)
        | ({VEILED} if PrivacyClass.OPEN in visible.classes and visible.classes != OPEN_ONLY else set()),
        sources=sources,
        kinds=frozenset(KIND_CODES[kind] for kind in visible.kinds) if visible.kinds else None,
    )
    described, values = described_conditions(visible, document="d")
    if described:
        admitted = _ids(db, f"SELECT d.id FROM document d WHERE {described}", values)
        mask = _both(mask, np.isin(rows.documents, admitted))
    if visible.sections:
        condition, values = section_condition(visible)
        mask = _both(mask, np.isin(rows.chunks, _ids(db, f"SELECT c.id FROM chunk c WHERE {condition}", values)))
    return mask


def _both(mask: npt.NDArray[np.bool_] | None, other: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    return other if mask is None else mask & other


def _ids(db: apsw.Connection, statement: str, values: Values) -> npt.NDArray[np.int64]:
    return np.array([id for (id,) in select(db, statement, values)], dtype=np.int64)
