"""Conversations: one JSON file each, replaced whole when a turn completes, a few kept, checked again on loading."""

from __future__ import annotations

import contextlib
import json
import re
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

from askwell.ids import ConversationId
from askwell.records import fields, turns
from askwell.records.files import locked, read_whole, sweep, write_whole
from askwell.records.turns import Dated
from askwell.types import Conversation, PrivacyClass

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from pathlib import Path

    from askwell.types import Turn

KEPT = 10
"""Conversations that are kept."""

LARGEST = 16_000_000
"""Bytes of a file; a conversation that would grow over it forgets its oldest turns."""

MOST_TURNS = 1000
"""Turns of one conversation that are kept, the newest."""

VERSION = 1

_ID = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True, slots=True)
class Broken:
    """A stored turn that cannot be read. It is written back as it was found: whoever edited it may want to mend it."""

    raw: object
    fault: str


@dataclass(frozen=True, slots=True)
class Stored:
    """A file's content."""

    id: ConversationId
    created: str
    turns: tuple[Dated | Broken, ...]  # oldest first


class Conversations:
    """A folder of conversations. Any number of processes may use it."""

    def __init__(self, folder: Path, *, kept: int = KEPT) -> None:
        """Take the folder, which is made when it is needed, and how many conversations it may hold."""
        self._folder = folder
        self._kept = kept

    def add(self, id: ConversationId, turn: Turn, *, at: str) -> None:
        """Add a turn to a conversation, which is made by its first turn; remove what is over the number kept.

        A file of that name that is no conversation is set aside as `ID.json.broken`.

        Raises:
            OSError: it could not be written; what was there stays.
            ValueError: the id is none.
        """
        path = self._path(id)
        with self._lock():
            sweep(self._folder)
            try:
                before = self._load(path, id)
            except FileNotFoundError:
                before = Stored(id, at, ())
            except ValueError:
                path.replace(path.with_name(f"{path.name}.broken"))
                before = Stored(id, at, ())
            write_whole(path, document(Stored(id, before.created, (*before.turns, Dated(at, turn)))))
            self._prune(id)

    def read(self, id: str, *, classes: Collection[PrivacyClass]) -> Conversation | None:
        """Return the visible turns of a conversation, None if there are none.

        Raises:
            OSError, ValueError: there is a file of this name and it is no conversation.
        """
        if not _ID.fullmatch(id):
            return None
        try:
            stored = self._load(self._folder / f"{id}.json", ConversationId(id))
        except FileNotFoundError:
            return None
        return visible(stored, classes=classes)

    def all(self, *, classes: Collection[PrivacyClass]) -> tuple[Sequence[Conversation], Sequence[str]]:
        """Return the conversations with visible turns, newest by creation first, and what is wrong with other files.

        Raises:
            OSError: the folder is there and cannot be read.
        """
        found: list[Conversation] = []
        faults: list[str] = []
        for id in self._ids():
            try:
                conversation = self.read(id, classes=classes)
            except (OSError, ValueError) as error:
                faults.append(f"the conversation {id} is left out: {why(error)}")
                continue
            if conversation is not None:
                found.append(conversation)
        return sorted(found, key=lambda item: (sortable(item.created), item.id), reverse=True), faults

    def remove(self, id: str, *, classes: Collection[PrivacyClass]) -> bool:
        """Remove the visible turns of a conversation, and the file with the last one; return whether there were any.

        Raises:
            OSError: it could not be written.
            ValueError: the file is no conversation.
        """
        if not _ID.fullmatch(id) or not self._folder.is_dir():
            return False
        path = self._path(ConversationId(id))
        with self._lock():
            try:
                stored = self._load(path, ConversationId(id))
            except FileNotFoundError:
                return False
            rest = tuple(item for item in stored.turns if not _seen(item, classes))
            if len(rest) == len(stored.turns):
                return False
            if rest:
                write_whole(path, document(Stored(stored.id, stored.created, rest)))
            else:
                path.unlink()
        return True

    def _path(self, id: ConversationId) -> Path:
        if not _ID.fullmatch(id):
            raise ValueError("a conversation's id is 32 hex characters")
        return self._folder / f"{id}.json"

    def _lock(self) -> contextlib.AbstractContextManager[None]:
        return locked(self._folder / "conversations")

    def _ids(self) -> Iterator[ConversationId]:
        if not self._folder.is_dir():
            return
        for path in sorted(self._folder.iterdir()):
            if path.suffix == ".json" and _ID.fullmatch(path.stem):
                yield ConversationId(path.stem)

    def _load(self, path: Path, id: ConversationId) -> Stored:
        return parse(read_whole(path, most=LARGEST), id)

    def _prune(self, newest: ConversationId) -> None:
        """Remove the oldest by creation. A file that is no conversation is not ours to remove."""
        known = list(self._ids())
        if len(known) <= self._kept:
            return
        dated: list[tuple[str, ConversationId]] = []
        for id in known:
            if id != newest:
                with contextlib.suppress(OSError, ValueError):
                    dated.append((sortable(self._load(self._path(id), id).created), id))
        for _, id in sorted(dated, reverse=True)[max(0, self._kept - 1) :]:
            with contextlib.suppress(OSError):
                self._path(id).unlink()


