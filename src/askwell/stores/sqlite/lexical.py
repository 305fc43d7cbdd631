"""The lexical arm: BM25 over the text index that the audience may read."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from askwell.ids import ChunkId
from askwell.stores import bm25
from askwell.stores.conditions import clean
from askwell.stores.sqlite.connection import select
from askwell.stores.sqlite.filters import OPEN_ONLY, Values, boilerplate_mark, chunk_conditions
from askwell.stores.sqlite.schema import TEXT_INDEXES
from askwell.types import Arm, Filter, PrivacyClass, Sighting

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    import apsw

_OPEN, _ALL = TEXT_INDEXES

FIRST = 4
"""How many times as many matches as are wanted are joined with their chunks first, the best ones by their terms alone.
To join them all takes as long as to score them; a chunk's own row can only lower its score."""

TermCounts: TypeAlias = dict[tuple[str, str], int]
"""Text index and term → how many chunks hold it, at one moment. Counting reads all places of a term."""


def search(
    db: apsw.Connection, weights: Mapping[str, float], *, k: int, visible: Filter, chunks: int, counts: TermCounts
) -> tuple[tuple[ChunkId, Sighting], ...]:
    """Return at most `k` sightings, best first.

    Args:
        db: Inside a read transaction.
        weights: Analysed term → weight.
        k: Most sightings.
        visible: Conditions, applied before the cut.
        chunks: Chunks of the text index that the filter's classes read.
        counts: What is known of this moment's index; added to.
    """
    if k < 1 or not visible.classes:
        return ()
    index = text_index(visible)
    weights = {clean(term): weight for term, weight in weights.items()}
    first, every = bm25.scored_terms(weights, _document_counts(db, index, weights, counts), chunks)
    if not every:
        return ()
    rows = _scored(db, index, first, k=k, visible=visible)
    if len(rows) < k and len(first) < len(every):
        rows = _scored(db, index, every, k=k, visible=visible)
    return tuple(
        (ChunkId(key), Sighting(arm=Arm.LEXICAL, rank=rank, score=score))
        for rank, (key, score) in enumerate(rows, start=1)
    )


def text_index(visible: Filter) -> str:
    """Return the text index whose statistics an audience may know."""
    return _OPEN if visible.classes == OPEN_ONLY else _ALL


def count_chunks(db: apsw.Connection, visible: Filter) -> int:
    """Return how many chunks the text index of an audience has. Linear: remember it for a generation."""
    where = "WHERE class = 0" if visible.classes == OPEN_ONLY else ""
    return int(select(db, f"SELECT count(*) FROM chunk {where}")[0][0])


def frequencies(db: apsw.Connection, terms: Collection[str], *, visible: Filter, counts: TermCounts) -> dict[str, int]:
    """Return per term how many chunks of the filter's classes hold it; `counts` as in `search`."""
    if not visible.classes:
        return dict.fromkeys(terms, 0)
    held = _document_counts(db, text_index(visible), terms, counts)
    if visible.classes == frozenset({PrivacyClass.PERSONAL}):
        of_open = _document_counts(db, _OPEN, terms, counts)
        held = {term: count - of_open.get(term, 0) for term, count in held.items()}
    return {term: held.get(term, 0) for term in terms}


def _document_counts(db: apsw.Connection, index: str, terms: Collection[str], counts: TermCounts) -> dict[str, int]:
    found: dict[str, int] = {}
    for term in terms:
        count = counts.get((index, term))
        if count is None:
            rows = select(db, f"SELECT doc FROM {index}_terms WHERE term = ?", (clean(term),))
            count = counts[index, term] = rows[0][0] if rows else 0
        if count:
            found[term] = count
    return found


def _scored(
    db: apsw.Connection, index: str, weights: Mapping[str, float], *, k: int, visible: Filter
) -> list[tuple[str, float]]:
    """Return the keys and scores of the best `k` admitted chunks that hold any of the terms.

    FTS5 has no weight a term, so each term is a query of its own and BM25, being a sum, is added up here.
    """
    if not _admits_most(visible):
        return [(key, score) for key, score, _ in _joined(db, index, weights, k=k, first=-1, visible=visible)]
    rows = _joined(db, index, weights, k=k, first=FIRST * k, visible=visible)
    left_out = rows[0][2] if rows else 0.0  # below this score none was looked at; None where all were
    if left_out is not None and (len(rows) < k or rows[-1][1] < left_out):
        rows = _joined(db, index, weights, k=k, first=-1, visible=visible)
    return [(key, score) for key, score, _ in rows]


def _admits_most(visible: Filter) -> bool:
    """Return whether a filter has no condition besides classes and sources."""
    others = (visible.kinds, visible.sections, visible.paths, visible.tags, visible.after, visible.before)
    return not any(others)


def _joined(
    db: apsw.Connection, index: str, weights: Mapping[str, float], *, k: int, first: int, visible: Filter
) -> list[tuple[str, float, float | None]]:
    """Return what `_scored` does, out of the `first` best matches and their equals, or of all if it is negative.

    Beside each stands the score below which no match was looked at, None if there is no such match.
    """
    where, values = chunk_conditions(visible)
    bound: Values = {**values, "k": k, "first": first, "best": bm25.BOILERPLATE, "repeated": bm25.REPEATED_BOILERPLATE}
    arms = []
    for n, (term, weight) in enumerate(weights.items()):
        bound[f"term{n}"] = '"' + term.replace('"', '""') + '"'
        bound[f"weight{n}"] = weight
        arms.append(
            f"SELECT rowid AS id, -bm25({index}, {bm25.BODY_WEIGHT}, {bm25.PRELUDE_WEIGHT}) * :weight{n} AS score "
            f"FROM {index} WHERE {index} MATCH :term{n}"
        )
    statement = f"""
        WITH matched AS MATERIALIZED ({" UNION ALL ".join(arms)}),
        sighted AS MATERIALIZED (SELECT id, sum(score) AS score FROM matched GROUP BY id),
        least AS MATERIALIZED (SELECT score FROM sighted WHERE :first >= 0 ORDER BY score DESC LIMIT 1 OFFSET :first),
        admitted AS MATERIALIZED (
            SELECT c.key, c.text_key, s.score, (c.boilerplate OR c.marked >= {boilerplate_mark(visible)}) AS everywhere
            FROM sighted s CROSS JOIN chunk c ON c.id = s.id
            WHERE s.score >= coalesce((SELECT score FROM least), s.score) AND {where}
        )
        SELECT key, score, (SELECT score FROM least) FROM (
            SELECT key, score FROM admitted WHERE NOT everywhere
            UNION ALL
            SELECT key, score * CASE row_number() OVER (PARTITION BY text_key ORDER BY score DESC, key)
                WHEN 1 THEN :best ELSE :repeated END FROM admitted WHERE everywhere
        ) ORDER BY score DESC, key LIMIT :k
    """
    return select(db, statement, bound)
