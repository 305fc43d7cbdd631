"""How what others wrote stands in a prompt: as data, in elements that nothing in it can close."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from askwell.ask.unseen import visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

NO_ANSWER = "NO_ANSWER"
"""The word that a reply starts with when the passages do not answer: `NO_ANSWER: reason`."""

ELEMENT = "passage-"
"""What the name of an element begins with; a token follows."""

_DRAWS = 8

# Servers that put chat templates together as text read these as the beginning and end of turns, wherever they stand.
_TURN_SIGNS = re.compile(
    r"<(?=[|｜][^|｜<>\n]{1,60}[|｜]>)"
    r"|<(?=/?(?:start_of_turn|end_of_turn|start_of_image|s|bos|eos|pad|unk|think|tool_call|tool_response)>)"
    r"|<(?=/?passage)"
    r"|<(?=</?SYS>>)"
    r"|\[(?=/?(?:INST|SYSTEM_PROMPT|TOOL_RESULTS|TOOL_CALLS|AVAILABLE_TOOLS)\])",
    re.IGNORECASE,
)
_CONTROL_WORD = re.compile(rf"(?<![^\W_]){NO_ANSWER}(?![^\W_]|_)", re.IGNORECASE)


def as_data(text: str) -> str:
    """Return `text` so that no part of it is taken for the end of its element, a turn of the chat, or the control line.

    What looks like that is broken by a blank; characters that a reader does not see are left out. Everything else, line
    ends included, stays as it is.
    """
    spaced = _TURN_SIGNS.sub(lambda found: f"{found[0]} ", visible(text))
    return _CONTROL_WORD.sub(lambda found: found[0].replace("_", " "), spaced)


def drawn(draw: Callable[[], str], texts: Iterable[str]) -> str:
    """Return a token that stands in none of `texts`, whatever was known of earlier ones.

    Args:
        draw: A source of randomness: an unguessable word at every call.
        texts: All that the prompt will hold.

    Raises:
        ValueError: what `draw` gives is empty or stands in a text, again and again: it is not random.
    """
    known = tuple(texts)
    for _ in range(_DRAWS):
        token = draw()
        if token and not any(token in text for text in known):
            return token
    raise ValueError("the source of tokens draws what stands in the texts")
