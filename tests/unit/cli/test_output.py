"""What a person's terminal is sent."""

from __future__ import annotations

import contextlib
import io
from typing import TYPE_CHECKING

import pytest

from askwell.cli.output import ProgressBar, printable, say, styled

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


def test_without_a_terminal_a_long_run_says_now_and_then_how_far_it_is() -> None:
    now = [0.0]
    with contextlib.redirect_stderr(io.StringIO()) as err:
        progress = ProgressBar(clock=lambda: now[0])
        for done in range(101):
            now[0] = done / 5
            progress("reading", done, 100)
        progress.close()
    assert err.getvalue() == "".join(
        f"reading {done}/100{left}\n"
        for done, left in ((25, ", 15 s left"), (50, ", 10 s left"), (75, ", 5 s left"), (100, ""))
    )


def test_a_short_or_quiet_run_says_nothing_without_a_terminal() -> None:
    now = [0.0]
    with contextlib.redirect_stderr(io.StringIO()) as err:
        for progress in (ProgressBar(clock=lambda: 1.0), ProgressBar(enabled=False, clock=lambda: now[0])):
            now[0] += 100
            progress("embed", 50, 100)
            progress.close()
    assert err.getvalue() == ""


def test_a_terminal_is_drawn_a_bar() -> None:
    with contextlib.redirect_stderr(Terminal()) as err:
        progress = ProgressBar(clock=lambda: 1.0)
        progress("reading", 1, 2)
        progress("reading", 2, 2)
        progress.close()
    assert err.getvalue() == (f"\rreading [{'#' * 12}{'.' * 12}] 1/2\x1b[K\rreading [{'#' * 24}] 2/2\x1b[K\n")
