from __future__ import annotations

import pytest

from askwell.links.topics import is_topic_path, marked_regions, topics
from askwell.types import Edge, EdgeKind, Lines


def link(target: str, line: int, kind: EdgeKind = EdgeKind.LINK) -> Edge:
    return Edge(kind=kind, target=target, line=line, alias="shown")


NOTE = """# AI
[[before]]
<!-- begin:clippings -->
- [[one]]
- [[two]] and ![[three]]
<!-- end:clippings -->
[[after]]
"""


def test_links_inside_a_marked_region_are_members_of_the_topic() -> None:
    edges = (
        link("before", 2),
        link("one", 4),
        link("two", 5),
        link("three", 5, EdgeKind.EMBED),
        link("#tag", 5, EdgeKind.TAG),
        link("after", 7),
    )
    found = topics(NOTE, edges)
    assert [(edge.kind, edge.target, edge.line) for edge in found] == [
        (EdgeKind.TOPIC, "one", 4),
        (EdgeKind.TOPIC, "two", 5),
        (EdgeKind.TOPIC, "three", 5),
    ]
    assert {edge.alias for edge in found} == {"shown"}


def test_a_member_counts_once_and_edges_may_come_in_any_order() -> None:
    assert [e.line for e in topics(NOTE, (link("one", 5), link("after", 7), link("one", 4)))] == [4]


def test_a_note_without_regions_has_no_members() -> None:
    assert topics("[[a]]\n<!-- a comment -->\n", (link("a", 1),)) == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<!-- begin:a --><!-- end:a -->", [Lines(1, 1)]),
        ("<!--begin:a-->\nx\n<!--end:a-->\n", [Lines(1, 3)]),
        ("<!-- begin: a (generated, do not edit) -->\n\n<!-- end: a -->", [Lines(1, 3)]),
        ("<!-- begin:a -->\n", []),
        ("<!-- end:a -->\n<!-- begin:a -->\n", []),
        ("<!-- begin:a -->\n<!-- end:b -->\n", []),
        ("<!-- begin:a -->\n<!-- begin:b -->\n<!-- end:b -->\nx\n<!-- end:a -->\n", [Lines(1, 5)]),
        ("<!-- begin:a -->\n<!-- begin:b -->\n<!-- end:b -->\nx\n", [Lines(2, 3)]),
        ("<!-- begin:a -->\n<!-- end:a -->\n\n<!-- begin:a -->\n<!-- end:a -->", [Lines(1, 2), Lines(4, 5)]),
        ("", []),
    ],
)
def test_regions_are_what_stands_between_marks_of_one_name(text: str, expected: list[Lines]) -> None:
    assert list(marked_regions(text)) == expected


def test_very_many_marks_are_read_once() -> None:
    text = "<!-- begin:a -->\n" * 50_000 + "<!-- end:a -->\n" * 50_000
    assert marked_regions(text) == (Lines(50_000, 50_001),)


def test_a_note_below_a_folder_of_topics_is_one() -> None:
    assert is_topic_path("99 topics/ai.md", ["99 topics"])
    assert is_topic_path("99 topics/deep/ai.md", ["other", "/99 topics/"])
    assert is_topic_path("Gro\u0308ßen/a.md", ["Größen"])
    assert not is_topic_path("99 topics.md", ["99 topics"])
    assert not is_topic_path("x/99 topics/ai.md", ["99 topics"])
    assert not is_topic_path("a.md", ["", "/"])
    assert not is_topic_path("a.md", [])
