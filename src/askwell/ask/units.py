"""The smallest pieces of a text that make sense when quoted: sentences, items, rows, fences, settings, comment lines.

A unit is a span of the text it was found in, so that what is quoted is verbatim. Prose is read as Markdown here;
programs and settings in `ask.code_units`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from askwell.ask.sentences import sentences
from askwell.types import Kind, Span

if TYPE_CHECKING:
    from collections.abc import Iterator

Role = Literal["sentence", "item", "row", "fence", "setting", "comment", "line", "heading", "markup"]

LONGEST_ITEM = 400
"""Characters above which a list item is quoted by its sentences."""

_PROSE = frozenset((Kind.README, Kind.MANUAL, Kind.DOC, Kind.NOTE, Kind.UI))
_PROSE_NAMES = re.compile(r"\.(?:md|markdown|mdx|rst|txt|html?|pdf|docx|pptx|epub)\Z", re.IGNORECASE)
_CODE_NAMES = re.compile(
    r"\.(?:ya?ml|json[l5c]?|toml|ini|conf|cfg|env|template|example|py|sh|bash|zsh|php|pl|ps1|sql|j2)\Z", re.IGNORECASE
)

_FENCE = re.compile(r"[ \t]*(?:>[ \t]?)*(?:(?:[-*+]|\d{1,3}[.)])[ \t]+)?(`{3,}|~{3,})")
_HEADING = re.compile(r"[ \t]{0,3}#{1,6}(?:[ \t]|$)")
_UNDERLINE = re.compile(r"[ \t]{0,3}(?:=+|-{2,})[ \t]*$")
_ITEM = re.compile(r"(?:[ \t]|>[ \t]?)*(?:[-*+•]|\d{1,3}[.)])[ \t]+\S")
_RULE = re.compile(r"[ \t]*(?:[-*_=~][ \t]*){3,}$")
_SEPARATOR = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_MARKUP = re.compile(
    r"[ \t]*(?:</?[A-Za-z!][^<>\n]{0,300}>[ \t]*|\{\{[<%][^\n]{0,300}[%>]\}\}|\{%[^\n]{0,300}%\}|%%[^%\n]{0,300}%%"
    r"|<!--[^\n]{0,300}-->|!\[[^\n]{0,300}\)|!?\[\[[^\]\n]{0,300}\]\]|\[(?!\^)[^\]\n]{1,100}\]:[^\n]*|:{3,}[^\n]{0,80}"
    r"|>?[ \t]*\[![\w-]{1,30}\][+-]?[ \t]*)+[ \t]*$"
)
_QUOTE = re.compile(r"[ \t]*(?:>[ \t]?)+(?:\[![\w-]{1,30}\][+-]?[ \t]*)?")
_DEFINED = re.compile(r"[ \t]*:[ \t]+\S")  # the definition under a term
_SHORTCODE = re.compile(r"[ \t]*\{\{[<%][ \t]*(code-toggle|highlight)\b(?![^\n]*/[>%]\}\})")
_SHORTCODE_END = re.compile(r"[ \t]*\{\{[<%][ \t]*/")
_INDENTED = re.compile(r"(?: {4}|\t)[ \t]*\S")


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """A piece that can be quoted, and what stands around it that explains it."""

    span: Span
    role: Role
    group: int  # units of one list, table or paragraph share it
    intro: Span | None = None  # what leads into a list or a fence, a table's header, a setting's comment
    setting: Span | None = None  # of a comment: the setting that it explains
    parents: tuple[Span, ...] = ()  # of a nested setting: the keys it stands under, outermost first


@dataclass(frozen=True, slots=True)
class Line:
    """One line: its characters ``[start, end)``, without the line end."""

    start: int
    end: int
    text: str


def lines_of(text: str) -> Iterator[Line]:
    """Yield the lines of a text."""
    start = 0
    while start <= len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        yield Line(start, end, text[start:end])
        start = end + 1


def is_prose(path: str, kind: Kind) -> bool:
    """Say whether a document is read as Markdown or text; else `#` starts a comment in it."""
    if _CODE_NAMES.search(path):
        return False
    return kind in _PROSE or _PROSE_NAMES.search(path) is not None


def prose_units(text: str) -> tuple[Unit, ...]:
    """Return the units of Markdown or plain text, in order, disjoint. Linear.

    Headings, rules and lines of markup alone are units too, of those roles, so that nothing is lost; they are no
    answer to anything.
    """
    return tuple(_Prose(text).units())


class _Prose:
    """One pass over the lines of a text, with the paragraph, item or table that is open."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._lines = list(lines_of(text))
        self._closers = [n for n, line in enumerate(self._lines) if _SHORTCODE_END.match(line.text)]
        self._group = 0
        self._open: list[Line] = []  # lines of the paragraph or item that is being read
        self._item = False
        self._in_list = False
        self._intro: Span | None = None  # the last sentence, while only blanks have followed it
        self._leads: list[tuple[int, Span]] = []  # of nested items: indentation and the item that leads into them
        self._header: Span | None = None  # the header row of the table that is being read

    def units(self) -> Iterator[Unit]:
        n = 0
        while n < len(self._lines):
            line = self._lines[n]
            fence = _FENCE.match(line.text)
            shortcode = _SHORTCODE.match(line.text)
            if fence or shortcode:
                yield from self._close()
                last = self._fence_end(n, fence[1]) if fence else self._shortcode_end(n)
                yield Unit(
                    span=Span(line.start, self._lines[last].end), role="fence", group=self._group, intro=self._intro
                )
                n = last + 1
                continue
            yield from self._line(n, line)
            n += 1
        yield from self._close()

    def _fence_end(self, first: int, run: str) -> int:
        for n in range(first + 1, len(self._lines)):
            bare = self._lines[n].text.strip().lstrip("> ")
            if len(bare) >= len(run) and not bare.strip(run[0]):
                return n
        return len(self._lines) - 1

    def _shortcode_end(self, first: int) -> int:
        """Return the line that closes the shortcode opened on line `first`; itself if none does."""
        at = bisect_right(self._closers, first)
        return self._closers[at] if at < len(self._closers) else first

    def _line(self, n: int, line: Line) -> Iterator[Unit]:
        bare = line.text.strip().lstrip("> ").strip()
        if not bare:
            yield from self._close()
            self._header = None
            return
        if _HEADING.match(line.text):
            yield from self._alone(line, "heading")
        elif _UNDERLINE.match(line.text) and self._open and not self._item and len(self._open) == 1:
            first = self._open[0]
            self._open = []
            self._new_group()
            yield Unit(span=Span(first.start, line.end), role="heading", group=self._group)
        elif _RULE.match(line.text) or _MARKUP.match(line.text):
            yield from self._close()
            yield Unit(span=Span(line.start, line.end), role="markup", group=self._group)
        elif "|" in bare and (bare.startswith("|") or self._header is not None or self._is_header(n)):
            yield from self._row(n, line)
        elif _ITEM.match(line.text):
            yield from self._close()
            if not self._in_list:
                self._group += 1
                self._in_list = True
            self._item = True
            self._open = [line]
        elif self._open:
            self._item = self._item or (len(self._open) == 1 and _DEFINED.match(line.text) is not None)
            self._open.append(line)
        else:
            indented = line.text[:1] in " \t"
            if not (self._in_list and indented):
                self._new_group(keep_intro=False)
            self._item = False
            self._open = [line]

    def _alone(self, line: Line, role: Role) -> Iterator[Unit]:
        yield from self._close()
        self._new_group()
        yield Unit(span=Span(line.start, line.end), role=role, group=self._group)

    def _new_group(self, *, keep_intro: bool = False) -> None:
        self._group += 1
        self._in_list = False
        self._header = None
        if not keep_intro:
            self._intro = None

    def _is_header(self, n: int) -> bool:
        return n + 1 < len(self._lines) and "-" in (below := self._lines[n + 1].text) and bool(_SEPARATOR.match(below))

    def _row(self, n: int, line: Line) -> Iterator[Unit]:
        yield from self._close()
        span = Span(line.start, line.end)
        if _SEPARATOR.match(line.text):
            yield Unit(span=span, role="markup", group=self._group)
        elif self._is_header(n):
            self._new_group(keep_intro=True)
            self._header = span
            yield Unit(span=span, role="markup", group=self._group)
        else:
            yield Unit(span=span, role="row", group=self._group, intro=self._header)

    def _close(self) -> Iterator[Unit]:
        """Yield the units of the paragraph or item that ends here."""
        if not self._open:
            return
        first, last = self._open[0], self._open[-1]
        indented = not self._in_list and all(_INDENTED.match(line.text) for line in self._open)
        self._open = []
        depth = len(first.text) - len(first.text.lstrip())
        if indented and not self._item:
            yield Unit(span=Span(first.start, last.end), role="fence", group=self._group, intro=self._intro)
            return
        if not self._item:
            self._leads.clear()
        while self._leads and self._leads[-1][0] >= depth:
            self._leads.pop()
        intro = self._leads[-1][1] if self._leads else self._intro
        if self._item and last.end - first.start <= LONGEST_ITEM:
            span = Span(first.start + depth, last.end)
            self._leads.append((depth, span))
            yield Unit(span=span, role="item", group=self._group, intro=intro)
            return
        start = first.start
        if quote := _QUOTE.match(first.text):
            start += quote.end()
        for span in sentences(self._text, start=start, end=last.end):
            if not self._item:
                self._intro = span
            yield Unit(span=span, role="sentence", group=self._group, intro=intro if self._item else None)
