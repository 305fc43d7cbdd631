"""One completion, from a model's raw pieces to text that may be shown, sentence by sentence checked.

pieces ─▶ whole characters ─▶ control line? echo? ─▶ markers ─▶ Checker ─▶ Delta, Checked…
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from askwell.ask.markers import MarkerFilter
from askwell.ask.prompt import ControlLine
from askwell.errors import ModelRefused
from askwell.types import Delta, Usage

if TYPE_CHECKING:
    from collections.abc import Generator as Stream
    from collections.abc import Iterator, Sequence

    from askwell.ask.verify import Checker
    from askwell.ports import Generator, Message
    from askwell.types import Checked, Passage


class Reply:
    """One completion. What it was is known once `events` has ended."""

    def __init__(
        self, generator: Generator, prompt: Sequence[Message], shown: Sequence[Passage], *, checker: Checker, most: int
    ) -> None:
        self.text = ""  # all that was given out; empty if the check lets nothing through
        self.cut = False  # whether it was ended because it did not end
        self.usage = Usage()
        self._generator = generator
        self._prompt = prompt
        self._checker = checker
        self._most = most
        self._control = ControlLine()
        self._markers = MarkerFilter(shown)
        self._placed = 0

    @property
    def declined(self) -> bool:
        """Whether the model said on the control line that the passages do not answer."""
        return self._control.declined

    @property
    def reason(self) -> str:
        """What it gave as reason."""
        return self._control.reason

    @property
    def invented(self) -> int:
        """Markers that no passage carries; they are dropped."""
        return self._markers.invented

    def events(self) -> Stream[Delta | Checked, None, None]:
        """Yield what may be shown, as soon as it is decided, and verdicts; the model is cancelled however this ends.

        Raises:
            ModelUnavailable: the model cannot be reached, or broke off.
            ModelRefused: the model said nothing, or gave back its instructions.
        """
        generation = self._generator.stream(self._prompt)
        shown: list[str] = []
        said = False
        try:
            received = 0
            for piece in whole_characters(iter(generation)):
                piece = piece[: self._most - received]
                received += len(piece)
                if text := self._markers.feed(self._control.feed(piece)):
                    said = True
                    for event in self._checked(text):
                        shown.append(event.text if isinstance(event, Delta) else "")
                        yield event
                self.cut = received >= self._most
                if self.cut or self._control.complete or self._control.echoed or self._hopeless:
                    break
            if self._control.echoed:
                raise ModelRefused(
                    "the model gave back its instructions instead of an answer",
                    hint="set `models.generation` to a model that follows instructions, or to `none`",
                )
            text = self._markers.feed(self._control.finish()) + self._markers.finish()
            said = said or bool(text)
            for event in (*self._checked(text), *self._checker.finish()):
                shown.append(event.text if isinstance(event, Delta) else "")
                yield event
            self.usage = generation.usage
            self.cut = self.cut or (generation.finish != "stop" and not self.declined)
        finally:
            generation.close()
        self.text = "".join(shown)
        if not said and not self.declined:
            raise ModelRefused(
                "the model returned an empty answer",
                hint="ask again, or set `models.generation` to another model or to `none`",
            )

    @property
    def _hopeless(self) -> bool:
        """Whether nothing more needs to be read: one sentence has spoilt an answer that must be carried whole."""
        return self._checker.whole and self._checker.failed

    def _checked(self, text: str) -> Iterator[Delta | Checked]:
        placed = self._markers.placed[self._placed :]
        self._placed += len(placed)
        return self._checker.feed(text, placed)


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
