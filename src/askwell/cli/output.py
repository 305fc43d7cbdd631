"""stdout is data, stderr is talk. Colour, progress and JSON are decided here."""

from __future__ import annotations

import os
import re
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_CODES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}
_STYLES = re.compile(r"(\x1b\[(?:[12]|3[1-36])(?:;(?:[12]|3[1-36]))*m|\x1b\[0m)")
_BAR = 24
_REDRAW = 0.1  # seconds between two drawings of the bar
_REPEAT = 5.0  # seconds between two lines where there is no terminal


def printable(text: str) -> str:
    """Return `text` without control characters: a note must not drive the reader's terminal.

    Line feeds and tabs stay; lone surrogates become U+FFFD; bidirectional overrides are dropped.
    """
    return "".join(map(_shown, text)) if not text.isprintable() else text


def _shown(char: str) -> str:
    if char in "\n\t" or char.isprintable():
        return char
    code = ord(char)
    if 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    return "" if code < 0xA0 or 0x202A <= code <= 0x202E or 0x2066 <= code <= 0x2069 else char


def styled(text: str, *styles: str) -> str:
    """Return `text` in the given styles where stdout is a terminal that shows them (`NO_COLOR` is honoured)."""
    if not styles or not colour():
        return text
    return f"\x1b[{';'.join(_CODES[style] for style in styles)}m{text}\x1b[0m"


def colour() -> bool:
    """Whether stdout may be coloured."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def say(text: str = "") -> None:
    """Write one line of data for a person. Nothing but the styles of `styled` drives their terminal."""
    parts = _STYLES.split(text) if colour() else [text]
    # Every second part is a style, which the pattern captures.
    sys.stdout.write("".join(part if at % 2 else printable(part) for at, part in enumerate(parts)) + "\n")


def talk(text: str) -> None:
    """Write one line about what is going on."""
    sys.stderr.write(printable(text) + "\n")


def emit(value: Mapping[str, object]) -> None:
    """Write one JSON object (see `json_text`)."""
    write(json_text(value))


def json_text(value: Mapping[str, object]) -> str:
    """Return one JSON object as text with a line end; lone surrogates become U+FFFD, so that it can be UTF-8."""
    import json

    text = json.dumps(value, ensure_ascii=False, indent=2) + "\n"
    return text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")


def json_line(value: Mapping[str, object]) -> str:
    """Return one JSON object on a line of its own, as `json_text` otherwise."""
    import json

    text = json.dumps(value, ensure_ascii=False) + "\n"
    return text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")


def write(text: str) -> None:
    """Write data as UTF-8, whatever the terminal's encoding is."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode())
    sys.stdout.buffer.flush()


class ProgressBar:
    """How far a run is, on stderr: a bar on a terminal, elsewhere a line now and then.

    Callable as `askwell.ports.Progress`.
    """

    def __init__(self, *, enabled: bool = True, clock: Callable[[], float] = time.monotonic) -> None:
        self._enabled = enabled
        self._clock = clock
        self._bar = sys.stderr.isatty()
        self._phase = ""
        self._told = clock()
        self._started = 0.0

    def __call__(self, phase: str, done: int, total: int) -> None:
        """Show that `done` of `total` are done; a new phase starts a new bar."""
        if not self._enabled or not total:
            return
        now = self._clock()
        if phase != self._phase:
            if self._bar:
                self.close()
                self._told = 0.0
            self._phase, self._started = phase, now
        if now - self._told < (_REDRAW if self._bar else _REPEAT) and not (self._bar and done >= total):
            return
        self._told = now
        rate = done / (now - self._started) if now > self._started else 0.0
        left = f", {(total - done) / rate:.0f} s left" if rate and done < total else ""
        if self._bar:
            filled = _BAR * done // total
            sys.stderr.write(f"\r{phase} [{'#' * filled}{'.' * (_BAR - filled)}] {done}/{total}{left}\x1b[K")
            sys.stderr.flush()
        else:
            talk(f"{phase} {done}/{total}{left}")

    def close(self) -> None:
        """End the bar's line."""
        if self._phase and self._bar:
            sys.stderr.write("\n")
        self._phase = ""
