from __future__ import annotations

import pytest

from askwell.parse.script import defined_names, parse
from askwell.types import Block, CodeMode

SIX = """#!/usr/bin/env bash
# ─────────────────────────────
#  Copyright 2024 the gardeners
# ─────────────────────────────
#
# ━━━━━ PURPOSE ━━━━━
#
# Waters the beds at dawn, and
# says so in the log.
#
# ━━━━━ OPERATIONAL SAFEGUARDS ━━━━━
#
# Two rules hold at all times and
# neither can be switched off:
#
# Rain Gate
#   Nothing is watered while the
#   gauge shows rain.
#
# Dry Well Stop
#
#   The pump stops below ten litres.
#
# ━━━━━ CONFIGURATION ━━━━━
# BED_MINUTES    minutes a bed (default: 12)
#                never over 40
# BED_ORDER      which bed is first
set -euo pipefail

BED_MINUTES="${BED_MINUTES:-12}"
"""


def shown(text: str, blocks: tuple[Block, ...]) -> list[tuple[tuple[str, ...], str]]:
    return [(block.headings, block.span.slice(text)) for block in blocks]


def test_a_header_is_cut_at_its_sections_and_named_paragraphs() -> None:
    parsed = parse(SIX, path="bin/water.sh", code=CodeMode.HEADERS)
    assert shown(SIX, parsed.blocks) == [
        (("LICENSE",), "#  Copyright 2024 the gardeners"),
        (("PURPOSE",), "# Waters the beds at dawn, and\n# says so in the log."),
        (
            ("OPERATIONAL SAFEGUARDS",),
            "# Two rules hold at all times and\n# neither can be switched off:",
        ),
        (
            ("OPERATIONAL SAFEGUARDS", "Rain Gate"),
            "# Rain Gate\n#   Nothing is watered while the\n#   gauge shows rain.",
        ),
        (
            ("OPERATIONAL SAFEGUARDS", "Dry Well Stop"),
            "# Dry Well Stop\n#\n#   The pump stops below ten litres.",
        ),
        (
            ("CONFIGURATION",),
            "# BED_MINUTES    minutes a bed (default: 12)\n#                never over 40\n"
            "# BED_ORDER      which bed is first",
        ),
    ]
    assert [block.own for block in parsed.blocks] == [False, False, False, True, True, False]
    assert {block.section for block in parsed.blocks if block.own} == {"OPERATIONAL SAFEGUARDS"}


def test_wrapped_prose_before_an_indented_example_is_no_title() -> None:
    text = (
        "# PURPOSE\n# Sends the report to whoever\n# asked for it, for instance\n#   report --to anna\n# and waits.\n"
    )
    parsed = parse(text, path="r.sh", code=CodeMode.HEADERS)
    assert [block.headings for block in parsed.blocks] == [("PURPOSE",)]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.sh", "#!/bin/sh\n# --- PURPOSE ---\n# Counts sheep.\n"),
        ("a.sh", "# === PURPOSE\n# Counts sheep.\n"),
        ("a.sh", "# PURPOSE:\n# Counts sheep.\n"),
        ("a.sh", "# Purpose\n# -------\n# Counts sheep.\n"),
        ("a.sh", "#############\n## PURPOSE ##\n#############\n# Counts sheep.\n"),
        ("a.sh", "# [ PURPOSE ]\n# Counts sheep.\n"),
        ("a.sh", ": <<'DOC'\n━━ PURPOSE ━━\nCounts sheep.\nDOC\n"),
        ("a.php", "<?php\n/**\n * ━━━ PURPOSE ━━━\n * Counts sheep.\n */\n"),
        ("a.php", "<?php\n// PURPOSE\n// Counts sheep.\n"),
        ("a.ps1", "<#\n--- PURPOSE ---\nCounts sheep.\n#>\n"),
        ("a.sql", "-- === PURPOSE ===\n-- Counts sheep.\nSELECT 1;\n"),
        ("a.bat", "@echo off\nrem PURPOSE:\nrem Counts sheep.\n"),
        ("a.pl", "use strict;\n\n=pod\n\nPURPOSE\n\nCounts sheep.\n\n=cut\n"),
    ],
)
def test_any_ruling_in_any_comment_syntax(path: str, text: str) -> None:
    block = parse(text, path=path, code=CodeMode.HEADERS).blocks[0]
    assert block.section == "PURPOSE"
    assert "Counts sheep." in block.span.slice(text)
    assert "PURPOSE" not in block.span.slice(text).upper()


def test_text_on_the_heading_line_is_kept() -> None:
    text = "# PURPOSE: counts sheep\n# at night\n#\n# still\n"
    assert shown(text, parse(text, path="a.sh").blocks) == [(("PURPOSE",), text.rstrip())]


def test_configured_sections_are_recognised_where_only_their_name_stands() -> None:
    text = "# Betriebsart\n# -----------\n# nachts\n# rückbau: nie\n"
    parsed = parse(text, path="a.sh", header_sections=("Rückbau",))
    assert [block.section for block in parsed.blocks] == ["Betriebsart"]
    parsed = parse("# x\n#\n# RÜCKBAU\n#\n# nie\n", path="a.sh", header_sections=("Rückbau",))
    assert [block.section for block in parsed.blocks] == ["", "RÜCKBAU"]


