"""Tags such as `!secret` are text: the file is indexed by its keys and nothing is looked up or constructed."""

from __future__ import annotations

import pytest

from askwell.parse.registry import parse

HOME = """garden:
  name: Orchard
  beds: !include_dir_named beds
ledger:
  store: !secret ledger_store
  keep_days: 21
pumps: !include pumps.yaml
level:
  default: !env_var LEVEL low
"""


def test_keys_are_headings_and_tags_stay_as_written() -> None:
    parsed = parse(HOME, path="configuration.yaml")
    assert (parsed.format, parsed.note) == ("yaml", "")
    found = {block.headings: block.span.slice(HOME) for block in parsed.blocks}
    assert set(found) == {("garden",), ("ledger",), ("pumps",), ("level",)}
    assert "!secret ledger_store" in found["ledger",]


@pytest.mark.parametrize(
    "value",
    [
        "!!python/object/apply:os.system [exit 3]",
        "!!python/name:os.system",
        "!lambda |-\n    return id(x).state * 2;",
        "!vault |\n    $ANSIBLE_VAULT;1.1;AES256\n    6138",
        "!input guard",
        "!<tag:example.com,2000:x> y",
        "!reference [.a, b]",
    ],
)
def test_no_tag_constructs_anything(value: str) -> None:
    text = f"a:\n  k: {value}\nb: 1\n"
    parsed = parse(text, path="a.yaml")
    assert parsed.note == ""
    assert value in parsed.blocks[0].span.slice(text)


@pytest.mark.parametrize("text", ["- " * 20_000 + "a", "[" * 50_000, "{a: " * 20_000, "? " * 20_000])
def test_depth_neither_hangs_nor_overflows(text: str) -> None:
    assert parse(text, path="deep.yaml").blocks
