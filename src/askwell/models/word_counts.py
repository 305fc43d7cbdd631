"""Counts the tokens of BERT's uncased tokenizer word by word, where that is certain to be the same.

In printable ASCII its pieces are plain to see: a run of letters and digits, or one mark. A mark is one token, and
how many a run has is looked up once. Counting is the dearest part of cutting text into chunks, and the same words
come again and again; a piece between blanks that holds anything else is counted by the tokenizer itself.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_RUN = re.compile(r"[A-Za-z0-9]+")
_OTHER = re.compile(r"[^\x20-\x7e\t\n\r]")
_BLANK = re.compile(r"[ \t\n\r]+")
_LONGEST = 64
_MOST = 100_000  # runs that are remembered: more than the vocabulary, less than the memory it takes


class WordCounts(dict[str, int]):
    """Run of letters and digits, or piece between blanks → its tokens, worked out when first asked for."""

    def __init__(self, exact: Callable[[str], int]) -> None:
        """Take the tokenizer's own count."""
        super().__init__()
        self._exact = exact

    def __missing__(self, run: str) -> int:
        """Return the tokens of a run, and remember them unless it is no word that comes again."""
        count = self._exact(run)
        if len(run) <= _LONGEST:
            if len(self) >= _MOST:
                self.clear()
            self[run] = count
        return count

    def count(self, text: str) -> int:
        """Return exactly how many tokens `text` has."""
        if not text.isascii() or _OTHER.search(text) is not None:
            # White space always parts tokens, so only the pieces that hold something else need the tokenizer.
            pieces = _BLANK.split(text)
            plain = [piece for piece in pieces if piece.isascii() and _OTHER.search(piece) is None]
            others = sum(self[piece] for piece in pieces if not piece.isascii() or _OTHER.search(piece) is not None)
            return others + self._plain(" ".join(plain))
        return self._plain(text)

    def _plain(self, text: str) -> int:
        runs = _RUN.findall(text)
        marks = len(_BLANK.sub("", text)) - sum(map(len, runs))
        return marks + sum(map(self.__getitem__, runs))
