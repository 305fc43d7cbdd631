from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.ask.made import hit, passage

from askwell.ask.extract import Piece
from askwell.ask.markers import marked
from askwell.ask.quoting import quoted
from askwell.types import Lines, Span, Support

CONTEXT = [passage(n, "x", path=f"none{n}") for n in range(1, 9)]


def piece(text: str, *, prose: bool = True) -> Piece:
    made = hit(text)
    return Piece(
        text=text, hit=made, span=Span(0, len(text)), lines=Lines(1, 1 + text.count("\n")), score=1.0, prose=prose
    )


@pytest.mark.parametrize(
    ("text", "prose", "shown"),
    [
        ("The port is 9117.", True, "The port is 9117. [1]"),
        ("MOVER_WAIT=300", False, "```\nMOVER_WAIT=300\n```\n[1]"),
        ("As [3] says.", True, "```\nAs [3] says.\n```\n[1]"),
        ("```sh\nls\n```", True, "```sh\nls\n```\n[1]"),
        ("```sh\nls", True, "````\n```sh\nls\n````\n[1]"),
        ("| a | b |", True, "| a | b |\n[1]"),
        ("Odd `tick", True, "Odd `tick [1]"),
        ("x = '````'", False, "`````\nx = '````'\n`````\n[1]"),
        ("See [[Other|it]].", True, "See [[Other|it]]. [1]"),
    ],
)
def test_a_piece_is_followed_by_its_marker(text: str, prose: bool, shown: str) -> None:
    assert quoted([piece(text, prose=prose)]).blocks == (shown,)


def test_each_piece_is_a_citation_and_a_supported_sentence() -> None:
    answer = quoted([piece("One."), piece("Two.")])
    assert "".join(answer.blocks) == "One. [1]\n\nTwo. [2]"
    assert [(c.marker, c.quote, c.support) for c in answer.citations] == [
        (1, "One.", Support.SUPPORTED),
        (2, "Two.", Support.SUPPORTED),
    ]
    assert [(s.text, s.markers) for s in answer.sentences] == [("One.", (1,)), ("Two.", (2,))]


TEXT = st.text(alphabet="a[1]3 `~\n|>-\\【】()#:.", min_size=1, max_size=40).filter(str.strip)


@given(st.lists(st.tuples(TEXT, st.booleans()), max_size=4))
def test_a_reader_of_markers_finds_ours_and_no_other(pieces: list[tuple[str, bool]]) -> None:
    answer = quoted([piece(text, prose=prose) for text, prose in pieces])
    text = "".join(answer.blocks)
    shown, placed, invented = marked(text, CONTEXT)
    assert shown == text
    assert invented == 0
    assert [one.marker for one in placed] == list(range(1, len(pieces) + 1))
    assert all(one in text for one, _ in pieces if one == one.rstrip())
