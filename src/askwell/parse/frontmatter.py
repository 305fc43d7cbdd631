"""What a note says of itself before its text: whether that is there at all, and what of it can be trusted.

text ─ fence ─▶ block ─ read ─▶ Field… ─ shapes ─▶ Metadata
                  └ does not parse ─ recovered line by line ─┘   and the sensitivity flag is at fault
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from askwell.parse.fields import Fields, Unreadable, recovered, toml_fields, yaml_fields
from askwell.parse.slug import plain
from askwell.types import Metadata, Span

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_LARGEST = 65_536  # characters; longer than any frontmatter, shorter than what a YAML parser takes long for
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}(?!\d)")
_KEY_LINE = re.compile(r"[\"']?[^\W\d][\w .-]{0,60}[\"']?[ \t]*[:=](?:[ \t]|$)")
_PART_LINE = re.compile(r"(?:[ \t]+\S|#|[-\]}][ \t]|[-\]}]$)")
_WORDS_OF_A_KEY = 3  # a "key" of more words is the start of a sentence

_MISSPELT = 3  # characters that a misspelt key may be longer or shorter by
_ALIKE = 0.8  # similarity from which a key was meant to be the sensitivity key: `sensitive` is at 0.8

_TAGS = ("tags", "tag")
_ALIASES = ("aliases", "alias")
_CREATED = ("created", "date", "created_at", "date created", "date_created", "creation date", "publishdate")
_UPDATED = (
    "updated",
    "modified",
    "lastmod",
    "updated_at",
    "date modified",
    "date_modified",
    "last_modified",
    "last modified",
)
_USUAL = frozenset({"title", "permalink", "description", "publish", *_TAGS, *_ALIASES, *_CREATED, *_UPDATED})
_NOWHERE = Span(0, 0)
_NOTHING = Metadata()


@dataclass(frozen=True, slots=True, kw_only=True)
class Frontmatter:
    """A note's frontmatter; an empty span where it has none.

    Attributes:
        span: From the opening to the end of the closing fence.
        title: As written, empty if none.
        metadata: Without inline tags.
        tag_lines: Line of each tag, 1-based.
    """

    span: Span = _NOWHERE
    title: str = ""
    metadata: Metadata = _NOTHING
    tag_lines: Mapping[str, int] = field(default_factory=dict)


def frontmatter(text: str, *, sensitivity_key: str = "sensitivity") -> Frontmatter:
    """Return the frontmatter that `text` begins with.

    A block is frontmatter only if the first line is `---` (YAML) or `+++` (TOML), a closing line follows,
    and what lies between is a mapping, empty, or a mapping with a mistake in it. A rule, a banner, an
    open fence and prose between two rules are body. Whatever is not frontmatter and yet names the
    sensitivity key at the top of the file puts the flag at fault: it was meant to be read.
    """
    fence = text[:3]
    found = _block(text, fence) if fence in ("---", "+++") else None
    if found is None:
        return Frontmatter(metadata=Metadata(sensitivity_fault=_names_key(text, sensitivity_key)))
    start, end, close = found
    block = text[start:end]
    read: Callable[..., Fields] = toml_fields if fence == "+++" else yaml_fields
    try:
        if len(block) > _LARGEST:
            raise Unreadable("frontmatter is too long")
        fields = read(block, key=sensitivity_key)
    except Unreadable:
        if not (_looks_kept(block) or _has_key_line(block, sensitivity_key)):
            return Frontmatter()
        if not _looks_kept(block):
            return Frontmatter(metadata=Metadata(sensitivity_fault=True))
        fields = recovered(block[:_LARGEST])
    else:
        if not _is_kept(block, fields, sensitivity_key):
            return Frontmatter(metadata=Metadata(sensitivity_fault=_has_key_line(block, sensitivity_key)))
    return _described(fields, span=Span(0, close), key=sensitivity_key)


def _block(text: str, fence: str) -> tuple[int, int, int] | None:
    """Return where the block between two fences starts, ends, and where the closing fence ends."""
    first = text.find("\n")
    if first < 0 or text[:first].rstrip() != fence:
        return None
    ends = re.compile(r"^(?:---|\.\.\.)[ \t]*$" if fence == "---" else r"^\+\+\+[ \t]*$", re.MULTILINE)
    closing = ends.search(text, first + 1)
    return None if closing is None else (first + 1, closing.start(), closing.end())


def _looks_kept(block: str) -> bool:
    """Whether a block that does not parse was written as keys and values, not as prose."""
    lines = [line for line in block.split("\n") if line.strip()]
    if not lines or not (_KEY_LINE.match(lines[0]) or lines[0].startswith("#")):
        return False
    good = sum(1 for line in lines if _KEY_LINE.match(line) or _PART_LINE.match(line))
    return good == len(lines) if block.startswith("\n") else good >= 0.6 * len(lines)


def _is_kept(block: str, fields: Fields, key: str) -> bool:
    """Whether a block that parses was written as frontmatter, not as prose that happens to parse.

    Prose between two rules stands off from them by blank lines, or has a sentence before its first colon.
    """
    names = {item.key.casefold() for item in fields.items}
    if any(len(name.split()) > _WORDS_OF_A_KEY for name in names):
        return False
    return not block[:1].isspace() or not block.strip() or not names.isdisjoint({*_USUAL, key.casefold()})


def _names_key(text: str, key: str) -> bool:
    """Whether a fenced block that is no frontmatter, at the top of the file, names the sensitivity key."""
    head = text[:_LARGEST].lstrip("\ufeff \t\n")
    if not head.startswith(("---", "+++", "{", ";;;")):
        return False
    end = head.find("\n" + head[:3], 3)
    return _has_key_line(head[:end] if end > 0 else head.partition("\n\n")[0], key)


def _has_key_line(block: str, key: str) -> bool:
    pattern = rf"^[ \t>{{,\"'-]*{re.escape(key)}[\"']?[ \t\u00a0]*[:=]"
    return re.search(pattern, block, re.IGNORECASE | re.MULTILINE) is not None


def _described(fields: Fields, *, span: Span, key: str) -> Frontmatter:
    """Return what the fields say, wrong shapes dropped."""
    tags: dict[str, int] = {}
    for item in fields.named(*_TAGS):
        for value, line in item.values:
            for tag in [value] if item.is_list else value.replace(",", " ").split():
                cleaned = plain(tag).lstrip("#").strip("/ ")
                if cleaned:
                    tags.setdefault(cleaned, line + 2)
    aliases: dict[str, None] = {}
    for item in fields.named(*_ALIASES):
        for value, _ in item.values:
            parts = [] if item.is_list or "," not in value else value.split(",")
            aliases.update(dict.fromkeys(alias for part in (value, *parts) if (alias := plain(part))))
    metadata = Metadata(
        aliases=tuple(aliases),
        tags=tuple(tags),
        permalink=_first(fields, "permalink"),
        created=_first(fields, *_CREATED, where=_DATE),
        updated=_first(fields, *_UPDATED, where=_DATE),
        sensitivity=fields.sensitivity,
        sensitivity_fault=fields.fault or (fields.sensitivity is None and _misspells(fields, key)),
    )
    return Frontmatter(span=span, title=_first(fields, "title"), metadata=metadata, tag_lines=tags)


def _misspells(fields: Fields, key: str) -> bool:
    """Whether a key is so near to the sensitivity key that it was meant: then the flag is at fault.

    `sensitivty`, `sensitive`, or the key with an invisible character before it would else protect nothing.
    """
    from difflib import SequenceMatcher

    wanted = key.casefold()
    return any(
        abs(len(item.key) - len(wanted)) <= _MISSPELT
        and item.key.casefold() != wanted
        and SequenceMatcher(None, item.key.casefold(), wanted).ratio() >= _ALIKE
        for item in fields.items
    )


def _first(fields: Fields, *names: str, where: re.Pattern[str] | None = None) -> str:
    """Return the first single value under one of `names`, in the order of the names."""
    for name in names:
        for item in fields.named(name):
            if not item.is_list and len(item.values) == 1:
                value = plain(item.values[0][0])
                if value and (where is None or where.match(value)):
                    return value
    return ""
