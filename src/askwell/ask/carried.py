"""What an address that no document holds may carry away: words of the conversation, written out or encoded."""

from __future__ import annotations

import base64
import binascii
import re
import unicodedata
from typing import TYPE_CHECKING
from urllib.parse import unquote

if TYPE_CHECKING:
    from collections.abc import Iterable

_WORDS = 2
"""Words of a conversation in an address that are no chance: its host and one word may well be."""

_RUN = 14
"""Letters of a conversation in one run that are no chance."""

_OPAQUE = re.compile(r"[A-Za-z0-9+=]{32,}")
_ENCODED = re.compile(r"[A-Za-z0-9+/_-]{12,}={0,2}")
_WORD = re.compile(r"[^\W_]{4,}")
_SENT = re.compile(r"\?.|%[0-9A-Fa-f]{2}|\A[^/?#]*//[^/?#]*@")


class Conversation:
    """The words that were said, to be compared with addresses."""

    def __init__(self, said: Iterable[str]) -> None:
        folded = [_folded(text) for text in said]
        self._words = {word for text in folded for word in _WORD.findall(text)}
        letters = [_letters(text) for text in folded]
        self._runs = {text[at : at + _RUN] for text in letters for at in range(len(text) - _RUN + 1)}

    def in_address(self, address: str, *, parameters: bool) -> bool:
        """Return whether `address` carries something beyond the place it leads to.

        Args:
            address: One that no document holds.
            parameters: Whether a query, an escaped character or a user name is enough.
        """
        if (parameters and _SENT.search(address)) or _OPAQUE.search(address):
            return True
        plain = unquote(unquote(address))
        for text in (plain, *_decoded(plain)):
            folded = _folded(text)
            if len(self._words.intersection(_WORD.findall(folded))) >= _WORDS:
                return True
            letters = _letters(folded)
            if any(letters[at : at + _RUN] in self._runs for at in range(len(letters) - _RUN + 1)):
                return True
        return False


def _decoded(text: str) -> Iterable[str]:
    """Yield what parts of `text` say when they are read as base64 or as hexadecimal digits."""
    for found in _ENCODED.findall(text):
        for part in (found, *found.split("/")):
            bare = part.rstrip("=").replace("-", "+").replace("_", "/")
            for read in (bytes.fromhex, lambda digits: base64.b64decode(digits + "=" * (-len(digits) % 4))):
                try:
                    yield read(bare).decode("utf-8")
                except (ValueError, binascii.Error):
                    continue


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))
