from __future__ import annotations

import pytest

from askwell.ask.render import reference, wikilink
from askwell.types import Citation, Lines, SourceType, Support


def cited(path: str, first: int = 12, last: int = 18) -> Citation:
    return Citation(marker=1, source="s", path=path, lines=Lines(first, last), quote="q", support=Support.SUPPORTED)


def test_a_citation_outside_a_vault_names_path_and_lines() -> None:
    assert reference(cited("net/a.md"), source_type=SourceType.GIT) == "net/a.md:12-18"
    assert reference(cited("a.md", 3, 3), source_type=SourceType.FOLDER) == "a.md:3"
    assert reference(cited("a\nb.md"), source_type=SourceType.GIT) == "a⏎b.md:12-18"


@pytest.mark.parametrize("source_type", [SourceType.VAULT, SourceType.LIVESYNC])
def test_a_citation_in_a_vault_is_a_link_by_path(source_type: SourceType) -> None:
    link = reference(cited("Net/Hosts.md"), source_type=source_type, headings=("Hosts", "The NAS"))
    assert link == "[[Net/Hosts#The NAS]]"
    assert reference(cited("Hosts.md"), source_type=source_type) == "[[Hosts]]"


@pytest.mark.parametrize(
    ("heading", "shown"),
    [("A | b", "A b"), ("What [is] #this?", "What is this?"), ("a: b", "a b"), ("^x", "x"), ("##", "")],
)
def test_signs_that_mean_something_in_a_link_are_left_out_of_the_heading(heading: str, shown: str) -> None:
    assert wikilink("N.md", headings=(heading,)) == (f"[[N#{shown}]]" if shown else "[[N]]")


def test_an_alias_cannot_end_the_link_and_an_unlinkable_path_is_no_link() -> None:
    assert wikilink("N.md", alias="a]]b|c") == "[[N|a b c]]"
    assert wikilink("a#b.md") == "`a#b.md`"