def new_id() -> ConversationId:
    """Return an id that nobody can guess."""
    return ConversationId(secrets.token_hex(16))


def document(stored: Stored) -> bytes:
    """Return a conversation's file, with as many of its newest turns as may be kept."""
    newest = stored.turns[-MOST_TURNS:]
    rows = [turns.stored(item) if isinstance(item, Dated) else item.raw for item in newest]
    while True:
        value = {"version": VERSION, "id": stored.id, "created": stored.created, "turns": rows}
        data = json.dumps(value, ensure_ascii=False, indent=1).encode("utf-8", "replace") + b"\n"
        if len(data) <= LARGEST or len(rows) == 1:
            return data
        rows = rows[len(rows) // 2 :]


def parse(data: bytes, id: ConversationId) -> Stored:
    """Return what a conversation's file holds.

    Raises:
        ValueError: it is no conversation; says why and quotes nothing of it.
    """
    try:
        value: object = json.loads(data)
    except (ValueError, RecursionError):
        raise ValueError("it is no JSON") from None
    if not isinstance(value, dict) or value.get("version") != VERSION:
        raise ValueError("it is no conversation of this version")
    if value.get("id") != id:
        raise ValueError("its id is not its file's name")
    rows = value.get("turns")
    if not isinstance(rows, list):
        raise ValueError("`turns` is no list")
    created = fields.moment(value, "created")
    found: list[Dated | Broken] = []
    for number, row in enumerate(rows, start=1):
        try:
            found.append(turns.loaded(row))
        except ValueError as error:
            found.append(Broken(row, f"turn {number} is left out: {error}"))
    return Stored(id, created, tuple(found))


def visible(stored: Stored, *, classes: Collection[PrivacyClass]) -> Conversation | None:
    """Return what a reader of `classes` may know of a conversation; None if that is nothing."""
    everything = frozenset(classes) == frozenset(PrivacyClass)
    shown = [item for item in stored.turns if isinstance(item, Dated) and _seen(item, classes)]
    refused = tuple(item.fault for item in stored.turns if isinstance(item, Broken) and _seen(item, classes))
    if not shown and not refused:
        return None
    first, last = (shown[0].at, shown[-1].at) if shown else (stored.created, stored.created)
    return Conversation(
        id=stored.id,
        created=stored.created if everything else first,
        updated=last,
        turns=tuple(dated.turn for dated in shown),
        refused=refused,
    )


def _seen(item: Dated | Broken, classes: Collection[PrivacyClass]) -> bool:
    """Return whether a reader of `classes` may see a stored turn; what cannot be read may hold anything."""
    needed = item.turn.classes if isinstance(item, Dated) else frozenset(PrivacyClass)
    return needed <= frozenset(classes)


def sortable(moment: str) -> str:
    """Return an ISO time with its offset in a form that sorts by the instant."""
    import datetime

    return datetime.datetime.fromisoformat(moment).astimezone(datetime.UTC).isoformat()


def why(error: OSError | ValueError) -> str:
    """Return what went wrong, without any path."""
    return (error.strerror or type(error).__name__).lower() if isinstance(error, OSError) else str(error)
