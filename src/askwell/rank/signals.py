"""Raw evidence that the corpus covers a question, from what the arms said and what the best hits hold."""

from __future__ import annotations

import math
import unicodedata
from typing import TYPE_CHECKING

from askwell.types import Arm, Signals

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from askwell.types import Hit, Sighting


def rarity(count: int, total: int) -> float:
    """Return how much a word that `count` of `total` chunks hold says about a question, > 0.

    Source: Robertson and Sparck Jones weight in the form ``ln(1 + (N - n + 0.5) / (n + 0.5))``, which never
    falls below zero (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009).
    """
    return math.log(1 + (max(total, count) - count + 0.5) / (count + 0.5))


COMMON = 0.1
"""Share of chunks from which a word counts for less than one rare word."""

ENOUGH = 3.0
"""Rare words in one passage that cover a question however many more it has: long questions paraphrase more."""


def weight(count: int, total: int) -> float:
    """Return what a word that `count` of `total` chunks hold adds to coverage, in (0, 1]: 1 for a rare word.

    Measured: docs/measurements/0003-gate.md: words below the share `COMMON` tell covered questions from others best
    when they count alike; by full rarity, a typing error outweighs everything that was found.
    """
    return min(1.0, rarity(count, total) / math.log(1 / COMMON))


_READ = 1000  # characters of a question whose script is looked at


def is_latin(text: str) -> bool:
    """Return whether at least half of the letters are Latin; True where there is none."""
    letters = [char for char in text if char.isalpha()]
    return 2 * sum(unicodedata.name(char, "").startswith("LATIN") for char in letters) >= len(letters)


def signals_of(
    *,
    question: str,
    hits: Sequence[Hit],
    held: Sequence[Collection[str]],
    words: Mapping[str, Collection[str]],
    frequencies: Mapping[str, int],
    total: int,
    vector: Sequence[Sighting] | None,
) -> Signals:
    """Compute what the gate reads.

    Args:
        question: As typed.
        hits: The best hits, best first.
        held: For each hit, the analysed terms of its text and prelude.
        words: The question's content words, each with the analysed terms any of which stands for it.
        frequencies: By analysed term, how many visible chunks hold it; absent means none.
        total: Visible chunks.
        vector: The vector arm's sightings, best first; None when that arm is missing.

    Returns:
        `rare_coverage` is the weight of the question's words that one hit holds together, for the hit that
        holds most, over the weight of all its words or of three rare ones, whichever is less; 0.0 where
        there is no content word or no hit. `rare_missing` is what no hit holds, rarest first.
        `cosine_margin` is the best cosine less the mean of the second half of the vector arm's list.
    """
    counts = {word: max((frequencies.get(term, 0) for term in terms), default=0) for word, terms in words.items()}
    weights = {word: weight(count, total) for word, count in counts.items()}
    found = [{word for word, terms in words.items() if any(term in one for term in terms)} for one in held]
    missing = words.keys() - set().union(*found)
    needed = min(ENOUGH, sum(weights.values()))
    most = max((sum(weights[word] for word in one) for one in found), default=0.0)
    cosines = None if vector is None else [seen.score for seen in vector]
    both = sum(hit.seen_by(Arm.LEXICAL) is not None and hit.seen_by(Arm.VECTOR) is not None for hit in hits)
    return Signals(
        best_cosine=None if not cosines else max(cosines),
        cosine_margin=None if not cosines else _margin(cosines),
        rare_coverage=min(1.0, most / needed) if needed > 0 else 0.0,
        rare_missing=tuple(sorted(missing, key=lambda word: (counts[word], word))),
        agreement=both / len(hits) if hits else 0.0,
        latin=is_latin(question[:_READ]),
    )


def _margin(cosines: Sequence[float]) -> float:
    tail = cosines[len(cosines) // 2 :]
    return max(cosines) - sum(tail) / len(tail)
