"""The line by which a model says that the passages do not answer: read where a reply begins, and nowhere else."""

from __future__ import annotations

import re

from askwell.ask.fencing import NO_ANSWER

_LONGEST_REASON = 300


class ControlLine:
    """Decides at the head of a reply whether it is the line that says there is no answer.

    Holds back a reply only as long as that is possible, and until it has a letter or a digit outside brackets:
    a reply of markers alone is none. The line stands alone: what a model writes after it is not read.
    """

    def __init__(self) -> None:
        self._held = ""
        self._open = False
        self.declined = False  # the reply is the control line

    def feed(self, piece: str) -> str:
        """Take the next piece and return what belongs to the answer so far."""
        if self._open:
            return piece
        self._held += piece
        if self.declined:
            return ""
        head = self._held.lstrip().lstrip("*`_#> ")
        if head.startswith(NO_ANSWER) and len(head) > len(NO_ANSWER):
            self.declined = not (head[len(NO_ANSWER)].isalnum() or head[len(NO_ANSWER)] == "_")
        if self.declined or NO_ANSWER.startswith(head) or not _says_something(self._held):
            return ""
        return self._release()

    def finish(self) -> str:
        """Return what was held back; empty if the reply said nothing or declined."""
        if self._open or self.declined:
            return ""
        head = self._held.strip().strip("*`_#> ")
        if head == NO_ANSWER:
            self.declined = True
            return ""
        return self._release() if _says_something(self._held) else ""

    @property
    def complete(self) -> bool:
        """Whether the control line has ended, so that nothing of interest can follow."""
        return self.declined and ("\n" in self._held.strip() or len(self._held) > _LONGEST_REASON)

    @property
    def reason(self) -> str:
        """What the control line gives as reason, one line; empty if it gives none."""
        line = self._held.strip().split("\n", 1)[0].strip("*`_#> ")
        return line.removeprefix(NO_ANSWER).lstrip(":：-–—*`_ ").strip()[:_LONGEST_REASON]

    def _release(self) -> str:
        self._open = True
        held, self._held = self._held.lstrip(), ""
        return held


def _says_something(text: str) -> bool:
    return any(char.isalnum() for char in re.sub(r"\[[^\]\n]{0,40}(?:\]|\Z)", "", text))
