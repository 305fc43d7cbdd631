"""Markdown of notes and answers → HTML that can do nothing: no HTML of its own, no picture, no address but plain ones.

text ─▶ CommonMark tokens ─▶ links resolved, cited lines and judged sentences marked ─▶ HTML ─▶ `sanitised`
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any

from askwell.parse.wikilinks import destination, links
from askwell.server.pages.links import foreign_open, is_foreign, shown_address
from askwell.server.pages.sanitised import sanitised
from askwell.types import EdgeKind, Lines

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from markdown_it import MarkdownIt
    from markdown_it.rules_core import StateCore
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token
    from markupsafe import Markup

OPEN, CLOSE = "\ue000\u205f", "\u205f\ue001"
"""Stand around a judged sentence while it is rendered. The blank inside lets emphasis begin and end beside them."""

_WIKILINK = re.compile(r"!?\[\[[^\[\]\n]{1,2000}\]\]")
_MARKER = re.compile(r"\[(\d{1,5}(?:,[ ]?\d{1,5})*)\](?!\()")
_EDGE = re.compile(f"({OPEN}|{CLOSE})")
_TASK = re.compile(r"\[([ xX])\][ \t]")
_CALLOUT = re.compile(r"\[!([\w-]{1,40})\][+-]?[ \t]*")
_LEAVES = frozenset({"paragraph_open", "heading_open", "tr_open", "hr"})


@dataclass(slots=True)
class Drawing:
    """What one text is rendered with, and how far the rendering is.

    Attributes:
        target: Target and fragment of a link as written → address of the document it means, empty if there is none.
        chips: Number of a citation → its HTML; what is not among them stays text.
        cited: Lines of the text to be marked, 1-based.
        verdicts: CSS class of each judged sentence, in the order in which they stand in the text.
        marks: HTML behind each judged sentence.
    """

    target: Callable[[str, str], str] = field(default=lambda _target, _fragment: "")
    chips: Mapping[int, str] = field(default_factory=dict)
    cited: Lines | None = None
    verdicts: Sequence[str] = ()
    marks: Sequence[str] = ()
    inside: int | None = None  # which judged sentence the renderer is in
    next: int = 0
    ends: list[str] = field(default_factory=list)  # of the links that are open
    found: bool = False  # whether the first cited line was reached


def rendered(text: str, drawing: Drawing) -> Markup:
    """Return `text` as sanitised HTML."""
    html: str = _parser().render(text, {"drawing": drawing})
    return sanitised(html)


_PARSERS: list[MarkdownIt] = []


def _parser() -> MarkdownIt:
    if not _PARSERS:
        from markdown_it import MarkdownIt

        class Parser(MarkdownIt):
            def validateLink(self, url: str) -> bool:  # noqa: N802 - markdown-it's name
                return _may_be_followed(url)

        parser = Parser("commonmark", {"html": False}).enable(["table", "strikethrough"])
        parser.inline.ruler.before("link", "askwell_wikilink", _wikilink)
        parser.inline.ruler.before("link", "askwell_marker", _marker)
        parser.inline.ruler.before("image", "askwell_embed", _wikilink)
        parser.core.ruler.push("askwell_cited", _mark_cited)
        for name, rule in _RULES.items():
            parser.add_render_rule(name, rule)
        _PARSERS.append(parser)
    return _PARSERS[0]


def _may_be_followed(address: str) -> bool:
    """Whether an address makes a link; what does not stays as it was written."""
    return is_foreign(address) or not re.match(r"[\s\x00-\x20]*[A-Za-z][A-Za-z0-9+.-]*:", address)


def _wikilink(state: StateInline, silent: bool) -> bool:
    match = _WIKILINK.match(state.src, state.pos)
    if match is None or match.end() > state.posMax:
        return False
    if not silent:
        token = state.push("askwell_wikilink", "", 0)
        token.content = match[0]
    state.pos = match.end()
    return True


def _marker(state: StateInline, silent: bool) -> bool:
    match = _MARKER.match(state.src, state.pos)
    chips = state.env["drawing"].chips
    if match is None or match.end() > state.posMax:
        return False
    numbers = [int(number) for number in match[1].split(",")]
    if not all(number in chips for number in numbers):
        return False
    if not silent:
        token = state.push("askwell_marker", "", 0)
        token.meta = {"numbers": numbers}
    state.pos = match.end()
    return True


def _mark_cited(state: StateCore) -> None:
    """Mark the blocks that stand on cited lines, and the first of them as where a link leads."""
    drawing: Drawing = state.env["drawing"]
    if drawing.cited is None:
        return
    item: Token | None = None
    for token in state.tokens:
        if token.type == "list_item_open":
            item = token
        if token.type not in _LEAVES or token.map is None:
            continue
        if token.map[0] < drawing.cited.last and token.map[1] >= drawing.cited.first:
            marked = item if token.hidden and item is not None else token
            if "cited" not in str(marked.attrGet("class") or ""):
                marked.attrJoin("class", "cited")
            if not drawing.found:
                drawing.found = True
                marked.attrSet("id", "at")


def _text(self: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:  # Any: markdown-it's own
    content = tokens[at].content
    if at == 0 and (task := _TASK.match(content)):
        content = ("☐ " if task[1] == " " else "☑ ") + content[task.end() :]
    elif at == 0 and (callout := _CALLOUT.match(content)):  # Obsidian's: what stands on its line is its title
        title = _judged(content[callout.end() :], env["drawing"], escape)
        return f'<span class="callout">{escape(callout[1])}</span> <strong>{title}</strong><br>'
    return _judged(content, env["drawing"], escape)


def _judged(content: str, drawing: Drawing, write: Callable[[str], str]) -> str:
    """Return text with each run inside a judged sentence in an element of its own."""
    parts: list[str] = []
    for piece in _EDGE.split(content):
        if piece == OPEN:
            drawing.inside, drawing.next = drawing.next, drawing.next + 1
        elif piece == CLOSE:
            if drawing.inside is not None and drawing.inside < len(drawing.marks):
                parts.append(drawing.marks[drawing.inside])
            drawing.inside = None
        elif piece:
            parts.append(_within(write(piece), drawing))
    return "".join(parts)


def _within(html: str, drawing: Drawing) -> str:
    if drawing.inside is None or drawing.inside >= len(drawing.verdicts) or not drawing.verdicts[drawing.inside]:
        return html
    return f'<span class="said {drawing.verdicts[drawing.inside]}" data-s="{drawing.inside}">{html}</span>'


def _code_inline(self: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:  # Any: as above
    return _judged(tokens[at].content, env["drawing"], lambda text: f"<code>{escape(text)}</code>")


def _fence(self: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:  # Any: as above
    token, drawing = tokens[at], env["drawing"]
    first = (token.map[0] if token.map else 0) + (2 if token.type == "fence" else 1)
    label = f'<span class="lang" dir="auto">{escape(token.info.strip())}</span>' if token.info.strip() else ""
    return label + _code_block(_EDGE.sub("", token.content), drawing, first=first)


def _code_block(content: str, drawing: Drawing, *, first: int) -> str:
    """Return a block of code; its cited lines are marked one by one."""
    lines = content.removesuffix("\n").split("\n")
    cited = drawing.cited
    overlaps = cited is not None and first <= cited.last and first + len(lines) > cited.first
    if not overlaps or cited is None:
        return f'<pre tabindex="0" role="region" aria-label="code"><code>{escape(content)}</code></pre>\n'
    written = []
    for number, line in enumerate(lines, start=first):
        is_cited = cited.first <= number <= cited.last
        id_ = ' id="at"' if is_cited and not drawing.found else ""
        drawing.found = drawing.found or is_cited
        written.append(f'<span class="line cited"{id_}>{escape(line)}\n</span>' if is_cited else f"{escape(line)}\n")
    return f'<pre tabindex="0" role="region" aria-label="code"><code>{"".join(written)}</code></pre>\n'


def _link_open(self: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:  # Any: as above
    drawing: Drawing = env["drawing"]
    address = str(tokens[at].attrGet("href") or "")
    if is_foreign(address):
        drawing.ends.append(f'</a> <span class="host">({escape(shown_address(address))})</span>')
        return foreign_open(address)
    href = "" if address.startswith("//") else drawing.target(*destination(address))
    if not href:
        drawing.ends.append("</span>")
        return f'<span class="dead" title="{escape(address)}: not in the index">'
    drawing.ends.append("</a>")
    return f'<a href="{escape(href)}">'


def _link_close(self: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:  # Any: as above
    ends = env["drawing"].ends
    return ends.pop() if ends else ""


def _image(self: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:  # Any: as above
    """Return a picture as words: nothing is loaded, and where it lies is shown."""
    address = str(tokens[at].attrGet("src") or "")
    alt = _EDGE.sub("", tokens[at].content).strip() or "without a description"
    if is_foreign(address):
        host = f'<span class="host">({escape(shown_address(address))})</span>'
        return f"{foreign_open(address, css='away picture')}picture: {escape(alt)}</a> {host}"
    return f'<span class="picture" title="{escape(address)}">picture: {escape(alt)}</span>'


def _wikilink_html(self: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:  # Any: as above
    drawing: Drawing = env["drawing"]
    written = tokens[at].content
    inner = written.removeprefix("!")[2:-2].replace("\\|", "|")
    name, _, alias = inner.partition("|")
    edge = next(links(written, line=1), None)
    if edge is None:
        if inner.startswith("#"):  # within the same document
            href = drawing.target("", inner[1:].partition("|")[0])
            shown = _judged(alias.strip() or inner[1:].partition("|")[0], drawing, escape)
            return f'<a href="{escape(href)}">{shown}</a>' if href else f'<span class="dead">{shown}</span>'
        return f'<span class="picture">{_judged(written, drawing, escape)}</span>'
    shown = _judged(edge.alias or name.strip().replace("#", " › "), drawing, escape)
    href = drawing.target(edge.target, edge.fragment)
    if not href:
        return f'<span class="dead" title="not in the index">{shown}</span>'
    css = "embed" if edge.kind is EdgeKind.EMBED else "wiki"
    return f'<a class="{css}" href="{escape(href)}">{shown}</a>'


def _marker_html(self: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:  # Any: as above
    return "".join(env["drawing"].chips[number] for number in tokens[at].meta["numbers"])


def _opened(name: str, *, before: str = "", more: str = "") -> Callable[..., str]:
    """Return a rule that opens a block whose direction is that of its own text."""

    def rule(self: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:  # Any: as above
        token = tokens[at]
        if token.hidden:
            return ""
        css = token.attrGet("class")
        id_ = token.attrGet("id")
        attributes = f' class="{css}"' if css else ""
        attributes += f' id="{id_}"' if id_ else ""
        tag = name or token.tag
        return f'{before}<{tag} dir="auto"{attributes}{more}>'

    return rule


def _table_close(self: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:  # Any: as above
    return "</table></div>\n"


_RULES: dict[str, Callable[..., str]] = {
    "text": _text,
    "code_inline": _code_inline,
    "fence": _fence,
    "code_block": _fence,
    "link_open": _link_open,
    "link_close": _link_close,
    "image": _image,
    "askwell_wikilink": _wikilink_html,
    "askwell_marker": _marker_html,
    "paragraph_open": _opened("p"),
    "heading_open": _opened(""),
    "list_item_open": _opened("li"),
    "td_open": _opened("td"),
    "th_open": _opened("th", more=' scope="col"'),
    "table_open": _opened("table", before='<div class="wide" tabindex="0" role="region" aria-label="table">'),
    "table_close": _table_close,
}