def test_words_with_a_colon_are_sections_of_one_paragraph() -> None:
    text = (
        "#!/bin/bash\n# info: adds a hive\n# options: HIVE [QUEEN]\n#\n# example: hive-add oak\n#\n"
        "# The hive must stand empty.\n\necho\n"
    )
    assert [
        (block.section, block.span.slice(text)) for block in parse(text, path="hive-add", code=CodeMode.HEADERS).blocks
    ] == [
        ("info", "# info: adds a hive"),
        ("options", "# options: HIVE [QUEEN]"),
        ("example", "# example: hive-add oak"),
        ("", "# The hive must stand empty."),
    ]


def test_usage_goes_on_over_blank_lines_while_it_is_indented() -> None:
    text = "# Usage:\n#   hive add\n#\n#   hive drop\n#\n# Written for bees.\n"
    blocks = parse(text, path="a.sh", code=CodeMode.HEADERS).blocks
    assert [(block.section, block.span.slice(text).count("hive")) for block in blocks] == [("Usage", 2), ("", 0)]


def test_a_word_with_a_colon_inside_a_ruled_section_is_text() -> None:
    text = "# ━━ PURPOSE ━━\n# Counts.\n# Note: slowly.\n# Usage: never\n"
    assert [block.section for block in parse(text, path="a.sh").blocks] == ["PURPOSE"]


def test_a_header_without_sections_is_one_block() -> None:
    text = "#!/bin/sh\n# Counts sheep\n#\n# and goats.\n\nset -e\ncount\n"
    assert shown(text, parse(text, path="a.sh", code=CodeMode.HEADERS).blocks) == [
        ((), "# Counts sheep\n#\n# and goats.")
    ]


def test_bodies_are_left_out_unless_wanted() -> None:
    text = "# Counts.\n\nsecret_step() {\n  :\n}\n"
    for code in (CodeMode.HEADERS, CodeMode.DOCSTRINGS):
        assert all("secret_step" not in block.span.slice(text) for block in parse(text, path="a.sh", code=code).blocks)
    assert "secret_step" in parse(text, path="a.sh", code=CodeMode.FULL).blocks[-1].span.slice(text)


@pytest.mark.parametrize(
    "usage",
    [
        "usage() {\n  cat <<EOF\nUsage: sheep [-n COUNT]\n}\nEOF\n  exit 2\n}",
        "function show_help {\n    echo 'Usage: sheep [-n COUNT]'\n}",
        'usage_description="\nUsage: sheep [-n COUNT]\n"',
        "read -r -d '' USAGE <<'TXT'\nUsage: sheep [-n COUNT]\nTXT",
        "HELP=$(cat <<TXT\nUsage: sheep [-n COUNT]\nTXT\n)",
    ],
)
def test_a_script_without_a_header_is_found_by_its_usage(usage: str) -> None:
    text = "#!/bin/bash\nset -e\n" + "x=1\n" * 60 + usage + "\nmain\n"
    blocks = parse(text, path="sheep", code=CodeMode.HEADERS).blocks
    assert [block.section for block in blocks] == ["USAGE"]
    assert blocks[0].span.slice(text).removesuffix("\n)") == usage.removesuffix("\n)")


def test_a_script_that_says_nothing_is_still_found() -> None:
    short = "#!/bin/sh\necho one\n"
    assert parse(short, path="a", code=CodeMode.HEADERS).blocks[0].span.slice(short) == short.rstrip()
    licence = "# Copyright 2020 Nobody\n\n" + "step\n" * 100
    blocks = parse(licence, path="a", code=CodeMode.HEADERS).blocks
    assert [block.section for block in blocks] == ["LICENSE", ""]
    assert blocks[1].span.slice(licence).count("step") == 40


def test_banners_in_the_body_are_no_sections() -> None:
    text = "# Counts.\n\n#-------#\n# ACTION #\n#-------#\n\n# first step\ncount\n"
    assert [block.section for block in parse(text, path="a.sh", code=CodeMode.HEADERS).blocks] == [""]
    assert "ACTION" in parse(text, path="a.sh").blocks[1].span.slice(text)


def test_a_function_keeps_its_comment_and_a_here_document_is_not_cut() -> None:
    text = "# Counts.\n\n# Adds.\nadd() {\n  cat <<EOF\n# no comment\n\n# nor this\nEOF\n}\n\n# Print.\nprint_it\n"
    assert shown(text, parse(text, path="a.sh").blocks)[1:] == [
        (("add",), text[text.index("# Adds.") : text.index("\n\n# Print")]),
        ((), "# Print.\nprint_it"),
    ]


def test_settings_with_defaults_are_defined() -> None:
    text = 'MINUTES="${MINUTES:-12}"\nexport PORT=80\n  INNER=1\n: "${TANK:=9}"\npath=x\n  mode="${mode:-a}"\nPATH=/x\n'
    assert defined_names(text) == ("MINUTES", "PORT", "TANK", "mode")
    assert defined_names("const STATE_DIR = 1;\ndefine('MAX_AGE', 3);\n") == ("STATE_DIR", "MAX_AGE")


def test_the_title_is_the_file_name() -> None:
    assert parse("# x\n", path="deep/down/run.sh").title == "run.sh"
