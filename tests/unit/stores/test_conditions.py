"""What a filter compares: dates as coarse as they are, nested tags, folders."""

from __future__ import annotations

import pytest

from askwell.stores.conditions import clean, day, document_day, has_tag, in_period, path_filter, tag_keys
from askwell.types import Edge, EdgeKind, Metadata


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("2024-02-03", "2024-02-03"),
        (" 2024-02-03T04:05:06Z", "2024-02-03"),
        ("2024-02", "2024-02"),
        ("2024", "2024"),
        ("3.2.2024", ""),
        ("", ""),
        ("soon", ""),
    ],
)
def test_a_date_is_as_precise_as_it_is_written(written: str, found: str) -> None:
    assert day(written) == found


def test_a_document_is_dated_by_its_last_change() -> None:
    assert document_day(Metadata(created="2020-01-01", updated="2024-01-01")) == "2024-01-01"
    assert document_day(Metadata(created="2020-01-01", updated="yesterday")) == "2020-01-01"


@pytest.mark.parametrize(
    ("of", "after", "before", "inside"),
    [
        ("2024-05-05", "2024-05-05", "2024-05-05", True),
        ("2024-05-05", "2024-05-06", "", False),
        ("2024-05-05", "", "2024-05-04", False),
        ("2024-05-05", "2024-05", "2024-05", True),
        ("2024-12-31", "", "2024", True),
        ("2025-01-01", "", "2024", False),
        ("2024", "2024-06-01", "", True),
        ("2023", "2024-06-01", "", False),
        ("", "", "", True),
        ("", "2020", "", False),
        ("2024-05-05", "no date", "", True),
    ],
)
def test_the_ends_of_a_period_belong_to_it(of: str, after: str, before: str, inside: bool) -> None:
    assert in_period(of, after=after, before=before) is inside


def test_a_tag_admits_what_is_nested_in_it() -> None:
    edges = [Edge(kind=EdgeKind.TAG, target="#Inline/Tag"), Edge(kind=EdgeKind.LINK, target="no-tag")]
    keys = tag_keys(Metadata(tags=("Home/Lab", "home/lab", "")), edges)
    assert keys == ("home/lab", "inline/tag")
    assert has_tag(keys, "#HOME")
    assert has_tag(keys, "home/lab/")
    assert has_tag(keys, "inline")
    assert not has_tag(keys, "hom")
    assert not has_tag(keys, "lab")


@pytest.mark.parametrize(
    ("path", "globs", "admitted"),
    [
        ("a/b/c.md", (), True),
        ("a/b/c.md", ("a",), True),
        ("a/b/c.md", ("a/b",), True),
        ("a/b/c.md", ("a/b/",), True),
        ("a/b/c.md", ("*.md",), True),
        ("a/b/c.md", ("a/*.md",), False),
        ("a/b/c.md", ("a/**/*.md", "x"), True),
        ("a/b/c.md", ("b/c.md",), False),
        ("a/b/c.md", ("**/b/*",), True),
        ("ab/c.md", ("a",), False),
        ("a/b|c.md", ("a/b|x", "zz"), False),
    ],
)
def test_a_glob_admits_files_and_what_is_in_folders(path: str, globs: tuple[str, ...], admitted: bool) -> None:
    assert path_filter(globs)(path) is admitted


def test_cleaning_keeps_every_position() -> None:
    assert clean("a\ud800b\udfffc😀") == "a\ufffdb\ufffdc😀"
    text = "plain Ünïcode"
    assert clean(text) is text
