"""Markdown → blocks under their heading paths, edges, anchors and what the note says of itself."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import replace
from itertools import accumulate, islice
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Literal, TypeAlias

from askwell.parse.anchors import block_anchors, section_anchors
from askwell.parse.elements import Element, structure
from askwell.parse.flags import inline_flags, with_flags
from askwell.parse.frontmatter import frontmatter
from askwell.parse.slug import plain
from askwell.parse.wikilinks import destination, links, snippets, tags, without_code, without_code_spans
from askwell.types import Block, Edge, EdgeKind, Metadata, Parsed, Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from askwell.parse.elements import Structure
    from askwell.parse.frontmatter import Frontmatter

_BlockRole: TypeAlias = Literal["heading", "prose", "table", "fence", "list", "quote", "code", "comment"]
_OPEN_COMMENT = re.compile(r"<!--|^[ \t]*%%", re.MULTILINE)
_WIKILINK = re.compile(r"!?\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*\)")
_EMPHASIS = re.compile(r"\*\*(?=\S)([^*]+)\*\*|==(?=\S)([^=]+)==|`+([^`]+)`+")
_TRAILER = re.compile(r"[ \t](?:\{#[^{}\s]*\}|\^[A-Za-z0-9-]+)$")
_CALLOUT = re.compile(r"[ \t]*>[ \t]*\[![^\]\n]*\].*")
_LONGEST_NAME = 300  # characters of a heading that are kept in heading paths


def parse(text: str, *, path: str, sensitivity_key: str = "sensitivity") -> Parsed:
    r"""Return the structure of a Markdown text.

    Every non-blank character lies in exactly one block. Heading paths hold every heading above a block, the
    top one too; a `#` inside a fence, a comment or frontmatter is no heading. The title is the one in the
    frontmatter, else the first top heading, else the file's name.

    Args:
        text: Decoded, every line end `\\n`.
        path: Of the document; gives the title where nothing else does.
        sensitivity_key: Name of the frontmatter key that holds the privacy flag.
    """
    front = frontmatter(text, sensitivity_key=sensitivity_key)
    body = _Body(text, front.span.end)
    found = structure(body.text)
    elements = _complete(body, _with_comments_whole(body, found.elements))
    inline = _outside_comments(found.inline, elements)
    names = [heading_name(e.text) if e.role == "heading" else "" for e in elements]
    blocks = list(_blocks(body, elements, names))
    if front.span.end:
        blocks.insert(0, Block(span=front.span, role="data", own=True))
    edges, inline_tags = _edges(body, found, inline)
    top = next((name for e, name in zip(elements, names, strict=True) if e.level == 1 and name), "")
    return Parsed(
        format="markdown",
        title=front.title or top or plain(PurePosixPath(path).stem) or path,
        blocks=tuple(blocks),
        metadata=with_flags(_with_tags(front.metadata, inline_tags), _flags(body, elements, sensitivity_key)),
        edges=(*_tag_edges(front, inline_tags), *links(front.span.slice(text), line=1), *edges, *snippets(text)),
        anchors=section_anchors(elements, names, offset=body.offset, lines=body.lines)
        | block_anchors(body.lines, elements, inline, found.items, offset=body.offset),
        note=found.note,
    )


class _Body:
    """The text after the frontmatter, with its lines; numbers are of the body, from 0."""

    def __init__(self, text: str, start: int) -> None:
        self.text = text[start:]
        self.start = start
        self.offset = text.count("\n", 0, start) + 1  # line number of the file on which the body begins
        self.lines = self.text.split("\n")
        self.starts = [0, *accumulate(len(line) + 1 for line in self.lines)]

    def slice(self, first: int, end: int) -> str:
        """Return lines `first` to `end`, the last not included, without the last line end."""
        return self.text[self.starts[first] : self.starts[end] - 1]

    def span(self, first: int, end: int) -> Span:
        """Return where the same lines stand in the document."""
        return Span(self.start + self.starts[first], self.start + self.starts[end] - 1)

    def line_at(self, position: int) -> int:
        """Return the line that holds the character at `position`."""
        return bisect_right(self.starts, position) - 1


def heading_name(written: str) -> str:
    """Return a heading as it is shown: links by their text, no code ticks, bold or anchor; `<…>` is kept."""
    name = written
    if "[" in name:
        name = _LINK.sub(r"\1", _WIKILINK.sub(r"\1", name))
    if "*" in name or "`" in name or "==" in name:
        name = _EMPHASIS.sub(lambda match: match[1] or match[2] or match[3], name)
    name = plain(name)
    return _TRAILER.sub("", name[:_LONGEST_NAME]).rstrip()


def _with_comments_whole(body: _Body, elements: Sequence[Element]) -> Iterator[Element]:
    """Yield the elements with each comment that spans several as one: a heading inside it is none."""
    last_close = {"%%": body.text.rfind("%%"), "<!--": body.text.rfind("-->")}
    queue = iter(elements)
    element = next(queue, None)
    while element is not None:
        close = _close_of_comment(body, element, last_close)
        first, end = element.first, element.end
        following = next(queue, None)
        while following is not None and following.first <= close:
            end = max(end, following.end)
            following = next(queue, None)
        yield element if close < 0 else Element("comment", first, max(end, close + 1))
        element = following


def _close_of_comment(body: _Body, element: Element, last_close: dict[str, int]) -> int:
    """Return the line on which a comment ends that `element` opens and does not close, -1 if there is none."""
    if element.role in ("fence", "code", "rule"):
        return -1
    written = body.slice(element.first, element.end)
    if "%%" not in written and "<!--" not in written:
        return -1
    opening = _OPEN_COMMENT.search(without_code(written))
    if opening is None:
        return -1
    mark = opening[0].lstrip()
    after = body.starts[element.end] - 1
    if last_close[mark] < after:
        return -1
    return body.line_at(body.text.find("%%" if mark == "%%" else "-->", after))


def _complete(body: _Body, elements: Iterator[Element]) -> list[Element]:
    """Return the elements without the blank lines at their ends, and what no element covers as paragraphs."""
    done: list[Element] = []
    at = 0
    for element in elements:
        if element.first > at:
            done += _paragraphs(body.lines, at, element.first)
        end = element.end
        while end > element.first and not body.lines[end - 1].strip():
            end -= 1
        if end > element.first:
            done.append(element if end == element.end else element._replace(end=end))
        at = max(at, element.end)
    return done + list(_paragraphs(body.lines, at, len(body.lines)))


def _paragraphs(lines: Sequence[str], first: int, end: int) -> Iterator[Element]:
    start = -1
    for number in range(first, end):
        if lines[number].strip():
            start = number if start < 0 else start
        elif start >= 0:
            yield Element("prose", start, number)
            start = -1
    if start >= 0:
        yield Element("prose", start, end)


def _blocks(body: _Body, elements: Sequence[Element], names: Sequence[str]) -> Iterator[Block]:
    above: list[tuple[int, str]] = []
    headings: tuple[str, ...] = ()
    for element, name in zip(elements, names, strict=True):
        if element.role == "heading":
            while above and above[-1][0] >= element.level:
                above.pop()
            if name:
                above.append((element.level, name))
            headings = tuple(text for _, text in above)
        yield Block(
            span=body.span(element.first, element.end),
            headings=headings,
            section=headings[-1] if headings else "",
            role=_role(body, element),
            lead=_lead(body, element),
        )


def _role(body: _Body, element: Element) -> _BlockRole:
    """Return the role of the element's block; a paragraph that is nothing but one comment is a comment."""
    if element.role == "prose":
        written = body.slice(element.first, element.end).strip()
        whole = written.startswith("%%") and len(written) > 3 and written.find("%%", 2) == len(written) - 2
        return "comment" if whole else "prose"
    return "prose" if element.role == "rule" else element.role


