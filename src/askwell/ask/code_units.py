"""Units of programs and settings: comment sentences in whole lines, settings with their comment, nested keys."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from askwell.ask.sentences import sentences
from askwell.ask.units import Line, Role, Unit, lines_of
from askwell.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

_COMMENT = re.compile(r"[ \t]*(?:#+!?|//+|--(?=[ \t]|$)|;+|\*/|/\*+|\*(?=[ \t]|$)|(?i:rem)[ \t])[ \t]?")
_SETTING = re.compile(
    r"(?P<indent>[ \t]*)(?P<dash>- )?(?:export |readonly |local |declare (?:-\w+ )?|set )?[\"']?\$?"
    r"(?P<key>[A-Za-z_][\w.\-/]{0,100})[\"']?(?:\[[^\]\n]{0,60}\])?[ \t]*(?:\+?=(?!=)|:=|:(?=[ \t]|$))"
)
_TABLE = re.compile(r"[ \t]*\[{1,2}[^\]\n]{1,100}\]{1,2}[ \t]*(?:[#;].*)?$")
_QUOTES = re.compile(r'"""|\'\'\'|<#|#>|^=(?:pod|head\d|cut)\b')
_STARTS = re.compile(r"(?:[-*+•]|\d{1,3}[.)])[ \t]|--?[A-Za-z]|\$[ \t(]|[A-Z][A-Z0-9_]{3,}\+?=|@\w+")
_RULED = re.compile(r"[\s#/*;=~_+<>\-–—━─═.|'\"]*\Z")
_CAPITALS = re.compile(r"[^a-z]{3,60}:?\Z")
_SAID = re.compile(
    r"(?:[^\W\d_][\w'-]*[,;:.!?]?[ \t]+){4}[\w'\"`(,;:.!?)/ \t-]*\Z"
)  # a line of help text: words, no code
_DIRECTIVE = re.compile(
    r"(?:shellcheck|pylint|flake8|noqa|eslint|prettier|yamllint|cspell|nosec)\b|(?:vim?|type): |-\*-"
)
"""What a comment says to a tool and not to a reader."""

_FRAMED = re.compile(r"\S.*\S[ \t]{2,}[#*|]+\Z")
"""A line of a title in a box: padded up to the sign that closes the line."""

_MOST_VALUE_LINES = 14
_LONGEST_TITLE = 70


def code_units(text: str) -> tuple[Unit, ...]:
    """Return the units of a program, a file of settings or data, in reading order. Linear.

    Every unit is whole lines. They may overlap: a nested key stands in its parent's unit and in its own, and two
    sentences of a comment may share a line.
    """
    return tuple(sorted(_Code(text).units(), key=lambda unit: (unit.span.start, unit.span.end)))


