from __future__ import annotations

import pytest
from tests.unit.ask.made import hit

from askwell.ask.suggest import suggest
from askwell.terms import content_words, index_terms
from askwell.types import Kind


def test_settings_headings_and_titles_become_questions() -> None:
    hits = [
        hit("# comment\nMOVER_STOP_TIMEOUT=300", path="mover.template", kind=Kind.TEMPLATE),
        hit("text", path="net.md", headings=("Network", "Restore a single host")),
        hit("text", path="why.md", headings=("Why is the disk full?",)),
        hit("text", path="Custom domains.md"),
        hit("# PURPOSE", path="bin/spindown.sh", kind=Kind.HEADER),
    ]
    asked = "how do I spin a disk down"
    assert suggest(asked, hits[:1]) == ("What does MOVER_STOP_TIMEOUT do?", "What is there about mover?")
    assert suggest(asked, hits[1:2])[0] == "How do I restore a single host?"
    assert suggest(asked, hits[2:3])[0] == "Why is the disk full?"
    assert suggest(asked, hits[3:4]) == ("What is there about Custom domains?",)
    assert suggest(asked, hits[4:5]) == ("What does spindown.sh do?",)


def test_what_shares_words_with_the_question_comes_first() -> None:
    hits = [hit("x", path="a.md", headings=("Whale songs",)), hit("x", path="b.md", headings=("Disk health",))]
    assert suggest("why is my disk slow", hits)[0] == "What is there about Disk health?"


def test_each_is_from_another_document_and_none_repeats_the_question() -> None:
    hits = [
        hit("x", path="a.md", headings=("Disk health", "Disk noise")),
        hit("x", path="b.md", headings=("Fan noise",)),
    ]
    found = suggest("What is there about Disk noise?", hits)
    assert "What is there about Disk noise?" not in found
    assert len(set(found)) == len(found) <= 3
    assert any("Fan" in one for one in found[:2])


@pytest.mark.parametrize("heading", ["Overview", "Usage", "1.2.3", "x", "---", "😀", "a" * 200, "RUNTIME MODES"])
def test_a_heading_that_says_nothing_makes_no_question(heading: str) -> None:
    assert suggest("anything", [hit("x", path="readme.md", headings=(heading,), title="README")]) == ()


def test_a_lone_common_word_makes_no_question() -> None:
    assert suggest("anything", [hit("x", path="readme.md", headings=("Board",), title="README")]) == ()


def test_an_adjective_is_no_instruction() -> None:
    assert suggest("anything", [hit("x", path="n.md", headings=("Open plans",))]) == (
        "What is there about Open plans?",
    )


def test_markup_of_a_heading_is_left_out() -> None:
    found = suggest("q", [hit("x", headings=("**Set up** [the `nas`](http://x) {#nas}",))])
    assert found[0] == "How do I set up the nas?"


def test_a_suggestion_asks_for_words_of_its_document_only() -> None:
    hits = [hit("MOVER_WAIT_TIME: 3", path="a.yml", kind=Kind.DATA), hit("x", path="b.md", headings=("Scrub rota",))]
    for question in suggest("q", hits):
        own = set(index_terms("MOVER_WAIT_TIME a b Scrub rota"))
        assert all(word in own for word in content_words(question))


def test_a_heading_in_another_language_is_asked_as_it_stands() -> None:
    found = suggest("q", [hit("x", path="1.md", headings=("Le câble et la clé des réseaux du bureau",))])
    assert found == ("Le câble et la clé des réseaux du bureau?",)
