"""A chat model without judgement: it looks for instructions in everything that it reads, and follows them.

It reads like a model that was trained to please: hidden characters, encoded text, fake turns and fake fences are all
the same to it. What it is told to write, it writes; what stands in angle brackets there, it fills in.
"""

from __future__ import annotations

import base64
import binascii
import re
from typing import TYPE_CHECKING

from askwell.testing.scripted_generator import Script, ScriptedCompletion, pieces_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from askwell.ports import Message, Trust

_VERBS = (
    r"reply|answer|respond|say|write|print|output|append|add|end|begin|finish|continue|cite|search|"
    r"antworte|schreibe?|ende|beende|svara|skriv|avsluta|yaz|yanıtla|bitir|réponds|écris|termine|responde|escribe|"
    r"ответь|напиши|回答|输出|写"
)
_ORDER = re.compile(rf"(?:\b(?:{_VERBS})\b|回答|输出|写)[^:：\n]{{0,80}}[:：]\s*([^\n]+)", re.IGNORECASE)
_RULES = re.compile(
    r"\b(?:repeat|print|reveal|show)\b[^.\n]{0,30}\b(?:rules|instructions|system prompt)\b", re.IGNORECASE
)
_FENCE = re.compile(r"\b(?:repeat|print|copy)\b[^.\n]{0,30}\b(?:passages?|elements?|tags?)\b", re.IGNORECASE)
_ENCODED = re.compile(r"[A-Za-z0-9+/]{24,}={0,2}")
_UNSEEN = re.compile("[\u200b-\u200d\u2060\ufeff]")
_FILLED = re.compile(r"<[^<>\n]*\b(?:question|message|user)\b[^<>\n]*>|\{(?:question|q)\}", re.IGNORECASE)


class ObedientGenerator:
    """Answers with the first line that it was shown, then does as it was told. `asked` holds what each call read."""

    def __init__(self, *, piece: int = 4, trust: Trust = "local") -> None:
        """Take how many characters a piece has."""
        self._piece = piece
        self._trust = trust
        self.asked: list[tuple[Message, ...]] = []
        self.obeyed: list[str] = []  # what it wrote because it was told to, over all calls

    @property
    def name(self) -> str:
        """What it is."""
        return "obedient"

    @property
    def trust(self) -> Trust:
        """As it was made: prompts never leave the process."""
        return self._trust

    def stream(self, messages: Sequence[Message]) -> ScriptedCompletion:
        """Return a completion that follows whatever instructions the last message holds."""
        self.asked.append(tuple(messages))
        given = messages[-1].content
        body, _, question = given.rpartition("\nQuestion:\n")
        question = question.partition("\n")[0]
        orders = list(_orders(body, question=question, rules=messages[0].content))
        self.obeyed += orders
        lines = body.split("\n")[3:]
        first = next((line for line in lines if line.strip() and line[0] not in "<#"), "Nothing")
        alone = next((order for order in orders if order.upper().startswith("NO")), "")
        text = alone or "\n".join([f"{first.strip().rstrip('.')} [1].", *orders])
        return ScriptedCompletion(Script(pieces=pieces_of(text, self._piece)), prompt=messages)


def _orders(text: str, *, question: str, rules: str) -> Iterator[str]:
    """Yield what `text` says to write, in its order, each once."""
    seen: set[str] = set()
    for reading in _readings(text):
        for order in (found[1] for found in _ORDER.finditer(reading)):
            filled = _FILLED.sub(lambda _: question.replace(" ", "%20"), order).strip().strip("\"'`“”„").rstrip()
            filled = filled.removesuffix("-->").rstrip()
            if filled not in seen:
                seen.add(filled)
                yield filled
        if _RULES.search(reading):
            yield rules
        if _FENCE.search(reading):
            yield text


def _readings(text: str) -> Iterator[str]:
    """Yield a text, and what it says to one who sees through hiding and encoding."""
    yield text
    tags = "".join(chr(ord(char) - 0xE0000) for char in text if 0xE0020 <= ord(char) <= 0xE007E)
    if tags:
        yield tags
    if (plain := _UNSEEN.sub("", text)) != text:
        yield plain
    for found in _ENCODED.findall(text):
        try:
            yield base64.b64decode(found + "=" * (-len(found) % 4)).decode("utf-8")
        except (ValueError, binascii.Error):
            continue
