"""JSON lines for their owner's eyes alone, in two files that take turns: neither grows beyond its bound."""

from __future__ import annotations

import json
from collections import deque
from typing import TYPE_CHECKING

from askwell.records.files import append, lines, locked

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

BOUND = 5_000_000
"""Bytes after which a file becomes the older one and a new one is begun."""

NEWEST = 50_000
"""Most rows that are read, the newest; some five times what both files hold at their usual length."""


class Journal:
    """Rows of one sort, oldest first. Any number of processes may write."""

    def __init__(self, path: Path, *, bound: int = BOUND) -> None:
        """Take the file's path; the older file is beside it, with `.1` at the end of its name."""
        self._path = path
        self._older = path.with_name(path.name + ".1")
        self._bound = bound

    def add(self, row: Mapping[str, object]) -> None:
        """Append one row.

        Raises:
            OSError: it could not be written.
        """
        text = json.dumps(row, ensure_ascii=False, separators=(",", ":"))
        data = text.encode("utf-8", "replace") + b"\n"
        with locked(self._path):
            if append(self._path, data) > self._bound:
                self._path.replace(self._older)

    def rows(self) -> Iterator[dict[str, object]]:
        """Yield the rows of both files, oldest first; whatever is no JSON object is left out.

        Raises:
            OSError: a file cannot be read.
        """
        newest: deque[bytes] = deque(maxlen=NEWEST)
        for path in (self._older, self._path):
            newest.extend(line for line in lines(path) if line)
        for line in newest:
            try:
                row: object = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(row, dict):
                yield row
