from __future__ import annotations

import pytest

from askwell.parse.wikilinks import links, snippets, tags, without_code
from askwell.types import Edge, EdgeKind


def found(text: str) -> list[Edge]:
    return list(links(without_code(text), line=1))


@pytest.mark.parametrize(
    ("written", "target", "fragment", "alias"),
    [
        ("[[Note]]", "Note", "", ""),
        ("[[Folder/Note|shown]]", "Folder/Note", "", "shown"),
        ("[[Note#Heading]]", "Note", "Heading", ""),
        ("[[Note#One#Two|x]]", "Note", "Two", "x"),
        ("[[Note#^abc]]", "Note", "^abc", ""),
        ("[[Note^abc]]", "Note", "^abc", ""),
        (r"[[Note\|shown]]", "Note", "", "shown"),
        ("[[My%20Note]]", "My Note", "", ""),
        ("[[100% sure]]", "100% sure", "", ""),
        ("[[Z\u030ciz\u030ckov]]", "Žižkov", "", ""),
        ("[[No\u00a0break]]", "No break", "", ""),
        ("[text](../a%20b.md#part)", "../a b.md", "part", "text"),
        ("[text](<a b (c).md>)", "a b (c).md", "", "text"),
        ('[text](a.md "title")', "a.md", "", "text"),
        ("[text](a_(b).md)", "a_(b).md", "", "text"),
        ("[text](a.md?raw=1)", "a.md", "", "text"),
        ("[![badge](https://x.org/b.svg)](status.md)", "status.md", "", "![badge](https://x.org/b.svg)"),
    ],
)
def test_links(written: str, target: str, fragment: str, alias: str) -> None:
    assert found(f"see {written}.") == [Edge(kind=EdgeKind.LINK, target=target, fragment=fragment, alias=alias, line=1)]


@pytest.mark.parametrize(
    ("written", "target", "fragment"),
    [
        ("![[Note]]", "Note", ""),
        ("![[Note#^abc|200]]", "Note", "^abc"),
        ("![](other.md)", "other.md", ""),
        ('{{% include "/_common/x.md" %}}', "/_common/x.md", ""),
        ("{{< include y.md >}}", "y.md", ""),
    ],
)
def test_embeds(written: str, target: str, fragment: str) -> None:
    assert found(written) == [Edge(kind=EdgeKind.EMBED, target=target, fragment=fragment)]


@pytest.mark.parametrize(
    "text",
    [
        "`[[code]]`",
        "``[[co`de]]``",
        r"\[[escaped]]",
        "%% [[comment]] %%",
        "<!-- [[comment]] -->",
        "[[#local]]",
        "[x](#local)",
        "[x](https://example.org/a.md)",
        "[x](mailto:a@example.org)",
        "[x](//example.org/a)",
        "![[picture.png]]",
        "![x](sound.mp3)",
        "[[]]",
        "[[a\nb]]",
        "{{< ref >}}",
    ],
)
def test_what_is_no_link_to_a_document(text: str) -> None:
    assert found(text) == []


def test_an_unclosed_backtick_hides_nothing() -> None:
    assert [e.target for e in found("a ` b [[Note]] `` c")] == ["Note"]


def test_lines_are_counted() -> None:
    assert [(e.target, e.line) for e in links("a\n[[b]]\n\n[[c]] [[d]]", line=10)] == [("b", 11), ("c", 13), ("d", 13)]


def test_code_is_blanked_in_place() -> None:
    text = "a `b\nc` %% d %% e"
    assert without_code(text) == "a   \n           e"


def test_snippets() -> None:
    text = (
        '--8<-- "a.md"\n\n--8<--\nb.md\n; off.md\nc/d.md:2:5\n--8<--\n--8<-- [start:x]\n--8<-- "https://x.org/e.md"\n'
    )
    assert [(e.kind, e.target, e.line) for e in snippets(text)] == [
        (EdgeKind.EMBED, "a.md", 1),
        (EdgeKind.EMBED, "b.md", 4),
        (EdgeKind.EMBED, "c/d.md", 6),
    ]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("#tag and #a/b-c", ["tag", "a/b-c"]),
        ("#über #日本 #ışık", ["über", "日本", "ışık"]),
        ("#123 #1-2", []),
        ("#y2024", ["y2024"]),
        ("x#no https://x.org/#no [#no](x) [[#no]]", []),
        ("# Heading", []),
        ("`#no` %% #no %%", []),
        ("#tag, #other.", ["tag", "other"]),
        ("#ff00aa #facade", ["facade"]),
        ("#one#two", ["one"]),
    ],
)
def test_tags(text: str, names: list[str]) -> None:
    assert [name for name, _ in tags(without_code(text))] == names
