from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from askwell.sources.identity import identify

NFC = unicodedata.normalize("NFC", "Größe.md").encode()
NFD = unicodedata.normalize("NFD", "Größe.md").encode()


def test_a_decomposed_name_has_the_composed_identity() -> None:
    assert identify([NFD]) == {NFC.decode(): NFD}


def test_both_spellings_are_told_apart_and_the_composed_one_keeps_its_name() -> None:
    assert identify([NFD, NFC]) == {NFC.decode(): NFC, NFD.decode(): NFD}


def test_folders_count_as_well_as_names() -> None:
    assert identify([b"x/" + NFD + b"/a.md"]) == {f"x/{NFC.decode()}/a.md": b"x/" + NFD + b"/a.md"}


def test_bytes_that_are_no_text_are_shown_as_escapes() -> None:
    assert identify([b"bad\xffname.md"]) == {"bad\\xffname.md": b"bad\xffname.md"}


def test_a_file_that_is_really_called_like_an_escape_keeps_its_name() -> None:
    found = identify([b"bad\xffname.md", b"bad\\xffname.md"])
    assert found["bad\\xffname.md"] == b"bad\\xffname.md"
    assert found["bad\\\\xffname.md"] == b"bad\xffname.md"


name = st.binary(min_size=1, max_size=6) | st.sampled_from(
    [NFC, NFD, b"e\xcc\x81", b"\xc3\xa9", b"\xed\xa0\x80", b"\\xff"]
)


@given(st.lists(name, max_size=6, unique=True), st.randoms(use_true_random=False))
def test_identities_are_unique_valid_and_do_not_depend_on_order(names: list[bytes], random: object) -> None:
    found = identify(names)
    assert sorted(found.values()) == sorted(names)
    assert all(identity.encode() for identity in found)
    shuffled = sorted(names, reverse=True)
    assert identify(shuffled) == found
