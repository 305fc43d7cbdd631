"""A link means the same note however its accents were typed."""

from __future__ import annotations

import unicodedata
from typing import Literal

import pytest

from askwell.parse.markdown import parse

NAME = "Łódź/Näher dran"


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize("written", ["[[{}]]", "![[{}|x]]", "[x](<{}>)", "[[{}#Größe]]"])
def test_targets_are_composed(form: Literal["NFC", "NFD"], written: str) -> None:
    text = unicodedata.normalize(form, f"See {written.format(NAME)}.\n")
    (edge,) = parse(text, path="a.md").edges
    assert edge.target == unicodedata.normalize("NFC", NAME)
    assert edge.fragment == unicodedata.normalize("NFC", edge.fragment)


def test_tags_aliases_and_anchors_are_composed() -> None:
    text = unicodedata.normalize("NFD", "---\naliases: [Größe]\n---\n# Über uns\n\n#müde\n")
    parsed = parse(text, path="a.md")
    assert parsed.metadata.aliases == ("Größe",)
    assert parsed.metadata.tags == ("müde",)
    assert "über-uns" in parsed.anchors
    assert parsed.title == "Über uns"
