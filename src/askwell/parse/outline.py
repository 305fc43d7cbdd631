"""A file of keys and values as a shallow tree: what the YAML events, their line-based stand-in and JSON all make."""

from __future__ import annotations

import re
from dataclasses import dataclass, field


@dataclass(slots=True)
class Item:
    """A key with its value, a list's entry, or a document.

    Places are rows for YAML and characters for JSON. Children are kept down to `DEEPEST` levels; below that
    a value is its text.
    """

    key: str  # as written, without quotes; empty for a list's entry
    start: int  # where its key or value begins
    stop: int  # after what is last written of it, comments after it not counted
    value: str = ""  # a short scalar's text
    children: list[Item] = field(default_factory=list)
    entries: bool = False  # the children are entries of a list


DEEPEST = 4
"""Levels of keys that are told apart: `services.web.environment` and its variables."""

LONGEST_VALUE = 120
"""Characters of a scalar that may serve as a name."""

_SETTING = re.compile(r"(?:[a-z][a-z0-9]*(?:_[a-z0-9]+)+|[A-Z][A-Z0-9_]{3,})")
_NAMING = ("name", "alias", "title", "id", "hosts", "job_name", "platform", "key", "path", "src", "url")


def label(item: Item) -> str:
    """Return what an item is called in a heading path: its key, or for a list's entry the value that names it."""
    if item.key:
        return item.key
    values = {child.key: child.value for child in item.children if child.value}
    kind = values.get("kind", "")
    metadata = next((child for child in item.children if child.key == "metadata"), None)
    if kind and metadata is not None:
        name = next((child.value for child in metadata.children if child.key == "name"), "")
        return f"{kind} {name}".strip()
    return next((values[key] for key in _NAMING if key in values), "")


def settings(document: Item) -> list[str]:
    """Return top-level keys distinctive enough to be a setting's name: with an underscore, or in capitals."""
    return [child.key for child in document.children if _SETTING.fullmatch(child.key)]
