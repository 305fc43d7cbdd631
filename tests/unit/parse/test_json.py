from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from askwell.parse.json import parse

if TYPE_CHECKING:
    from askwell.types import Block


def shown(text: str, blocks: tuple[Block, ...]) -> list[tuple[tuple[str, ...], str]]:
    return [(block.headings, block.span.slice(text)) for block in blocks]


def line_of(text: str, block: Block) -> int:
    return text.count("\n", 0, block.span.start) + 1


def filled(key: str, keys: int) -> str:
    inner = ",\n".join(f'    "{key}{n}": "some value that fills the room"' for n in range(keys))
    return f'"{key}": {{\n{inner}\n  }}'


def test_a_small_file_is_one_block() -> None:
    text = '{"host": "kestrel", "port": 1.10, "id": 12345678901234567890123}\n'
    assert shown(text, parse(text, path="a.json").blocks) == [((), text.strip())]


def test_a_large_value_is_under_its_key_path() -> None:
    text = f"{{\n  {filled('pump', 6)},\n  {filled('well', 60)}\n}}\n"
    blocks = parse(text, path="a.json").blocks
    assert [block.headings for block in blocks][:2] == [("pump",), ("well",)]
    assert len(blocks) > 3
    assert all(len(block.span.slice(text)) <= 1_300 for block in blocks)


def test_the_same_key_in_two_branches_has_its_own_line() -> None:
    text = f"{{\n  {filled('same', 6)},\n  {filled('other', 6)},\n  {filled('same', 6)}\n}}\n"
    blocks = [block for block in parse(text, path="a.json").blocks if block.headings == ("same",)]
    assert [line_of(text, block) for block in blocks] == [1, 18]


def test_entries_of_a_list_stand_together_up_to_a_size() -> None:
    text = "[" + ",".join(f'{{"host": "node{n}", "role": "spare"}}' for n in range(60)) + "]"
    blocks = parse(text, path="a.json").blocks
    assert len(blocks) > 3
    assert all(len(block.span.slice(text)) <= 640 for block in blocks)
    assert "".join(block.span.slice(text) for block in blocks) == text


def test_json_lines_keep_to_their_lines() -> None:
    text = "".join(f'{{"t": {n}, "message": "the well is at level {n} again"}}\n' for n in range(60))
    blocks = parse(text, path="log.jsonl").blocks
    assert all(block.span.slice(text).startswith('{"t"') and block.span.slice(text).endswith("}") for block in blocks)


def test_a_comment_belongs_to_the_key_below_or_beside() -> None:
    text = f"{{\n  {filled('pump', 6)}, // beside\n  /* above */\n  {filled('well', 6)},\n}}\n"
    assert [part[:9] for _, part in shown(text, parse(text, path="a.jsonc").blocks)] == ['{\n  "pump', "/* above "]
    assert shown(text, parse(text, path="a.jsonc").blocks)[0][1].endswith("// beside")


@pytest.mark.parametrize("text", ["null", '"only a string"', "3.10", "true\n", "{}", "[]"])
def test_any_value_is_a_document(text: str) -> None:
    parsed = parse(text, path="a.json")
    assert shown(text, parsed.blocks) == [((), text.strip())]
    assert parsed.note == ""


@pytest.mark.parametrize("text", ["", " \n\n"])
def test_an_empty_file_has_no_blocks(text: str) -> None:
    assert parse(text, path="a.json").blocks == ()


def test_faults_are_named_and_the_text_is_kept() -> None:
    parsed = parse('{"a": [1, 2}', path="a.json")
    assert parsed.note == "not valid JSON: unexpected `}`"
    assert parse('{"a": 1', path="a.json").note == "not valid JSON: `{` is not closed"
    plain = parse("this is prose, not data\n", path="a.json")
    assert (plain.format, plain.note) == ("text", "not valid JSON: no object and no list")


def test_only_keys_that_look_like_settings_are_defined() -> None:
    assert parse('{"max_age": 1, "name": 2, "PORT_HTTP": 3}', path="a.json").defines == ("max_age", "PORT_HTTP")


def test_what_is_too_long_to_outline_is_cut_as_text() -> None:
    text = '["' + "swift " * 2_100_000 + '"]'
    parsed = parse(text, path="long.json")
    assert parsed.note == "more than 12,000,000 characters of JSON, cut as text"
    assert [block.span.slice(text) for block in parsed.blocks] == [text]
