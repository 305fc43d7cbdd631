"""Lines of a document in the reader's pager, or its file in their editor at a line. Nothing goes through a shell."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from askwell.cli.output import printable, say, talk

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from askwell.types import Lines

AROUND = 3
"""Lines shown before and after the cited ones."""

_GOTO = {"code", "codium", "code-insiders", "cursor", "windsurf"}  # `--goto FILE:LINE`
_COLON = {"subl", "zed", "hx", "helix", "micro"}  # `FILE:LINE`
_NAMED = {"idea", "pycharm", "kate", "mate"}  # `--line LINE FILE`


def excerpt(text: str, lines: Lines, *, around: int = AROUND) -> str:
    """Return lines of a text with their numbers, the wanted ones marked with `>`.

    Lines beyond the end of the text are left out.
    """
    every = text.split("\n")
    first, last = max(1, lines.first - around), min(len(every), lines.last + around)
    width = len(str(last))
    return "\n".join(
        f"{'>' if lines.first <= number <= lines.last else ' '} {number:>{width}}  {every[number - 1]}"
        for number in range(first, last + 1)
    )


def editor_command(editor: str, file: Path, line: int) -> list[str]:
    """Return the command that opens a file at a line, in the form that this editor knows; `+LINE` for unknown ones.

    Empty if the setting cannot be read as a command.
    """
    try:
        words = shlex.split(editor)
    except ValueError:
        return []
    if not words:
        return []
    name = Path(words[0]).name.removesuffix(".exe")
    place = os.fspath(file.absolute())
    if name in _GOTO:
        return [*words, "--goto", f"{place}:{line}"]
    if name in _COLON:
        return [*words, f"{place}:{line}"]
    if name in _NAMED:
        return [*words, "--line", str(line), place]
    return [*words, f"+{line}", place]


def in_editor(file: Path, line: int, *, environ: Mapping[str, str] = os.environ) -> bool:
    """Open a file at a line in `$VISUAL` or `$EDITOR`; return whether there is one and it could be started."""
    command = editor_command(environ.get("VISUAL") or environ.get("EDITOR") or "", file, line)
    return bool(command) and _ran(command)


def in_pager(text: str, *, environ: Mapping[str, str] = os.environ) -> None:
    """Show text in `$PAGER` (`less` if there is one and none is set) on a terminal, else print it."""
    setting = environ.get("PAGER")
    try:
        command = shlex.split(setting) if setting is not None else ["less"] if shutil.which("less") else []
    except ValueError:
        command = []
    if not (command and sys.stdin.isatty() and sys.stdout.isatty()) or not _ran(command, text=printable(text) + "\n"):
        say(printable(text))


def _ran(command: Sequence[str], *, text: str | None = None) -> bool:
    """Run a program on this terminal until it ends; return whether it could be started."""
    sys.stdout.flush()
    less = {"LESS": os.environ.get("LESS", "FX")}  # short texts stay on the screen
    given = None if text is None else subprocess.PIPE
    try:
        with subprocess.Popen(command, stdin=given, env=os.environ | less) as program:  # noqa: S603 - the user's own choice
            _feed(program, text)
    except OSError as error:
        talk(f"note: {command[0]} cannot be started: {(error.strerror or '').lower()}")
        return False
    return True


def _feed(program: subprocess.Popen[bytes], text: str | None) -> None:
    """Give a program its text and wait for it. Ctrl-C is its own business: it has the terminal."""
    data = None if text is None else text.encode("utf-8", "replace")
    while True:
        try:
            program.communicate(data)
        except KeyboardInterrupt:
            data = None  # what was not read yet is remembered
        else:
            return
