"""Vectors in the shape that is searched: one row a chunk, with codes to filter by, beside an exact scan.

Rows are in the order of chunk ids, so that a tie between scores is decided by position. The search is a
matrix product in float32 for the candidates, and one in float64, row by row, for the scores that are
returned: equal vectors get equal scores wherever they lie.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from askwell.errors import StoreError
from askwell.ids import ChunkId
from askwell.types import Arm, Sighting

if TYPE_CHECKING:
    import numpy.typing as npt

    from askwell.ports import Matrix, Vector

_GATHER_SHARE = 8
"""Under an eighth of the rows it is cheaper to copy the permitted ones out than to multiply all."""

_MARGIN = 1e-5
"""What a float32 product may be off by, in cosine, at a few thousand dimensions."""

_BLOCK = 4_096


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorRows:
    """Every chunk that has a vector in the current space, by chunk id.

    Attributes:
        keys: bytes[n], chunk ids, ascending.
        chunks, documents, vectors: int64[n], row ids in the database.
        sources: int32[n]. classes, kinds: uint8[n].
        matrix: float32[n, d], L2-normalised.
    """

    keys: npt.NDArray[np.bytes_]
    chunks: npt.NDArray[np.int64]
    documents: npt.NDArray[np.int64]
    vectors: npt.NDArray[np.int64]
    sources: npt.NDArray[np.int32]
    classes: npt.NDArray[np.uint8]
    kinds: npt.NDArray[np.uint8]
    matrix: Matrix

    def __len__(self) -> int:
        return len(self.keys)


def codes_mask(
    rows: VectorRows, *, classes: frozenset[int], sources: frozenset[int] | None, kinds: frozenset[int] | None
) -> npt.NDArray[np.bool_] | None:
    """Return which rows the codes admit, None for all of them. A condition that is None is not there."""
    mask: npt.NDArray[np.bool_] | None = None
    for column, wanted in ((rows.classes, classes), (rows.sources, sources), (rows.kinds, kinds)):
        if wanted is None:
            continue
        admitted = _among(column, wanted)
        if not admitted.all():
            mask = admitted if mask is None else mask & admitted
    return mask


def _among(column: npt.NDArray[np.uint8] | npt.NDArray[np.int32], wanted: frozenset[int]) -> npt.NDArray[np.bool_]:
    admitted = np.zeros(len(column), dtype=np.bool_)
    for code in wanted:
        admitted |= column == code
    return admitted


def nearest(
    rows: VectorRows, query: Vector, *, k: int, mask: npt.NDArray[np.bool_] | None
) -> tuple[tuple[ChunkId, Sighting], ...]:
    """Return at most `k` permitted rows by cosine, exact, best first, ties by chunk id.

    Args:
        rows: What to search.
        query: float32[d], L2-normalised.
        k: Most sightings.
        mask: bool[n], which rows are permitted; None permits all.

    Raises:
        StoreError: the query has another width than the rows.
    """
    query = np.ascontiguousarray(query, dtype=np.float32).ravel()
    if len(rows) and query.shape[0] != rows.matrix.shape[1]:
        raise StoreError(
            f"the question's vector has {query.shape[0]} numbers, the index's have {rows.matrix.shape[1]}",
            hint="run `askwell index --rebuild`, or set `models.embedding` back",
        )
    permitted = len(rows) if mask is None else int(np.count_nonzero(mask))
    if k < 1 or not permitted:
        return ()
    if mask is None:
        candidates = _candidates(rows.matrix @ query, k)
    elif permitted * _GATHER_SHARE < len(rows):
        chosen = np.flatnonzero(mask)
        candidates = chosen[_candidates(rows.matrix[chosen] @ query, k)]
    else:
        scores = rows.matrix @ query
        scores[~mask] = -np.inf
        candidates = _candidates(scores, min(k, permitted))
    exact = exact_cosines(rows.matrix, candidates, query)
    order = np.lexsort((candidates, -exact))[:k]
    return tuple(
        (ChunkId(key.decode()), Sighting(arm=Arm.VECTOR, rank=rank, score=score))
        for rank, (key, score) in enumerate(
            zip(rows.keys[candidates[order]].tolist(), exact[order].tolist(), strict=True), start=1
        )
    )


def exact_cosines(matrix: Matrix, chosen: npt.NDArray[np.intp], query: Vector) -> npt.NDArray[np.float64]:
    """Return float64[len(chosen)]: cosines of the chosen rows, in [-1, 1], the same for the same row anywhere."""
    wide = query.astype(np.float64)
    blocks = [
        (matrix[chosen[at : at + _BLOCK]].astype(np.float64) * wide).sum(axis=1) for at in range(0, len(chosen), _BLOCK)
    ]
    return np.clip(np.concatenate(blocks), -1.0, 1.0) if blocks else np.empty(0, dtype=np.float64)


def _candidates(scores: npt.NDArray[np.float32], k: int) -> npt.NDArray[np.intp]:
    """Return positions of every score that may be among the best `k`; rows at -inf only if nothing else is left."""
    if k >= len(scores):
        return np.flatnonzero(scores > -np.inf)
    best = np.partition(scores, len(scores) - k)[len(scores) - k]
    return np.flatnonzero(scores >= best - np.float32(_MARGIN))
