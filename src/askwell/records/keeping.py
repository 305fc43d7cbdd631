"""`Records` as files in one folder. A failure to write is told once and stops nothing."""

from __future__ import annotations

import contextlib
import threading
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from askwell.records.conversations import KEPT, Conversations, new_id, why
from askwell.records.egress import Egress
from askwell.records.journal import Journal
from askwell.records.ledger import Ledger
from askwell.records.partners import Partners
from askwell.records.querylog import QueryLog
from askwell.types import LedgerRow, LedgerRows, PrivacyClass

if TYPE_CHECKING:
    import datetime
    from collections.abc import Callable, Collection, Iterator, Sequence
    from pathlib import Path

    from askwell.ids import ConversationId
    from askwell.records.partners import Address
    from askwell.types import Conversation, Outgoing, Partner, Turn, TurnRecord

LEDGER = "ledger.txt"
"""Name of the token ledger in the folder: what a partner fetches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordSettings:
    """Where records are and how much is kept."""

    folder: Path
    host: str  # this machine's name in its ledger
    interface: str = "cli"  # who writes: the `source` column of the ledger
    prune: bool = False  # whether this process shortens the ledger; only the server does
    conversations: int = KEPT
    questions: bool = True  # whether the query log keeps the words of questions
    partners: tuple[Address, ...] = ()
    key: str = field(default="", repr=False)  # sent to partners
    sources: tuple[Path, ...] = ()  # folders into which nothing is written

    @property
    def inside(self) -> bool:
        """Whether the folder lies in a source in plain sight, where the next run would index it."""
        here = self.folder.resolve()
        roots = [root.resolve() for root in self.sources]
        return any(
            here.is_relative_to(root) and not any(part.startswith(".") for part in here.relative_to(root).parts)
            for root in roots
        )


class FileRecords:
    """`askwell.ports.Records` over files. Safe to share between threads and with other processes."""

    def __init__(self, settings: RecordSettings, *, now: Callable[[], datetime.datetime]) -> None:
        """Open nothing yet.

        Args:
            settings: Where and how much.
            now: The local time, with its offset.
        """
        folder = settings.folder
        self._settings = settings
        self._now = now
        self._conversations = Conversations(folder / "conversations", kept=settings.conversations)
        self._ledger = Ledger(folder / LEDGER)
        self._partners = Partners(folder / "partners", settings.partners, key=settings.key)
        self._journals = (Journal(folder / "queries.jsonl"), Journal(folder / "egress.jsonl"))
        self._queries = QueryLog(self._journals[0], words=settings.questions)
        self._egress = Egress(self._journals[1])
        self._lock = threading.Lock()
        self._told: dict[str, bool] = {}  # fault → whether it was given out
        self.misplaced = settings.inside  # then nothing is written

    @property
    def folder(self) -> Path:
        """Where everything is."""
        return self._settings.folder

    @property
    def host(self) -> str:
        """This machine's name in its ledger."""
        return self._settings.host

    def record(self, turn: TurnRecord) -> None:
        """Add one turn to the query log and to the token ledger."""
        now = self._now()
        with self._failing("the query log is not written"):
            self._check_place()
            self._queries.add(replace(turn, at=now.isoformat(timespec="seconds")))
        row = LedgerRow(
            date=now.date().isoformat(),
            time=now.strftime("%H:%M:%S"),
            host=self._settings.host,
            profile=turn.profile.value,
            source=self._settings.interface,
            prompt_tokens=turn.usage.prompt_tokens,
            completion_tokens=turn.usage.completion_tokens,
            tokens_per_second=turn.tokens_per_second,
        )
        if turn.ending in ("answer", "abstention") or turn.usage.prompt_tokens:
            with self._failing("the token ledger is not written"):
                self._check_place()
                self._ledger.add(row, prune=self._settings.prune)

    def leaving(self, outgoing: Outgoing) -> None:
        """Note that something is being sent to another machine."""
        with self._failing("what leaves the machine is not recorded"):
            self._check_place()
            self._egress.add(replace(outgoing, at=self._now().isoformat(timespec="seconds")))

    def begin(self) -> ConversationId:
        """Return an id for a new conversation."""
        return new_id()

    def keep(self, id: ConversationId, turn: Turn) -> None:
        """Add a completed turn to a conversation."""
        with self._failing("the conversation is not kept"):
            self._check_place()
            self._conversations.add(id, turn, at=self._now().isoformat(timespec="milliseconds"))

    def conversation(self, id: str, *, classes: Collection[PrivacyClass]) -> Conversation | None:
        """Return a conversation's visible turns, None if there are none or they cannot be read."""
        try:
            return self._conversations.read(id, classes=classes)
        except (OSError, ValueError) as error:
            if PrivacyClass.PERSONAL in classes:  # what cannot be read may be personal, and so may its existence
                self._fault(f"the conversation {id} is left out: {why(error)}")
            return None

    def conversations(self, *, classes: Collection[PrivacyClass]) -> Sequence[Conversation]:
        """Return the conversations with visible turns, the newest by creation first."""
        with self._failing("the conversations cannot be read"):
            found, faults = self._conversations.all(classes=classes)
            if PrivacyClass.PERSONAL in classes:
                for fault in faults:
                    self._fault(fault)
            return found
        return ()

    def forget(self, id: str, *, classes: Collection[PrivacyClass]) -> bool:
        """Delete a conversation's visible turns, and with the last one itself; return whether there were any."""
        with self._failing("the conversation is not removed"):
            self._check_place()
            return self._conversations.remove(id, classes=classes)
        return False

    def turns(self, *, classes: Collection[PrivacyClass]) -> Sequence[TurnRecord]:
        """Return the query log as far as it reaches back, oldest first."""
        with self._failing("the query log cannot be read"):
            return tuple(self._queries.read(classes=classes))
        return ()

    def sent(self, *, classes: Collection[PrivacyClass]) -> Sequence[Outgoing]:
        """Return what left the machine as far as the record reaches back, oldest first."""
        with self._failing("the record of what left the machine cannot be read"):
            return tuple(self._egress.read(classes=classes))
        return ()

    def ledger(self) -> LedgerRows:
        """Return every row of this machine's ledger and of the copies of its partners' ledgers."""
        rows = LedgerRows(rows=())
        with self._failing("the token ledger cannot be read"):
            rows = self._ledger.read(foreign=self._partners.hosts)
        with self._failing("a partner's ledger cannot be read"):
            theirs, _ = self._partners.read()
            return LedgerRows(rows=rows.rows + theirs.rows, skipped=rows.skipped + theirs.skipped)

    def partners(self) -> Sequence[Partner]:
        """Return what is known of each partner's ledger."""
        with self._failing("a partner's ledger cannot be read"):
            return self._partners.read()[1]
        return ()

    def pull(self) -> Sequence[Partner]:
        """Fetch the partners' ledgers; return what came of it, one a partner."""
        with self._failing("a partner's ledger cannot be written"):
            self._check_place()
            return self._partners.pull(leaving=self.leaving)
        return ()

    def faults(self) -> Sequence[str]:
        """Return what could not be written or read since the last call, each thing once."""
        with self._lock:
            new = [fault for fault, given in self._told.items() if not given]
            self._told.update(dict.fromkeys(new, True))
        return new

    def _fault(self, text: str) -> None:
        with self._lock:
            self._told.setdefault(text, False)

    def _check_place(self) -> None:
        if self.misplaced:
            raise ValueError("`records.path` lies inside of a source, and nothing is ever written there")

    @contextlib.contextmanager
    def _failing(self, what: str) -> Iterator[None]:
        """Turn a failure of the block into a fault."""
        try:
            yield
        except (OSError, ValueError) as error:
            self._fault(f"{what}: {why(error)}")
