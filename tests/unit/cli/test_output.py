"""What a person's terminal is sent."""

from __future__ import annotations

import contextlib
import io
from typing import TYPE_CHECKING

import pytest

from askwell.cli.output import printable, say, styled

if TYPE_CHECKING:
    from collections.abc import Iterator


class Terminal(io.StringIO):
    """A stream that takes itself for a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def _colours() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("NO_COLOR", raising=False)
        patch.setenv("TERM", "xterm")
        yield


@pytest.mark.usefixtures("_colours")
def test_styles_reach_a_terminal_and_a_notes_own_sequences_do_not() -> None:
    with contextlib.redirect_stdout(Terminal()) as out:
        say(styled("head", "bold") + " \x1b[2J\x1b]0;title\x07 \x1b[31;5m" + styled("tail", "dim", "red"))
    assert out.getvalue() == "\x1b[1mhead\x1b[0m [2J]0;title [31;5m\x1b[2;31mtail\x1b[0m\n"


@pytest.mark.usefixtures("_colours")
def test_no_style_reaches_a_file_or_a_person_who_wants_none() -> None:
    with contextlib.redirect_stdout(io.StringIO()) as out:
        say(styled("head", "bold") + " \x1b[1mown")
    assert out.getvalue() == "head [1mown\n"
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(Terminal()) as out:
        patch.setenv("NO_COLOR", "1")
        say(styled("head", "bold") + " \x1b[1mown")
    assert out.getvalue() == "head [1mown\n"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain ümlaut 🐦\tx\ny", "plain ümlaut 🐦\tx\ny"),
        ("\x1b[31mred\x07\r\x9b2J", "[31mred2J"),
        ("a\u202eb\u2066c\ud83d", "abc\ufffd"),
    ],
)
def test_what_is_printable(text: str, shown: str) -> None:
    assert printable(text) == shown
