from __future__ import annotations

import pytest

from askwell.ask.persona import cut_off, nothing_found


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("how do I keep whales in the garden", "I have nothing on that in the indexed documents."),
        ("Wie halte ich einen Wal und was frisst er?", "nichts gefunden"),
        ("Balina nasıl beslenir ve ne yer?", "bulamadım"),
        ("Hur håller jag en val och vad äter den?", "hittar inget"),
        ("¿Cómo se alimenta una ballena en el mar?", "I have nothing on that"),
        ("", "I have nothing on that"),
    ],
)
def test_that_nothing_was_found_is_said_in_the_language_of_the_question(question: str, word: str) -> None:
    assert word in nothing_found(question)


def test_the_friendly_persona_has_not_done_that() -> None:
    assert nothing_found("how do I keep whales", persona="friendly").startswith("I haven't done anything like that")


def test_the_notice_of_a_cut_follows_the_language() -> None:
    assert cut_off("what is it and how does it work") != cut_off("was ist das und wie geht es")
