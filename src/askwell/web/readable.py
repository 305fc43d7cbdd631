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


def readable(text: str, *, html: bool) -> tuple[str, tuple[WebSection, ...]]:
    """Return a page's title and its sections in order; those without text are left out."""
    if not html:
        rows = [" ".join(row.split()) for row in text.split("\n")]
        return "", (WebSection(heading="", text="\n".join(row for row in rows if row)),)
    reader = _Reader()
    reader.feed(text)
    reader.close()
    found = tuple(WebSection(heading=heading, text="\n".join(rows)) for heading, rows in reader.sections if rows)
    return reader.title[:300], found
