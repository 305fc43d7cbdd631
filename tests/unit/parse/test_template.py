from __future__ import annotations

from typing import TYPE_CHECKING

from askwell.parse.template import parse

if TYPE_CHECKING:
    from askwell.types import Block


def shown(text: str, blocks: tuple[Block, ...]) -> list[tuple[tuple[str, ...], str, bool]]:
    return [(block.headings, block.span.slice(text), block.own) for block in blocks]


def test_a_setting_has_the_comment_above_it() -> None:
    text = "# Seconds to wait.\n# Over 5.\nWAIT=30\n# Colour.\nHUE=red\n"
    assert shown(text, parse(text, path="a.conf").blocks) == [
        (("WAIT",), "# Seconds to wait.\n# Over 5.\nWAIT=30", True),
        (("HUE",), "# Colour.\nHUE=red", True),
    ]


def test_a_setting_has_the_comment_beside_it() -> None:
    text = "WAIT=30   # seconds\nHUE=red ; colour\nBARE=1\nPLAIN=2\n"
    assert shown(text, parse(text, path=".env.example").blocks) == [
        (("WAIT",), "WAIT=30   # seconds", True),
        (("HUE",), "HUE=red ; colour", True),
        (("BARE, PLAIN",), "BARE=1\nPLAIN=2", False),
    ]


def test_a_setting_that_is_commented_out_is_a_setting() -> None:
    text = '# Port to listen on.\n#PORT=80\n\n# Host name.\n# HOST="beehive"\n'
    parsed = parse(text, path="a.conf")
    assert [block.headings for block in parsed.blocks] == [("PORT",), ("HOST",)]
    assert parsed.defines == ("PORT", "HOST")


def test_an_example_inside_the_explanation_is_no_setting() -> None:
    text = "# Who may enter.\n# GUESTS+=( anna )\n# adds one. With\n# KEY=none and the like it is off.\nGUESTS=()\n"
    parsed = parse(text, path="a.conf")
    assert shown(text, parsed.blocks) == [(("GUESTS",), text.rstrip(), True)]
    assert parsed.defines == ("GUESTS",)


def test_settings_right_under_each_other_share_a_comment() -> None:
    text = "# Both gates.\nFRONT=1\nBACK=2\n\nOTHER=3\n"
    assert shown(text, parse(text, path="a.conf").blocks) == [
        (("FRONT, BACK",), "# Both gates.\nFRONT=1\nBACK=2", True),
        (("OTHER",), "OTHER=3", False),
    ]


def test_a_comment_before_a_blank_line_belongs_to_the_setting_it_names() -> None:
    text = "# WAIT is in seconds.\n\nWAIT=3\n\n# General remarks.\n\nHUE=red\n"
    assert [block.span.slice(text) for block in parse(text, path="a.conf").blocks] == [
        "# WAIT is in seconds.\n\nWAIT=3",
        "# General remarks.",
        "HUE=red",
    ]


def test_of_a_long_comment_only_what_names_the_setting_belongs_to_it() -> None:
    general = "# About this whole file and its many uses.\n" * 40
    text = f"{general}#\n# WAIT is in seconds.\n# Over 5.\nWAIT=3\n"
    blocks = parse(text, path="a.conf").blocks
    assert [(block.role, block.headings) for block in blocks] == [("prose", ()), ("setting", ("WAIT",))]
    assert blocks[1].span.slice(text) == "# WAIT is in seconds.\n# Over 5.\nWAIT=3"


def test_values_over_several_lines_are_not_cut() -> None:
    text = 'LIST=(\n  a # one\n\n  b\n)\nWORDS="first\n\nlast"\nLONG=1 \\\n  2\nEND=x\n'
    parsed = parse(text, path="a.conf")
    assert parsed.defines == ("LIST", "WORDS", "LONG", "END")
    assert "b\n)" in parsed.blocks[0].span.slice(text)


def test_a_small_table_is_one_block_and_a_commented_one_is_cut() -> None:
    text = '[pump]\nrate = 3\nmode = "slow"\n\n# The second.\n[well]\n# Litres.\ndepth = 10\n# Years.\nage = 2\n'
    assert shown(text, parse(text, path="a.toml").blocks) == [
        (("pump",), '[pump]\nrate = 3\nmode = "slow"', True),
        (("well",), "# The second.", False),
        (("well", "depth"), "# Litres.\ndepth = 10", True),
        (("well", "age"), "# Years.\nage = 2", True),
    ]


def test_banners_are_headings_until_their_closing_rule() -> None:
    text = "####\n# PUMP=OLD\n##\n# Litres.\nRATE=1\n####\n\n# Years.\nAGE=2\n\n# ━━━ WELL ━━━\nDEPTH=3\n"
    assert [block.headings for block in parse(text, path="a.conf").blocks] == [
        ("PUMP=OLD", "RATE"),
        ("AGE",),
        ("WELL", "DEPTH"),
    ]


def test_braces_are_kept_whole_up_to_a_size() -> None:
    small = "# The pond.\nserver {\n  listen 80;\n\n  location / {\n    root /x;\n  }\n}\n"
    assert [block.span.slice(small) for block in parse(small, path="nginx.conf").blocks] == [small.rstrip()]
    large = "http {\n" + "".join(f"  # Rule {n}.\n  rule{n} on;\n\n" for n in range(30)) + "}\n# After.\nX=1\n"
    blocks = parse(large, path="nginx.conf").blocks
    assert blocks[3].headings == ("http",)
    assert blocks[3].span.slice(large) == "# Rule 3.\n  rule3 on;" or blocks[3].span.slice(large).endswith("rule3 on;")
    assert blocks[-1].headings == ("X",)


def test_a_systemd_unit_is_its_tables() -> None:
    text = "[Unit]\nDescription=Pump\n\n[Service]\nExecStart=/bin/pump \\\n  --slow\nRestart=always\n"
    parsed = parse(text, path="pump.service")
    assert [block.headings for block in parsed.blocks] == [("Unit",), ("Service",)]
    assert parsed.defines == ("Description", "ExecStart", "Restart")


def test_sentences_with_an_equals_sign_are_text() -> None:
    text = "# Default = do not remove old copies\n#\n# rate = how many litres\n"
    parsed = parse(text, path="a.conf")
    assert parsed.defines == ()
    assert {block.role for block in parsed.blocks} == {"prose"}


def test_endless_nesting_costs_neither_time_nor_headings() -> None:
    nested = "a {\n" * 4_000 + "deep on;\n" + "}\n" * 4_000
    assert max(len(block.headings) for block in parse(nested, path="a.conf").blocks) <= 6
    unclosed = "LIST=(\n" * 4_000
    assert parse(unclosed, path="a.conf").defines == ("LIST",)
