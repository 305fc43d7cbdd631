"""Runs the command line: in this process, or in one of its own where the process is the point."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from askwell.cli.main import main

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

WORDS_ONLY = '[models]\nembedding = "none"\n'
"""Settings of an index without vectors: the fastest there is."""

COMMAND = [sys.executable, "-m", "askwell"]


@dataclass(frozen=True, slots=True)
class Said:
    """What a command left behind."""

    code: int
    raw: bytes  # all of stdout
    err: str

    @property
    def out(self) -> str:
        """Stdout as text; fails if it is not UTF-8."""
        return self.raw.decode("utf-8")

    @property
    def json(self) -> Any:  # Any: the shape is the claim of the test
        """The one JSON object on stdout."""
        return json.loads(self.out)


@dataclass(frozen=True, slots=True)
class Askwell:
    """Commands over one set of sources, one index and one file of settings, all inside of a folder."""

    folder: Path
    sources: tuple[Path, ...]
    settings: str = WORDS_ONLY
    index: str = "index.db"

    def arguments(self, command: str, *rest: object) -> list[str]:
        """Return a whole command line; what is asked comes last and is never an option."""
        config = self.folder / "settings.toml"
        config.write_text(self.settings, encoding="utf-8")
        where = [part for source in self.sources for part in ("--source", os.fspath(source))]
        options = ["--index", os.fspath(self.folder / self.index), "--config", os.fspath(config)]
        return [command, *where, *options, *map(str, rest)]

    def __call__(self, command: str, *rest: object) -> Said:
        """Run a command in this process."""
        return run(self.arguments(command, *rest))

    def hits(self, question: str, *options: object) -> list[dict[str, Any]]:
        """Return what a search finds."""
        said = self("search", "--json", *options, "--", question)
        assert said.code == 0, said.err
        found: list[dict[str, Any]] = said.json["hits"]
        return found

    def paths(self, question: str, *options: object) -> list[str]:
        """Return the paths that a search finds, best first."""
        return [hit["path"] for hit in self.hits(question, *options)]


def run(arguments: Iterable[str]) -> Said:
    """Run a command line in this process."""
    raw, err = io.BytesIO(), io.StringIO()
    out = io.TextIOWrapper(raw, encoding="utf-8", write_through=True)
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(list(arguments))
        out.flush()
    return Said(code, raw.getvalue(), err.getvalue())


def spawn(
    arguments: Iterable[str],
    *,
    environ: Mapping[str, str] | None = None,
    **options: Any,  # Any: those of `subprocess.run`
) -> Said:
    """Run a command line as a process of its own."""
    done = subprocess.run(
        [*COMMAND, *arguments], capture_output=True, check=False, env={**os.environ, **(environ or {})}, **options
    )
    return Said(done.returncode, done.stdout, done.stderr.decode("utf-8", "replace"))
