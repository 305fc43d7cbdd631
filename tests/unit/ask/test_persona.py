from __future__ import annotations

import pytest

from askwell.ask.persona import cut_off, nothing_found, taken_by, voice
from askwell.types import Profile


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


@pytest.mark.parametrize(
    ("question", "opening"),
    [
        ("how do I keep the whale number {}", "I haven't done anything like that"),
        ("Wie halte ich den Wal mit der Nummer {}?", "So etwas habe ich"),
        ("{} balina nasıl beslenir ve ne yer?", "böyle bir şey yapmadım"),
        ("Hur håller jag val nummer {} och vad äter den?", "Något sådant har jag inte gjort"),
    ],
)
def test_the_friendly_persona_has_not_done_that(question: str, opening: str) -> None:
    said = {nothing_found(question.format(n), persona="friendly") for n in range(30)}
    assert len(said) > 1
    assert all(opening in text.partition(";")[0].partition(".")[0] for text in said)
    assert said == {nothing_found(question.format(n), persona="friendly") for n in range(30)}


@pytest.mark.parametrize("profile", list(Profile))
def test_the_profile_that_took_a_question_is_named_in_its_language(profile: Profile) -> None:
    lines = {
        taken_by(question, profile)
        for question in (
            "what is it and how does it work",
            "was ist das und wie geht es",
            "bu nedir ve nasıl",
            "vad är det och hur",
        )
    }
    assert len(lines) == 4
    assert all(f"`{profile}`" in line and "\n" not in line for line in lines)
    assert taken_by("", profile) == taken_by("what is it and how does it work", profile)


def test_a_voice_adds_a_name_and_a_manner_and_nothing_else() -> None:
    assert voice("neutral", "") == ""
    assert "Ada" in voice("neutral", "Ada")
    assert "encouraging" in voice("friendly", "")


def test_the_notice_of_a_cut_follows_the_language() -> None:
    assert cut_off("what is it and how does it work") != cut_off("was ist das und wie geht es")
