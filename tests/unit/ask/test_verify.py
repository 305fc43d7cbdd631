from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.ask.made import passage

from askwell.ask.markers import MarkerFilter, marked
from askwell.ask.verify import Checker, Unsupported, verify
from askwell.types import Checked, Delta, Support

PORTS = passage(
    1,
    "The exporter listens on port 9117.\nIt was moved from 9100 in May.\n\n"
    "The panel listens on port 8083 and needs TLS.",
    path="net/ports.md",
    line=10,
)
MOVER = passage(2, "# How long to wait, in seconds.\nMOVER_WAIT=300\n# Off with 0.", path="mover.conf")


def judged(text: str) -> list[Support]:
    shown, placed, _ = marked(text, [PORTS, MOVER])
    return [sentence.support for sentence in verify(shown, placed, [PORTS, MOVER]).sentences]


@pytest.mark.parametrize(
    ("text", "support"),
    [
        ("The exporter listens on port 9117 [1].", Support.SUPPORTED),
        ("The exporter listens on port 9118 [1].", Support.UNSUPPORTED),
        ("The exporter listens on port 9117.", Support.WEAK),
        ("The exporter listens on port 9118.", Support.UNSUPPORTED),
        ("Whales migrate in winter [1].", Support.UNSUPPORTED),
        ("MOVER_WAIT is 300 seconds [2].", Support.SUPPORTED),
        ("MOVER_WAIT is 5 minutes [2].", Support.SUPPORTED),
        ("MOVER_WAIT is 6 minutes [2].", Support.UNSUPPORTED),
        ("MOVER_WAIT is 30 [2].", Support.UNSUPPORTED),
        ("The panel needs TLS on port 8083, the mover waits 300 [1][2].", Support.SUPPORTED),
    ],
)
def test_a_sentence_is_as_good_as_what_it_cites(text: str, support: Support) -> None:
    assert judged(text) == [support]


def test_a_citation_that_carries_nothing_gives_way_to_the_passage_that_does() -> None:
    shown, placed, _ = marked("The exporter listens on port 9117 [2]. MOVER_WAIT is 300 [1][2].", [PORTS, MOVER])
    verified = verify(shown, placed, [PORTS, MOVER])
    first, second = verified.sentences
    assert verified.text == "The exporter listens on port 9117 [1]. MOVER_WAIT is 300 [1][2]."
    assert (first.support, first.markers, first.replaced) == (Support.SUPPORTED, (1,), (2,))
    assert first.text == "The exporter listens on port 9117 [1]."
    assert [(place.path, place.lines.first) for place in first.places] == [("net/ports.md", 10)]
    assert (second.support, second.markers, second.replaced) == (Support.SUPPORTED, (1, 2), ())
    assert [(c.marker, c.support) for c in verified.citations][-1] == (2, Support.SUPPORTED)


def test_nothing_is_replaced_by_what_does_not_carry_it() -> None:
    shown, placed, _ = marked("The exporter listens on port 9118 [2].", [PORTS, MOVER])
    verified = verify(shown, placed, [PORTS, MOVER])
    assert verified.text == shown
    assert verified.sentences[0].support is Support.UNSUPPORTED
    assert verified.sentences[0].why == "not in what it cites: `9118`"
    assert {citation.support for citation in verified.citations} == {Support.UNSUPPORTED}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("The exporter listens on port 9100 [1].", "the lines closest to it have another value"),
        ("The panel listens on port 9117 [1].", "the lines closest to it have another value"),
        ("The panel listens on port 8083 and does not need TLS [1].", "the lines seem to say the opposite"),
        ("According to mover.conf, the panel listens on port 8083 [1].", "the lines are not from mover.conf"),
        ("MOVER_WAIT is 300 [2]. ", ""),
        ("The relay listens on port 9117 [1].", "`relay` stands where the lines say `exporter`"),
    ],
)
def test_a_doubt_is_named(text: str, why: str) -> None:
    shown, placed, _ = marked(text, [PORTS, MOVER])
    (sentence,) = verify(shown, placed, [PORTS, MOVER]).sentences
    assert sentence.why == why
    assert sentence.support is (Support.WEAK if why else Support.SUPPORTED)


