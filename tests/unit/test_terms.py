"""How text becomes terms: names whole and by part, spellings folded, stop words by language, and bounds."""

from __future__ import annotations

import base64
import random
import unicodedata

import pytest

from askwell.terms import (
    MAX_DISTINCT,
    MAX_QUESTION_WORDS,
    MAX_TERM,
    content_words,
    fold,
    forms,
    index_terms,
    is_stop_word,
    query_terms,
    stem,
)


@pytest.mark.parametrize(
    ("token", "terms"),
    [
        ("MOVER_STOP_TIMEOUT", {"mover_stop_timeout", "mover", "stop", "timeout"}),
        ("--dry-run", {"--dry-run", "dry-run", "dryrun", "dry", "run"}),
        ("-v", {"-v", "v"}),
        ("mover_stop.sh", {"mover_stop.sh", "mover", "stop", "sh"}),
        ("moverStopTimeout", {"moverstoptimeout", "mover", "stop", "timeout"}),
        ("HTTPServer", {"httpserver", "http", "server"}),
        ("homeassistant.components.light", {"homeassistant.components.light", "homeassistant", "light"}),
        ("v1.2.3", {"v1.2.3", "1.2.3", "1.2"}),
        ("57,177", {"57,177", "57177"}),
        ("1.234.567", {"1.234.567", "1234567"}),
        ("2024-01-15", {"2024-01-15", "2024"}),
        ("10.0.0.5:8080", {"10.0.0.5", "8080"}),
        ("md5sum", {"md5sum", "md", "sum"}),
        ("300s", {"300s", "300"}),
        ("C++", {"c++", "c"}),
        ("F#", {"f#", "f"}),
        (".NET", {"net"}),
        ("#homelab/backup", {"homelab", "backup"}),
        ("ops@heron.lan", {"ops", "heron.lan", "heron", "lan"}),
        ("spool's", {"spools", "spool"}),
        ("İstanbul'da", {"istanbulda", "istanbul"}),
        ("wi‑fi", {"wi-fi", "wifi"}),  # a no-break hyphen
        ("CANARYNAME", {"canaryname"}),
        ("__init__", {"init"}),
        ("Ａｂｃ", {"abc"}),
        ("½", {"1", "2"}),
        ("Docker設定", {"docker", "設定"}),
    ],
)
def test_a_name_is_kept_whole_and_by_part(token: str, terms: set[str]) -> None:
    for text in (token, f"see {token}, or ({token})."):
        assert terms <= set(index_terms(text)), text
    assert terms & query_terms(token).keys() == terms - {"or"}


def test_a_part_of_a_number_is_no_term() -> None:
    assert not {"57", "177"} & set(index_terms("57,177"))
    assert not {"2", "3"} & set(index_terms("v1.2.3"))


def test_every_way_to_ask_meets_what_is_written() -> None:
    for written, asked in (
        ("backup", "backups"), ("backups", "backup"), ("configured", "configuration"), ("configure", "configuring"),
        ("wi-fi", "wifi"), ("wifi", "wi-fi"), ("moverStopTimeout", "mover_stop_timeout"), ("entries", "entry"),
        ("planned", "planning"), ("cache", "cached"), ("installation", "install"), ("encrypt", "encryption"),
        ("runs", "run"), ("run", "runs"), ("running", "run"), ("bee", "bees"), ("logs", "log"), ("tagged", "tag"),
    ):  # fmt: skip
        assert set(index_terms(written)) & query_terms(asked).keys(), (written, asked)


def test_a_word_and_its_stem_weigh_together_what_a_word_without_stem_does() -> None:
    terms = query_terms("backups")
    assert terms.keys() == {"backups", "~backup"}
    assert terms["backups"] + terms["~backup"] == query_terms("ssh")["ssh"] == 1.0
    assert all(0 < weight <= 1.0 for weight in query_terms("--dry-run backups 設定 v1.2.3 don't").values())


@pytest.mark.parametrize("word", ["was", "bus", "glass", "this", "ring", "thing", "red", "bed", "a", "größe", "v1"])
def test_words_that_only_look_inflected_are_left_alone(word: str) -> None:
    assert stem(word) == word


def test_turkish_and_diacritics_fold_on_both_sides() -> None:
    assert {fold(form) for form in ("İ", "I", "ı", "i", "İ".lower())} == {"i"}
    for one, other in (
        ("ISI", "ısı"), ("İSTANBUL", "istanbul"), ("smörgåstårta", "SMORGASTARTA"), ("Straße", "STRASSE"),
        ("Łódź", "lodz"), ("Ærø", "aero"), ("Ñandú", "nandu"), ("ΟΔΟΣ", "οδος"), ("ё", "е"), ("ﬁn", "fin"),
    ):  # fmt: skip
        for form in ("NFC", "NFD"):
            assert fold(unicodedata.normalize(form, one)) == fold(other), (one, other)
            assert index_terms(unicodedata.normalize(form, one)) == index_terms(one)


def test_marks_that_make_another_letter_stay() -> None:
    assert fold("が") != fold("か")
    assert fold(unicodedata.normalize("NFD", "が")) == "が"
    assert index_terms("ที่นี่") != index_terms("ทนี")
    assert index_terms("हिन्दी भाषा") == ["हिन्दी", "भाषा"]


