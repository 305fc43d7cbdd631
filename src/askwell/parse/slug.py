"""A heading as a link's fragment: what `#my-heading` and `[[note#My heading]]` are both compared by."""

from __future__ import annotations

import re
import unicodedata

_DROPPED = re.compile(r"[^\w\- ]+")
_INVISIBLE = re.compile("[\u200b\u200c\u200d\u2060\ufeff]")


def plain(text: str) -> str:
    """Return `text` in NFC on one line: every run of white space, no-break spaces too, is one space."""
    return unicodedata.normalize("NFC", " ".join(_INVISIBLE.sub("", text).split()))


def slug(heading: str) -> str:
    """Return the anchor of a heading as hosting sites make it: lower case, hyphens for spaces, no punctuation.

    Idempotent, so that a fragment written either way finds its heading. A `^block-id` is returned as it is.
    Empty for a heading without letters, digits, `_` and `-`.
    """
    if heading.startswith("^"):
        return heading
    return _DROPPED.sub("", plain(heading).lower()).strip().replace(" ", "-")
