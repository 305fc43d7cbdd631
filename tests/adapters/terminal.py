"""A command on a pseudo-terminal of its own, driven by what a person types."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest
from tests.adapters.command import COMMAND

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import TracebackType

CTRL_C, CTRL_D = "\x03", "\x04"
PATIENCE = 20.0  # seconds that an expected text may take

_LEAD = """
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)  # so that Ctrl-C is a signal to the program
os.execv(sys.argv[1], sys.argv[1:])
"""


class Terminal:
    """A running command. Use it as a context; a machine without pseudo-terminals skips the test, and in CI fails it."""

    def __init__(self, arguments: Sequence[str], *, environ: Mapping[str, str]) -> None:
        try:
            self._ours, theirs = os.openpty()
        except OSError as error:
            if os.environ.get("CI"):
                raise
            pytest.skip(f"no pseudo-terminal on this machine: {error}")
        self.shown = ""
        self._process = subprocess.Popen(
            [sys.executable, "-c", _LEAD, *COMMAND, *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            env={**os.environ, "TERM": "dumb", "INPUTRC": os.devnull, **environ},
        )
        os.close(theirs)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait(PATIENCE)
        os.close(self._ours)

    def type(self, text: str) -> None:
        """Send keys."""
        os.write(self._ours, text.encode())

    def until(self, text: str) -> str:
        """Return what is shown up to `text`, and forget it; fails if it does not come."""
        end = time.monotonic() + PATIENCE
        while text not in self.shown:
            if not self._read(end - time.monotonic()):
                pytest.fail(f"{text!r} is not among {self.shown!r}")
        before, _, self.shown = self.shown.partition(text)
        return before

    def ended(self) -> int:
        """Return the exit code once the command has ended, everything that it showed read."""
        end = time.monotonic() + PATIENCE
        while self._read(end - time.monotonic()):
            pass
        return self._process.wait(PATIENCE)

    def _read(self, seconds: float) -> bool:
        if seconds <= 0 or not select.select([self._ours], [], [], seconds)[0]:
            return False
        try:
            piece = os.read(self._ours, 65536)
        except OSError:  # the other side is closed
            return False
        self.shown += piece.decode("utf-8", "replace")
        return bool(piece)
