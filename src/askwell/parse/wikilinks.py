"""Links, embeds, includes and tags of running text, as edges to names that are not resolved here."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import unquote

from askwell.parse.slug import plain
from askwell.types import Edge, EdgeKind

if TYPE_CHECKING:
    from collections.abc import Iterator

_WIKILINK = re.compile(r"(?<!\\)(!?)\[\[([^\[\]\n]+)\]\]")
_SHOWN = re.compile(r"[^\n]")
_TICKS = re.compile(r"`+")
_COMMENT = re.compile(r"<!--|%%")
_DESTINATION = re.compile(r"\]\([ \t]*(?:<([^<>\n]*)>|([^\s()<>]*(?:\([^\s()<>]*\)[^\s()<>]*)*))")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_LABEL_REACH = 300  # characters that are searched for the bracket which opens a link's text
_SHORTCODE = re.compile(r"\{\{[%<][ \t]*(?:include|readfile|embed)[ \t]+(?:file=)?[\"']?([^\"'{}<>%\s]+)[\"']?")
_SNIPPET = re.compile(r"^[ \t>]*(?:-{1,2}8<-{1,2})[ \t]+[\"']([^\"'\n]+)[\"'][ \t]*$")
_SNIPPET_PART = re.compile(r":(?:-?\d*(?::-?\d*)?|[\w-]+)$")  # a range of lines or a named section of the file
_SNIPPETS = re.compile(r"^[ \t>]*-{1,2}8<-{1,2}[ \t]*$")
_TAG = re.compile(r"(?<!\S)#([^\s#!@$%^&*(),.?\":{}|<>\[\]\\;'`~=+\u2000-\u206f\u3000-\u303f]+)")
_COLOUR = re.compile(r"(?=\D*\d)[0-9A-Fa-f]{6}(?:[0-9A-Fa-f]{2})?")
_SIZE = re.compile(r"\d+(?:x\d+)?")
_MEDIA = re.compile(
    r"\.(?:png|jpe?g|gif|svg|webp|avif|bmp|ico|tiff?|mp[34]|m4[av]|wav|ogg|oga|ogv|flac|aac|opus|webm|mov|mkv|avi|css|js|zip|gz)$",
    re.IGNORECASE,
)


def without_code(text: str) -> str:
    """Return `text`, the lines of one paragraph, with code spans and comments blanked; every offset stays.

    A run of backticks opens a span only if a run of the same length follows. Linear in `text`.
    """
    text = without_code_spans(text)
    if "%%" in text or "<!--" in text:
        text = _blanked(text, _comments(text))
    return text


def without_code_spans(text: str) -> str:
    """Return `text` with code spans blanked, comments kept; every offset stays."""
    return _blanked(text, _code_spans(text)) if "`" in text else text


def _code_spans(text: str) -> Iterator[tuple[int, int]]:
    runs = [(match.start(), match.end()) for match in _TICKS.finditer(text)]
    later: dict[int, list[int]] = {}
    for index in range(len(runs) - 1, -1, -1):
        later.setdefault(runs[index][1] - runs[index][0], []).append(index)
    index = 0
    while index < len(runs):
        start, end = runs[index]
        same = later[end - start]
        while same and same[-1] <= index:
            same.pop()
        if same and not (start and text[start - 1] == "\\"):
            index = same.pop()
            yield start, runs[index][1]
        index += 1


def _comments(text: str) -> Iterator[tuple[int, int]]:
    at = 0
    while (opening := _COMMENT.search(text, at)) is not None:
        close = "-->" if opening[0] == "<!--" else "%%"
        end = text.find(close, opening.end())
        if end < 0:
            if opening[0] == "<!--" or "<!--" not in text[opening.end() :]:
                return
            at = opening.end()
            continue
        at = end + len(close)
        yield opening.start(), at


def _blanked(text: str, spans: Iterator[tuple[int, int]]) -> str:
    parts: list[str] = []
    at = 0
    for start, end in spans:
        blank = " " * (end - start) if text.find("\n", start, end) < 0 else _SHOWN.sub(" ", text[start:end])
        parts += (text[at:start], blank)
        at = end
    return "".join([*parts, text[at:]])


def links(text: str, *, line: int) -> Iterator[Edge]:
    """Yield the links, embeds and includes of a paragraph without code, in reading order within each form.

    Targets are percent-decoded and in NFC. Addresses with a scheme, links within the same document and
    pictures, sound and film are no edges: what they point at is no document.

    Args:
        text: From `without_code`.
        line: Line of the file on which `text` begins, 1-based.
    """
    for found in (_wikilinks(text), _inline_links(text), _includes(text)) if "[" in text else (_includes(text),):
        counted, number = 0, line
        for at, kind, target, fragment, alias in found:
            number += text.count("\n", counted, at)
            counted = at
            if target and not _MEDIA.search(target):
                yield Edge(kind=kind, target=target, fragment=fragment, alias=alias, line=number)


def _wikilinks(text: str) -> Iterator[tuple[int, EdgeKind, str, str, str]]:
    for match in _WIKILINK.finditer(text):
        written, _, alias = match[2].replace("\\|", "|").partition("|")
        target, fragment = _split(written)
        if "^" in target and not fragment:
            target, _, block = target.partition("^")
            fragment = "^" + block.strip()
        if match[1] and _SIZE.fullmatch(alias.strip()):
            alias = ""
        kind = EdgeKind.EMBED if match[1] else EdgeKind.LINK
        yield match.start(), kind, target.strip(), fragment, plain(alias)


def _split(written: str) -> tuple[str, str]:
    """Return name and fragment; of nested headings (`#a#b`) the innermost."""
    target, _, fragment = written.partition("#")
    return _decoded(target), _decoded(fragment.rpartition("#")[2])


def _decoded(text: str) -> str:
    return plain(unquote(text) if "%" in text else text)


def _inline_links(text: str) -> Iterator[tuple[int, EdgeKind, str, str, str]]:
    for match in _DESTINATION.finditer(text):
        target, fragment = destination(match[1] if match[1] is not None else match[2])
        if not target:
            continue
        opening = _opening(text, match.start())
        label = text[opening + 1 : match.start()] if opening >= 0 else ""
        embeds = opening > 0 and text[opening - 1] == "!"
        yield match.start(), EdgeKind.EMBED if embeds else EdgeKind.LINK, target, fragment, plain(label)


def _opening(text: str, close: int) -> int:
    """Return where the bracket stands that `text[close]` closes, -1 if it is not near."""
    least = max(0, close - _LABEL_REACH)
    nearest = text.rfind("[", least, close)
    if nearest < 0 or text.find("]", nearest, close) < 0:
        return nearest
    depth = 0
    for at in range(close, least - 1, -1):
        depth += (text[at] == "]") - (text[at] == "[")
        if depth == 0:
            return at
    return -1


def destination(written: str) -> tuple[str, str]:
    """Return path and fragment of a link's destination; an empty path for what leads to no document."""
    if written.startswith(("//", "{{")) or _SCHEME.match(written):
        return "", ""
    path, _, fragment = written.partition("#")
    return _decoded(path.partition("?")[0]), _decoded(fragment)


