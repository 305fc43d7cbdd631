"""Copies of other machines' ledgers: fetched when asked, checked row by row, and kept until a newer one comes."""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from askwell.errors import ConfigError
from askwell.records.files import Failed, locked, private_folder, read_whole, write_whole
from askwell.records.ledger import HEADER, Ledger, document, parse
from askwell.types import LedgerRow, LedgerRows, Partner

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askwell.ports import Leaving

LARGEST = 8_000_000
"""Bytes of a partner's ledger; more than twice what the largest pruned one has."""

SECONDS = 15.0
"""For one partner, from the first try to connect to the last byte."""

_HOST = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


@dataclass(frozen=True, slots=True)
class Address:
    """Where a partner's ledger is."""

    host: str  # the name that its own rows carry
    place: str  # `http://…`, `https://…` or a path


def addresses(settings: Sequence[str], *, own: str) -> tuple[Address, ...]:
    """Return `HOST=URL` and `HOST=PATH` settings as addresses.

    Args:
        settings: As written.
        own: This machine's name, which no partner may have: its rows would count twice.

    Raises:
        ConfigError: one is of another form, names this machine or a host that was named before.
    """
    found: list[Address] = []
    for setting in settings:
        host, equals, place = (part.strip() for part in setting.partition("="))
        if not equals or not place or not _HOST.fullmatch(host):
            raise ConfigError(
                f"`records.partners` has {setting!r}", hint="write HOST=URL or HOST=PATH, HOST as its ledger has it"
            )
        if "://" in place and not place.startswith(("http://", "https://")):
            raise ConfigError(f"`records.partners` has {setting!r}", hint="use http://, https:// or a path")
        if host == own or host in {address.host for address in found}:
            what = "is this machine" if host == own else "is there twice"
            raise ConfigError(f"`records.partners` has {host!r}, which {what}", hint="name each other host once")
        found.append(Address(host, place))
    return tuple(found)


class Partners:
    """The copies of the partners' ledgers."""

    def __init__(self, folder: Path, addresses: Sequence[Address], *, key: str = "") -> None:
        """Take the folder of the copies, where the originals are, and the key that is sent for them."""
        self._folder = folder
        self._addresses = tuple(addresses)
        self._key = key

    @property
    def hosts(self) -> frozenset[str]:
        """The partners' names."""
        return frozenset(address.host for address in self._addresses)

    def pull(self, *, leaving: Leaving | None = None) -> tuple[Partner, ...]:
        """Fetch every partner's ledger. One that cannot be had is told, and its copy stays as it is.

        Raises:
            OSError: a copy could not be written.
        """
        return tuple(self._pull(address, leaving) for address in self._addresses)

    def read(self) -> tuple[LedgerRows, tuple[Partner, ...]]:
        """Return the rows of all copies, and what is known of each.

        Raises:
            OSError: a copy is there and cannot be read.
        """
        rows: list[LedgerRow] = []
        skipped = 0
        known: list[Partner] = []
        for address in self._addresses:
            held = Ledger(self._copy(address)).read()
            own = [row for row in held.rows if row.host == address.host]
            lost = held.skipped + len(held.rows) - len(own)
            rows += own
            skipped += lost
            known.append(self._partner(address, rows=len(own), skipped=lost))
        return LedgerRows(rows=tuple(rows), skipped=skipped), tuple(known)

    def _pull(self, address: Address, leaving: Leaving | None) -> Partner:
        try:
            rows, skipped = checked(self._fetch(address, leaving), host=address.host)
        except Failed as failed:
            held = [row for row in Ledger(self._copy(address)).read().rows if row.host == address.host]
            return self._partner(address, rows=len(held), skipped=0, error=str(failed))
        private_folder(self._folder)
        with locked(self._copy(address)):
            write_whole(self._copy(address), document(rows))
        return self._partner(address, rows=len(rows), skipped=skipped)

    def _fetch(self, address: Address, leaving: Leaving | None) -> bytes:
        if "://" in address.place:
            from askwell.records.download import download

            return download(address.place, key=self._key, most=LARGEST, seconds=SECONDS, leaving=leaving)
        try:
            return read_whole(Path(address.place).expanduser(), most=LARGEST)
        except OSError as error:
            raise Failed((error.strerror or type(error).__name__).lower()) from error

    def _copy(self, address: Address) -> Path:
        return self._folder / f"{address.host}.ledger"

    def _partner(self, address: Address, *, rows: int, skipped: int, error: str = "") -> Partner:
        try:
            stamp = self._copy(address).stat().st_mtime
            pulled = datetime.datetime.fromtimestamp(stamp, datetime.UTC).astimezone().isoformat(timespec="seconds")
        except FileNotFoundError:
            pulled = ""
        return Partner(host=address.host, rows=rows, skipped=skipped, pulled=pulled, error=error)


def checked(data: bytes, *, host: str) -> tuple[tuple[LedgerRow, ...], int]:
    """Return the rows of a ledger whose host is `host`, and how many other lines there were.

    Raises:
        Failed: it is no ledger: neither its header nor any row is in it.
    """
    rows: list[LedgerRow] = []
    skipped = 0
    header = False
    for raw in data.splitlines():
        row = parse(raw)
        if row is not None and row.host == host:
            rows.append(row)
        elif raw.strip().decode("utf-8", "replace") == HEADER:
            header = True
        elif raw.strip():
            skipped += 1
    if not rows and not header:
        raise Failed("what is there is no ledger")
    return tuple(rows), skipped