class _Code:
    """One pass over the lines, with the comment block that is open and the keys above."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._lines = list(lines_of(text))
        self._group = 0
        self._comment: list[tuple[Line, int]] = []  # a line and where its text begins
        self._last_comment: Span | None = None  # the block directly above
        self._parents: list[tuple[int, Span]] = []  # indentation and line of the keys above
        self._waiting: list[Unit] = []  # comment units whose setting may follow

    def units(self) -> Iterator[Unit]:
        quoted = False
        for n, line in enumerate(self._lines):
            bare = line.text.strip()
            toggles = len(_QUOTES.findall(line.text))
            in_quotes = quoted or toggles > 0
            quoted = quoted != (toggles % 2 == 1)
            comment = _COMMENT.match(line.text)
            if not bare:
                yield from self._settle(None)
                self._last_comment = None
                continue
            if comment or in_quotes:
                body = comment.end() if comment and not in_quotes else len(line.text) - len(line.text.lstrip(" \t\"'"))
                self._comment.append((line, body))
                continue
            setting = _SETTING.match(line.text)
            if setting:
                yield from self._setting(n, line, setting)
            else:
                yield from self._settle(None)
                self._group += 1
                role: Role = "comment" if _SAID.match(bare) else "line"
                role = "heading" if _TABLE.match(line.text) else "markup" if _RULED.match(bare) else role
                yield Unit(
                    span=Span(line.start, line.end),
                    role=role,
                    group=self._group,
                    intro=self._last_comment,
                    parents=self._parents_of(len(line.text) - len(line.text.lstrip())),
                )
                self._last_comment = None
        yield from self._settle(None)

    def _parents_of(self, indent: int) -> tuple[Span, ...]:
        return tuple(span for depth, span in self._parents if depth < indent)

    def _setting(self, n: int, line: Line, match: re.Match[str]) -> Iterator[Unit]:
        indent = len(match["indent"]) + (2 if match["dash"] else 0)
        span = Span(line.start, self._lines[self._value_end(n, indent, line.text[match.end() :])].end)
        own = Span(line.start, line.end)
        while self._parents and self._parents[-1][0] >= indent:
            self._parents.pop()
        yield from self._settle(span)
        self._group += 1
        yield Unit(
            span=span,
            role="setting",
            group=self._group,
            intro=self._last_comment,
            parents=tuple(parent for _, parent in self._parents),
        )
        if not line.text[match.end() :].strip().strip("|>{[("):
            self._parents.append((indent, own))
            del self._parents[:-20]
        self._last_comment = None

    def _value_end(self, n: int, indent: int, value: str) -> int:
        """Return the last line of the value that begins on line `n`: nested, bracketed or continued."""
        value = value.strip()
        opened = value.count("(") > value.count(")") and value.startswith("(")
        nested = not value or value[0] in "|>{["
        last = n
        for m in range(n + 1, min(len(self._lines), n + 1 + _MOST_VALUE_LINES)):
            below = self._lines[m].text
            bare = below.strip()
            deeper = len(below) - len(below.lstrip()) >= indent + (0 if bare.startswith("- ") else 1)
            if opened or self._lines[m - 1].text.rstrip().endswith("\\"):
                last = m
                if opened and bare.startswith(")"):
                    return m
            elif nested and bare and deeper:
                last = m
            elif not (nested and not bare):
                return last
        # A value that goes on after this many lines is quoted by its parts.
        return last if last < n + _MOST_VALUE_LINES else n

    def _settle(self, setting: Span | None) -> Iterator[Unit]:
        """Yield the units of the comment block that ends here, each with the setting that follows it."""
        if not self._comment:
            return
        block, self._comment = self._comment, []
        self._last_comment = Span(block[0][0].start, block[-1][0].end)
        self._group += 1
        paragraph: list[tuple[Line, int]] = []
        for line, body in block:
            said = line.text[body:].strip()
            if _RULED.match(said) or _DIRECTIVE.match(said):
                yield from self._paragraph(paragraph, setting)
                paragraph = []
                self._group += bool(said)
            elif _FRAMED.match(said) or (
                _CAPITALS.match(said) and len(said.split()) <= 6 and not re.search(r"[=/\d]", said)
            ):
                yield from self._paragraph(paragraph, setting)
                paragraph = []
                self._group += 1
                yield Unit(span=Span(line.start, line.end), role="heading", group=self._group)
            elif paragraph and self._breaks(paragraph, line, body):
                yield from self._paragraph(paragraph, setting, titled=self._deeper(paragraph, line, body))
                paragraph = [(line, body)]
            else:
                paragraph.append((line, body))
        yield from self._paragraph(paragraph, setting)

    @staticmethod
    def _breaks(paragraph: list[tuple[Line, int]], line: Line, body: int) -> bool:
        """Say whether a comment line starts something new instead of going on with the sentence above."""
        said = line.text[body:]
        if _STARTS.match(said.lstrip()):
            return True
        first, first_body = paragraph[0]
        above, _above_body = paragraph[-1]
        if above.text.rstrip().endswith(":"):
            return True
        if _depth(said) < _depth(first.text[first_body:]):
            return True
        return _Code._deeper(paragraph, line, body) and not _STARTS.match(first.text[first_body:].lstrip())

    @staticmethod
    def _deeper(paragraph: list[tuple[Line, int]], line: Line, body: int) -> bool:
        """Say whether a comment line stands under a paragraph, as the text of a named paragraph under its title."""
        first, first_body = paragraph[0]
        return _depth(line.text[body:]) >= _depth(first.text[first_body:]) + 2

    def _paragraph(
        self, paragraph: list[tuple[Line, int]], setting: Span | None, *, titled: bool = False
    ) -> Iterator[Unit]:
        if not paragraph:
            return
        only = paragraph[0][0]
        if (
            titled
            and len(paragraph) == 1
            and len(only.text) <= 70
            and not only.text.rstrip().endswith(tuple(".:;,?!)"))
        ):
            yield Unit(span=Span(only.start, only.end), role="heading", group=self._group)
            return
        # Sentences are looked for in the text without comment signs and then widened to whole lines.
        joined: list[str] = []
        starts: list[int] = []
        length = 0
        for line, body in paragraph:
            said = line.text[body:].strip()
            starts.append(length)
            joined.append(said)
            length += len(said) + 1
        flat = " ".join(joined)
        at = 0
        for span in sentences(flat):
            while at + 1 < len(starts) and starts[at + 1] <= span.start:
                at += 1
            last = at
            while last + 1 < len(starts) and starts[last + 1] < span.end:
                last += 1
            yield Unit(
                span=Span(paragraph[at][0].start, paragraph[last][0].end),
                role="comment",
                group=self._group,
                setting=setting,
            )


def _depth(text: str) -> int:
    return len(text) - len(text.lstrip())
