from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import example, given, settings
from hypothesis import strategies as st

from askwell.chunk import chunks
from askwell.chunk.oversize import split
from askwell.ids import document_id
from askwell.parse.decode import decode
from askwell.parse.markdown import parse
from askwell.types import Chunk, Document, FileStat, Kind, PrivacyClass, Span

if TYPE_CHECKING:
    from collections.abc import Callable

PIECES = st.sampled_from(
    [
        *(
            "# A\n",
            "## B\n",
            "### C\n",
            "\n",
            "\n\n",
            "word ",
            "A sentence. ",
            "备份。",
            "Title\n===\n",
            "---\n",
            "***\n",
        ),
        *("- item\n", "  - child\n", "```\n", "~~~sh\n", "    code\n", "| a | b |\n", "|---|---|\n", "> quote\n"),
        *("> [!note] x\n", "%%\n", "<!-- ", "-->\n", "[[x]] ", "`c` ", "x: y\n", "x" * 90, "1,2;3|", "^id\n", "#tag "),
        *(
            "[r]: u.md\n",
            "data:image/png;base64,AAAA",
            "\t",
            "\u00a0",
            "e\u0301",
            "\u2028",
            "\x0c",
            "{{< include z >}}\n",
        ),
        *("All rights reserved\n", "https://example.org/" + "p/" * 40),
    ]
)
TEXTS = st.one_of(
    st.lists(PIECES, max_size=40).map("".join),
    st.text(alphabet=st.characters(exclude_categories=("Cs", "Cc"), include_characters="\n\t\f"), max_size=300),
)


def letters_are_cheap(text: str) -> int:
    letters = sum(map(str.isalpha, text))
    return len(text) - letters + -(-letters // 4)


SIZES: st.SearchStrategy[Callable[[str], int]] = st.sampled_from(
    [len, letters_are_cheap, lambda t: len(t.split()), lambda t: len(t.encode()) // 3 + 1]
)


def chunked(text: str, *, budget: int, size: Callable[[str], int]) -> tuple[Chunk, ...]:
    parsed = parse(text, path="a/note.md")
    document = Document(
        id=document_id("s", "a/note.md"),
        source="s",
        path="a/note.md",
        title=parsed.title,
        text=text,
        kind=Kind.NOTE,
        class_=PrivacyClass.OPEN,
        format=parsed.format,
        metadata=parsed.metadata,
        content="",
        change_key="",
        stat=FileStat(0, 0, 0, 0),
    )
    return chunks(document, parsed, budget=budget, size=size)


@settings(max_examples=300, deadline=None)
@given(text=TEXTS, budget=st.integers(1, 300), size=SIZES)
@example(text="| a |\n|---|\n| b |\n", budget=12, size=len)
@example(text=" " * 900 + "x", budget=20, size=len)
def test_chunks_are_verbatim_in_order_complete_and_within_budget(
    text: str, budget: int, size: Callable[[str], int]
) -> None:
    made = chunked(text, budget=budget, size=size)
    at = 0
    for ordinal, chunk in enumerate(made):
        assert chunk.ordinal == ordinal
        assert chunk.text == chunk.span.slice(text)
        assert chunk.text.strip()
        assert chunk.span.start >= at
        assert not text[at : chunk.span.start].strip()
        assert not chunk.embed_text or size(chunk.embed_text) <= budget
        assert chunk.lines.first == text.count("\n", 0, chunk.span.start) + 1
        assert chunk.lines.last == text.count("\n", 0, chunk.span.end) + 1
        at = chunk.span.end
    assert not text[at:].strip()
    assert len({chunk.id for chunk in made}) == len(made)
    assert made == chunked(text, budget=budget, size=size)


@settings(max_examples=100, deadline=None)
@given(text=TEXTS, budget=st.integers(20, 300))
def test_line_ends_of_the_file_do_not_matter(text: str, budget: int) -> None:
    unix = decode(text.encode())
    dos = decode(unix.replace("\n", "\r\n").encode())
    assert chunked(unix, budget=budget, size=len) == chunked(dos, budget=budget, size=len)


@settings(max_examples=200, deadline=None)
@given(
    text=TEXTS,
    most=st.integers(1, 80),
    reach=st.integers(1, 200),
    role=st.sampled_from(["prose", "table", "fence", "list", "data"]),
)
def test_pieces_fit_and_cover(text: str, most: int, reach: int, role: str) -> None:
    at = 0
    for piece in split(text, Span(0, len(text)), role=role, fits=lambda a, b: b - a <= most, reach=reach):
        assert 0 < piece.end - piece.start <= most
        assert not text[at : piece.start].strip()
        at = piece.end
    assert not text[at:].strip()


@settings(max_examples=200, deadline=None)
@given(raw=st.binary(max_size=200))
def test_bytes_are_text_or_refused(raw: bytes) -> None:
    from askwell.errors import UnreadableFile

    try:
        text = decode(raw)
    except UnreadableFile:
        return
    text.encode()
    assert "\r" not in text
    assert "\0" not in text
