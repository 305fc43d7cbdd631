"""The lexical arm's arithmetic, which every store shares: constants, and which terms of a question to score.

    score(chunk) = sum over terms of weight * idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * length / average))
    tf           = sum over columns of column weight * occurrences
    idf          = max(ln((n - df + 0.5) / (df + 0.5)), 1e-6 where that is not positive)
    length       = terms of the chunk in all columns

Source: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009, with the
constants and the floor under idf of SQLite's FTS5. Deviations: weights a term and a column.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

K1 = 1.2
B = 0.75
IDF_FLOOR = 1e-6

BODY_WEIGHT = 1.0
PRELUDE_WEIGHT = 1.25
"""A title, path or heading says what a chunk is about, where its body only mentions it. Every chunk of a document
repeats its title, so a larger weight lets long documents crowd out the rest. Measured:
docs/measurements/0008-lexical-terms.md"""

BOILERPLATE = 0.5
"""Factor on the best copy of a text that stands in many documents: behind its equals, and still found."""

REPEATED_BOILERPLATE = 0.02
"""Factor on the other copies: they come after everything else that has the question's words."""

MOST_TERMS = 64
"""Terms of one question that are scored; the rest is the least telling of a long text."""

COMMON_FLOOR = 50
"""With fewer chunks every term is rare enough to be read."""

COMMON_SHARE = 2
COMMON_KNEE = 20_000
COMMON_TAIL = 16
"""A term is common in over half of up to 20,000 chunks, where its idf is at the floor, and in over a sixteenth of
what is above: reading a posting costs about a microsecond, and the budget is for all terms together."""


def idf(frequency: int, chunks: int) -> float:
    """Return the weight of a term that `frequency` of `chunks` chunks hold."""
    value = math.log((chunks - frequency + 0.5) / (frequency + 0.5)) if frequency <= chunks else 0.0
    return value if value > 0.0 else IDF_FLOOR


def is_common(frequency: int, chunks: int) -> bool:
    """Return whether a term is in so many chunks that it tells them apart too little for what reading it costs."""
    if chunks < COMMON_FLOOR:
        return False
    return frequency > min(chunks, COMMON_KNEE) / COMMON_SHARE + max(0, chunks - COMMON_KNEE) / COMMON_TAIL


def scored_terms(
    weights: Mapping[str, float], frequencies: Mapping[str, int], chunks: int
) -> tuple[dict[str, float], dict[str, float]]:
    """Return the terms to score first, and those to score as well if they bring fewer chunks than were asked for.

    Terms that no chunk holds are in neither. Common terms are in the second alone unless there is no other.

    Args:
        weights: Analysed term → weight.
        frequencies: Analysed term → chunks that hold it.
        chunks: Chunks of the text index.
    """
    held = [term for term in weights if weights[term] > 0 and frequencies.get(term, 0) > 0]
    held.sort(key=lambda term: (-weights[term] * idf(frequencies[term], chunks), term))
    held = sorted(held[:MOST_TERMS])
    rare = {term: weights[term] for term in held if not is_common(frequencies[term], chunks)}
    every = {term: weights[term] for term in held}
    return rare or every, every
