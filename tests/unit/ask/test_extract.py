from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.ask.made import hit

from askwell.ask.extract import BUDGET, PIECES, Piece
from askwell.ask.extract import extract as extract_from
from askwell.ask.regions import alone
from askwell.types import Hit, Kind

Similarity = Callable[[str, Sequence[str]], Sequence[float]]

CONF = hit(
    "# How long the mover waits for open files before it gives up, in seconds.\nMOVER_STOP_TIMEOUT=300\n\n"
    "# Where finished downloads go.\nTARGET_DIR=/mnt/pool\n",
    path="conf/mover.template",
    line=40,
    kind=Kind.TEMPLATE,
)
NOTE = hit(
    "## Mover\n\nThe mover empties the cache every night. It starts at 03:30 and takes about an hour.\n\n"
    "To stop it by hand:\n\n1. Open a shell.\n2. Run the script:\n\n```sh\nmover_stop.sh --force\n```\n\n"
    "> [!note] It never deletes open files.",
    path="notes/mover.md",
    headings=("Mover",),
)
OTHER = hit("Bread needs flour, water and salt.\n\nA whale is a mammal.", path="notes/bread.md")


def extract(question: str, hits: Sequence[Hit], *, similarity: Similarity | None = None) -> tuple[Piece, ...]:
    return extract_from(question, [alone(one) for one in hits], similarity=similarity)


def shown(question: str, *hits: Hit) -> str:
    return "\n".join(piece.text for piece in extract(question, hits))


def test_a_setting_is_shown_with_its_comment() -> None:
    pieces = extract("which variable controls how long the mover waits", [OTHER, CONF])
    assert pieces[0].text == (
        "# How long the mover waits for open files before it gives up, in seconds.\nMOVER_STOP_TIMEOUT=300"
    )
    assert (pieces[0].lines.first, pieces[0].lines.last) == (40, 41)
    assert "TARGET_DIR" not in pieces[0].text


def test_a_fact_is_shown_by_the_sentence_that_has_it() -> None:
    assert "It starts at 03:30" in shown("when does the mover start", OTHER, NOTE)
    assert "Bread" not in shown("when does the mover start", OTHER, NOTE)


def test_steps_are_shown_with_their_command() -> None:
    text = shown("how do I stop the mover by hand", NOTE)
    assert "1. Open a shell.\n2. Run the script:" in text
    assert "mover_stop.sh --force" in text


def test_a_list_is_shown_whole() -> None:
    text = "The regions are:\n\n- Frankfurt\n- Sydney\n- Singapore\n\nNothing else."
    assert "- Frankfurt\n- Sydney\n- Singapore" in shown("which regions are there", hit(text))


def test_a_row_is_shown_under_the_header_of_its_table() -> None:
    short = "| Part | Every |\n|---|---|\n| Chain | 3000 km |\n| Brake | 5000 km |"
    assert "| Part | Every |\n|---|---|\n| Chain | 3000 km |" in shown("how often is the chain changed", hit(short))
    rows = [f"| Wheel {n} | {n} km after some other long remark |" for n in range(60)]
    long = "\n".join(["| Part | Every |", "|---|---|", *rows, "| Chain | 3000 km |"])
    pieces = extract("how often is the chain changed", [hit(long)])
    assert [piece.text for piece in pieces][:2] == ["| Part | Every |\n|---|---|", "| Chain | 3000 km |"]


def test_a_place_that_only_has_the_common_words_is_left_out() -> None:
    bells = [
        hit("The marmot bell is brass and hangs on a nail.", path="marmot.md"),
        *(
            hit(f"Nail and bell of the {animal} are in the shed by the door.", path=f"{animal}.md")
            for animal in ("hare", "ferret", "weasel")
        ),
    ]
    assert {piece.hit.path for piece in extract("what is the marmot bell made of", bells)} == {"marmot.md"}


def test_two_values_of_one_setting_are_both_shown() -> None:
    stale = hit("# MOVER_STOP_TIMEOUT=30 is the default.", path="mover_stop.sh", kind=Kind.HEADER)
    old = hit("#!/bin/sh\nMOVER_STOP_TIMEOUT=30\n", path="bin/old.sh", kind=Kind.CODE)
    text = shown("how long does the mover wait for open files", CONF, OTHER, stale, old)
    assert "MOVER_STOP_TIMEOUT=300" in text
    assert "MOVER_STOP_TIMEOUT=30 " in text or "MOVER_STOP_TIMEOUT=30\n" in f"{text}\n"


