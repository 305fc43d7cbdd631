from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from askwell.chunk.boilerplate import boilerplate
from askwell.ids import DocumentId, document_id, text_key
from askwell.types import Block, Kind, Lines, Parsed, PrivacyClass, Span

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from askwell.types import Chunk

    Chunked: TypeAlias = Callable[..., tuple[Chunk, ...]]

RUNBOOK = """\
Before any heading.

```sh
# no heading
```

# Runbook

Intro.

## Steps

~~~py
# comment
~~~

Then wait until the lights of the machine are green.

## Check

Compare the sums of both copies, and the number of files.

```
# never closed
"""


def test_heading_paths(chunked: Chunked) -> None:
    assert [c.headings for c in chunked(RUNBOOK)] == [
        (),
        ("Runbook",),
        ("Runbook", "Steps"),
        ("Runbook", "Check"),
    ]


def test_a_chunk_is_verbatim_and_knows_its_lines(chunked: Chunked) -> None:
    for chunk in chunked(RUNBOOK, budget=60):
        assert chunk.text == chunk.span.slice(RUNBOOK)
        lines = RUNBOOK.split("\n")[chunk.lines.first - 1 : chunk.lines.last]
        assert chunk.text.split("\n")[0] in lines[0]
        assert chunk.text.split("\n")[-1] in lines[-1]
        assert len(lines) == chunk.text.count("\n") + 1


def test_a_chunk_carries_its_document_on(chunked: Chunked) -> None:
    made = chunked(RUNBOOK)
    assert [c.ordinal for c in made] == [0, 1, 2, 3]
    assert {(c.document_id, c.kind, c.class_) for c in made} == {
        (document_id("notes", "Folder/A note.md"), Kind.NOTE, PrivacyClass.PERSONAL)
    }
    assert [c.section for c in made] == ["", "Runbook", "Steps", "Check"]


def test_identity_is_the_text_and_not_the_place(chunked: Chunked) -> None:
    before = {c.id for c in chunked(RUNBOOK)}
    after = {c.id for c in chunked(RUNBOOK.replace("# Runbook", "An insertion.\n\n# Runbook"))}
    assert len(before - after) == 1


def test_equal_texts_have_different_identities(chunked: Chunked) -> None:
    made = chunked("# A\n\n" + "same words\n\n" * 40, budget=60)
    assert len({c.id for c in made}) == len(made) > 1


def test_the_prelude_is_searched_whole_and_embedded_in_part(chunked: Chunked) -> None:
    text = "---\ntags: [t/u]\naliases: [Other name]\ndate: 2024-03-01\n---\n# Top\n\n## Sub\n\nThe body of it all.\n"
    chunk = chunked(text, topics=["Networking"])[-1]
    assert chunk.prelude.split("\n") == [
        *("Top", "Folder/A note.md", "Top > Sub", "Networking", "t/u", "Other name", "2024-03-01")
    ]
    assert chunk.embed_text == "Top > Sub\n# Top\n\n## Sub\n\nThe body of it all."


def test_a_move_costs_no_embedding(chunked: Chunked) -> None:
    here = [c.embed_text for c in chunked(RUNBOOK, path="a/x.md", topics=["T"])]
    assert here == [c.embed_text for c in chunked(RUNBOOK, path="b/c/y.md")]


def test_short_sections_join_their_sibling(chunked: Chunked) -> None:
    text = "# Top\n\n" + "Words of an introduction that is long enough to stand.\n\n" * 2
    made = chunked(text + "## Ports\n\n80\n\n## Hosts\n\nalpha\n\n# Other\n\nx\n")
    assert [c.headings for c in made] == [("Top",), ("Top",), ("Other",)]
    assert made[1].text == "## Ports\n\n80\n\n## Hosts\n\nalpha"


def test_a_section_of_a_line_or_more_stands_alone(chunked: Chunked) -> None:
    line = "One whole line of text that answers a question by itself, alone."
    made = chunked(f"# T\n\n## A\n\n{line}\n\n## B\n\n{line}\n")
    assert [c.headings for c in made] == [("T", "A"), ("T", "B")]


