"""What holds for the terms of any text."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from askwell.terms import MAX_TERM, content_words, fold, forms, index_terms, query_terms

texts = st.text(max_size=60) | st.text("aAbBzZéÉıİIi019-_.,'+#~/ \n設が서ทั\u0301", max_size=40)


@given(texts)
def test_any_text_has_terms_that_can_be_joined_and_split(text: str) -> None:
    terms = index_terms(text)
    assert " ".join(terms).split() == terms
    assert all(0 < len(term) <= MAX_TERM + 1 for term in terms)
    assert not any('"' in term for term in terms)


@given(texts)
def test_the_same_words_are_found_by_asking_for_them(text: str) -> None:
    terms = set(index_terms(text))
    asked = query_terms(text)
    assert bool(terms) == bool(asked)
    assert all(0 < weight <= 1 for weight in asked.values())
    if asked:
        assert terms & asked.keys()


@given(texts)
def test_composed_and_decomposed_text_have_the_same_terms(text: str) -> None:
    composed, decomposed = (unicodedata.normalize(form, text) for form in ("NFC", "NFD"))
    assert fold(composed) == fold(decomposed)


@given(texts)
def test_folding_is_done_once(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(texts)
def test_every_content_word_has_forms(text: str) -> None:
    for word in content_words(text):
        assert forms(word)
