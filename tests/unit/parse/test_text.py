from __future__ import annotations

from typing import TYPE_CHECKING

from askwell.parse import rst, text

if TYPE_CHECKING:
    from askwell.types import Block


def shown(source: str, blocks: tuple[Block, ...]) -> list[tuple[str, tuple[str, ...], str]]:
    return [(block.role, block.headings, block.span.slice(source)) for block in blocks]


def test_text_is_cut_at_blank_lines() -> None:
    source = "one\ntwo\n\n  three\n \nfour"
    assert [part for _, _, part in shown(source, text.parse(source, path="a.txt").blocks)] == [
        "one\ntwo",
        "  three",
        "four",
    ]


def test_underlined_lines_are_headings_with_a_level_for_each_mark() -> None:
    source = "Well\n====\n\ndeep\n\nPump\n----\nslow\n\nPond\n====\nwide\n"
    assert shown(source, text.parse(source, path="NEWS").blocks) == [
        ("heading", ("Well",), "Well\n===="),
        ("prose", ("Well",), "deep"),
        ("heading", ("Well", "Pump"), "Pump\n----"),
        ("prose", ("Well", "Pump"), "slow"),
        ("heading", ("Pond",), "Pond\n===="),
        ("prose", ("Pond",), "wide"),
    ]


def test_the_last_line_of_a_paragraph_above_a_rule_is_no_heading() -> None:
    source = "a long sentence that\nends here\n---------\nnext\n"
    assert {block.role for block in text.parse(source, path="a.txt").blocks} == {"prose"}


def test_man_page_sections_are_headings() -> None:
    source = '.TH WELL 8\n.SH NAME\nwell \\- a well\n.SH "SEE ALSO"\npump(8)\n'
    assert [block.headings for block in text.parse(source, path="well.8").blocks][-1] == ("SEE ALSO",)


def test_directives_and_literal_blocks_are_kept_whole() -> None:
    source = (
        "=====\nWells\n=====\n\n.. code-block:: sh\n\n   dig 3\n\n   fill\n\nRun::\n\n  pump on\n\n  pump off\n\n"
        "* one\n  more\n* two\n\n==== ====\nname deep\n==== ====\nx    3\n==== ====\n"
    )
    parsed = rst.parse(source, path="a.rst")
    assert parsed.title == "Wells"
    assert [(role, part) for role, _, part in shown(source, parsed.blocks)][1:] == [
        ("fence", ".. code-block:: sh\n\n   dig 3\n\n   fill"),
        ("prose", "Run::\n\n  pump on\n\n  pump off"),
        ("list", "* one\n  more\n* two"),
        ("table", "==== ====\nname deep\n==== ====\nx    3\n==== ===="),
    ]