def test_headings_stay_with_what_follows(chunked: Chunked) -> None:
    text = "# T\n\n" + "".join(f"## S{n}\n\n" + "word " * 60 + "\n\n" for n in range(5))
    for chunk in chunked(text, budget=200):
        assert not chunk.text.split("\n")[-1].startswith("#")


def test_a_heading_is_not_left_behind_by_a_block_that_only_just_fits(chunked: Chunked) -> None:
    text = "# T\n\n## S\n\n" + "a word. " * 23 + "\n\nAnother paragraph.\n"
    made = chunked(text, budget=200)
    assert made[0].text.startswith("# T\n\n## S\n\na word.")
    assert len(made) > 1


def test_an_own_block_is_never_merged(chunked: Chunked) -> None:
    text = "# first\nA=1\n\n# second\nB=2\n\n----\n\nplain\n\nmore\n"
    spans = [(0, 11), (13, 25), (27, 31), (33, 38), (40, 44)]
    blocks = tuple(Block(span=Span(a, b), own=n < 3, role="setting") for n, (a, b) in enumerate(spans))
    made = chunked(text, parsed=Parsed(format="template", title="conf", blocks=blocks))
    assert [c.text for c in made] == ["# first\nA=1", "# second\nB=2", "----\n\nplain\n\nmore"]


def test_what_no_block_covers_is_in_no_chunk(chunked: Chunked) -> None:
    text = "head\n\ncode()\n\ntail\n"
    parsed = Parsed(format="script", title="t", blocks=(Block(span=Span(0, 4)), Block(span=Span(14, 18))))
    assert [c.text for c in chunked(text, parsed=parsed)] == ["head", "tail"]


def test_sections_of_a_script_are_not_mixed(chunked: Chunked) -> None:
    text = "one\n\ntwo\n"
    blocks = (Block(span=Span(0, 3), section="PURPOSE"), Block(span=Span(5, 8), section="CONFIGURATION"))
    made = chunked(text, parsed=Parsed(format="script", title="t", blocks=blocks))
    assert [c.section for c in made] == ["PURPOSE", "CONFIGURATION"]


def test_pieces_of_a_table_repeat_its_header(chunked: Chunked) -> None:
    rows = [f"| host{n:02} | 10.0.{n}.7 | {n},5{n:02} |" for n in range(60)]
    head = "| Host | Address | Watts |\n|------|---------|-------|"
    made = chunked("# Hosts\n\nChecked in May.\n" + "\n".join([head, *rows]) + "\n\nEnd.\n", budget=500)
    assert len(made) > 3
    assert made[0].text.startswith(f"# Hosts\n\nChecked in May.\n{head}\n| host00")
    assert [line for c in made for line in c.text.split("\n") if line.startswith("| host")] == rows
    for chunk in made[1:-1]:
        assert chunk.lead == head
        assert f"{head}\n| host" in chunk.embed_text
    assert len(min((c.text for c in made[:-1]), key=len)) > 200


def test_a_row_over_the_limit_is_cut_alone(chunked: Chunked) -> None:
    text = "| a | b |\n|---|---|\n| 1 | 2 |\n| long | " + "word " * 100 + "|\n| 3 | 4 |\n"
    made = chunked(text, budget=200)
    assert "| 3 | 4 |" in made[-1].text
    assert any(c.text.endswith("| 1 | 2 |") for c in made)


def test_no_row_is_cut_for_the_sake_of_what_stands_before_it(chunked: Chunked) -> None:
    rows = [f"| host{n} | {'word ' * 28}|" for n in range(4)]
    text = "# Hosts of the house\n\nChecked.\n| Host | Words |\n|------|-------|\n" + "\n".join(rows) + "\n"
    made = chunked(text, budget=240)
    assert [line for c in made for line in c.text.split("\n") if line.startswith("| host")] == rows


def test_a_split_fence_is_opened_again(chunked: Chunked) -> None:
    text = "# T\n\n```sh\n" + "".join(f"echo {n}\n" for n in range(100)) + "```\n"
    made = chunked(text, budget=300)
    assert len(made) > 2
    assert [c.lead for c in made] == ["", *["```sh"] * (len(made) - 1)]
    assert all(re.fullmatch(r"echo \d+", line) for c in made[1:-1] for line in c.text.split("\n"))


