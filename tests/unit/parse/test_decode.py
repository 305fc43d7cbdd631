from __future__ import annotations

import codecs

import pytest

from askwell.errors import UnreadableFile
from askwell.parse.decode import decode

TEXT = "Größe – naïve 日本\nзнак\n"


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (b"", "utf-8"),
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
    ],
)
def test_unicode_with_and_without_a_mark(mark: bytes, encoding: str) -> None:
    assert decode(mark + TEXT.encode(encoding)) == TEXT


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark_is_no_binary(encoding: str) -> None:
    assert decode("plain words\nand more\n".encode(encoding)) == "plain words\nand more\n"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Übergröße für müde Füße, schön gelöst", "latin-1"),
        ("The naïve résumé cost 5 £", "cp1252"),
        ("don’t “quote” – it", "cp1252"),
        ("Işık ağacı çok güzel, şöyle böyle değil", "cp1254"),
        ("Привет, мир! Как дела сегодня?", "cp1251"),
        ("日本語の文章です。これは試験です。", "shift_jis"),
        ("Zażółć gęślą jaźń", "cp1250"),
    ],
)
def test_other_encodings_are_detected(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding)) == text


def test_a_late_foreign_byte_is_seen() -> None:
    text = "plain line\n" * 30_000 + "café\n"
    assert decode(text.encode("latin-1")) == text


def test_every_line_end_is_one_newline() -> None:
    assert decode(b"a\r\nb\rc\n\r\nd") == "a\nb\nc\n\nd"


def test_broken_bytes_do_not_make_utf_8_something_else() -> None:
    assert decode("Größe, Übung, schön".encode() + b"\xff!") == "Größe, Übung, schön\ufffd!"


@pytest.mark.parametrize("raw", [b"a \xed\xa0\x80 b", b"\xff\xfea\x00\x3d\xd8b\x00"])
def test_half_a_surrogate_pair_never_survives(raw: bytes) -> None:
    text = decode(raw)
    assert "\ufffd" in text
    assert text.encode()


def test_a_whole_surrogate_pair_is_its_character() -> None:
    assert decode(b"a \xed\xa0\xbd\xed\xb8\x80") == "a 😀"


def test_a_stray_nul_is_replaced() -> None:
    assert decode(b"words and words and words\0\nmore words\n") == "words and words and words\ufffd\nmore words\n"


@pytest.mark.parametrize(
    "raw",
    [
        b"\x89PNG\r\n\x1a\n" + b"a" * 400,
        bytes(range(256)) * 20,
        b"\0" * 100,
        b"MZ\x90\0\x03\0\0\0\x04\0\0\0\xff\xff\0\0" * 30,
        b"%PDF-1.7\nwords",
    ],
)
def test_what_is_no_text_is_refused(raw: bytes) -> None:
    with pytest.raises(UnreadableFile, match="binary"):
        decode(raw)


def test_an_empty_file_is_an_empty_text() -> None:
    assert decode(b"") == ""
    assert decode(codecs.BOM_UTF8) == ""
