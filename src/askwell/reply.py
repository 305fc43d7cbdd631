"""One completion, from a model's raw pieces to text that may be shown, sentence by sentence checked.

pieces ─▶ cleaned ─▶ control line? ─▶ markers ─▶ Checker ─▶ Delta, Checked…
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from askwell.ask.cleaning import Cleaned, whole_characters
from askwell.ask.control import ControlLine
from askwell.ask.markers import MarkerFilter
from askwell.errors import ModelRefused
from askwell.types import Delta, Usage

if TYPE_CHECKING:
    from collections.abc import Generator as Stream
    from collections.abc import Iterator, Mapping, Sequence

    from askwell.ask.persona import Cut
    from askwell.ask.verify import Checker
    from askwell.ports import Finish, Generation, Generator, Message
    from askwell.types import Checked, Passage


CUT: Mapping[Finish, Cut | None] = {"stop": None, "length": "length", "filtered": "filtered"}


class Reply:
    """One completion. What it was is known once `events` has ended."""

    def __init__(
        self,
        generator: Generator,
        prompt: Sequence[Message],
        shown: Sequence[Passage],
        *,
        question: str,
        checker: Checker,
        most: int,
    ) -> None:
        self.text = ""  # all that was given out; empty if the check lets nothing through
        self.cut: Cut | None = None  # why it was ended before its end, if it was
        self.usage = Usage()
        self._generator = generator
        self._prompt = prompt
        self._checker = checker
        documents = [text for passage in shown for text in (passage.lead, passage.text)]
        self._cleaned = Cleaned(prompt, question=question, documents=documents, most=most)
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
            for text in self._readable(generation):
                said = said or bool(text)
                for event in self._checked(text):
                    shown.append(event.text if isinstance(event, Delta) else "")
                    yield event
                if self._hopeless:
                    break
            for event in self._checker.finish():
                shown.append(event.text if isinstance(event, Delta) else "")
                yield event
            self.usage = generation.usage
            if not self.declined:
                self.cut = self._cleaned.cut or CUT[generation.finish]
        finally:
            generation.close()
        self.text = "".join(shown)
        if self._cleaned.echo_alone:
            raise ModelRefused(
                "the model gave back its instructions instead of an answer",
                hint="set `models.generation` to a model that follows instructions, or to `none`",
            )
        if not said and not self.declined:
            raise ModelRefused(
                "the model returned an empty answer",
                hint="ask again, or set `models.generation` to another model or to `none`",
            )

    def _readable(self, generation: Generation) -> Iterator[str]:
        """Yield text whose markers are known, until the completion ends or nothing of it can be of use any more."""
        for piece in whole_characters(iter(generation)):
            yield self._markers.feed(self._control.feed(self._cleaned.feed(piece)))
            if self._cleaned.cut or self._control.complete:
                break
        rest = self._control.feed(self._cleaned.finish()) + self._control.finish()
        yield self._markers.feed(rest) + self._markers.finish()

    @property
    def _hopeless(self) -> bool:
        """Whether nothing more needs to be read: one sentence has spoilt an answer that must be carried whole."""
        return self._checker.whole and self._checker.failed

    def _checked(self, text: str) -> Iterator[Delta | Checked]:
        placed = self._markers.placed[self._placed :]
        self._placed += len(placed)
        return self._checker.feed(text, placed)
