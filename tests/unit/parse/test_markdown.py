from __future__ import annotations

import pytest

from askwell.parse.markdown import heading_name, parse
from askwell.types import Block, EdgeKind, Lines, Parsed

RUNBOOK = """\
First words.

```sh
# no heading
## none either
```

# Runbook

Intro.

## Steps

~~~py
# comment
```
# still inside the tildes
~~~

````md
```
# nested
```
## still
````

    # indented code

- item
  ```yaml
  # in a list
  ```

## Check

```
# never closed
## code to the end
"""


def paths(parsed: Parsed) -> list[tuple[str, ...]]:
    return list(dict.fromkeys(block.headings for block in parsed.blocks))


def texts(parsed: Parsed, text: str) -> list[str]:
    return [block.span.slice(text) for block in parsed.blocks]


def test_a_hash_in_code_is_no_heading() -> None:
    parsed = parse(RUNBOOK, path="runbook.md")
    assert parsed.title == "Runbook"
    assert paths(parsed) == [(), ("Runbook",), ("Runbook", "Steps"), ("Runbook", "Check")]


@pytest.mark.parametrize(
    "comment",
    [
        "<!--\n# no\n\n## no\n-->",
        "%%\n# no\n\n## no\n%%",
        "words %% start\nof it\n%%",
        "words <!-- start\n# no\n\n## no\n--> end",
        "%%\nno\n---\nno\n%%",
    ],
)
def test_a_comment_is_one_block_and_holds_no_heading(comment: str) -> None:
    text = f"# Top\n\n{comment}\n\n## Next\n\nwords\n"
    parsed = parse(text, path="a.md")
    assert paths(parsed) == [("Top",), ("Top", "Next")]
    assert comment in texts(parsed, text)


@pytest.mark.parametrize("text", ["%% open\n\n# Yes\n", "<b <!-- open\n\n# Yes\n", "50 %% off\n\n# Yes\n\n%% x %%\n"])
def test_a_comment_that_is_never_closed_hides_no_heading(text: str) -> None:
    assert ("Yes",) in paths(parse(text, path="a.md"))


def test_headings_of_both_kinds_and_skipped_levels() -> None:
    text = "Top\n===\n\nSub\n---\n\n#### Deep ####\nx\n\n## Again\ny\n"
    assert paths(parse(text, path="a.md")) == [("Top",), ("Top", "Sub"), ("Top", "Sub", "Deep"), ("Top", "Again")]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\ntitle: Front\n---\n# Top\n", "Front"),
        ("words\n\n## Sub\n\n# Top\n", "Top"),
        ("---\ntitle:\n---\nwords\n", "My note"),
        ("#\n\nwords\n", "My note"),
        ("", "My note"),
    ],
)
def test_titles(text: str, title: str) -> None:
    assert parse(text, path="Folder/My note.md").title == title


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("Ann Example <ann@example.org>", "Ann Example <ann@example.org>"),
        ("`--dry-run` and **bold**", "--dry-run and bold"),
        ("[[Note|shown]] and [[Other]]", "shown and Other"),
        ("[link](https://example.org)", "link"),
        ("No\u00a0break", "No break"),
        ("With id {#custom}", "With id"),
        ("With block ^id", "With block"),
        ("snake_case __init__", "snake_case __init__"),
    ],
)
def test_heading_names(written: str, name: str) -> None:
    assert heading_name(written) == name


def test_blocks_cover_all_that_is_not_blank() -> None:
    text = (
        "---\na: b\n---\n\n[ref]: x.md\n\n***\n\n| a |\n|---|\n| b |\n\n> [!note] x\n> y\n\n<div>\nz\n</div>\n\nend  \n"
    )
    parsed = parse(text, path="a.md")
    at = 0
    for block in parsed.blocks:
        assert not text[at : block.span.start].strip()
        assert block.span.slice(text).strip()
        at = block.span.end
    assert not text[at:].strip()


def test_roles_and_leads() -> None:
    text = (
        "---\na: b\n---\nIntro\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```sh\nx\n```\n\n- l\n\n> [!tip] t\n> u\n\n%% c %%\n"
    )
    got = [(b.role, b.lead) for b in parse(text, path="a.md").blocks]
    assert got == [
        ("data", ""),
        ("prose", ""),
        ("table", "| a | b |\n|---|---|"),
        ("fence", "```sh"),
        ("list", ""),
        ("quote", "> [!tip] t"),
        ("comment", ""),
    ]


