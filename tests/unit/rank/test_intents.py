from __future__ import annotations

import pytest

from askwell.rank.intents import Intent, intents_of


@pytest.mark.parametrize(
    ("question", "intent"),
    [
        ("what stops the mover and the backup from overlapping?", Intent.SAFEGUARD),
        ("Was verhindert, dass zwei Läufe gleichzeitig starten?", Intent.SAFEGUARD),
        ("aynı anda iki yedek çalışırsa ne olur", Intent.SAFEGUARD),
        ("vad skyddar mot två körningar samtidigt", Intent.SAFEGUARD),
        ("which variable controls the mover timeout", Intent.VARIABLE),
        ("what does MOVER_STOP_TIMEOUT do", Intent.VARIABLE),
        ("Welche Variable bestimmt die Aufbewahrung?", Intent.VARIABLE),
        ("hangi ayar saklama süresini belirler", Intent.VARIABLE),
        ("vilken inställning styr tiden", Intent.VARIABLE),
        ("does this take --dry-run", Intent.FLAG),
        ("is there a flag for a rehearsal", Intent.FLAG),
        ("why is it built this way", Intent.WHY),
        ("Warum zwei Skripte?", Intent.WHY),
        ("neden iki betik var", Intent.WHY),
        ("varför två skript", Intent.WHY),
        ("how does the mover work", Intent.HOW),
        ("Wie funktioniert der Mover?", Intent.HOW),
        ("mover nasıl çalışır", Intent.HOW),
        ("hur fungerar flytten", Intent.HOW),
        ("what is the mover?", Intent.DEFINITION),
        ("Was ist der Mover?", Intent.DEFINITION),
        ("mover nedir", Intent.DEFINITION),
        ("vad är en mover", Intent.DEFINITION),
    ],
)
def test_wording_tells_what_is_asked_for(question: str, intent: Intent) -> None:
    assert intent in intents_of(question)
    assert intent in intents_of(question.upper())


@pytest.mark.parametrize(
    ("question", "not_asked"),
    [
        ("what is the default port", Intent.DEFINITION),
        ("blue car", Intent.VARIABLE),
        ("well-known facts", Intent.FLAG),
        ("the showroom", Intent.HOW),
    ],
)
def test_wording_that_only_looks_alike_is_not_taken(question: str, not_asked: Intent) -> None:
    assert not_asked not in intents_of(question)


def test_a_question_may_ask_for_two_things_and_a_long_one_is_cheap() -> None:
    assert set(intents_of("why does --force skip the lock")) >= {Intent.FLAG, Intent.WHY}
    assert intents_of("zebra " * 200_000 + "why") == ()
    assert intents_of("") == ()


@pytest.mark.parametrize(
    "question",
    [
        "teal",
        "MOVER_STOP_TIMEOUT",
        "where is mover_stop set",
        "what does --dry-run do",
        "conf/mover.toml",
        "setTimeout",
        "Häckse?",
    ],
)
def test_a_name_is_asked_for_by_its_letters(question: str) -> None:
    assert Intent.NAME in intents_of(question)


@pytest.mark.parametrize(
    "question", ["where is the mover", "well-known facts", "備份在哪裡", "a dash - here", "version 0.2.0", "Which NAS?"]
)
def test_words_in_a_sentence_are_no_names(question: str) -> None:
    assert Intent.NAME not in intents_of(question)
