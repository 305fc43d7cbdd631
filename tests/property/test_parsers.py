"""Whatever a file holds, its blocks are in order, disjoint, within the text and not blank."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askwell.parse.registry import parse
from askwell.types import CodeMode

PATHS = ["a.sh", "a.php", "a.ps1", "a.pl", "a.sql", "a.bat", "a.conf", "a.yaml", "a.json", "a.py", "a.txt", "a.rst"]

pieces = st.sampled_from(
    [
        *("\n", "\n\n", " ", "  ", "\t", "#", "# ", "//", "/*", "*/", "<#", "#>", "--", "rem ", "; ", "---", "===="),
        *("━━━ PURPOSE ━━━", "USAGE", "USAGE:", "info: x", "Title", "body text.", "NAME=1", "#NAME=1", "key: value"),
        *("- item", "- name: x", "{", "}", "[", "]", "[table]", '"', "'", "(", ")", ":", ",", "=", "\\", "<<EOF"),
        *("EOF", "usage() {", "def f():", "class A:", "    pass", '"""', "<Tag>", "</Tag>", "=pod", "=cut", "::"),
        *(".. note::", "{{ x }}", "{% if %}", "!secret a", "&a", "*a", "|", "\ud800", "\u2028", "\x85", "é", "😀"),
        *("\r", "\x0c", "\x1b", "\ufeff", "1.10", "null", "\\ud83d"),
    ]
)
sources = st.one_of(st.lists(pieces, max_size=40).map("".join), st.text(max_size=200))


@pytest.mark.parametrize("path", PATHS)
@settings(max_examples=60, deadline=None)
@given(text=sources, code=st.sampled_from(CodeMode))
def test_blocks_are_ordered_disjoint_spans_of_the_text(path: str, text: str, code: CodeMode) -> None:
    end = 0
    for block in parse(text, path=path, code=code).blocks:
        assert end <= block.span.start < block.span.end <= len(text)
        assert block.span.slice(text).strip()
        assert all(heading.strip() for heading in block.headings)
        end = block.span.end


@pytest.mark.parametrize("path", PATHS)
@settings(max_examples=30, deadline=None)
@given(text=sources)
def test_a_file_with_text_has_a_block(path: str, text: str) -> None:
    assert bool(parse(text, path=path).blocks) == bool(text.strip())


@pytest.mark.parametrize("path", ["a.json", "a.txt", "a.py"])
@settings(max_examples=40, deadline=None)
@given(text=sources)
def test_every_written_character_is_in_a_block(path: str, text: str) -> None:
    parsed = parse(text, path=path)
    kept = "".join(block.span.slice(text) for block in parsed.blocks)
    drop = str.maketrans("", "", "#\"'\u200b")
    if parsed.format == "python" and ("#" in text or '"' in text):
        return  # editor lines and the rules of a header are not kept
    assert "".join(kept.split()).translate(drop) == "".join(text.split()).translate(drop)
