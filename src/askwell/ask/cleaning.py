"""What a model writes, before anything is read from it: ended where it does not end, without what must not be shown.

whole characters ─▶ unseen characters out ─▶ limit, loop ─▶ rules and fence out ─▶ addresses of nobody out ─▶ text
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from askwell.ask.addresses import AddressFilter
from askwell.ask.echo import EchoGuard
from askwell.ask.loops import WINDOW, repeats
from askwell.ask.persona import address_left_out
from askwell.ask.prompt import fence_of, rules_of
from askwell.ask.unseen import UnseenFilter

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from askwell.ask.persona import Cut
    from askwell.ports import Message

_EVERY = 100
"""Characters after which a text is looked at again for a loop."""


class Cleaned:
    """One completion. The text that comes out does not depend on how the pieces are cut."""

    def __init__(self, prompt: Sequence[Message], *, question: str, documents: Sequence[str] = (), most: int) -> None:
        """Take what the text is an answer to.

        Args:
            prompt: What the model was sent.
            question: As the person asked it.
            documents: Texts of the passages in the prompt.
            most: Characters after which the text is ended.
        """
        said = [message.content for message in prompt[:-1] if message.role != "system"]
        self._cut: Cut | None = None
        self._unseen = UnseenFilter()
        self._echo = EchoGuard(rules_of(prompt), fence=fence_of(prompt), known=(*documents, question, *said))
        self._addresses = AddressFilter(
            documents=documents,
            question=question,
            # Without documents nobody else's words are read, and who asks for a script of a service gets its address.
            said=(question, *said) if documents else (),
            notice=address_left_out(question),
        )
        self._left = most
        self._tail = ""
        self._until = WINDOW  # characters until the text is looked at for a loop

    @property
    def cut(self) -> Cut | None:
        """Why the text was ended, if it was: then nothing more needs to be read."""
        return "echo" if self._echo.echoed else self._cut

    @property
    def echo_alone(self) -> bool:
        """Whether the model wrote nothing but its rules."""
        return self._echo.echoed and not self._echo.spoke

    def feed(self, piece: str) -> str:
        """Take the next piece and return what may be shown now."""
        piece = self._unseen.feed(piece)
        if len(piece) >= self._left:
            piece, self._cut = piece[: self._left], "length"
        self._left -= len(piece)
        piece = self._without_loop(piece)
        return self._addresses.feed(self._echo.feed(piece))

    def finish(self) -> str:
        """Return the rest."""
        rest = "" if self.cut else self._unseen.finish()[: self._left]
        rest = self._echo.feed(rest) + self._echo.finish()
        return self._addresses.feed(rest) + self._addresses.finish()

    def _without_loop(self, piece: str) -> str:
        """Return `piece` up to where it is seen that the text only repeats itself."""
        at = 0
        while at < len(piece):
            part = piece[at : at + self._until]
            at += len(part)
            self._tail = (self._tail + part)[-WINDOW:]
            self._until -= len(part)
            if not self._until:
                self._until = _EVERY
                if repeats(self._tail):
                    self._cut = "loop"
                    return piece[:at]
        return piece


def whole_characters(pieces: Iterator[str]) -> Iterator[str]:
    """Yield the same text without lone surrogates: halves that two pieces tear apart are joined, others replaced."""
    held = ""
    for piece in pieces:
        text = held + piece
        held = ""
        if text and "\ud800" <= text[-1] <= "\udbff":
            text, held = text[:-1], text[-1]
        if text:
            yield _joined(text)
    if held:
        yield "\ufffd"


def _joined(text: str) -> str:
    """Return `text` with surrogate pairs as the characters they stand for, and lone ones as U+FFFD."""
    if not any("\ud800" <= char <= "\udfff" for char in text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