def _lead(body: _Body, element: Element) -> str:
    """Return what a later piece of the element repeats to be understood."""
    if element.role == "table":
        return body.slice(element.first, min(element.first + 2, element.end))
    first = body.lines[element.first]
    if element.role == "fence" or (element.role == "quote" and _CALLOUT.match(first)):
        return first
    return ""


def _outside_comments(inline: Sequence[tuple[int, int]], elements: Sequence[Element]) -> list[tuple[int, int]]:
    """Return the ranges of running text that no comment covers."""
    comments = iter([e for e in elements if e.role == "comment"])
    comment = next(comments, None)
    kept = []
    for first, end in sorted(inline):
        while comment is not None and comment.end <= first:
            comment = next(comments, None)
        if comment is None or end <= comment.first:
            kept.append((first, end))
    return kept


def _edges(body: _Body, found: Structure, inline: Sequence[tuple[int, int]]) -> tuple[list[Edge], dict[str, int]]:
    """Return the links of running text and link definitions, and each inline tag with its first line."""
    edges: list[Edge] = []
    seen: dict[str, int] = {}
    for first, end in inline:
        text = body.slice(first, end)
        if "[" not in text and "#" not in text and "{{" not in text:
            continue
        text = without_code(text)
        edges += links(text, line=body.offset + first)
        counted, line = 0, body.offset + first
        for tag, at in tags(text):
            line += text.count("\n", counted, at)
            counted = at
            seen.setdefault(tag, line)
    for written, line in found.definitions:
        target, fragment = destination(written)
        if target:
            edges.append(Edge(kind=EdgeKind.LINK, target=target, fragment=fragment, line=body.offset + line))
    return edges, seen


def _flags(body: _Body, elements: Sequence[Element], key: str) -> list[str]:
    """Return the values of the sensitivity field in running text; one in a comment counts, one in code does not."""
    if "::" not in body.text or key.casefold() not in body.text.casefold():
        return []
    texts = (body.slice(e.first, e.end) for e in elements if e.role not in ("fence", "code"))
    found = (flag for text in texts for flag in inline_flags(without_code_spans(text), key=key))
    return list(islice(found, 2))  # a second one says no more than that there are several


def _with_tags(metadata: Metadata, inline: dict[str, int]) -> Metadata:
    """Return the metadata with inline tags after those of the frontmatter, each once whatever its case."""
    if not inline:
        return metadata
    merged = {tag.casefold(): tag for tag in reversed([*metadata.tags, *inline])}
    return replace(metadata, tags=tuple(reversed(merged.values())))


def _tag_edges(front: Frontmatter, inline: dict[str, int]) -> Iterator[Edge]:
    for tag, line in {**inline, **front.tag_lines}.items():
        yield Edge(kind=EdgeKind.TAG, target=f"#{tag}", line=line)