def test_a_fence_inside_a_list_is_opened_again(chunked: Chunked) -> None:
    text = "- item\n  ```sh\n" + "".join(f"  echo {n}\n" for n in range(40)) + "  ```\n- last item of the list\n"
    made = chunked(text, budget=150)
    for chunk in made:
        fences = (chunk.lead + "\n" + chunk.text).count("```")
        inside = "echo" in chunk.text.split("\n")[-1]
        assert fences == (1 if inside else 2 if "echo" in chunk.text or "```" in chunk.text else 0)


def test_a_long_list_is_cut_between_items(chunked: Chunked) -> None:
    text = "".join(f"- item {n}\n  {'goes on ' * (n % 7)}\n  - with a child\n" for n in range(120))
    made = chunked(text, budget=300)
    assert len(made) > 3
    assert all(chunk.text.startswith("- item") for chunk in made)


def test_long_prose_is_cut_at_paragraphs_then_sentences(chunked: Chunked) -> None:
    paragraphs = chunked("A sentence of words here. And one more.\n\n" * 40, budget=300)
    assert all(c.text.startswith("A sentence") and c.text.endswith("more.") for c in paragraphs)
    sentences = chunked("A sentence of words here. " * 40, budget=300)
    assert all(c.text.startswith("A sentence") and c.text.endswith("here.") for c in sentences)
    words = chunked("word " * 400, budget=300)
    assert all(set(c.text.split()) == {"word"} for c in words)


@pytest.mark.parametrize("text", ["x" * 3000, "长句子" * 1000, "备份。" * 1000, "e\u0301" * 1500, "=" * 3000])
def test_what_has_no_words_is_cut_all_the_same(chunked: Chunked, text: str) -> None:
    made = chunked(text, budget=300)
    assert "".join(c.text for c in made) == text
    assert not any(c.text.startswith("\u0301") for c in made)


def test_indentation_survives_a_cut(chunked: Chunked) -> None:
    text = "```py\n" + "".join(f"    line({n})\n" for n in range(60)) + "```\n"
    assert all(c.text.startswith("    line") for c in chunked(text, budget=200)[1:-1])


