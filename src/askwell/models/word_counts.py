"""Counts the tokens of BERT's uncased tokenizer word by word, where that is certain to be the same.

In printable ASCII its pieces are plain to see: a run of letters and digits, or one mark. A mark is one token, and
how many a run has is looked up once. Counting is the dearest part of cutting text into chunks, and the same words
come again and again; everything else is counted by the tokenizer itself.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_RUN = re.compile(r"[A-Za-z0-9]+")
_OTHER = re.compile(r"[^\x20-\x7e\t\n\r]")
_BLANK = re.compile(r"[ \t\n\r]+")
_MOST = 100_000  # runs that are remembered: more than the vocabulary, less than the memory it takes


class WordCounts(dict[str, int]):
    """Run of letters and digits → its tokens. Counts what it does not know by the tokenizer it is given."""

    def __init__(self, exact: Callable[[str], int]) -> None:
        """Take the tokenizer's own count."""
        super().__init__()
        self._exact = exact

    def __missing__(self, run: str) -> int:
        """Return the tokens of a run, and remember them."""
        if len(self) >= _MOST:
            self.clear()
        count = self[run] = self._exact(run)
        return count

    def count(self, text: str) -> int:
        """Return exactly how many tokens `text` has."""
        if not text.isascii() or _OTHER.search(text) is not None:
            return self._exact(text)
        runs = _RUN.findall(text)
        marks = len(_BLANK.sub("", text)) - sum(map(len, runs))
        return marks + sum(map(self.__getitem__, runs))
