r"""Characters that nobody sees and codes that drive a terminal: a model neither reads nor writes them.

U+E0041 …    letters of the tags block: text that only a model reads
U+200B …     signs without width; joiners stay, which scripts and emoji need
U+202E …     changes of direction, which show text in another order than it has
ESC [ 2 J    commands of a terminal
"""

from __future__ import annotations

import re

_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u2060-\u2064\u206a-\u206f\ufeff\ufff9-\ufffb\u202a-\u202e\u2066-\u2069"
    "\U000e0000-\U000e007f\U000e0100-\U000e01ef]"
)
_COMMAND = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # CSI: colours, moves, erasing
    r"|(?:\x1b[\]P^_X]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)"  # titles, links, clipboards
    r"|\x1b[ -/]*[0-Z\\^-~]"
)
_BEGUN = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*\Z|(?:\x1b[\]P^_X]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*\x1b?\Z|\x1b[ -/]*\Z"
)
_LONGEST = 4_000
"""Characters of a terminal's command that are waited for; what is longer is text without its control characters."""


def visible(text: str) -> str:
    """Return `text` without what nobody sees. Line feeds and tabs stay; every line end becomes a line feed."""
    if text.isprintable() and not _UNSEEN.search(text):
        return text
    return _UNSEEN.sub("", _COMMAND.sub("", text.replace("\r\n", "\n").replace("\r", "\n")))


class UnseenFilter:
    """Does to pieces what `visible` does to a whole text, however it is cut up."""

    def __init__(self) -> None:
        self._held = ""

    def feed(self, piece: str) -> str:
        """Take the next piece and return what may be shown now."""
        text = self._held + piece
        begun = _BEGUN.search(text, max(0, len(text) - _LONGEST))
        at = begun.start() if begun else len(text) - text.endswith("\r")
        text, self._held = text[:at], text[at:]
        return visible(text)

    def finish(self) -> str:
        """Return the rest."""
        text, self._held = self._held, ""
        return visible(text)
