"""HTML → what a reader reads: headings with the paragraphs below them, without scripts, menus and forms."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from askwell.ports.web import WebSection

_DROPPED = frozenset(
    {"script", "style", "noscript", "template", "svg", "nav", "header", "footer", "aside", "form", "iframe"}
    | {"button", "select", "dialog"}
)
_BREAKING = frozenset(
    {"p", "div", "li", "br", "tr", "section", "article", "main", "pre", "blockquote", "dd", "dt", "td", "th", "ul"}
    | {"ol", "table", "figcaption", "hr"}
)
_VOID = frozenset({"br", "hr", "img", "input", "meta", "link"})
_HEADING = re.compile(r"h[1-6]\Z")
_MOST = 400  # sections of a page
_MARK = re.compile(
    r"""(?ix) <!-- | <! [^<>]* > | <\? [^<>]* >
    | < (?P<slash> /? ) (?P<name> [a-z] [a-z0-9:-]* ) (?: [^<>"'] | "[^"<]*" | '[^'<]*' )* > | <"""
)
"""A comment's beginning, a tag, or a sign that is neither. None goes past the next `<`: each is looked at once."""
_COMMENT = re.compile("-->")
_CODE = {name: re.compile(rf"</{name}\b[^<>]*>", re.IGNORECASE) for name in ("script", "style")}
"""What holds no text, and where that ends."""


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.title = ""
        self.sections: list[tuple[str, list[str]]] = [("", [])]
        self._dropped = 0
        self._where = ""  # `title` or a heading's tag
        self._pieces: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _DROPPED:
            self._dropped += 1
        elif tag == "title" or _HEADING.match(tag):
            self._paragraph()
            self._where = tag
        elif tag in _BREAKING:
            self._paragraph()

    def handle_endtag(self, tag: str) -> None:
        if tag in _DROPPED:
            self._dropped = max(0, self._dropped - 1)
        elif tag == self._where:
            said = self._taken()
            if tag == "title":
                self.title = self.title or said
            elif said and len(self.sections) < _MOST:
                self.sections.append((said, []))
            self._where = ""
        elif tag in _BREAKING and tag not in _VOID:
            self._paragraph()

    def handle_data(self, data: str) -> None:
        if not self._dropped:
            self._pieces.append(data)

    def close(self) -> None:
        super().close()
        self._where = ""
        self._paragraph()

    def _paragraph(self) -> None:
        if self._where:
            return
        if said := self._taken():
            self.sections[-1][1].append(said)

    def _taken(self) -> str:
        said = " ".join("".join(self._pieces).split())
        self._pieces.clear()
        return said


def _tamed(text: str) -> str:
    """Return HTML with tags that are closed and have no attributes, in time that grows with its length alone.

    The parser looks from each open end to the end of the text, which makes hours of a page of nothing else.
    """
    kept: list[str] = []
    at = 0
    while (found := _MARK.search(text, at)) is not None:
        kept.append(text[at : found.start()])
        at = found.end()
        name, slash = (found["name"] or "").casefold(), found["slash"] or ""
        until = _COMMENT if found[0] == "<!--" else None if slash else _CODE.get(name)
        if until is None:
            kept.append(f"<{slash}{name}>" if name else "&lt;" if found[0] == "<" else "")
        elif (end := until.search(text, at)) is not None:
            at = end.end()
        else:
            return "".join(kept)
    return "".join((*kept, text[at:]))


def readable(text: str, *, html: bool) -> tuple[str, tuple[WebSection, ...]]:
    """Return a page's title and its sections in order; those without text are left out."""
    if not html:
        rows = [" ".join(row.split()) for row in text.split("\n")]
        return "", (WebSection(heading="", text="\n".join(row for row in rows if row)),)
    reader = _Reader()
    reader.feed(_tamed(text))
    reader.close()
    found = tuple(WebSection(heading=heading, text="\n".join(rows)) for heading, rows in reader.sections if rows)
    return reader.title[:300], found
