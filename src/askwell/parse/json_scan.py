"""The outline of JSON, JSON lines and JSON5 by characters: values stay as written, nothing is decoded."""

from __future__ import annotations

import re
from dataclasses import dataclass

from askwell.parse.outline import DEEPEST, LONGEST_VALUE, Item

# Every alternative eats to its own end or to the end of the text, so that a missing quote or `*/` costs no second pass.
_TOKEN = re.compile(
    r"(?P<string>\"[^\"\\\n]*(?:\\.[^\"\\\n]*)*\"?|'[^'\\\n]*(?:\\.[^'\\\n]*)*'?)"
    r"|(?P<comment>//[^\n]*|\#[^\n]*|/\*[^*]*(?:\*(?!/)[^*]*)*(?:\*/)?)"
    r"|(?P<mark>[{}\[\],:])"
    r"|(?P<word>[^\s\"'{}\[\],:/#]+|/|\\)",
    re.DOTALL,
)
_CLOSES = {"}": "{", "]": "["}


@dataclass(slots=True)
class Scanned:
    """What a scan found."""

    roots: list[Item]  # one for a document, several for JSON lines
    fault: str = ""  # why it is not JSON, in words; the outline is what could be made out
    brackets: bool = False  # whether any bracket was seen


@dataclass(slots=True)
class _Open:
    item: Item
    bracket: str
    key: tuple[str, int] | None = None  # a key that waits for its value, and where it begins
    last: Item | None = None  # the latest child, which a stray word goes on


def scan(text: str) -> Scanned:
    """Return the outline of `text`. Linear; depth costs no stack; anything at all is accepted."""
    found = Scanned([])
    stack: list[_Open] = []
    comment = -1  # where comments on rows of their own begin that wait for the next key
    end = 0
    for token in _TOKEN.finditer(text):
        if token.lastgroup == "comment":
            own_row = end == 0 or "\n" in text[end : token.start()]
            comment = token.start() if comment < 0 and own_row else comment
            end = token.end()
            continue
        begin = comment if comment >= 0 else token.start()
        comment = -1
        end = token.end()
        mark = token[0] if token.lastgroup == "mark" else ""
        if mark in ("{", "["):
            found.brackets = True
            item = _value(found, stack, "", begin, end)
            item.entries = mark == "["
            stack.append(_Open(item, mark))
        elif mark in ("}", "]"):
            if not stack or stack[-1].bracket != _CLOSES[mark]:
                found.fault = found.fault or f"unexpected `{mark}`"
                continue
            stack.pop().item.stop = end
        elif mark == ":":
            if stack and stack[-1].last is not None and stack[-1].key is None:
                _take_key(stack[-1], text)
        elif mark == "":
            _value(found, stack, token[0] if len(token[0]) <= LONGEST_VALUE else "", begin, end)
        elif stack:
            stack[-1].last = None
    if stack:
        found.fault = found.fault or f"`{stack[-1].bracket}` is not closed"
        for opened in stack:
            opened.item.stop = end
    return found


def _value(found: Scanned, stack: list[_Open], written: str, begin: int, end: int) -> Item:
    """Add a value where the scan stands, under the key that waits for it."""
    value = written.strip("\"'")
    if not stack:
        found.roots.append(Item("", begin, end, value))
        return found.roots[-1]
    top = stack[-1]
    key = ""
    if top.key is not None:
        (key, begin), top.key = top.key, None
    item = Item(key, begin, end, value)
    top.last = item
    if len(stack) <= DEEPEST:
        top.item.children.append(item)
    return item


def _take_key(top: _Open, text: str) -> None:
    """Turn the latest child into the key of the value to come: a colon followed it."""
    item = top.last
    top.last = None
    if item is None:
        return
    if top.item.children and top.item.children[-1] is item:
        top.item.children.pop()
    top.key = (item.value or text[item.start : item.stop].strip("\"'")[:LONGEST_VALUE], item.start)
