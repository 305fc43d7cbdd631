"""Whether a model gives back what it was told instead of an answer: its rules and its fence are never shown."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_SHORTEST = 30
"""Characters of a rule from which it is known; a shorter line may stand in any answer."""

_READ = 48
"""Characters at the beginning of a rule that are compared."""

_HELD = 8
"""Characters of a rule that are let through before the rest is held back: an ordinary first word is never delayed."""

_KNOWN = 14
"""Characters of the fence from which it is known: models copy long words badly."""

_LONGEST_TAG = 1_000
_TAG_END = re.compile(r"[<>]")
_NUMBER = re.compile(r"\A(?:\d+|[a-z])\. ")


class EchoGuard:
    """Takes pieces of a reply and gives them out without the fence; `echoed` once a rule begins in them.

    Holds back only what may still become the one or the other.
    """

    def __init__(self, rules: str, *, fence: str = "", known: Iterable[str] = ()) -> None:
        """Take what must not be shown.

        Args:
            rules: The system message. Each of its lines is a rule.
            fence: The name of the element that passages stand in; empty for none.
            known: What documents say and a person asked: a rule that stands there may be quoted.
        """
        given = tuple(known)
        lines = (_NUMBER.sub("", line.strip())[:_READ] for line in rules.split("\n"))
        self._rules = [line for line in lines if len(line) >= _SHORTEST and not any(line in text for text in given)]
        self._fence = begin = fence[:_KNOWN]
        name = rf"{re.escape(begin)}[0-9a-z-]*"
        self._written = re.compile(rf"</?{name}(?:\s[^<>]{{0,{_LONGEST_TAG}}})?>|{name}") if fence else None
        self._name_so_far = re.compile(rf"{re.escape(begin)}[0-9a-z-]*\Z")
        self._fences = (f"<{begin}", f"</{begin}", begin) if fence else ()
        self._before = ""  # the end of what was given out
        self._held = ""
        self.echoed = False
        self.spoke = False  # whether something was said before that

    def feed(self, piece: str) -> str:
        """Take the next piece and return what may be shown now; nothing more once it is `echoed`."""
        return self._out(self._without_fence(self._held + piece, final=False), final=False)

    def finish(self) -> str:
        """Return the rest."""
        return self._out(self._without_fence(self._held, final=True), final=True)

    def _out(self, text: str, *, final: bool) -> str:
        """Return the beginning of `text` that is decided, and hold back the rest."""
        if self.echoed:
            return ""
        whole = self._before + text
        begins = [at for rule in self._rules if (at := whole.find(rule)) >= 0]
        if begins:
            self.echoed = True
            self.spoke = self.spoke or any(map(str.isalnum, whole[: min(begins)]))
            return text[: max(0, min(begins) - len(self._before))]
        at = len(text) if final else self._undecided(text)
        self._held = text[at:]
        whole = self._before + text[:at]
        self.spoke = self.spoke or any(map(str.isalnum, whole[:-_READ]))
        self._before = whole[-_READ:]
        return text[:at]

    def _without_fence(self, text: str, *, final: bool) -> str:
        if self._written is None or self._fence not in text:
            return text
        tag = max(text.rfind(f"<{self._fence}"), text.rfind(f"</{self._fence}"))
        closed = tag >= 0 and _TAG_END.search(text, tag + 1) is not None
        waiting = tag >= 0 and not closed and not final and len(text) - tag <= _LONGEST_TAG
        head, rest = (text[:tag], text[tag:]) if waiting else (text, "")
        over = len(head) + (final or bool(rest))

        def replaced(found: re.Match[str]) -> str:
            if found[0][0] == "<":
                return ""
            return "passage" if found.end() < over else found[0]

        return self._written.sub(replaced, head) + rest

    def _undecided(self, text: str) -> int:
        """Return where the end of `text` begins that may go on as a rule or as the fence."""
        at = len(text)
        if self._fence and (tag := max(text.rfind(f"<{self._fence}"), text.rfind(f"</{self._fence}"))) >= 0:
            at = tag
        if self._fence and (name := self._name_so_far.search(text)) is not None:
            at = min(at, name.start())
        for begin in self._fences:
            at = min(at, len(text) - _overlap(text, begin))
        whole = self._before + text
        for rule in self._rules:
            if (most := _overlap(whole, rule)) >= _HELD:
                at = min(at, max(0, len(text) - most))
        return at


def _overlap(text: str, begin: str) -> int:
    """Return how many characters at the end of `text` are the first ones of `begin`, 0 if none."""
    at = max(0, len(text) - len(begin))
    while (at := text.find(begin[0], at)) >= 0:
        if begin.startswith(text[at:]):
            return len(text) - at
        at += 1
    return 0
