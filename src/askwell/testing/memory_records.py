"""Records in memory: what a test keeps, with the promises of the files."""

from __future__ import annotations

import secrets
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from askwell.ids import ConversationId
from askwell.types import Conversation, LedgerRow, LedgerRows

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from askwell.types import Outgoing, PrivacyClass, Turn, TurnRecord


class MemoryRecords:
    """`askwell.ports.Records` in memory. Time is a count: each thing happens a second after the one before."""

    def __init__(self, *, conversations: int = 10) -> None:
        """Begin with nothing; keep at most so many conversations."""
        self._most = conversations
        self._seconds = 0
        self._kept: defaultdict[str, list[tuple[str, Turn]]] = defaultdict(list)
        self._turns: list[TurnRecord] = []
        self._sent: list[Outgoing] = []
        self._rows: list[LedgerRow] = []

    def record(self, turn: TurnRecord) -> None:
        """Add one turn to the query log and to the token ledger."""
        at = self._now()
        self._turns.append(replace(turn, at=at))
        if turn.ending in ("answer", "abstention") or turn.usage.prompt_tokens:
            self._rows.append(
                LedgerRow(
                    date=at[:10],
                    time=at[11:19],
                    host="here",
                    profile=turn.profile.value,
                    source="test",
                    prompt_tokens=turn.usage.prompt_tokens,
                    completion_tokens=turn.usage.completion_tokens,
                    tokens_per_second=turn.tokens_per_second,
                )
            )

    def leaving(self, outgoing: Outgoing) -> None:
        """Note that something is being sent to another machine."""
        self._sent.append(replace(outgoing, at=self._now()))

    def begin(self) -> ConversationId:
        """Return an id for a new conversation."""
        return ConversationId(secrets.token_hex(16))

    def keep(self, id: ConversationId, turn: Turn) -> None:
        """Add a completed turn to a conversation."""
        self._kept[id].append((self._now(), replace(turn, cited=())))
        for oldest in [other for other in self._kept if other != id][: max(0, len(self._kept) - self._most)]:
            del self._kept[oldest]

    def conversation(self, id: str, *, classes: Collection[PrivacyClass]) -> Conversation | None:
        """Return a conversation's visible turns, None if there are none."""
        shown = [(at, turn) for at, turn in self._kept.get(id, ()) if turn.classes <= frozenset(classes)]
        if not shown:
            return None
        return Conversation(
            id=ConversationId(id), created=shown[0][0], updated=shown[-1][0], turns=tuple(turn for _, turn in shown)
        )

    def conversations(self, *, classes: Collection[PrivacyClass]) -> Sequence[Conversation]:
        """Return the conversations with visible turns, the newest by creation first."""
        found = [self.conversation(id, classes=classes) for id in self._kept]
        return sorted((item for item in found if item is not None), key=lambda item: item.created, reverse=True)

    def forget(self, id: str, *, classes: Collection[PrivacyClass]) -> bool:
        """Delete a conversation's visible turns, and with the last one itself; return whether there were any."""
        before = self._kept.get(id, [])
        rest = [(at, turn) for at, turn in before if not turn.classes <= frozenset(classes)]
        if len(rest) == len(before):
            return False
        self._kept[id] = rest
        if not rest:
            del self._kept[id]
        return True

    def turns(self, *, classes: Collection[PrivacyClass]) -> Sequence[TurnRecord]:
        """Return the query log, oldest first."""
        return tuple(turn for turn in self._turns if turn.classes <= frozenset(classes))

    def sent(self, *, classes: Collection[PrivacyClass]) -> Sequence[Outgoing]:
        """Return what left the machine, oldest first."""
        return tuple(outgoing for outgoing in self._sent if outgoing.class_ in classes)

    def ledger(self) -> LedgerRows:
        """Return every row of the ledger."""
        return LedgerRows(rows=tuple(self._rows))

    def faults(self) -> Sequence[str]:
        """Return nothing: memory does not fail."""
        return ()

    def _now(self) -> str:
        self._seconds += 1
        return f"2026-01-01T{self._seconds // 3600:02}:{self._seconds // 60 % 60:02}:{self._seconds % 60:02}+00:00"
