"""Bytes of a file → its text: which encoding it is in, or that it is no text at all."""

from __future__ import annotations

import codecs
import re

from askwell.errors import UnreadableFile

_BOMS = (  # the longer first: a UTF-32 mark begins with the UTF-16 one
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_MAGIC = (
    *(b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"PK\x03\x04", b"\x7fELF", b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"%PDF-"),
    *(b"SQLite format 3\0", b"Rar!", b"7z\xbc\xaf", b"OggS", b"\0asm", b"\xca\xfe\xba\xbe", b"\x28\xb5\x2f\xfd"),
)
_CONTROLS = bytes(c for c in range(32) if c not in b"\a\b\t\n\v\f\r\x1b")
_CONTROL_SHARE = 0.02  # a text may hold a stray control character; a program or an image is full of them
_LOOKED_AT = 65_536  # bytes that decide whether a file is text
_SAMPLE = 16_384  # bytes of the lines that are not ASCII; detection is a matter of milliseconds on as much
_SURROGATE = re.compile("[\ud800-\udfff]")
_CANDIDATES = (  # the more common first: a short sample often fits several
    *("cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "koi8_r"),
    *("iso8859_2", "iso8859_9", "shift_jis", "euc_jp", "gb18030", "big5", "euc_kr", "cp437", "mac_roman"),
)

_TURKISH = frozenset("ĞğİıŞş".encode("cp1254"))  # the six bytes in which the Turkish page differs: ÐðÝýÞþ elsewhere
_ICELANDIC = frozenset("áéíóúæ".encode("cp1252"))  # no Icelandic sentence is without one, and Turkish has none


def decode(raw: bytes) -> str:
    r"""Return the text of a file's bytes, every line end as `\n`, as many lines as the file has.

    UTF-8, UTF-8 with a mark and UTF-16 or UTF-32 with one are read as such; UTF-8 with a few broken bytes
    stays UTF-8. Anything else is detected on a sample and, where that fails, read as Windows Latin. A byte
    that means nothing, a NUL and half a surrogate pair become U+FFFD. An empty file is an empty text.

    Raises:
        UnreadableFile: the bytes are no text.
    """
    text = _marked(raw)
    if text is None:
        _refuse_binary(raw)
        text = _unmarked(raw)
    if "\0" in text:
        if text.count("\0", 0, _LOOKED_AT) > _CONTROL_SHARE * min(len(text), _LOOKED_AT) + 1:
            raise UnreadableFile("binary content")
        text = text.replace("\0", "\ufffd")
    if _SURROGATE.search(text):
        text = _paired(text)
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _marked(raw: bytes) -> str | None:
    """Return the text of bytes that begin with a byte order mark, None if they do not."""
    for mark, encoding in _BOMS:
        if raw.startswith(mark):
            return raw[len(mark) :].decode(encoding, "replace")
    return None


def _refuse_binary(raw: bytes) -> None:
    """Raise `UnreadableFile` if the bytes are a known binary format or full of control characters."""
    head = raw[:_LOOKED_AT]
    controls = len(head) - len(head.translate(None, _CONTROLS))
    if raw.startswith(_MAGIC) or (controls > _CONTROL_SHARE * len(head) + 1 and not _wide(head)):
        raise UnreadableFile("binary content")


def _wide(head: bytes) -> str:
    """Return the UTF-16 byte order of a text that has no mark but every other byte NUL, empty if it is none."""
    half = len(head) // 2
    if half < 2:
        return ""
    odd, even = head[1::2].count(0), head[0::2].count(0)
    if odd > 0.7 * half and even < 0.05 * half:
        return "utf-16-le"
    if even > 0.7 * half and odd < 0.05 * half:
        return "utf-16-be"
    return ""


def _unmarked(raw: bytes) -> str:
    """Return the text of bytes without a mark."""
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        pass
    else:
        order = _wide(raw[:_LOOKED_AT]) if "\0" in text else ""
        return raw.decode(order, "replace") if order else text
    if order := _wide(raw[:_LOOKED_AT]):
        return raw.decode(order, "replace")
    try:
        return raw.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        pass
    if b"\0" in raw[:_LOOKED_AT]:
        raise UnreadableFile("binary content")
    text = raw.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    if len(text) - len(text.encode("ascii", "ignore")) > 2 * broken:
        return text  # other encodings hardly ever form whole UTF-8 sequences by chance
    return raw.decode(_detected(raw), "replace")


def _detected(raw: bytes) -> str:
    """Return the likeliest encoding of bytes that are not UTF-8, judged on their lines that are not ASCII."""
    from charset_normalizer import from_bytes

    size, telling = 0, []
    for line in raw[: 64 * _SAMPLE].splitlines(keepends=True):
        if not line.isascii():
            telling.append(line[:_SAMPLE])
            size += len(telling[-1])
            if size >= _SAMPLE:
                break
    sample = b"".join(telling) or raw[:_SAMPLE]
    matches = from_bytes(sample, cp_isolation=list(_CANDIDATES))
    best = matches.best()
    if best is None:
        return _CANDIDATES[0]
    equal = {
        name
        for match in matches
        if (match.chaos, match.coherence) == (best.chaos, best.coherence)
        for name in match.could_be_from_charset
    }
    likely = next((name for name in _CANDIDATES if name in equal), best.encoding)
    if likely == "cp1252" and _TURKISH.intersection(sample) and not _ICELANDIC.intersection(sample):
        return "cp1254"
    return likely


def _paired(text: str) -> str:
    """Return `text` with surrogate pairs joined and lone surrogates replaced."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
