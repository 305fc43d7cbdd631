"""JSON that is no object, has comments, or is one object a line is indexed, with its values as written."""

from __future__ import annotations

import pytest

from askwell.parse.registry import parse

FILES = {
    "list.json": '[{"bird":"wren","role":"MARKLIST"},{"bird":"rook","role":"spare"}]\n',
    "scalar.json": '"MARKSCALAR"\n',
    "editor.json": '// for the editor\n{\n  /* here */ "name": "MARKCOMMENT", // and here\n  "sizes": [1, 2,],\n}\n',
    "five.json5": "{bare: 'MARKFIVE', hex: 0x1F, plus: +2,}\n",
    "lines.json": '{"n":1,"said":"first"}\n{"n":2,"said":"MARKLINES"}\n',
    "numbers.json": '{"id": 98765432109876543210987, "rate": 2.50, "odd": NaN, "note": "MARKNUMBER"}\n',
    "half.json": '{"half": "\\ud83d MARKHALF", "whole": "\\ud83d\\ude00"}\n',
}


@pytest.mark.parametrize("path", FILES)
def test_what_is_in_the_file_is_in_a_block_as_written(path: str) -> None:
    text = FILES[path]
    parsed = parse(text, path=path)
    assert (parsed.format, parsed.note) == ("json", "")
    kept = "\n".join(block.span.slice(text) for block in parsed.blocks)
    assert kept == text.strip()
    kept.encode("utf-8")


@pytest.mark.parametrize(("text", "blocks"), [("", 0), ("\n", 0), ("null\n", 1)])
def test_empty_is_empty_and_null_is_a_value(text: str, blocks: int) -> None:
    parsed = parse(text, path="a.json")
    assert (len(parsed.blocks), parsed.note) == (blocks, "")


def test_one_long_line_is_cut_at_its_entries() -> None:
    rows = ",".join(f'"key{n:05}":{{"v":{n},"s":"swift wren"}}' for n in range(20_000))
    text = f'{{{rows},"last":"MARKNEEDLE"}}'
    blocks = parse(text, path="oneline.json").blocks
    assert max(len(block.span.slice(text)) for block in blocks) <= 1_200
    assert [n for n, block in enumerate(blocks) if "MARKNEEDLE" in block.span.slice(text)] == [len(blocks) - 1]


def test_depth_neither_hangs_nor_overflows() -> None:
    text = '{"a":[' * 20_000 + "1" + "]}" * 20_000
    assert parse(text, path="deep.json").note == ""
    assert parse("[" * 50_000, path="deep.json").note == "not valid JSON: `[` is not closed"
