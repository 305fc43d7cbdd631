"""What a filter compares, in the one spelling that every store uses for both sides."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

from askwell.globs import glob_regex

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from askwell.types import Edge, Metadata

_SURROGATE = re.compile("[\ud800-\udfff]")
_DAY = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2})?)?")


def day(written: str) -> str:
    """Return the date at the start of an ISO date or date-time, as precise as it is; empty if there is none."""
    found = _DAY.match(written.strip())
    return found[0] if found is not None else ""


def document_day(metadata: Metadata) -> str:
    """Return the date a document is filtered by: updated, else created, else empty."""
    return day(metadata.updated) or day(metadata.created)


def in_period(of: str, *, after: str, before: str) -> bool:
    """Return whether a date lies in a period whose ends belong to it. No date lies in no period.

    An end may be as coarse as a month or a year: before `2024` includes all of 2024.
    """
    first, last = day(after), day(before)
    if not first and not last:
        return True
    return bool(of) and of >= first[: len(of)] and (not last or of[: len(last)] <= last)


def tag_key(tag: str) -> str:
    """Return a tag as it is compared: without `#`, case and trailing slashes."""
    return unicodedata.normalize("NFC", tag).casefold().strip().lstrip("#").strip("/")


def tag_keys(metadata: Metadata, edges: Iterable[Edge]) -> tuple[str, ...]:
    """Return a document's tags as they are compared, from its frontmatter and its text."""
    named = (*metadata.tags, *(edge.target for edge in edges if edge.kind == "tag"))
    return tuple(dict.fromkeys(key for tag in named if (key := tag_key(tag))))


def has_tag(keys: Collection[str], wanted: str) -> bool:
    """Return whether tag keys include `wanted` or a tag nested in it."""
    key = tag_key(wanted)
    return any(tag == key or tag.startswith(f"{key}/") for tag in keys)


def section_key(section: str) -> str:
    """Return a section's name as it is compared."""
    return unicodedata.normalize("NFC", section).casefold().strip()


@lru_cache(maxsize=256)
def path_filter(globs: tuple[str, ...]) -> Callable[[str], bool]:
    """Return whether any glob matches an identity path; without globs every path is admitted.

    A folder's name admits what is in it.
    """
    if not globs:
        return lambda path: True
    forms = dict.fromkeys(form for glob in globs for form in (glob, f"{glob.rstrip('/')}/**"))
    admitted = re.compile("|".join(f"(?:{glob_regex(form).pattern})" for form in forms), re.DOTALL)
    return lambda path: admitted.fullmatch(path) is not None


def clean(text: str) -> str:
    """Return `text` with lone surrogates, which UTF-8 cannot hold, replaced one for one, so that spans still fit."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return _SURROGATE.sub("\ufffd", text)
    return text


def may_link(text: str) -> bool:
    """Return whether a text may hold a link: an open request does not find it before it is known where that leads."""
    return "[[" in text or "](" in text or "]: " in text