@pytest.mark.parametrize(
    "text",
    ["The passages do not say when it is restarted.", "Dazu steht dort nichts, es wird nicht erwähnt.", "The steps:"],
)
def test_what_claims_nothing_is_no_false_claim(text: str) -> None:
    assert judged(text) == [Support.WEAK]


def test_each_sentence_is_judged_alone() -> None:
    text = (
        "The exporter listens on port 9117 [1]. It also listens on port 4000 [1].\n\n- The panel listens on 8083. [1]"
    )
    assert judged(text) == [Support.SUPPORTED, Support.UNSUPPORTED, Support.SUPPORTED]


def test_a_citation_is_narrowed_to_its_lines_and_quotes_them() -> None:
    shown, placed, _ = marked("The panel needs TLS [1]. The exporter listens on 9117 [1].", [PORTS])
    panel, exporter = verify(shown, placed, [PORTS]).citations
    assert (panel.lines.first, panel.lines.last) == (13, 13)
    assert panel.quote == "The panel listens on port 8083 and needs TLS."
    assert (exporter.lines.first, exporter.lines.last) == (10, 10)
    assert exporter.marker == 1
    assert exporter.path == "net/ports.md"


def test_a_marker_behind_a_code_block_belongs_to_it() -> None:
    shown, placed, _ = marked("Set this:\n\n```\nMOVER_WAIT=300\n```\n[2]", [MOVER])
    verified = verify(shown, placed, [MOVER])
    assert verified.sentences[-1].markers == (2,)
    assert verified.sentences[-1].support is Support.SUPPORTED
    assert [c.quote for c in verified.citations] == ["MOVER_WAIT=300"]


def test_meaning_may_carry_a_paraphrase_but_never_a_wrong_number() -> None:
    def alike(text: str, others: list[str] | tuple[str, ...] | object) -> list[float]:
        return [0.9] * len(others)  # type: ignore[arg-type]  # a sequence, by the contract of `verify`

    for text, support in (
        ("Metrics can be scraped there [1].", Support.WEAK),
        ("Scraped at 9999 [1].", Support.UNSUPPORTED),
    ):
        shown, placed, _ = marked(text, [PORTS])
        assert verify(shown, placed, [PORTS], similarity=alike).sentences[0].support is support


def test_an_unsupported_sentence_quotes_no_rule() -> None:
    note = passage(1, "---\ntags: [bees]\n---\n\nThe hives stand in the orchard.", line=1)
    shown, placed, _ = marked("Whales migrate in winter [1]. Trains run at night [1].", [note])
    (citation,) = verify(shown, placed, [note]).citations
    assert citation.support is Support.UNSUPPORTED
    assert citation.quote == "tags: [bees]"
    assert (citation.lines.first, citation.lines.last) == (2, 2)


def test_facts_carry_across_languages() -> None:
    shown, placed, _ = marked("Der Wert ist 9117 und er gilt nicht für die anderen [1].", [PORTS])
    assert verify(shown, placed, [PORTS]).sentences[0].support is Support.WEAK


@given(st.text(alphabet="Port 9117.[1]\n`-# TLS", max_size=80))
def test_every_quotation_stands_at_its_lines(text: str) -> None:
    shown, placed, _ = marked(text, [PORTS, MOVER])
    for citation in verify(shown, placed, [PORTS, MOVER]).citations:
        cited = PORTS if citation.marker == 1 else MOVER
        lines = cited.text.split("\n")
        first = citation.lines.first - cited.lines.first
        assert citation.quote in "\n".join(lines[first : citation.lines.last - cited.lines.first + 1])


