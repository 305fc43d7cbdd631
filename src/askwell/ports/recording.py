"""What is kept of questions and answers: conversations, query log, token ledger, what left the machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from askwell.ids import ConversationId
    from askwell.types import Conversation, LedgerRows, Outgoing, PrivacyClass, Turn, TurnRecord


class Records(Protocol):
    """Keeps what happened, apart from the index. Not derived: nothing can make it again.

    A failure to write never raises: it is a fault, told once by `faults`. Every read names the classes that its reader
    may see, and what lies outside of them is the same as what does not exist.
    """

    def record(self, turn: TurnRecord) -> None:
        """Add one turn to the query log and to the token ledger."""
        ...

    def leaving(self, outgoing: Outgoing) -> None:
        """Note that something is being sent to another machine."""
        ...

    def begin(self) -> ConversationId:
        """Return an id for a new conversation: unguessable, and safe as a file's name. Writes nothing."""
        ...

    def keep(self, id: ConversationId, turn: Turn) -> None:
        """Add a completed turn to a conversation, which is made by its first turn.

        Where more conversations are kept than the settings say, the oldest by creation go; never this one.
        """
        ...

    def conversation(self, id: str, *, classes: Collection[PrivacyClass]) -> Conversation | None:
        """Return a conversation's visible turns; None if it has none, which is the same as that it does not exist.

        What the turns cited is not kept: it was evidence for an answer that is no longer being made. A stored turn that
        cannot be read is left out, and told in `Conversation.refused` to a reader who may see everything.
        """
        ...

    def conversations(self, *, classes: Collection[PrivacyClass]) -> Sequence[Conversation]:
        """Return the conversations with visible turns, the newest by creation first."""
        ...

    def forget(self, id: str, *, classes: Collection[PrivacyClass]) -> bool:
        """Delete a conversation's visible turns, and with the last one itself; return whether there was any."""
        ...

    def turns(self, *, classes: Collection[PrivacyClass]) -> Sequence[TurnRecord]:
        """Return the query log as far as it reaches back, oldest first."""
        ...

    def sent(self, *, classes: Collection[PrivacyClass]) -> Sequence[Outgoing]:
        """Return what left the machine as far as the record reaches back, oldest first."""
        ...

    def ledger(self) -> LedgerRows:
        """Return every row of this machine's ledger and of the copies of its partners' ledgers."""
        ...

    def faults(self) -> Sequence[str]:
        """Return what could not be written or read since the last call, each thing once in a process."""
        ...
