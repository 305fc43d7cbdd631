from __future__ import annotations

import re

import pytest

from askwell.server.pages.outcomes import Cited, Done, Said, plain_turn, shown
from askwell.server.pages.templating import fragment


def cited(marker: int, *, quote: str = "so it is", path: str = "a b.md", first: int = 3) -> Cited:
    return Cited(marker=marker, source="vault", path=path, lines=(first, first + 1), quote=quote, support="supported")


def answer(text: str, *sentences: Said, citations: list[Cited] | None = None) -> Done:
    return Done(outcome="answer", text=text, citations=citations or [], sentences=list(sentences))


def html_of(done: Done) -> str:
    return fragment("outcome.html", {"shown": shown(done), "question": "why", "shown_notes": 12})


def said(text: str, support: str = "weak", why: str = "") -> Said:
    return Said.model_validate({"text": text, "support": support, "why": why})


def test_a_chip_opens_the_document_at_the_cited_lines() -> None:
    html = html_of(answer("It is so [1].", citations=[cited(1)]))
    assert 'class="chip supported" href="view?source=vault&amp;path=a+b.md&amp;lines=3-4#at"' in html
    assert 'aria-label="source 1: a b.md, lines 3 to 4"' in html


def test_each_number_stands_once_in_the_margin_with_all_its_places() -> None:
    html = html_of(answer("A [1]. B [2].", citations=[cited(1), cited(2, path="c.md"), cited(1, first=9)]))
    assert re.findall(r'<li class="note supported" data-n="(\d)"', html) == ["1", "2"]
    assert html.count("lines 9–10") == 1


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("One. Two is so.", "Two is so."),
        ("- One\n- Two is so.", "- Two is so."),
        ("## Two is so", "## Two is so"),
        ("> Two is so.", "> Two is so."),
        ("1. Two is so.", "1. Two is so."),
    ],
)
def test_a_sentence_without_support_is_marked_where_it_stands(text: str, sentence: str) -> None:
    html = html_of(answer(text, said(sentence, "unsupported", "names no source")))
    assert '<span class="said unsupported" data-s="0">Two is so' in html
    assert 'title="no source: names no source">no source</span>' in html


@pytest.mark.parametrize("block", ["```\nrm -r x\n```", "| a | b |"])
def test_what_cannot_be_underlined_is_labelled(block: str) -> None:
    text = f"| a | b |\n|---|---|\n{block}" if block.startswith("|") else block
    html = html_of(answer(text, said(block)))
    assert html.count("verdict weak") == 1
    assert ("<table" in html) is block.startswith("|")


def test_what_is_carried_has_no_label() -> None:
    html = html_of(answer("All is so [1].", said("All is so [1].", "supported"), citations=[cited(1)]))
    assert "verdict" not in html and "1 supported" in html


def test_a_sentence_that_is_not_in_the_text_marks_nothing() -> None:
    assert "verdict" not in html_of(answer("One. Two.", said("Three.")))


def test_text_cannot_mark_itself() -> None:
    html = html_of(answer("\ue000\u205fOne\u205f\ue001. Two.", said("Two.")))
    assert re.findall(r'<span class="said weak"[^>]*>(.*?)</span>', html) == ["Two."]


def test_an_abstention_offers_what_is_answered_and_calls_what_came_near_no_evidence() -> None:
    done = Done.model_validate(
        {
            "outcome": "abstention",
            "text": "Nothing was found.",
            "suggestions": ['What does "x" do?'],
            "nearest": [{"source": "s", "path": "p.md", "title": "<b>P</b>", "lines": [1, 2]}],
        }
    )
    html = html_of(done)
    assert 'data-question="What does &#34;x&#34; do?"' in html
    assert "answers nothing" in html and "&lt;b&gt;P&lt;/b&gt;" in html


def test_hostile_names_and_quotes_stay_text() -> None:
    bad = '"><img src=x onerror=window.PWNED=1>'
    html = html_of(answer("So [1].", citations=[cited(1, quote=bad, path=f"{bad}.md")]))
    assert "<img" not in html


def test_narrowing_and_missing_arms_are_told() -> None:
    done = Done.model_validate(
        {
            "outcome": "answer",
            "text": "So.",
            "audience": {"narrowed": "personal notes are left out"},
            "missing_arms": [{"arm": "vector", "reason": "no vectors yet"}],
        }
    )
    assert "personal notes are left out" in html_of(done) and "no vectors yet" in html_of(done)


def test_an_earlier_answer_keeps_its_words_and_its_numbers_lead_nowhere() -> None:
    assert "<a" not in plain_turn("It is so [1].") and "It is so [1]." in plain_turn("It is so [1].")


def test_a_log_is_named_with_its_lines_and_leads_nowhere() -> None:
    log = Cited(marker=1, source="log", path="/var/log/a.log", lines=(7, 9), quote="ERROR x", kind="log")
    html = html_of(answer("It is so [1].", citations=[log]))
    assert "view?" not in html
    assert 'title="log:/var/log/a.log, lines 7 to 9">1</span>' in html
    assert "ERROR x" in html
