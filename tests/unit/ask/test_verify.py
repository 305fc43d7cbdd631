from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.ask.made import passage

from askwell.ask.markers import marked
from askwell.ask.verify import verify
from askwell.types import Support

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
        ("The exporter listens on port 9117 [2].", Support.UNSUPPORTED),
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


def test_an_empty_answer_or_no_passages_is_no_fault() -> None:
    assert verify("", (), []).sentences == ()
    assert verify("It is so.", (), []).sentences[0].support is Support.UNSUPPORTED
