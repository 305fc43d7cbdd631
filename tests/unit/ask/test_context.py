from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from tests.unit.ask.made import hits_of, ranking, store_of

from askwell.ask.context import passages
from askwell.testing.specimens import FULL_REQUEST, OPEN_REQUEST, PERSONAL, item
from askwell.types import Edge, EdgeKind

A = item("a.md", "first of a\n\nsecond of a\n\nthird of a")
B = item("b.md", "first of b\n\nsecond of b")


def test_top_documents_are_whole_where_they_fit() -> None:
    found = passages(ranking("q", hits_of([A, B], only="second")), store=store_of([A, B]), visible=FULL_REQUEST)
    assert [(p.marker, p.path, p.text) for p in found] == [(1, "a.md", A[0].text), (2, "b.md", B[0].text)]
    assert (found[0].lines.first, found[0].lines.last) == (1, 5)
    assert not found[0].truncated


def test_a_third_document_is_widened_to_its_section_only() -> None:
    c = item("c.md", "one\n\ntwo\n\nthree", section="S")
    other = item("c.md", "one\n\ntwo\n\nthree", section="T")
    chunks = (*c[1][:2], other[1][2])
    c = (c[0], chunks, ())
    found = passages(ranking("q", hits_of([A, B, c])[:6]), store=store_of([A, B, c]), visible=FULL_REQUEST)
    assert found[2].text == "one\n\ntwo"
    assert found[2].headings == ("S",)


def test_every_hit_comes_before_any_document_is_whole() -> None:
    long = item("long.md", "\n\n".join(f"part {n} " + "x" * 180 for n in range(10)))
    hits = (hits_of([long], only="part 3")[0], *hits_of([A, B], only="second"))
    found = passages(ranking("q", hits), store=store_of([long, A, B]), visible=FULL_REQUEST, budget=600)
    assert {p.path for p in found} == {"long.md", "a.md", "b.md"}
    assert sum(len(p.text) for p in found) <= 600
    assert "part 3" in found[0].text


def test_a_chunk_over_the_budget_is_cut_at_a_line_and_marked() -> None:
    big = item("big.md", "\n".join(f"line {n}" for n in range(500)))
    (found,) = passages(ranking("q", hits_of([big])), store=store_of([big]), visible=FULL_REQUEST, budget=1000)
    assert found.truncated
    assert len(found.text) <= 1000
    assert big[0].text.startswith(found.text + "\n")
    assert found.lines.last == found.text.count("\n") + 1


def test_the_same_text_is_shown_once() -> None:
    twin = item("twin.md", A[0].text)
    found = passages(ranking("q", hits_of([A, twin])), store=store_of([A, twin]), visible=FULL_REQUEST)
    assert [p.path for p in found] == ["a.md"]


def test_a_topic_note_leads_its_members() -> None:
    edge = Edge(kind=EdgeKind.TOPIC, target="b")
    topic = item("topics.md", "all about b", edges=(edge,))
    store = store_of([A, B, topic])
    with store.write() as writer:
        writer.set_targets({one.key: B[0].id for one in store.edges()})
    hits = hits_of([A, B, topic], only="b") + hits_of([A], only="first")
    found = passages(ranking("q", hits), store=store, visible=FULL_REQUEST)
    paths = [p.path for p in found]
    assert paths.index("topics.md") + 1 == paths.index("b.md")


def test_what_is_not_visible_any_more_is_left_out() -> None:
    secret = item("diary.md", "first of diary", class_=PERSONAL)
    hits = hits_of([secret, A], only="first")
    found = passages(ranking("q", hits), store=store_of([secret, A]), visible=OPEN_REQUEST)
    assert [p.path for p in found] == ["a.md"]
    assert passages(ranking("q", hits_of([B])), store=store_of([A]), visible=FULL_REQUEST) == ()


def test_a_filter_by_section_is_not_widened_past() -> None:
    c = item("c.md", "one\n\ntwo", section="S")
    other = item("c.md", "one\n\ntwo", section="T")
    c = (c[0], (c[1][0], other[1][1]), ())
    visible = replace(FULL_REQUEST, sections=frozenset({"s"}))
    (found,) = passages(ranking("q", hits_of([c], only="one")), store=store_of([c]), visible=visible)
    assert found.text == "one"


PARAGRAPHS = st.lists(st.text(alphabet="ab \n", min_size=1, max_size=40).filter(str.strip), min_size=1, max_size=5)


@given(st.lists(PARAGRAPHS, min_size=1, max_size=4), st.integers(10, 300))
def test_passages_are_verbatim_numbered_and_within_the_budget(notes: list[list[str]], budget: int) -> None:
    items = [item(f"{n}.md", "\n\n".join(" ".join(p.split()) for p in note)) for n, note in enumerate(notes)]
    found = passages(ranking("q", hits_of(items)), store=store_of(items), visible=FULL_REQUEST, budget=budget)
    texts = {document.path: document.text for document, _, _ in items}
    assert [p.marker for p in found] == list(range(1, len(found) + 1))
    assert sum(len(p.text) for p in found) <= budget
    for one in found:
        lines = texts[one.path].split("\n")[one.lines.first - 1 : one.lines.last]
        assert one.text in "\n".join(lines)
