from __future__ import annotations

import pytest

from askwell.parse.registry import parse
from askwell.types import CodeMode


@pytest.mark.parametrize(
    ("path", "text", "format"),
    [
        ("a.md", "# Well\n", "markdown"),
        ("a.sh", "# well\n", "script"),
        ("a.conf", "DEPTH=1\n", "template"),
        ("a.yaml", "depth: 1\n", "yaml"),
        ("a.json", "{}\n", "json"),
        ("a.py", "depth = 1\n", "python"),
        ("a.rst", "deep\n", "rst"),
        ("a.txt", "deep\n", "text"),
        ("bin/well", "#!/bin/sh\ndig\n", "script"),
        ("bin/well", "#!/usr/bin/python3\ndig = 1\n", "python"),
        ("page.html", "<p>deep</p>\n", "text"),
    ],
)
def test_the_format_picks_the_parser(path: str, text: str, format: str) -> None:  # noqa: A002
    assert parse(text, path=path).format == format


def test_the_first_bytes_decide_where_they_are_given() -> None:
    assert parse("dig\n", path="bin/well", head=b"#!/bin/sh\n").format == "script"


def test_settings_reach_the_parsers() -> None:
    script = "# ABLAUF\n# nachts\n\nsecret_step\n"
    parsed = parse(script, path="a.sh", code=CodeMode.HEADERS, header_sections=("ABLAUF",))
    assert [block.section for block in parsed.blocks] == ["ABLAUF"]
    note = "---\nclass: personal\n---\nx\n"
    assert parse(note, path="a.md", sensitivity_key="class").metadata.sensitivity == "personal"


@pytest.mark.parametrize("path", ["a.sh", "a.conf", "a.yaml", "a.json", "a.py", "a.rst", "a.txt"])
def test_blank_files_have_no_blocks_and_others_have_one(path: str) -> None:
    assert parse(" \n\n\t\n", path=path).blocks == ()
    only_rules = "####\n# Well\n####\n"
    assert parse(only_rules, path=path).blocks
