"""Gather from the index and the best hits what the gate judges a question by."""

from __future__ import annotations

from typing import TYPE_CHECKING

from askwell.rank.language import language_of
from askwell.rank.signals import signals_of
from askwell.terms import content_words, forms, index_terms, is_stop_word
from askwell.types import Filter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askwell.ids import ChunkId
    from askwell.ports import Store
    from askwell.types import Hit, Sighting, Signals

WORDS = 32
"""Most words of a question whose presence in the best hits is looked for."""


EXAMINED = 8
"""Best hits whose text is searched for the question's words."""


def signals(
    question: str,
    hits: Sequence[Hit],
    vector: Sequence[tuple[ChunkId, Sighting]] | None,
    *,
    store: Store,
    visible: Filter,
) -> Signals:
    """Return the raw evidence behind a ranking.

    Stop words are no evidence. A question of nothing else has no words to be covered.

    Args:
        question: As typed.
        hits: What the ranking kept, best first; the first eight are read.
        vector: What the vector arm said, best first; None when it is missing.
        store: The index.
        visible: What the ranking was allowed to see; words are counted within its classes.
    """
    language = language_of(question) or "en"
    asked = [word for word in content_words(question) if not is_stop_word(word, language=language)][:WORDS]
    words = {word: _stand_ins(word) for word in asked}
    frequencies, total = store.frequencies(
        frozenset(term for terms in words.values() for term in terms), visible=Filter(classes=visible.classes)
    )
    head = hits[:EXAMINED]
    return signals_of(
        question=question,
        hits=head,
        held=[frozenset(index_terms(f"{hit.chunk.prelude}\n{hit.chunk.lead}\n{hit.chunk.text}")) for hit in head],
        words=words,
        frequencies=frequencies,
        total=total,
        vector=None if vector is None else [sighting for _, sighting in vector],
    )


def _stand_ins(word: str) -> frozenset[str]:
    """Return the terms any of which holds a word: itself, joined, its stems; a part of an identifier does not."""
    terms = forms(word)
    return frozenset(term for term, weight in terms.items() if word.isalpha() or weight >= _WHOLE)


_WHOLE = 0.6
"""Weight from which a form in a question stands for the whole identifier."""