def _includes(text: str) -> Iterator[tuple[int, EdgeKind, str, str, str]]:
    if "{{" in text:
        for match in _SHORTCODE.finditer(text):
            yield match.start(), EdgeKind.EMBED, *destination(match[1]), ""


def snippets(text: str) -> Iterator[Edge]:
    """Yield the files that `--8<--` lines of a document include; they do so inside fences too."""
    if "8<-" not in text:
        return
    listing = False
    for number, line in enumerate(text.split("\n"), start=1):
        named = _SNIPPET.match(line)
        if named is None and _SNIPPETS.match(line):
            listing = not listing
            continue
        written = named[1] if named is not None else line.strip("> \t") if listing else ""
        if written and not written.startswith(";") and "://" not in written:
            yield Edge(kind=EdgeKind.EMBED, target=_decoded(_SNIPPET_PART.sub("", written)), line=number)


def tags(text: str) -> Iterator[tuple[str, int]]:
    """Yield inline tags without `#`, and their offsets in `text`, which is from `without_code`.

    A tag stands after white space, holds something else than digits, and is no colour value.
    """
    if "#" not in text:
        return
    for match in _TAG.finditer(text):
        name = plain(match[1]).strip("/-")
        if name and not name.replace("/", "").replace("-", "").isdigit() and not _COLOUR.fullmatch(name):
            yield name, match.start()
