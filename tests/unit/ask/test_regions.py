from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from tests.unit.ask.made import hits_of, store_of

from askwell.ask.extract import extract
from askwell.ask.regions import regions
from askwell.testing.specimens import FULL_REQUEST, OPEN_REQUEST, PERSONAL, item

LONG = item("a.md", "\n\n".join(f"part {n}" for n in range(20)))


def test_a_hit_is_looked_at_with_its_neighbours() -> None:
    (found,) = regions(hits_of([LONG], only="part 10"), store=store_of([LONG]), visible=FULL_REQUEST, beside=2)
    assert found.text == "part 8\n\npart 9\n\npart 10\n\npart 11\n\npart 12"
    assert [core.slice(found.text) for core in found.core] == ["part 10"]
    assert found.line == 17
    assert LONG[0].text[found.start :].startswith(found.text)


def test_hits_that_stand_close_share_a_region_and_others_do_not() -> None:
    near = hits_of([LONG], only="part 10") + hits_of([LONG], only="part 13") + hits_of([LONG], only="part 19")
    first, second = regions(near, store=store_of([LONG]), visible=FULL_REQUEST, beside=2)
    assert len(first.core) == 2
    assert "part 15" in first.text
    assert second.text.endswith("part 19")


def test_frontmatter_is_not_looked_at() -> None:
    note = item("n.md", "---\ntitle: Port\ntags: [port]\n---\nThe port is 9117.")
    note = (replace(note[0], format="markdown"), note[1], ())
    found = regions(hits_of([note]), store=store_of([note]), visible=FULL_REQUEST)
    assert [one.text for one in found] == ["The port is 9117."]
    assert [piece.text for piece in extract("which port", found)] == ["The port is 9117."]


def test_what_may_not_be_seen_is_not_read() -> None:
    diary = item("diary.md", "part 10 of a secret", class_=PERSONAL)
    hits = hits_of([diary, LONG], only="part 10")
    found = regions(hits, store=store_of([diary, LONG]), visible=OPEN_REQUEST)
    assert [one.hit.path for one in found] == ["a.md"]


def test_a_filter_by_section_keeps_to_the_hit() -> None:
    note = item("n.md", "one\n\ntwo", section="S")
    visible = replace(FULL_REQUEST, sections=frozenset({"s"}))
    found = regions(hits_of([note], only="one"), store=store_of([note]), visible=visible)
    assert [one.text for one in found] == ["one"]


@given(st.lists(st.integers(0, 19), min_size=1, max_size=6, unique=True), st.integers(0, 4))
def test_every_piece_of_a_region_is_verbatim_at_its_lines(at: list[int], beside: int) -> None:
    hits = tuple(hits_of([LONG])[n] for n in at)
    text = LONG[0].text
    lines = text.split("\n")
    for piece in extract(
        "which part is 12", regions(hits, store=store_of([LONG]), visible=FULL_REQUEST, beside=beside)
    ):
        assert piece.text == piece.span.slice(text)
        assert "\n".join(lines[piece.lines.first - 1 : piece.lines.last]) == piece.text
