from __future__ import annotations

from typing import TYPE_CHECKING

from askwell.parse.rows import rows_of
from askwell.parse.yaml import parse
from askwell.parse.yaml_lines import outline

if TYPE_CHECKING:
    from askwell.types import Block


def shown(text: str, blocks: tuple[Block, ...]) -> list[tuple[tuple[str, ...], str]]:
    return [(block.headings, block.span.slice(text)) for block in blocks]


FILLER = "".join(f"    line{n}: some value that fills the room {n}\n" for n in range(40))


def test_a_key_has_the_comment_above_it() -> None:
    text = "# How deep.\nwell:\n  depth: 3\n\n# How fast.\npump:\n  rate: 1 # litres\n"
    assert shown(text, parse(text, path="a.yaml").blocks) == [
        (("well",), "# How deep.\nwell:\n  depth: 3"),
        (("pump",), "# How fast.\npump:\n  rate: 1 # litres"),
    ]


def test_short_values_stand_together_and_a_lone_one_under_its_key() -> None:
    text = "a: 1\nb: 2\nwell:\n  depth: 3\nlast: 4\n"
    assert [headings for headings, _ in shown(text, parse(text, path="a.yaml").blocks)] == [(), ("well",), ("last",)]


def test_a_large_value_is_cut_at_its_keys_under_the_key_path() -> None:
    text = f"services:\n  web:\n{FILLER}  # The store.\n  db:\n    image: pg\n"
    blocks = parse(text, path="compose.yml").blocks
    assert {block.headings[:2] for block in blocks[:-1]} == {("services", "web")}
    assert blocks[-1].headings == ("services", "db")
    assert blocks[0].span.slice(text).startswith("services:\n  web:\n    line0")
    assert all(len(block.span.slice(text)) <= 1_200 for block in blocks)
    assert blocks[-1].span.slice(text) == "  # The store.\n  db:\n    image: pg"


def test_entries_are_called_by_what_names_them() -> None:
    text = (
        "- name: Fill the tank\n  pump: {on: true}\n\n# Only then.\n- name: Water\n  valve: {open: true}\n- just text\n"
    )
    assert shown(text, parse(text, path="tasks/main.yml").blocks)[1] == (
        ("Water",),
        "# Only then.\n- name: Water\n  valve: {open: true}",
    )


def test_documents_are_called_by_kind_and_name() -> None:
    text = "---\nkind: Service\nmetadata:\n  name: pond\n---\nkind: Job\nmetadata:\n  name: fill\n"
    assert [block.headings for block in parse(text, path="all.yaml").blocks] == [("Service pond",), ("Job fill",)]


def test_a_deeper_comment_belongs_to_the_value_before() -> None:
    text = "a:\n  - 1\n  # - 2\nb:\n  - 3\n"
    assert shown(text, parse(text, path="a.yaml").blocks)[0][1] == "a:\n  - 1\n  # - 2"


def test_a_comment_right_below_a_block_scalar_belongs_to_the_next_key() -> None:
    text = "a: |\n  dig\n\n# Fill it.\nb:\n  c: >-\n    x\n# Last.\nd: 1\n"
    assert [part for _, part in shown(text, parse(text, path="a.yaml").blocks)] == [
        "a: |\n  dig",
        "# Fill it.\nb:\n  c: >-\n    x",
        "# Last.\nd: 1",
    ]


def test_a_block_scalar_has_no_keys_where_only_indentation_tells() -> None:
    documents = outline(rows_of("a: {{ x }}\nrun: |\n  echo: 1\n  # no comment\n  - two\nb:\n  - c: 1\n    d: 2\n"))
    keys = {item.key: [child.key for child in item.children] for item in documents[0].children}
    assert keys == {"a": [], "run": [], "b": [""]}
    assert [item.stop for item in documents[0].children] == [1, 5, 8]


def test_drawn_headings_stand_over_the_keys_below() -> None:
    text = "###\n### Water\n###\n# Litres.\ntank_size: 3\n\n# Years.\ntank_age: 2\n"
    parsed = parse(text, path="all.yml")
    assert [block.headings for block in parsed.blocks] == [("Water", "tank_size"), ("Water", "tank_age")]
    assert parsed.defines == ("tank_size", "tank_age")


def test_what_does_not_parse_is_cut_by_indentation() -> None:
    text = "{% if x %}\nwell:\n  depth: {{ d }}\n{% endif %}\n# Rate.\npump:\n  rate: {{ rate }}\n---\nother: {{ a }}\n"
    parsed = parse(text, path="a.yml.j2")
    assert parsed.note.startswith("not valid YAML: ")
    assert [block.headings for block in parsed.blocks] == [("well",), ("pump",), ("other",)]
    assert parsed.blocks[1].span.slice(text) == "# Rate.\npump:\n  rate: {{ rate }}"


def test_aliases_are_not_expanded() -> None:
    levels = "".join(f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 9)}]\n" for n in range(1, 30))
    text = f"l0: &l0 lol\n{levels}"
    assert sum(len(block.span.slice(text)) for block in parse(text, path="bomb.yaml").blocks) <= len(text)


def test_line_separators_inside_a_value_do_not_shift_what_follows() -> None:
    text = 'a:\n  x: "one\u2028two\x85three"\nb:\n  y: 😀\nc:\n  z: 1\n'
    assert [part for _, part in shown(text, parse(text, path="a.yaml").blocks)] == [
        'a:\n  x: "one\u2028two\x85three"',
        "b:\n  y: 😀",
        "c:\n  z: 1",
    ]


def test_comments_alone_are_found() -> None:
    text = "# nothing set\n# yet\n"
    assert shown(text, parse(text, path="a.yaml").blocks) == [((), text.rstrip())]
    assert parse("", path="a.yaml").blocks == ()
