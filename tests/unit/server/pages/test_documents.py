from __future__ import annotations

import pytest

from askwell.server.pages.documents import WINDOW, seen, wanted_lines
from askwell.testing.specimens import item
from askwell.types import Document, Lines


def document(text: str, *, form: str = "markdown") -> Document:
    from dataclasses import replace

    made, _, _ = item("a.md", text)
    return replace(made, text=text, format=form, anchors={"frames": Lines(3, 9), "^b": Lines(4, 5)})


@pytest.mark.parametrize(
    ("lines", "at", "wanted"),
    [
        ("2-3", "", Lines(2, 3)),
        ("2", "", Lines(2, 2)),
        ("3-2", "", None),
        ("0", "", None),
        ("x", "", None),
        ("900-901", "", Lines(10, 10)),
        ("", "Frames", Lines(3, 3)),
        ("", "^b", Lines(4, 5)),
        ("", "Nobody", None),
    ],
)
def test_an_address_names_lines_or_an_anchor_that_exist(lines: str, at: str, wanted: Lines | None) -> None:
    assert wanted_lines(document("\n" * 9), lines, at) == wanted


def test_lines_are_those_of_the_file_whatever_stands_above_the_text() -> None:
    text = "---\ntags: [a]\n---\n\n# One\n\ncited here\n\nnot here\n"
    found = seen(document(text), pointing={}, cited=Lines(7, 7), raw=False)
    assert found.front == "---\ntags: [a]\n---"
    assert 'class="cited" id="at">cited here' in str(found.html)
    assert str(found.html).count("cited") == 2
    assert not found.front_cited


def test_a_citation_of_the_frontmatter_marks_it() -> None:
    found = seen(document("---\ntags: [a]\n---\n# One\n"), pointing={}, cited=Lines(2, 2), raw=False)
    assert found.front_cited and "cited" not in str(found.html)


@pytest.mark.parametrize(
    "text",
    ["---\n\nfirst\n\n---\n\nsecond\n", "----\nbanner\n----\nbelow\n", "--- draft ---\nfive\n---\nsix\n"],
)
def test_a_rule_is_no_frontmatter_and_the_note_is_whole(text: str) -> None:
    found = seen(document(text), pointing={}, cited=None, raw=False)
    words = [line for line in text.split("\n") if line.strip("- ")]
    assert not found.front and all(word in str(found.html) for word in words)


def test_a_long_file_is_shown_in_pages_that_begin_where_it_is_cited() -> None:
    lines = [f"line {n}" for n in range(1, 2 * WINDOW + 11)]
    found = seen(document("\n".join(lines), form="text"), pointing={}, cited=Lines(WINDOW + 5, WINDOW + 6), raw=False)
    assert found.html is None
    assert (found.rows[0].number, found.rows[-1].number) == (WINDOW + 1, 2 * WINDOW)
    assert [row.number for row in found.rows if row.cited] == [WINDOW + 5, WINDOW + 6]
    assert [row.number for row in found.rows if row.first] == [WINDOW + 5]
    assert (found.before, found.after) == (1, 2 * WINDOW + 1)


def test_the_last_line_end_begins_no_line() -> None:
    assert [row.text for row in seen(document("a\nb\n"), pointing={}, cited=None, raw=True).rows] == ["a", "b"]
