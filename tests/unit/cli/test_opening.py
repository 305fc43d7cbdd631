"""A file opens at its line in the form its editor knows, and its name is never an option."""

from __future__ import annotations

from pathlib import Path

import pytest

from askwell.cli.opening import editor_command, excerpt
from askwell.types import Lines

FILE = Path("/notes/-c !sh \n.md")


@pytest.mark.parametrize(
    ("editor", "expected"),
    [
        ("vi", ["vi", "+7", str(FILE)]),
        ("/usr/bin/nvim -R", ["/usr/bin/nvim", "-R", "+7", str(FILE)]),
        ("emacsclient -nw -a ''", ["emacsclient", "-nw", "-a", "", "+7", str(FILE)]),
        ("nano", ["nano", "+7", str(FILE)]),
        ("code --wait", ["code", "--wait", "--goto", f"{FILE}:7"]),
        ("subl -w", ["subl", "-w", f"{FILE}:7"]),
        ("hx", ["hx", f"{FILE}:7"]),
        ("kate", ["kate", "--line", "7", str(FILE)]),
        ("'/opt/my editor/ed'", ["/opt/my editor/ed", "+7", str(FILE)]),
        ("", []),
        ("  ", []),
        ("vi 'unclosed", []),
    ],
)
def test_the_command_of_an_editor(editor: str, expected: list[str]) -> None:
    assert editor_command(editor, FILE, 7) == expected


def test_a_relative_file_becomes_absolute() -> None:
    assert Path(editor_command("vi", Path("-x"), 1)[-1]).is_absolute()


TEXT = "\n".join(f"line {number}" for number in range(1, 13))


@pytest.mark.parametrize(
    ("lines", "shown", "marked"),
    [
        (Lines(5, 6), range(2, 10), {5, 6}),
        (Lines(1, 1), range(1, 5), {1}),
        (Lines(11, 40), range(8, 13), {11, 12}),
        (Lines(40, 41), [], set()),
    ],
)
def test_an_excerpt_numbers_lines_and_marks_the_cited_ones(lines: Lines, shown: range, marked: set[int]) -> None:
    rows = excerpt(TEXT, lines).split("\n") if shown else []
    assert [row.split()[-1] for row in rows] == [str(number) for number in shown]
    assert [number for number, row in zip(shown, rows, strict=True) if row.startswith(">")] == sorted(marked)
    if not shown:
        assert excerpt(TEXT, lines) == ""