def test_no_text_is_too_dense_for_the_budget(chunked: Chunked) -> None:
    def dense(text: str) -> int:
        letters = sum(c.isascii() and c.isalpha() for c in text)
        return len(text) - letters + -(-letters // 4)

    for text in ("${{ a.B_0 }}=='x' && [[ $? ]] || { exit 0; }\n" * 90, "备份与恢复测试" * 400, "plain words " * 400):
        made = chunked(f"# {'Title ' * 40}\n\n{text}", budget=128, size=dense)
        assert all(0 < dense(c.embed_text) <= 128 for c in made)


@pytest.mark.parametrize("budget", [1, 2, 5, 17])
def test_a_budget_under_any_header_is_kept_too(chunked: Chunked, budget: int) -> None:
    made = chunked(RUNBOOK, budget=budget)
    assert all(len(c.embed_text) <= budget for c in made)
    assert "".join("".join(c.text.split()) for c in made) == "".join(RUNBOOK.split())


def test_a_word_that_counts_as_one_token_makes_no_giant_chunk(chunked: Chunked) -> None:
    made = chunked("x" * 100_000, budget=100, size=lambda text: len(text.split()))
    assert max(len(c.text) for c in made) <= 1600


def test_embedded_pictures_are_not_embedded(chunked: Chunked) -> None:
    small = chunked("See ![plan](data:image/png;base64,iVBORw0KGgo=) there.\n")[0]
    assert small.embed_text.endswith("See ![plan]() there.")
    assert "iVBOR" in small.text
    large = chunked("See ![plan](data:image/png;base64," + "QUJD" * 5000 + ") there.\n")
    assert [c.text for c in large] == ["See ![plan](data:image/png;base64,", ") there."]


def test_long_addresses_are_cut_in_the_embed_text_only(chunked: Chunked) -> None:
    url = "https://example.org/" + "path/" * 30
    chunk = chunked(f"Read [this]({url}) first.\n")[0]
    assert url in chunk.text
    assert len(chunk.embed_text) < 120
    assert chunk.embed_text.endswith(") first.")


def test_what_has_no_word_is_not_embedded(chunked: Chunked) -> None:
    assert chunked("---\n\n***\n")[0].embed_text == ""


def test_frontmatter_is_embedded_only_where_it_says_something(chunked: Chunked) -> None:
    keys = chunked("---\nport: 8080\ntags: [a, b, c]\ntitle: A title of many words\n---\n")[0]
    assert (keys.text[:14], keys.embed_text) == ("---\nport: 8080", "")
    told = chunked("---\ndescription: How the nightly copy is made\n---\n")[0]
    assert "nightly copy" in told.embed_text


def test_data_of_another_format_is_embedded_though_it_begins_like_frontmatter(chunked: Chunked) -> None:
    text = "---\nport: 8080\n"
    parsed = Parsed(format="yaml", title="c", blocks=(Block(span=Span(0, len(text)), role="data"),))
    assert "8080" in chunked(text, parsed=parsed)[0].embed_text


def footer(path: str) -> str:
    return (
        "%% Footer: do not edit below this line %%\n\n# About this page\n\n"
        f"[Edit](https://git.example/blob/main/{path}) | [Raw](https://raw.example/main/{path}) | "
        "[All](https://git.example/archive/main.zip)\n"
    )


def test_a_footer_is_cut_off_whatever_stands_above(chunked: Chunked) -> None:
    bodies = {"a%20b/One.md": "x\n", "c/Two.md": "# T\n\n## Bare\n", "Three%20x.md": "# T\n\n" + "words " * 300}
    keys = set()
    for path, body in bodies.items():
        made = chunked(f"{body}\n\n{footer(path)}", path=path.replace("%20", " "))
        assert made[-1].text == footer(path).strip()
        keys.add(text_key(made[-1].text, path.replace("%20", " ")))
    assert len(keys) == 1


@pytest.mark.parametrize(
    "tail",
    [
        "---\n\n[Home](../index.md) | [Next chapter](next.md) | [Source](https://git.example/x/y/z)\n",
        "## Source\n\n[Edit](https://git.example/blob/main/Folder/A%20note.md)\n",
    ],
)
def test_links_at_the_end_are_a_footer(chunked: Chunked, tail: str) -> None:
    assert chunked("# T\n\nwords of the note\n\n" + tail)[-1].text == tail.strip()


def test_a_last_section_of_prose_is_no_footer(chunked: Chunked) -> None:
    made = chunked("# T\n\n## A\n\nshort\n\n## B\n\n[one](https://example.org/x) link\n")
    assert made[-1].text.startswith("# T")


def test_a_licence_banner_keeps_to_itself(chunked: Chunked) -> None:
    banner = "Copyright (c) 2021 The Authors. Licensed under the Apache License."
    made = chunked(f"{banner}\n\nThe program does things.\n\nAnd more.\n")
    assert [c.text for c in made] == [banner, "The program does things.\n\nAnd more."]


def test_crlf_makes_no_difference_to_lines(chunked: Chunked) -> None:
    assert [c.lines for c in chunked("# A\n\nx\n\ny\n")] == [Lines(1, 5)]


def test_nothing_gives_nothing(chunked: Chunked) -> None:
    assert chunked("") == ()
    assert chunked(" \n\n ") == ()


def test_a_budget_of_nothing_is_refused(chunked: Chunked) -> None:
    with pytest.raises(ValueError, match="budget"):
        chunked("x", budget=0)


@pytest.mark.parametrize(("documents", "least"), [(5, 5), (30, 5), (250, 5), (500, 10), (1000, 20), (6600, 20)])
def test_boilerplate_stands_in_many_documents(documents: int, least: int) -> None:
    hashes = [("many", DocumentId(str(n))) for n in range(least)]
    hashes += [("few", DocumentId(str(n))) for n in range(least - 1)]
    hashes += [("twice", DocumentId("0"))] * 100
    assert boilerplate(hashes, documents=documents) == {"many"}


def test_size_is_asked_for_little(chunked: Chunked) -> None:
    asked: list[int] = []

    def size(text: str) -> int:
        asked.append(len(text))
        return len(text) // 4 + 1

    text = "a few words. " * 40_000
    made = chunked(text, budget=200, size=size)
    assert len(asked) < 4 * len(made)
    assert sum(asked) < 5 * len(text)
    assert max(asked) <= 16 * 200 + 200
