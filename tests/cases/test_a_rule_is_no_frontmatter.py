"""A note that begins with a rule, a banner or an open fence loses none of its text."""

from __future__ import annotations

import pytest

from askwell.parse.markdown import parse

NOTES = {
    "rule": "---\n\nAlder comes after a rule.\n\n---\n\nBirch after the next one.\n",
    "long rule": "-----\nAlder in a banner\n-----\nBirch below\n",
    "titled rule": "--- work in progress ---\nAlder\n---\nBirch\n",
    "open": "---\nauthor: nobody closed this\n\nAlder here\n\n# A heading\nBirch\n",
    "stars": "***\nAlder: like this\n***\nBirch\n",
    "key-like prose": "---\n\nRemember: Alder is prose\n\n---\n\nBirch\n",
    "list": "---\n- Alder\n---\nBirch\n",
    "toml banner": "+++++\nAlder\n+++++\nBirch\n",
    "open toml": '+++\ntitle = "Alder"\n\nBirch\n',
    "broken prose": "---\nAlder: one: two\nis a sentence that [goes on\nfor some lines\n---\nBirch\n",
}


@pytest.mark.parametrize("text", NOTES.values(), ids=NOTES)
def test_every_word_is_in_the_body(text: str) -> None:
    parsed = parse(text, path="note.md")
    assert all(block.role != "data" for block in parsed.blocks)
    kept = "".join("".join(block.span.slice(text).split()) for block in parsed.blocks)
    assert kept == "".join(text.split())


def test_real_frontmatter_stays_searchable_and_out_of_the_headings() -> None:
    text = "---\n# a comment\nport: 8123\n---\nbody\n"
    parsed = parse(text, path="note.md")
    assert [block.headings for block in parsed.blocks] == [(), ()]
    assert "8123" in parsed.blocks[0].span.slice(text)
