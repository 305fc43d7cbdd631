from __future__ import annotations

from askwell.ids import text_key


def test_white_space_at_the_ends_does_not_count() -> None:
    assert text_key("\n a b \n") == text_key("a b")


def test_the_address_of_the_own_document_does_not_count() -> None:
    text = 'see <https://x.org/blob/{}> and "{}"'
    one = text_key(text.format("a%20b/One%20x.md", "a b/One x.md"), "a b/One x.md")
    assert one == text_key(text.format("Two.md", "Two.md"), "Two.md")
    assert one != text_key(text.format("Two.md", "Two.md"), "Three.md")


def test_other_addresses_and_values_count() -> None:
    assert text_key("port: 80", "a.md") != text_key("port: 81", "a.md")
    assert text_key("<https://x.org/a>", "note.md") != text_key("<https://x.org/b>", "note.md")


def test_the_year_of_a_banner_does_not_count() -> None:
    banner = "#  Author: A Name\n#  Date: {} 10:00:00 +0000\n#  Copyright {}"
    assert text_key(banner.format("2019-01-02", 2019)) == text_key(banner.format("2023-11-12", 2023))
    assert text_key("ran on 2019-01-02") != text_key("ran on 2023-11-12")


def test_a_very_short_name_is_part_of_other_words() -> None:
    assert text_key("a b", "b") != text_key("a c", "c")
