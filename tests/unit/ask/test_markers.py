from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askwell.ask.markers import MarkerFilter, marked
from askwell.ids import DocumentId
from askwell.types import Lines, Passage, PrivacyClass


def passage(marker: int, path: str, text: str = "text", *, title: str = "", headings: tuple[str, ...] = ()) -> Passage:
    return Passage(
        marker=marker,
        document_id=DocumentId(path),
        source="notes",
        path=path,
        title=title or path,
        headings=headings,
        lines=Lines(1, 1),
        text=text,
        lead="",
        class_=PrivacyClass.OPEN,
    )


KNOWN = [passage(n, f"note{n}.md") for n in range(1, 13)]


@pytest.mark.parametrize(
    ("written", "shown", "markers", "invented"),
    [
        ("It is 5 [1].", "It is 5 [1].", [1], 0),
        ("It is 5[1][12].", "It is 5[1][12].", [1, 12], 0),
        ("Both [1, 2] and [3-5].", "Both [1][2] and [3][4][5].", [1, 2, 3, 4, 5], 0),
        ("One of two [1, 99].", "One of two [1].", [1], 1),
        ("Nothing [99].", "Nothing.", [], 1),
        ("Nothing [0].", "Nothing.", [], 1),
        ("Wide 【2】 and 【3†L1】", "Wide [2] and [3]", [2, 3], 0),
        ("Doubled [[4]].", "Doubled [4].", [4], 0),
        ("A score in [0, 1].", "A score in [0, 1].", [], 0),
        ("Inline `a[1]` and ``b ` [2]`` [3]", "Inline `a[1]` and ``b ` [2]`` [3]", [3], 0),
        ("A lone ` and [1]", "A lone ` and [1]", [1], 0),
        ("```sh\necho ${a[1]} [99]\n```\nDone [1]", "```sh\necho ${a[1]} [99]\n```\nDone [1]", [1], 0),
        ("1. Do it:\n   ```\n   x[9]\n   ```\n   so [2]", "1. Do it:\n   ```\n   x[9]\n   ```\n   so [2]", [2], 0),
        ("~~~\n[9]\n```\n[9]\n~~~\n[1]", "~~~\n[9]\n```\n[9]\n~~~\n[1]", [1], 0),
        ("```x``` [1]", "```x``` [1]", [1], 0),
        (r"Escaped \[1] stays", r"Escaped \[1] stays", [], 0),
        ("A [1](https://a.example/) link", "A [1](https://a.example/) link", [], 0),
        ("[1]: https://a.example/", "[1]: https://a.example/", [], 0),
        ("As [1]: it is so", "As [1]: it is so", [1], 0),
        ("- [x] done [1]\n- [ ] open [2]", "- [x] done [1]\n- [ ] open [2]", [1, 2], 0),
        ("Cut off [1", "Cut off [1", [], 0),
        ("", "", [], 0),
    ],
)
def test_markers_are_told_from_text(written: str, shown: str, markers: list[int], invented: int) -> None:
    text, placed, missing = marked(written, KNOWN)
    assert text == shown
    assert [p.marker for p in placed] == markers
    assert missing == invented
    assert all(text[p.start : p.end] == f"[{p.marker}]" for p in placed)


@pytest.mark.parametrize(
    "spelling",
    [
        "[[port]]",
        "[[ port ]]",
        "[[port|]]",
        "[[Port.md]]",
        "[[port#L9000]]",
        "[[net/port]]",
        "[net/port.md]",
        "[port.md:3-9]",
    ],
)
def test_a_document_of_the_context_may_be_cited_by_any_spelling_of_its_name(spelling: str) -> None:
    text, placed, invented = marked(f"It is 9117 {spelling}.", [passage(1, "net/port.md", title="The port")])
    assert (text, [p.marker for p in placed], invented) == ("It is 9117 [1].", [1], 0)


def test_the_shown_name_of_a_link_is_kept() -> None:
    context = [passage(1, "port.md")]
    assert marked("See [[port|the note]] and [this](port.md#x).", context)[0] == "See the note [1] and this [1]."


def test_a_fragment_picks_the_passage_under_that_heading() -> None:
    context = [passage(1, "port.md"), passage(2, "port.md", headings=("Ports", "Exporter"))]
    assert marked("[[port#exporter]]", context)[0] == "[2]"


def test_what_is_not_in_the_context_looks_alike_whether_it_exists_or_not() -> None:
    text, placed, invented = marked("Was 80 [[old]], [[other]], [[private/diary]] and [private/diary.md].", KNOWN)
    assert (
        text == "Was 80 old (not found), other (not found), private/diary (not found) and private/diary.md (not found)."
    )
    assert (placed, invented) == ((), 4)


def test_a_link_that_a_passage_itself_holds_is_a_quotation() -> None:
    text, placed, invented = marked("It says: see [[Plans]].", [passage(1, "a.md", "Please see [[Plans]] for more.")])
    assert (text, placed, invented) == ("It says: see [[Plans]].", (), 0)


def test_text_is_shown_as_soon_as_it_is_decided() -> None:
    markers = MarkerFilter(KNOWN)
    assert markers.feed("The port") == "The port"
    assert markers.feed(" is") == " is"
    assert markers.feed(" 9117 [") == " 9117"
    assert markers.feed("1") == ""
    assert markers.feed("2]") == ""  # a link may follow
    assert markers.feed(".") == " [12]."
    assert markers.finish() == ""


PIECES = "[1] [ ] 1 9 ]] [[ note1 zz | ` ``` ~~~ a. ( ) : \\ 【 】 † .md # [note2.md] İ"
PARTS = PIECES.split()


@given(
    st.lists(st.sampled_from([*PARTS, "\n", " ", ", ", "> ", "- ", "2. "]), max_size=30),
    st.lists(st.integers(1, 4), max_size=40),
)
def test_how_a_text_is_cut_up_changes_nothing(parts: list[str], cuts: list[int]) -> None:
    text = "".join(parts)
    whole = marked(text, KNOWN)
    markers = MarkerFilter(KNOWN)
    out, at = "", 0
    for cut in [*cuts, len(text)]:
        out += markers.feed(text[at : at + cut])
        at += cut
    out += markers.finish()
    assert (out, tuple(markers.placed), markers.invented) == whole


@given(st.text(alphabet="[]【】`~\\ \nab1(", max_size=60))
def test_every_citation_stands_where_it_says(text: str) -> None:
    shown, placed, _ = marked(text, KNOWN)
    assert all(shown[p.start : p.end] == f"[{p.marker}]" for p in placed)


def test_brackets_without_end_take_linear_time() -> None:
    for text in ("[" * 50_000, "[[" * 25_000, "`" * 50_001, "` `` " * 9_000, "[1](" * 9_000, " " * 50_000):
        shown, placed, _ = marked(text, KNOWN)
        assert (shown, placed) == (text, ())


@pytest.mark.parametrize("size", [1, 3, 100])
def test_a_dropped_marker_does_not_make_an_image_of_a_link(size: int) -> None:
    made = MarkerFilter([])
    text = "Look! [99][it](https://ok.example/p.png)"
    shown = "".join(made.feed(text[at : at + size]) for at in range(0, len(text), size)) + made.finish()
    assert shown == "Look! [it](https://ok.example/p.png)"