def test_frontmatter_is_a_block_of_its_own() -> None:
    text = "---\nport: 8080\n---\nbody\n"
    first = parse(text, path="a.md").blocks[0]
    assert (first.role, first.own, first.span.slice(text)) == ("data", True, "---\nport: 8080\n---")


def test_edges_stand_on_their_lines() -> None:
    text = (
        "---\ntags: [one]\n---\n# See [[Head]]\n\n- [[Item]]\n\n"
        "| [[Cell\\|x]] | `[[code]]` |\n|---|---|\n| [m](n.md) | #two |\n\n"
        "```\n[[fence]] #no\n```\n\n    [[indented]]\n\n<!-- [[comment]] -->\n\n[ref]: ref.md\n\n> ![[Quote#^id]]\n"
    )
    edges = parse(text, path="a.md").edges
    assert {(e.kind, e.target, e.line) for e in edges} == {
        (EdgeKind.TAG, "#one", 2),
        (EdgeKind.TAG, "#two", 10),
        (EdgeKind.LINK, "Head", 4),
        (EdgeKind.LINK, "Item", 6),
        (EdgeKind.LINK, "Cell", 8),
        (EdgeKind.LINK, "n.md", 10),
        (EdgeKind.LINK, "ref.md", 20),
        (EdgeKind.EMBED, "Quote", 22),
    }


def test_tags_of_both_places_are_merged() -> None:
    assert parse("---\ntags: [One]\n---\n#one #two\n", path="a.md").metadata.tags == ("One", "two")


def test_section_anchors() -> None:
    text = "---\na: b\n---\n# Top\n\n## Same\nx\n\n## Same\ny\n\n### Sub {#own}\nz\n\n# End\n"
    anchors = parse(text, path="a.md").anchors
    assert anchors == {
        "top": Lines(4, 13),
        "same": Lines(6, 7),
        "same-1": Lines(9, 13),
        "sub": Lines(12, 13),
        "own": Lines(12, 13),
        "end": Lines(15, 15),
    }


def test_block_anchors() -> None:
    text = (
        "One\ntwo ^para\n\n- a\n  b ^item\n- c\n\n^whole-list\n\n| t |\n|---|\n\n^table\n\n```\nx ^code\n```\n\n"
        "- d\n- e\n^tight\n\ncaret^no `^no`\n"
    )
    anchors = {k: v for k, v in parse(text, path="a.md").anchors.items() if k.startswith("^")}
    assert anchors == {
        "^para": Lines(1, 2),
        "^item": Lines(4, 5),
        "^whole-list": Lines(4, 6),
        "^table": Lines(10, 11),
        "^tight": Lines(19, 21),
    }


@pytest.mark.parametrize(
    "text",
    [
        "> " * 5000 + "deep [[link]]\n\n# Head\n",
        "- " * 5000 + "deep\n\n# Head\n",
        "".join(" " * (2 * n) + "- a\n" for n in range(400)) + "\n# Head\n",
        "# Head\n" + "*" * 100_000 + "[" * 100_000,
    ],
)
def test_no_nesting_is_too_deep(text: str) -> None:
    parsed = parse(text, path="a.md")
    assert ("Head",) in paths(parsed)
    assert not "".join(text.split()).replace("".join("".join(t.split()) for t in texts(parsed, text)), "")


def test_the_fall_back_says_why_and_still_knows_code_and_tables() -> None:
    text = "> " * 40 + "x\n\n# Head\n\n```\n# no\n```\n\n| a |\n|---|\n| b |\n\n- item\n"
    parsed = parse(text, path="a.md")
    assert parsed.note
    assert paths(parsed) == [(), ("Head",)]
    assert [b.role for b in parsed.blocks] == ["quote", "heading", "fence", "table", "list"]


def test_many_headings_are_no_trouble() -> None:
    parsed = parse("# h\n" * 20_000, path="a.md")
    assert len(parsed.blocks) == 20_000
    assert parsed.anchors["h-19999"] == Lines(20_000, 20_000)


def test_no_text_no_blocks() -> None:
    assert parse("\n \n", path="a.md").blocks == ()


def test_section_is_the_nearest_heading() -> None:
    block: Block = parse("# A\n## B\ntext\n", path="a.md").blocks[-1]
    assert block.section == "B"
