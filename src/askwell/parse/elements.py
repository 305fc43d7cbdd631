"""A Markdown body as top-level elements with their lines, from a CommonMark parser or, where that gives up, by lines.

Only block structure is asked for: what is inside a paragraph is read by `wikilinks`, and what is inside a list or a
quote stays in one piece.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from markdown_it import MarkdownIt
    from markdown_it.token import Token

Role: TypeAlias = Literal["heading", "prose", "table", "fence", "list", "quote", "code", "comment", "rule"]

_DEEPEST = 60  # levels of nesting that the parser follows; a list in a list takes two, and each some stack
_TOO_DEEP = re.compile(r"^[ \t]*(?:>[ \t]?|[-*+][ \t]+|[0-9]{1,9}[.)][ \t]+){16}", re.MULTILINE)
_MOST_LINES = 60_000  # the parser takes up to 40 microseconds a line; a million short lines would take a minute
_NESTED = "nested too deeply for the Markdown parser, split by lines"
_ROLES: Mapping[str, Role] = {
    "paragraph_open": "prose",
    "heading_open": "heading",
    "fence": "fence",
    "code_block": "code",
    "table_open": "table",
    "bullet_list_open": "list",
    "ordered_list_open": "list",
    "blockquote_open": "quote",
    "html_block": "prose",
    "hr": "rule",
}
_ATX = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$")
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})(.*)$")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|[0-9]{1,9}[.)])(?:[ \t]|$)")
_DELIMITER = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")


class Element(NamedTuple):
    """A top-level piece of the body. Lines are of the body, from 0, the last one not included."""

    role: Role
    first: int
    end: int
    level: int = 0  # of a heading, 1 to 6
    text: str = ""  # of a heading, as written


@dataclass(frozen=True, slots=True, kw_only=True)
class Structure:
    """What the body is made of.

    Attributes:
        elements: In order, disjoint; between them stand blank lines and link definitions.
        inline: Line ranges of running text at any depth, in order: where links and tags may stand.
        items: Line ranges of list items at any depth.
        definitions: Destination and line of each link definition.
        note: Why the fall-back was taken, empty if it was not.
    """

    elements: tuple[Element, ...]
    inline: tuple[tuple[int, int], ...]
    items: tuple[tuple[int, int], ...] = ()
    definitions: tuple[tuple[str, int], ...] = ()
    note: str = ""


def structure(body: str) -> Structure:
    """Return the elements of a Markdown body. Linear, and safe for any nesting."""
    if body.count("\n") > _MOST_LINES:
        return _by_lines(body, f"more than {_MOST_LINES:,} lines of Markdown, split by lines")
    if _TOO_DEEP.search(body):
        return _by_lines(body, _NESTED)
    tokens: list[Token] = []
    env: dict[str, object] = {}
    parser = _parser()
    parser.block.parse(body.replace("\0", "\ufffd"), parser, env, tokens)
    if any(token.level >= _DEEPEST - 1 for token in tokens):
        return _by_lines(body, _NESTED)
    return Structure(
        elements=tuple(_top(tokens)),
        inline=_inline(tokens),
        items=tuple((t.map[0], t.map[1]) for t in tokens if t.type == "list_item_open" and t.map),
        definitions=tuple(_definitions(env)),
    )


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"maxNesting": _DEEPEST})
    parser.enable("table")
    return parser


def _top(tokens: Sequence[Token]) -> Iterator[Element]:
    for index, token in enumerate(tokens):
        role = _ROLES.get(token.type)
        if token.level or role is None or token.map is None:
            continue
        first, end = token.map
        if role == "heading":
            yield Element(role, first, end, int(token.tag[1]), tokens[index + 1].content)
        elif token.type == "html_block" and token.content.lstrip().startswith("<!--"):
            yield Element("comment", first, end)
        else:
            yield Element(role, first, end)


def _inline(tokens: Sequence[Token]) -> tuple[tuple[int, int], ...]:
    """Return each range once: the cells of a table's row share theirs."""
    return tuple(dict.fromkeys((t.map[0], t.map[1]) for t in tokens if t.type == "inline" and t.map))


def _definitions(env: Mapping[str, object]) -> Iterator[tuple[str, int]]:
    references = env.get("references")
    if isinstance(references, dict):
        for reference in references.values():
            yield str(reference["href"]), int(reference["map"][0])


def _by_lines(body: str, note: str) -> Structure:
    """Return headings, fences and paragraphs found line by line, without nesting."""
    elements: list[Element] = []
    fence, start = "", -1

    def close(role: Role, end: int) -> None:
        nonlocal start
        if start >= 0:
            elements.append(Element(_role(lines, start, end) if role == "prose" else role, start, end))
        start = -1

    lines = body.split("\n")
    for number, line in enumerate(lines):
        opening = _FENCE.match(line)
        if fence:
            if opening and opening[1].startswith(fence) and not opening[2].strip():
                close("fence", number + 1)
                fence = ""
        elif opening and not (opening[1][0] == "`" and "`" in opening[2]):
            close("prose", number)
            fence, start = opening[1], number
        elif (heading := _ATX.match(line)) is not None:
            close("prose", number)
            elements.append(Element("heading", number, number + 1, len(heading[1]), heading[2] or ""))
        elif not line.strip():
            close("prose", number)
        elif start < 0:
            start = number
    close("fence" if fence else "prose", len(lines))
    inline = tuple((e.first, e.end) for e in elements if e.role not in ("fence", "code"))
    return Structure(elements=tuple(elements), inline=inline, note=note)


def _role(lines: Sequence[str], first: int, end: int) -> Role:
    """Return what the lines between two blank ones look like."""
    if lines[first].lstrip().startswith(">"):
        return "quote"
    if _ITEM.match(lines[first]):
        return "list"
    table = end - first > 1 and "|" in lines[first] and "|" in lines[first + 1] and _DELIMITER.match(lines[first + 1])
    return "table" if table else "prose"
