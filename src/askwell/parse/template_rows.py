"""Says what each row of a settings file is: a setting, one that is commented out, a remark, a section, code."""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from askwell.parse.comments import SETTINGS, comment_at
from askwell.parse.headings import is_rule

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askwell.parse.rows import Row

_SETTING = re.compile(
    r"[ \t]*(?:\{[ \t]*)?(?:(?:export|readonly|set|declare|typeset)[ \t]+(?:-\w+[ \t]+)?)?"
    r"[\"']?(?P<name>[A-Za-z_][\w.\-/$]{0,120}?)[\"']?(?:\[[^\]\n]{0,60}\])?[ \t]*(?:[+:?|.]?=(?!=)|:(?=[ \t]|$)|=>)"
)
_OFF = re.compile(
    r" ?(?:(?:export|set)[ \t]+)?(?P<name>[A-Za-z_][\w.\-]{0,120}?)(?:\[[^\]\n]{0,60}\])?(?:[+:?]?=|[ \t]+=[ \t])(?!=)"
    r"[ \t]*(?P<value>.{0,400})$"
)
_OFF_PAIR = re.compile(r"(?P<name>[A-Za-z][\w-]{1,60})[ \t]+(?P<value>\S{1,200})$")
_SECTION = re.compile(r"[ \t]*\[{1,2}[ \t]*(?P<name>[^\[\]\n]{1,120}?)[ \t]*\]{1,2}[ \t]*(?:[#;].*)?$")
_BESIDE = re.compile(r"(?:\s|;)(?:#|;|//)[ \t]*\S")
_TAG = re.compile(r"[ \t]*<(?P<close>/?)(?P<tag>[A-Za-z]\w*)[^<>]*>[ \t]*$")
_WORD = re.compile(r"[ \t]*(?P<name>[A-Za-z_][\w.-]{1,80})(?=[ \t;{]|$)")
_PROSE_WORDS = 6  # an unquoted value of more words is a sentence about the setting
_LONGEST_LINE = 2_000
_LONGEST_VALUE = 400  # rows


class What(Enum):
    """What a row of a settings file is."""

    BLANK = "blank"
    GAP = "gap"  # a comment marker alone, or a ruling
    TEXT = "text"
    OFF = "off"  # a setting that is commented out
    SET = "set"
    SECTION = "section"  # `[name]`
    CODE = "code"  # anything else: a directive, shell


class Line(NamedTuple):
    """A row, or the rows of one value: what it is, the name it sets, and the row after it."""

    what: What
    name: str
    content: str  # a comment without its marker
    stop: int
    beside: bool = False  # a remark stands on the same row


class Nesting(NamedTuple):
    """For each row the row that closes what it leaves open, the row itself if it leaves nothing open."""

    groups: list[int]  # a brace at the row's end, a tag such as `<Directory>`; the row itself if never closed
    values: list[int]  # any brackets; the number of rows if never closed


def line_at(rows: Sequence[Row], index: int, nesting: Nesting) -> Line:
    """Return what starts at ``rows[index]``.

    Args:
        rows: The file.
        index: A row that no earlier value goes on into.
        nesting: Of these rows, see `nesting_of`.
    """
    text = rows[index].text
    if rows[index].blank:
        return Line(What.BLANK, "", "", index + 1)
    stripped = text.lstrip()
    if stripped.startswith("/*"):
        comment = comment_at(rows, index, SETTINGS)
        if comment is not None:
            return Line(What.TEXT, "", comment[0][0].content, comment[1])
    marker = SETTINGS.line.match(text)
    if marker is not None:
        return _remark(text[marker.end() :], stripped, index)
    section = _SECTION.match(text) if len(text) <= _LONGEST_LINE else None
    if section is not None:
        return Line(What.SECTION, section["name"].strip("\"' "), "", index + 1)
    beside = len(text) <= _LONGEST_LINE and _BESIDE.search(text) is not None
    setting = _SETTING.match(text)
    if setting is not None:
        return Line(What.SET, setting["name"], "", _after_value(rows, index, setting.end(), nesting), beside)
    word = _WORD.match(text)
    return Line(What.CODE, word["name"] if word is not None else "", "", index + 1, beside)


