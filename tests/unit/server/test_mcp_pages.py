from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askwell.server.mcp import resources
from askwell.server.mcp.tools import paged

texts = st.text("ab\n", max_size=60)


@given(text=texts, most=st.integers(1, 5), longest=st.integers(3, 12))
def test_pages_one_after_the_other_are_the_document(text: str, most: int, longest: int) -> None:
    lines = text.removesuffix("\n").split("\n") if text else []
    first, seen = 1, list[str]()
    while True:
        page = paged(text, first=first, most=most, longest=longest)
        assert page.total == len(lines)
        if page.last < page.first:
            break
        taken = page.text.split("\n")
        assert 1 <= len(taken) <= most
        assert len(page.text) <= longest
        assert page.cut is (len(lines[first - 1]) > longest)
        seen += [lines[first - 1]] if page.cut else taken
        first = page.last + 1
    assert seen == lines


@pytest.mark.parametrize(("text", "first"), [("", 1), ("one\n", 2), ("one\ntwo", 9)])
def test_beyond_the_end_there_is_nothing(text: str, first: int) -> None:
    page = paged(text, first=first, most=10)
    assert (page.text, page.last < page.first, page.cut) == ("", True, False)


@given(source=st.text(min_size=1, max_size=8), path=st.text(min_size=1, max_size=20))
def test_every_name_has_an_address_that_leads_back(source: str, path: str) -> None:
    uri = resources.address(source, path)
    assert uri.isascii()
    assert resources._parts(uri) == (source, path, "")
    assert resources._parts(f"{uri}?lines=1-2") == (source, path, "1-2")


@pytest.mark.parametrize("uri", ["", "askwell://", "askwell:", "file:///etc/passwd", "askwell://" + "a" * 20_000])
def test_what_is_no_address_names_nothing(uri: str) -> None:
    source, path, _ = resources._parts(uri)
    assert not (source and path)
