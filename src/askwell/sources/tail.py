"""The end of a file as text: of any size, in one line or many, being written, in the encodings that logs come in."""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass

from askwell.errors import UnreadableFile
from askwell.sources.reading import opened

COUNTED = 256 << 20
"""Bytes before the end in which lines are counted; of a longer file they are counted from what is read."""

_PACKED = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd", b"\xfd7zXZ": "xz", b"BZh": "bzip2", b"PK\x03\x04": "zip"}
_JOURNAL = b"LPKSHHRH"
_UTF16 = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-_])")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_BINARY = 0.05  # of the characters that no text has, from which a file is none
_END_OF_KEY = re.compile(r"\A((?:(?!-----BEGIN)[\s\S])*?)-----END [A-Z ]*PRIVATE KEY-----")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tail:
    """The last lines of a file; `first` is the 1-based number of the first of them."""

    text: str
    first: int
    modified: float  # seconds since the epoch
    note: str


def tail_of(path: bytes, *, limit: int) -> Tail:
    """Return the end of a regular file, at most `limit` bytes of it, in whole lines where there are any.

    Args:
        path: Absolute, without links.
        limit: In bytes, at least 1.

    Raises:
        UnreadableFile: it is gone, refused, not a regular file, packed, or no text.
    """
    descriptor = opened(b"/", path.lstrip(b"/"))
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise UnreadableFile("not a regular file")
        head = os.pread(descriptor, 8, 0)
        _check(head)
        start = max(0, found.st_size - limit)
        start -= start % 2  # UTF-16 has two bytes a character at least
        raw = _read(descriptor, start, limit + 1)
        encoding = _UTF16.get(head[:2], "")
        counted = 0 < start <= COUNTED and not encoding
        before = _breaks(descriptor, start) if counted else 0
    except OSError as error:
        raise UnreadableFile(f"cannot be read: {os.strerror(error.errno or 0)}") from error
    finally:
        os.close(descriptor)
    text = _decoded(raw, encoding)
    note = ""
    if start:
        text, dropped = _whole_lines(text)
        before += dropped
        note = f"only its last {limit // 1024} KiB were read"
        if not counted:
            note += ", and lines are counted from there"
    return Tail(text=text, first=before + 1, modified=found.st_mtime, note=note)


def _check(head: bytes) -> None:
    for magic, name in _PACKED.items():
        if head.startswith(magic):
            raise UnreadableFile(f"packed with {name}", hint="unpack it first")
    if head == _JOURNAL:
        raise UnreadableFile("a journal of systemd", hint="write it out first: `journalctl --file … > NAME.log`")


def _read(descriptor: int, start: int, limit: int) -> bytes:
    pieces: list[bytes] = []
    while limit > 0 and (piece := os.pread(descriptor, min(limit, 1 << 20), start)):
        pieces.append(piece)
        start, limit = start + len(piece), limit - len(piece)
    return b"".join(pieces)


def _breaks(descriptor: int, upto: int) -> int:
    found = at = 0
    while at < upto and (piece := os.pread(descriptor, min(1 << 20, upto - at), at)):
        found += piece.count(b"\n")
        at += len(piece)
    return found


def _decoded(raw: bytes, encoding: str) -> str:
    """Return text without escapes and control characters. Runs of NUL are what a truncated log leaves behind."""
    if encoding:
        text = raw.decode(encoding, "replace").removeprefix("\ufeff")
    else:
        raw = raw.replace(b"\0", b"")
        text = raw.decode("utf-8-sig", "replace")
        if text.count("\ufffd") > 4:  # more than a character cut at the beginning
            text = raw.decode("cp1252", "replace")
    text = _ESCAPES.sub("", text.replace("\r\n", "\n").replace("\r", "\n" if "\n" not in text else " "))
    strange = len(_CONTROL.findall(text)) + text.count("\ufffd")
    if strange > 8 and strange > _BINARY * len(text):
        raise UnreadableFile("no text: it looks like a binary file")
    return _CONTROL.sub(" ", text)


def _whole_lines(text: str) -> tuple[str, int]:
    """Return text without its cut beginning, and the line breaks that went with it.

    A line or a key block that is cut could hold the second half of a credential, which nobody recognizes as one.
    """
    rest, dropped = text, 0
    cut, broken, after = text.partition("\n")
    if broken:
        rest, dropped = after, 1
    else:
        rest = cut.partition(" ")[2].partition(" ")[2]
    if key := _END_OF_KEY.match(rest):
        dropped += rest.count("\n", 0, key.end())
        rest = rest[key.end() :]
    return rest, dropped
