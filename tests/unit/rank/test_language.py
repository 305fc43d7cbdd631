from __future__ import annotations

import pytest

from askwell.rank.language import language_folder, language_of


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("where do I put the backup", "en"),
        ("Wo lege ich die Sicherung ab und wie oft?", "de"),
        ("yedekleri nereye ve nasıl koyarım", "tr"),
        ("var lägger jag kopian och hur ofta är det", "sv"),
        ("¿Cómo hago que la copia conserve las etiquetas?", "es"),
        ("где хранится копия", "ru"),
        ("バックアップはどこですか", "ja"),
        ("备份在哪里", "zh"),
        ("백업은 어디에 있나요", "ko"),
    ],
)
def test_function_words_or_script_give_the_language(text: str, code: str) -> None:
    assert language_of(text) == code


@pytest.mark.parametrize("text", ["", "???", "MOVER_STOP_TIMEOUT", "kubernetes", "1234"])
def test_what_tells_nothing_is_left_open(text: str) -> None:
    assert language_of(text) == ""


@pytest.mark.parametrize(
    ("part", "code"), [("de", "de"), ("pt-br", "pt"), ("zh-TW", "zh"), ("EN", "en"), ("sv_SE", "sv")]
)
def test_folders_named_after_a_language(part: str, code: str) -> None:
    assert language_folder(part) == code


@pytest.mark.parametrize("part", ["docs", "x", "xx", "de.md", "endpoints", "", "d-e"])
def test_other_folders(part: str) -> None:
    assert language_folder(part) == ""