def remark_of(text: str) -> str:
    """Return what a comment row says, `###` for a row of hashes, an empty string for any other row."""
    marker = SETTINGS.line.match(text)
    if marker is None:
        return ""
    stripped = text.strip()
    return "###" if len(stripped) > 1 and set(stripped) == {"#"} else text[marker.end() :]


def _remark(content: str, stripped: str, index: int) -> Line:
    drawn = len(stripped) > 1 and set(stripped.rstrip()) == {"#"}
    if drawn or not content.strip() or is_rule(content):
        return Line(What.GAP, "", "###" if drawn else content, index + 1)
    off = _OFF.match(content) or (_OFF_PAIR.match(content) if content[0] not in " \t" else None)
    if off is not None:
        value = off["value"].strip()
        spaced = content[off.end("name") : off.end("name") + 1] in (" ", "\t")
        if spaced and len(value.split()) > 2 and value[0] not in "\"'([{$":
            return Line(What.TEXT, "", content, index + 1)
        if value.startswith(('"', "'", "(", "[", "{", "$")) or len(value.split()) <= _PROSE_WORDS:
            return Line(What.OFF, off["name"], content, index + 1)
    return Line(What.TEXT, "", content, index + 1)


def nesting_of(rows: Sequence[Row]) -> Nesting:
    """Return where braces, tags and brackets close. What stands in comment rows does not count. Linear."""
    groups = list(range(len(rows)))
    open_groups: list[tuple[int, str]] = []
    values = list(range(len(rows)))
    depth = 0
    open_values: list[tuple[int, int]] = []  # rows that leave brackets open, and the depth before each
    for index, row in enumerate(rows):
        text = row.text.strip()
        if not text or text.startswith(("#", ";", "//")):
            continue
        _close_group(text, index, groups, open_groups)
        change = sum(text.count(char) for char in "([{") - sum(text.count(char) for char in ")]}")
        if change > 0:
            open_values.append((index, depth))
        depth += change
        while open_values and change < 0 and depth <= open_values[-1][1]:
            values[open_values.pop()[0]] = index
    for index, _ in open_values:
        values[index] = len(rows)
    return Nesting(groups, values)


def _close_group(text: str, index: int, groups: list[int], open_groups: list[tuple[int, str]]) -> None:
    tag = _TAG.match(text) if text[0] == "<" and len(text) <= _LONGEST_LINE else None
    if tag is not None:
        name = tag["tag"].lower()
        if not tag["close"]:
            open_groups.append((index, name))
        elif open_groups and open_groups[-1][1] == name:
            groups[open_groups.pop()[0]] = index
        return
    if text[0] == "}" and open_groups and open_groups[-1][1] == "{":
        groups[open_groups.pop()[0]] = index
    if text[-1] == "{" and not text.endswith(("${", "{{")):
        open_groups.append((index, "{"))


def _after_value(rows: Sequence[Row], index: int, offset: int, nesting: Nesting) -> int:
    """Return the row after a value that goes on over rows: brackets, quotes, backslashes, deeper rows."""
    text = rows[index].text
    if nesting.groups[index] > index:
        return index + 1
    limit = min(len(rows), index + _LONGEST_VALUE)
    value = text[offset:].strip()
    for quote in ('"""', "'''"):
        if value.startswith(quote) and value.count(quote) == 1:
            return next((at + 1 for at in range(index + 1, limit) if quote in rows[at].text), index + 1)
    if value[:1] in ("(", "[", "{"):
        closing = nesting.values[index]
        return closing + 1 if closing < limit else index + 1
    if value[:1] in ('"', "'") and value.count(value[0]) == 1:
        return next((at + 1 for at in range(index + 1, limit) if value[0] in rows[at].text), index + 1)
    stop = index + 1
    while stop < limit and rows[stop - 1].text.rstrip().endswith("\\"):
        stop += 1
    indent = rows[index].indent
    while stop < limit and not rows[stop].blank and rows[stop].indent > indent and _continues(rows[stop].text):
        stop += 1
    return stop


def _continues(text: str) -> bool:
    """Return whether a deeper row is the rest of a value rather than something of its own."""
    return SETTINGS.line.match(text) is None and _SETTING.match(text) is None and not text.rstrip().endswith(("{", "}"))
