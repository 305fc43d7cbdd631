"""Checked values out of JSON that anybody may have edited. Each returns the value, or raises ValueError in words."""

from __future__ import annotations

import datetime
import math
import re
from typing import TYPE_CHECKING, TypeVar

from askwell.types import PrivacyClass

if TYPE_CHECKING:
    from collections.abc import Mapping
    from enum import StrEnum

E = TypeVar("E", bound="StrEnum")

_NO_TEXT = re.compile("[\0\ud800-\udfff]")

LARGEST = 10**12
"""A count above this is no count."""


def text(row: Mapping[str, object], key: str, *, most: int, default: str | None = None) -> str:
    """Return a text of at most `most` characters; the default where the key is missing, if there is one."""
    value = row.get(key, default)
    if not isinstance(value, str):
        raise ValueError(f"`{key}` is no text")
    if len(value) > most:
        raise ValueError(f"`{key}` has over {most} characters")
    if _NO_TEXT.search(value):
        raise ValueError(f"`{key}` holds characters that no text has")
    return value


def texts(row: Mapping[str, object], key: str, *, most: int, length: int) -> tuple[str, ...]:
    """Return a list of at most `most` texts of at most `length` characters; empty where the key is missing."""
    value = row.get(key, [])
    if not isinstance(value, list) or len(value) > most:
        raise ValueError(f"`{key}` is no list of at most {most} texts")
    return tuple(text({key: item}, key, most=length) for item in value)


def word(row: Mapping[str, object], key: str, allowed: tuple[str, ...]) -> str:
    """Return one of the allowed words."""
    value = row.get(key)
    if not isinstance(value, str) or value not in allowed:
        raise ValueError(f"`{key}` is none of {', '.join(allowed)}")
    return value


def member(row: Mapping[str, object], key: str, kind: type[E]) -> E:
    """Return a member of a closed vocabulary."""
    return kind(word(row, key, tuple(item.value for item in kind)))


def moment(row: Mapping[str, object], key: str) -> str:
    """Return an ISO time with its offset, as written."""
    value = text(row, key, most=40)
    try:
        when = datetime.datetime.fromisoformat(value)
    except ValueError:
        raise ValueError(f"`{key}` is no time") from None
    if when.tzinfo is None:
        raise ValueError(f"`{key}` has no offset")
    return value


def flag(row: Mapping[str, object], key: str) -> bool:
    """Return true or false; false where the key is missing."""
    value = row.get(key, False)
    if not isinstance(value, bool):
        raise ValueError(f"`{key}` is neither true nor false")
    return value


def count(row: Mapping[str, object], key: str) -> int:
    """Return a whole number from 0; 0 where the key is missing."""
    value = row.get(key, 0)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= LARGEST:
        raise ValueError(f"`{key}` is no count")
    return value


def number(row: Mapping[str, object], key: str) -> float:
    """Return a finite number; 0.0 where the key is missing."""
    value = row.get(key, 0.0)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ValueError(f"`{key}` is no number")
    try:
        return _finite(float(value), key)
    except OverflowError:
        raise ValueError(f"`{key}` is no number") from None


def _finite(value: float, key: str) -> float:
    if not math.isfinite(value):
        raise ValueError(f"`{key}` is no number")
    return value


def classes(row: Mapping[str, object], key: str) -> frozenset[PrivacyClass]:
    """Return a set of classes. Fails closed: whatever is not a list of known classes means every class."""
    value = row.get(key)
    words = [item.value for item in PrivacyClass]
    if not isinstance(value, list) or not value or not all(isinstance(item, str) and item in words for item in value):
        return frozenset(PrivacyClass)
    return frozenset(PrivacyClass(item) for item in value)