def test_scripts_without_spaces_give_characters_and_pairs() -> None:
    assert set(index_terms("設定画面")) == {"設", "定", "画", "面", "設定", "定画", "画面"}
    assert query_terms("設定")["設定"] == 1.0
    assert query_terms("設定")["設"] < 1.0
    assert query_terms("猫") == {"猫": 1.0}
    assert query_terms("서버") == {"서버": 1.0}
    assert content_words("設定画面は？") == ("設定", "定画", "画面", "面は")


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "\n\t",
        "???",
        "-",
        "---",
        '"',
        "*",
        "…",
        "😀",
        "👨‍👩‍👧",
        "(",
        "::",
        "\0",
        "\u200b",
        "__",
        "--",
        "'",
        "\ud800",
    ],
)
def test_what_has_no_letter_and_no_digit_has_no_terms(text: str) -> None:
    assert index_terms(text) == []
    assert query_terms(text) == {}
    assert content_words(text) == ()


def test_invisible_characters_do_not_split_a_word_and_a_space_of_no_width_does() -> None:
    assert index_terms("sched\u00aduler") == index_terms("scheduler")
    assert index_terms("\ufeffword") == ["word", "~word"]
    assert index_terms("one\u200btwo") == ["one", "two"]
    assert index_terms("one\u00a0two") == ["one", "two"]


def test_stop_words_are_dropped_unless_nothing_else_remains() -> None:
    assert content_words("How do I configure the backups?") == ("configure", "backups")
    assert content_words("What is this?") == ("what", "is", "this")
    assert content_words("this AND that") == ("this", "and", "that")
    assert set(query_terms("to be or not to be")) >= {"to", "be"}
    assert content_words("what doesn't work, don't you know") == ("work",)


def test_only_the_questions_own_language_decides_what_a_stop_word_is() -> None:
    assert content_words("Wie lange war der Server aus?") == ("lange", "server")
    assert content_words("war stories") == ("war", "stories")
    assert content_words("Var ligger loggen och hur läser jag den?") == ("var", "ligger", "loggen", "laser")
    assert content_words("yedekleme nasıl yapılır ve ne kadar sürer") == ("yedekleme", "yapilir", "surer")
    assert content_words("où est le fichier de configuration") == ("ou", "fichier", "configuration")[1:]
    assert is_stop_word("The")
    assert is_stop_word("doesn't")
    assert is_stop_word("der", language="de")
    assert not is_stop_word("der")
    assert not is_stop_word("the", language="xx")


def test_a_stop_word_inside_a_name_is_not_searched_for_by_itself() -> None:
    terms = query_terms("how-to-install.md")
    assert "how-to-install.md" in terms
    assert "install" in terms
    assert not {"how", "to"} & terms.keys()


def test_content_words_keep_the_order_of_the_question_and_name_each_once() -> None:
    question = "Does --dry-run change MOVER_STOP_TIMEOUT, and mover_stop_timeout when?"
    assert content_words(question) == ("dry-run", "change", "mover_stop_timeout")
    for word in content_words(question):
        assert set(forms(word)) & set(index_terms(question))


def test_blobs_and_digests_are_no_terms_and_long_paths_are() -> None:
    generator = random.Random(1)
    blob = base64.b64encode(generator.randbytes(3_000)).decode()
    assert index_terms(f"one {blob} two") == ["one", "two"]
    uri = f"data:image/png;base64,{blob}"
    assert set(index_terms(uri)) == {"data", "~data", "image", "~imag", "png", "base64", "base", "~base", "64"}
    assert index_terms("f" * 128) == []
    path = "usr/local/share/applications/some/very/long/folder/of/things/which/goes/on/forever"
    assert "applications" in index_terms(path)
    slug = "-".join(["some", "very", "long", "file", "name"] * 6)
    assert {"some", "file"} <= set(index_terms(slug))
    assert all(len(term) <= MAX_TERM + 1 for term in index_terms(f"{slug} {blob} {'é' * 200}"))


def test_text_of_any_size_has_a_bounded_number_of_terms() -> None:
    assert index_terms("same word " * 100_000) == ["same", "word", "~word"]
    many = index_terms(" ".join(f"w{n}q" for n in range(105_000)))
    assert len(many) <= MAX_DISTINCT
    question = " ".join(f"word{n}" for n in range(100_000))
    found = query_terms(question)
    assert len(content_words(question)) <= MAX_QUESTION_WORDS
    assert {"word0", "word99999"} <= found.keys()


@pytest.mark.parametrize(
    "unit", ["a-", "a.", "'a", "a_", "--a", "aB", "1,", "é\u0301", "猫", "+", "a+", "/A0", "\u0e31", "\ud800"]
)
def test_a_long_line_of_anything_takes_linear_time(unit: str) -> None:
    assert len(index_terms(unit * (300_000 // len(unit)))) <= 300_000
    assert len(query_terms(unit * 300_000)) < 10_000


def test_terms_never_hold_what_would_end_or_quote_them() -> None:
    text = "".join(chr(n) for n in range(0x3000) if not 0xD800 <= n < 0xE000) + "ﷺ ㎏ ½ ⑳ Ⅷ ¨ a´b ª"
    for term in index_terms(text):
        assert '"' not in term
        assert term.split() == [term]
        assert term == term.lower() or not term.isascii()
