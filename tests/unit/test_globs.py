from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askwell.globs import glob_regex, matches


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("journal/", "journal/2026/a.md", True),
        ("journal/", "old/journal/a.md", False),
        ("journal/**", "journal/a.md", True),
        ("**/journal/**", "old/journal/a.md", True),
        ("**/journal/**", "journal/a.md", True),
        ("*.md", "deep/down/a.md", True),
        ("/*.md", "deep/a.md", False),
        ("/*.md", "a.md", True),
        ("notes/*.md", "notes/a.md", True),
        ("notes/*.md", "notes/deep/a.md", False),
        ("notes/?.md", "notes/ab.md", False),
        ("n[ao]te.md", "nate.md", True),
        ("n[!ao]te.md", "nate.md", False),
        ("Cellar/**", "cellar/wine.md", False),
        ("a.b", "aXb", False),
        ("x[", "x[", True),
        ("[z-a].md", "[z-a].md", True),
        ("caf\u00e9/", "cafe\u0301/a.md", True),
    ],
)
def test_a_glob_admits_what_its_reader_expects(pattern: str, path: str, *, expected: bool) -> None:
    assert matches(path, pattern) is expected


def test_case_can_be_ignored_to_name_a_near_match() -> None:
    assert matches("Cellar/wine.md", "cellar/**", ignore_case=True)


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text_is_a_legal_glob(pattern: str, path: str) -> None:
    matches(path, pattern)


@given(st.text(alphabet="abc/.", min_size=1, max_size=30).filter(lambda text: "/" in text.strip("/")))
def test_a_plain_path_admits_itself(path: str) -> None:
    plain = path.strip("/")
    assert glob_regex(plain).fullmatch(plain)
