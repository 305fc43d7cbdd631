"""Private keys between their markers, over many lines or in one."""

from __future__ import annotations

import re

_BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_END = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_KEY_LINE = re.compile(r"[\s>#*|\"'+,-]*+(?:[A-Z][\w-]{2,20}: [^\n]{0,200}|[^\s]*+)[ \t\r]*+")
_KEY_LINES = 2000  # far over the longest private key: a bound for reading on after a marker that never ends
_KEY_CHARS = 8  # fewer, and the markers are quoted without a key between them
_AHEAD = 20_000
_BREAKS = re.compile(r"\r\n|\r|\n")


def redact_key_blocks(text: str) -> str:
    """Replace private keys between their markers, and what is left of one whose end is cut off."""
    pieces: list[str] = []
    kept = at = 0
    while (begin := _BEGIN.search(text, at)) is not None:
        end = _block_end(text, begin.end())
        body = text[begin.end() : end]
        if sum(c.isalnum() for c in _END.sub("", body)[:4096]) < _KEY_CHARS:
            at = begin.end()
            continue
        breaks = "".join(_BREAKS.findall(text[begin.start() : end]))
        pieces += (text[kept : begin.start()], "[redacted: private key]", breaks)
        kept = at = end
    pieces.append(text[kept:])
    return "".join(pieces)


def _block_end(text: str, start: int) -> int:
    """Return where the key that begins before `start` ends: after its marker, else after its last line of key text."""
    at = start
    last = start
    for _ in range(_KEY_LINES):
        line_end = text.find("\n", at, at + _AHEAD)
        if line_end < 0:
            line_end = min(len(text), at + _AHEAD)
        if (other := text.find("-----BEGIN", at, line_end)) >= 0:
            line_end = other  # the key before it was cut off; looking further would make many such lines slow
        if (end := _END.search(text, at, line_end)) is not None:
            return end.end()
        line = _KEY_LINE.fullmatch(text, at, line_end)
        if line is None:
            return last
        if text[at:line_end].strip():
            last = line_end
        elif last > start:  # a blank line after key text: only headers end in one, and those hold a colon
            ahead = text.find("-----END", line_end, line_end + _AHEAD)
            if ahead < 0:
                return last
        if text[line_end : line_end + 1] != "\n":
            return last
        at = line_end + 1
    return last