def test_a_file_that_the_question_names_comes_first() -> None:
    hits = [
        hit(f"# --dry-run   show what {name} would do\n", path=f"bin/{name}.sh", kind=Kind.CODE)
        for name in ("drain", "spin_down")
    ]
    assert extract("does spin_down.sh have a --dry-run", hits)[0].hit.path == "bin/spin_down.sh"


def test_what_a_script_does_is_said_by_its_purpose() -> None:
    script = hit(
        "#!/bin/sh\n# Author: drain.sh people\n# shellcheck disable=SC2034 # drain.sh\n# PURPOSE\n# -------\n"
        "# Empties the fast disks at night.\n#\n# RUNTIME MODES\n# -------------\n# drain.sh --now does it at once.\n",
        path="bin/drain.sh",
        kind=Kind.HEADER,
    )
    pieces = extract("What does drain.sh do?", [script])
    assert pieces[0].text == "# Empties the fast disks at night."
    assert not any("Author" in piece.text or "shellcheck" in piece.text for piece in pieces)


def test_no_line_is_shown_twice() -> None:
    nested = hit("server:\n  port:\n    listen: 8000\n    admin: 8001\n", path="a.yml", kind=Kind.DATA)
    pieces = extract("which server port does it listen on", [nested])
    lines = [line for piece in pieces for line in range(piece.lines.first, piece.lines.last + 1)]
    assert len(lines) == len(set(lines)) > 0


def test_headings_rules_and_boilerplate_are_no_answer() -> None:
    assert extract("mover", [hit("## Mover\n\n---\n\n![[mover.png]]", headings=("Mover",))]) == ()
    assert extract("", [NOTE]) == ()
    assert extract("mover", []) == ()


def test_a_question_that_nothing_has_a_word_of_gets_nothing() -> None:
    assert extract("quantum chromodynamics lagrangian", [OTHER]) == ()


def test_pieces_stand_by_document_and_keep_within_bounds() -> None:
    many = [
        hit("The mover waits a while for files. " * 3 + f"Case {n} is odd.\n" * 4, path=f"n{n % 3}.md")
        for n in range(12)
    ]
    pieces = extract("how long does the mover wait for files", many)
    assert 0 < len(pieces) <= PIECES
    assert sum(len(piece.text) for piece in pieces) <= BUDGET
    paths = [piece.hit.path for piece in pieces]
    assert paths == sorted(paths, key=paths.index)


def test_a_long_block_is_cut_to_whole_lines_around_the_best() -> None:
    lines = [f"value_{n} = {n}" for n in range(300)]
    (piece,) = extract("what is value_150", [hit("```\n" + "\n".join(lines) + "\n```", path="a.md")])[:1]
    assert "value_150 = 150\n" in piece.text
    assert len(piece.text) <= BUDGET
    assert set(piece.text.split("\n")) <= {*lines, "```"}


def test_meaning_finds_what_words_do_not() -> None:
    def alike(_question: str, texts: object) -> list[float]:
        return [0.9 if "flour" in text else 0.0 for text in texts]  # type: ignore[attr-defined]  # a sequence of str

    assert extract("ingredients of a loaf", [OTHER], similarity=alike)[0].text == "Bread needs flour, water and salt."


TEXT = st.text(alphabet="mover wait 300.:\n#-`|[1]>=*", max_size=160)


@given(st.lists(TEXT, max_size=4), st.sampled_from(["notes/a.md", "conf/a.conf"]))
def test_every_piece_is_verbatim_at_its_lines(texts: list[str], path: str) -> None:
    hits = [hit(text, path=f"{n}{path}", line=7) for n, text in enumerate(texts)]
    for piece in extract("how long does the mover wait", hits):
        assert piece.text == piece.span.slice(piece.hit.chunk.text)
        lines = piece.hit.chunk.text.split("\n")[piece.lines.first - 7 : piece.lines.last - 7 + 1]
        assert piece.text in "\n".join(lines)
        assert piece.text.strip()


@pytest.mark.parametrize("part", ["mover ", "mover. ", "mover\n\n", "# mover\n", "mover: 1\n", "- mover\n", "|b|\n"])
def test_a_huge_chunk_takes_bounded_time(part: str) -> None:
    for path in ("a.md", "a.conf"):
        assert len(shown("how long does the mover wait", hit(part * 1_000, path=path))) <= BUDGET + PIECES