def pieces(text: str, size: int, mode: Unsupported = "mark") -> list[Delta | Checked]:
    markers, checker = MarkerFilter([PORTS, MOVER]), Checker([PORTS, MOVER], unsupported=mode)
    events: list[Delta | Checked] = []
    placed = 0
    for n in range(0, len(text) + size, size):
        shown = markers.feed(text[n : n + size]) if n < len(text) else markers.finish()
        events += checker.feed(shown, markers.placed[placed:])
        placed = len(markers.placed)
    return [*events, *checker.finish()]


ANSWER = (
    "The exporter listens on port 9117 [2]. It was moved in May [1].\n\n- The panel needs TLS. [1]\n"
    "- Whales sing at 4 Hz [2].\n\n```\nMOVER_WAIT=300\n```\n[2]\n\nMore is not stated."
)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 20, 1000])
@pytest.mark.parametrize("mode", ["mark", "remove", "abstain"])
def test_verdicts_do_not_depend_on_how_the_text_is_cut(size: int, mode: Unsupported) -> None:
    events, whole = pieces(ANSWER, size, mode), pieces(ANSWER, len(ANSWER), mode)
    assert [e for e in events if isinstance(e, Checked)] == [e for e in whole if isinstance(e, Checked)]
    assert shown_of(events) == shown_of(whole)


def shown_of(events: list[Delta | Checked]) -> str:
    return "".join(event.text for event in events if isinstance(event, Delta))


def test_a_verdict_comes_while_the_answer_is_still_being_written() -> None:
    events = pieces(ANSWER, 4)
    first = next(n for n, event in enumerate(events) if isinstance(event, Checked))
    assert shown_of(events[:first]) == "The exporter listens on port 9117 [1]."
    assert events[0] == Delta("The")


def test_what_nothing_carries_can_be_left_out() -> None:
    shown = shown_of(pieces(ANSWER, 5, "remove"))
    assert "Whales" not in shown
    assert shown.startswith(
        "The exporter listens on port 9117 [1]. It was moved in May [1].\n\n- The panel needs TLS. [1]\n"
    )
    assert shown.endswith("MOVER_WAIT=300\n```\n[2]\n\nMore is not stated.")
    (removed,) = [e.sentence for e in pieces(ANSWER, 5, "remove") if isinstance(e, Checked) and e.removed]
    assert removed.support is Support.UNSUPPORTED


def test_an_answer_can_stand_or_fall_as_a_whole() -> None:
    assert shown_of(pieces(ANSWER, 5, "abstain")) == ""
    carried = ANSWER.replace("- Whales sing at 4 Hz [2].\n", "")
    events = pieces(carried, 5, "abstain")
    assert shown_of(events) == carried.replace("9117 [2]", "9117 [1]")
    assert isinstance(events[-1], Delta)  # nothing is shown before all is known


@given(st.text(alphabet="Port 9117.[12]\n`-# TLS|:", max_size=120), st.integers(1, 30))
def test_no_text_is_lost_and_none_added(text: str, size: int) -> None:
    shown, placed, _ = marked(text, [PORTS, MOVER])
    streamed = shown_of(pieces(text, size))
    assert re.sub(r"\s?\[\d\]", "", streamed) == re.sub(r"\s?\[\d\]", "", shown)
    assert streamed == verify(shown, placed, [PORTS, MOVER]).text


def test_a_long_answer_is_checked_in_linear_time() -> None:
    for text in (
        "port 9117 " * 2_000,
        "Port 9117 [1]. " * 400,
        "| a | b |\n" * 1_000,
        "```\n" + "x=1\n" * 3_000,
        "a" * 20_000,
    ):
        assert pieces(text, 50)


def test_an_empty_answer_or_no_passages_is_no_fault() -> None:
    assert verify("", (), []).sentences == ()
    assert verify("It is so.", (), []).sentences[0].support is Support.UNSUPPORTED
