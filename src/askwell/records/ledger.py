"""The token ledger: `date|time|host|profile|source|prompt_tokens|completion_tokens|tok_s`, one line a turn."""

from __future__ import annotations

import datetime
import math
import re
from collections import deque
from typing import TYPE_CHECKING

from askwell.records.files import append, lines, locked, write_whole
from askwell.types import LedgerRow, LedgerRows

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from pathlib import Path

HEADER = "date|time|host|profile|source|prompt_tokens|completion_tokens|tok_s"

KEPT = 20_000
"""Rows that pruning leaves, the newest."""

BOUND = 4_000_000
"""Bytes above which the server prunes; 20,000 of the longest rows are 3 MB, so that each pruning lasts a while."""

_LONGEST = 1000  # bytes of a line; the longest row has 160
_COUNT = re.compile(r"[0-9]{1,12}")
_SPEED = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,6})?")
_HOUR = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


class Ledger:
    """One ledger file, to which every process of this machine appends."""

    def __init__(self, path: Path, *, kept: int = KEPT, bound: int = BOUND) -> None:
        """Take the file's path, how many rows pruning leaves, and above how many bytes it is due."""
        self._path = path
        self._kept = kept
        self._bound = bound

    def add(self, row: LedgerRow, *, prune: bool = False) -> None:
        """Append one row; with `prune` shorten a file that has grown over its bound.

        Raises:
            OSError: it could not be written.
        """
        with locked(self._path):
            size = append(self._path, f"{line(row)}\n".encode(), header=f"{HEADER}\n".encode())
            if prune and size > self._bound:
                newest: deque[LedgerRow] = deque(self.read().rows, maxlen=self._kept)
                write_whole(self._path, document(newest))

    def read(self, *, foreign: Collection[str] = ()) -> LedgerRows:
        """Return the rows in the file's order.

        Args:
            foreign: Hosts whose rows this file may not contribute: they have a ledger of their own.

        Raises:
            OSError: the file is there and cannot be read.
        """
        rows: list[LedgerRow] = []
        skipped = 0
        for raw in lines(self._path, most=_LONGEST):
            row = parse(raw)
            if row is not None and row.host not in foreign:
                rows.append(row)
            elif raw is None or (raw.strip() and raw.strip().decode("utf-8", "replace") != HEADER):
                skipped += 1
        return LedgerRows(rows=tuple(rows), skipped=skipped)


def line(row: LedgerRow) -> str:
    """Return a row as its line, without line end. Characters that would end a field or the line become `_`."""
    speed = row.tokens_per_second if math.isfinite(row.tokens_per_second) else 0.0
    return "|".join(
        (
            row.date,
            row.time,
            _field(row.host, 64),
            _field(row.profile, 24),
            _field(row.source, 24),
            str(row.prompt_tokens),
            str(row.completion_tokens),
            f"{min(speed, 1e8):.1f}",
        )
    )


def document(rows: Iterable[LedgerRow]) -> bytes:
    """Return a whole ledger file."""
    return "".join(f"{text}\n" for text in (HEADER, *map(line, rows))).encode()


def parse(raw: bytes | None) -> LedgerRow | None:
    """Return the row that a line holds, None if it is none. No field may be empty or out of its form."""
    if raw is None:
        return None
    try:
        parts = raw.decode().split("|")
    except UnicodeDecodeError:
        return None
    if len(parts) != 8 or not all(map(str.isprintable, parts)) or not all(parts):
        return None
    date, time, host, profile, source, prompt, completion, speed = parts
    forms = ((_DAY, date), (_HOUR, time), (_COUNT, prompt), (_COUNT, completion), (_SPEED, speed))
    if not all(form.fullmatch(part) for form, part in forms):
        return None
    try:
        datetime.date.fromisoformat(date)
    except ValueError:
        return None
    return LedgerRow(
        date=date,
        time=time,
        host=host,
        profile=profile,
        source=source,
        prompt_tokens=int(prompt),
        completion_tokens=int(completion),
        tokens_per_second=float(speed),
    )


def _field(text: str, most: int) -> str:
    made = "".join("_" if character == "|" or not character.isprintable() else character for character in text[:most])
    return made.strip() or "_"
