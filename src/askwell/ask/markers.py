r"""Which brackets of an answer are citations: decided before they are shown, however the text is cut up.

    [1]  [1, 2]  [1-3]  【2】       markers, shown as [1], [1][2] …
    [[a]]  [[a#Part|name]]  [a.md]  [name](a.md)   names of documents: shown as the marker of that document
    `[1]`  ```[1]```  \\[1]  [1](…)  arr[x]       text

A marker that no passage carries is dropped and counted. A name that no passage carries is shown as text that was not
found, whether such a document exists or not: what is not in the context cannot have been read.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import unquote

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askwell.types import Passage

_LONGEST = 300  # characters that an open bracket or code span is waited for; longer ones are text
_PLAIN = re.compile(r"[^\[【`\\\n \t]+")
_BLANKS = re.compile(r"[ \t]+")
_NUMBERS = re.compile(r"\s*\d{1,5}(?:\s*[-–,;]\s*\d{1,5}){0,40}\s*\Z")
_NUMBER = re.compile(r"(\d+)(?:\s*[-–]\s*(\d+))?")
_LINE_LEAD = re.compile(r"(?:[ \t]|>|(?:[-*+]|\d{1,9}[.)])[ \t])*")
_LINE_LEAD_SO_FAR = re.compile(r"(?:[ \t]|>|(?:[-*+]|\d{1,9}[.)])[ \t])*(?:[-*+]|\d{1,9}[.)]?|`+|~+)?\Z")
_FENCE = re.compile(r"`{3,}|~{3,}")
_FILE = re.compile(
    r"[^\s:|<>][^:|<>\n]{0,250}\.(?:md|markdown|mdx|txt|rst|ya?ml|json|jsonl|toml|ini|conf|cfg|env|template|example|py|sh|"
    r"bash|zsh|php|pl|ps1|sql|pdf|docx|html?|epub|xlsx|pptx)(?:(?:#[^|]*)|(?::\d+(?:-\d+)?))?\Z",
    re.IGNORECASE,
)
NOT_FOUND = " (not found)"


@dataclass(frozen=True, slots=True)
class Placed:
    """A citation in an answer: the marker and the characters ``[start, end)`` of the text that show it."""

    marker: int
    start: int
    end: int


class MarkerFilter:
    """Turns pieces of a model's text into text whose markers are all known. Holds back only what is undecided.

    The pieces may be cut anywhere. `placed` and `invented` describe what has come out so far.
    """

    def __init__(self, passages: Sequence[Passage]) -> None:
        self.placed: list[Placed] = []
        self.invented = 0
        self._markers = {passage.marker for passage in passages}
        self._passages = passages
        self._names = _names(passages)
        self._pending = ""
        self._shown = 0
        self._last = ""  # the character that came out last
        self._line_start = True
        self._blank_line = True  # nothing but blanks has come out on this line
        self._fence = ""  # the run that opened the code fence we are in
        self._line = ""  # within a fence: the current line, as far as it could still close it

    def feed(self, piece: str) -> str:
        """Take the next piece of text and return what may be shown now."""
        self._pending += piece
        return self._drain(final=False)

    def finish(self) -> str:
        """Return the rest: brackets that never closed are text."""
        return self._drain(final=True)

    def _drain(self, *, final: bool) -> str:
        shown: list[str] = []
        text, at = self._pending, 0
        while at < len(text):
            end, out = self._fenced(text, at) if self._fence else self._token(text, at, final=final)
            if end == at:
                break
            shown.append(out)
            self._shown += len(out)
            self._last = out[-1:] or self._last
            self._blank_line = text[end - 1] == "\n" or (self._blank_line and not text[at:end].strip())
            at = end
        self._pending = text[at:]
        return "".join(shown)

    # Each of the following reads one token at `at` and returns where it ends and what is shown for it; an end
    # equal to `at` asks for more text.

    def _fenced(self, text: str, at: int) -> tuple[int, str]:
        stop = text.find("\n", at)
        end = len(text) if stop < 0 else stop + 1
        self._line += text[at : min(end, at + 200)] if len(self._line) < 200 else ""
        if stop >= 0:
            line = self._line.strip().lstrip("> ")
            if len(line) >= len(self._fence) and not line.strip(self._fence[0]):
                self._fence = ""
            self._line, self._line_start = "", True
        return end, text[at:end]

    def _opening(self, text: str, at: int, *, final: bool) -> int | None:
        """Return the end of the code fence that opens at the line start `at`; None if none does."""
        lead = _LINE_LEAD.match(text, at)
        fence = _FENCE.match(text, lead.end() if lead else at)
        if fence is None:
            return None
        if fence[0][0] == "`":  # a backtick behind the run makes it inline code
            limit = min(len(text), fence.end() + _LONGEST)
            stop = text.find("\n", fence.end(), limit)
            if "`" in text[fence.end() : stop if stop >= 0 else limit]:
                return None
            if stop < 0 and limit == len(text) < fence.end() + _LONGEST and not final:
                return at
        self._fence, self._line, self._line_start = fence[0], "", False
        return fence.end()

    def _token(self, text: str, at: int, *, final: bool) -> tuple[int, str]:
        if self._line_start:
            if not final and len(text) - at < _LONGEST and _LINE_LEAD_SO_FAR.match(text, at):
                return at, ""
            if (fence := self._opening(text, at, final=final)) is not None:
                return fence, text[at:fence]
            self._line_start = False
        head = text[at]
        match head:
            case "\n":
                self._line_start = True
                return at + 1, head
            case " " | "\t":
                return self._blanks(text, at, final=final)
            case "\\":
                if at + 1 == len(text) and not final:
                    return at, ""
                end = at + 1 + (text[at + 1 : at + 2] not in ("", "\n"))
                return end, text[at:end]
            case "`":
                return self._code(text, at, final=final)
            case "[" | "【":
                return self._bracket(text, at, at, final=final)
            case _:
                plain = _PLAIN.match(text, at)
                end = plain.end() if plain else at + 1
                return end, text[at:end]

    def _blanks(self, text: str, at: int, *, final: bool) -> tuple[int, str]:
        """Hold blanks until it is known that no dropped marker follows, which takes them along."""
        blanks = _BLANKS.match(text, at)
        end = blanks.end() if blanks else at + 1
        if end == len(text):
            return (end, text[at:end]) if final else (at, "")
        return self._bracket(text, at, end, final=final) if text[end] in "[【" else (end, text[at:end])

    def _code(self, text: str, at: int, *, final: bool) -> tuple[int, str]:
        end = at
        while end < len(text) and text[end] == "`":
            end += 1
        run = text[at:end]
        if end == len(text) and not final:
            return at, ""
        limit = min(len(text), end + _LONGEST)
        stop = text.find("\n", end, limit)
        stop = limit if stop < 0 else stop
        close = end
        while (close := text.find(run, close, stop)) >= 0:
            after = close
            while after < len(text) and text[after] == "`":
                after += 1
            if after == len(text) and not final:
                return at, ""
            if after - close == len(run):
                return after, text[at:after]
            close = after
        waiting = stop == len(text) < end + _LONGEST
        return (at, "") if waiting and not final else (end, run)

    def _bracket(self, text: str, at: int, opened: int, *, final: bool) -> tuple[int, str]:
        """Read the bracket at `opened`; the blanks from `at` to it go where it goes."""
        if text.startswith("[[", opened):
            close, width = "]]", 2
        elif text[opened] == "【":
            close, width = "】", 1
        else:
            close, width = "]", 1
        if text[opened] == "[" and opened + 1 == len(text) and not final:
            return at, ""
        begin = opened + width
        limit = min(len(text), begin + _LONGEST)
        stop = text.find(close, begin, limit)
        newline = text.find("\n", begin, limit)
        nested = text.find("[", begin, limit) if width == 1 else -1
        broken = min((n for n in (newline, nested) if n >= 0), default=limit)
        if stop < 0 or broken < stop:
            waiting = stop < 0 and broken == limit == len(text) < begin + _LONGEST
            return (at, "") if waiting and not final else (begin, text[at:begin])
        end = stop + len(close)
        inner = text[begin:stop]
        blanks = text[at:opened]
        if width == 2 and _NUMBERS.match(inner):
            return end, self._numbers(inner, text[at:end], blanks)
        if width == 2:
            return end, self._wikilink(inner, text[opened:end], blanks)
        if end == len(text) and not final:
            return at, ""
        following = text[end : end + 1]
        if close == "]" and following == "(":
            return self._link(text, at, opened, inner, end, final=final)
        if close == "]" and following == ":" and self._blank_line:
            return end, text[at:end]  # `[1]: address` defines a link
        inner = inner.partition("†")[0] if close == "】" else inner
        if _NUMBERS.match(inner):
            return end, self._numbers(inner, text[at:end], blanks)
        if close == "]" and _FILE.match(inner.strip()):
            return end, self._named(inner, "", text[opened:end], blanks)
        return begin, text[at:begin]

    def _link(self, text: str, at: int, opened: int, label: str, end: int, *, final: bool) -> tuple[int, str]:
        """Read `[label](target)`: only one to a document of ours is a citation."""
        limit = min(len(text), end + 1 + _LONGEST)
        stop = text.find(")", end + 1, limit)
        newline = text.find("\n", end + 1, limit)
        if stop < 0 or 0 <= newline < stop:
            waiting = stop < 0 and newline < 0 and limit == len(text) < end + 1 + _LONGEST
            return (at, "") if waiting and not final else (end, text[at:end])
        target = unquote(text[end + 1 : stop].strip().strip("<>"))
        if "://" in target or not _FILE.match(target):
            return stop + 1, text[at : stop + 1]
        return stop + 1, self._named(target, label, text[opened : stop + 1], text[at:opened])

    def _numbers(self, inner: str, raw: str, blanks: str) -> str:
        wanted: list[int] = []
        for match in _NUMBER.finditer(inner):
            first, last = int(match[1]), int(match[2] or match[1])
            wanted.extend(range(first, last + 1) if first <= last < first + 50 else (first, last))
        if len(wanted) > 1 and 0 in wanted:
            return raw  # an interval such as [0, 1], not a list of markers
        known = list(dict.fromkeys(n for n in wanted if n in self._markers))
        self.invented += len({n for n in wanted if n not in self._markers})
        return self._place(known, blanks)

    def _place(self, markers: Sequence[int], blanks: str) -> str:
        out = blanks if markers or self._last == "!" else ""  # what follows must not become an image
        for marker in markers:
            shown = f"[{marker}]"
            start = self._shown + len(out)
            self.placed.append(Placed(marker, start, start + len(shown)))
            out += shown
        return out

    def _wikilink(self, inner: str, raw: str, blanks: str) -> str:
        target, _, alias = inner.partition("|")
        return self._named(target.removesuffix("\\"), alias, raw, blanks)

    def _named(self, target: str, alias: str, raw: str, blanks: str) -> str:
        """Show a document's name as its marker; keep what a passage itself says; else say it was not found."""
        alias = alias.strip()
        name, _, fragment = target.strip().partition("#")
        name = re.sub(r":\d+(?:-\d+)?\Z", "", name.strip())
        if passages := self._names.get(_folded(name), ()):
            heading = _folded(fragment)
            best = next((p for p in passages if heading and heading in {_folded(h) for h in p.headings}), passages[0])
            lead = f"{blanks}{alias} " if alias else blanks
            return lead + self._place_after(len(lead), best.marker)
        if any(raw in passage.text for passage in self._passages):
            return blanks + raw
        self.invented += 1
        return f"{blanks}{alias or target.strip()}{NOT_FOUND}"

    def _place_after(self, lead: int, marker: int) -> str:
        shown = f"[{marker}]"
        self.placed.append(Placed(marker, self._shown + lead, self._shown + lead + len(shown)))
        return shown


def marked(text: str, passages: Sequence[Passage]) -> tuple[str, tuple[Placed, ...], int]:
    """Return a whole text as `MarkerFilter` shows it, its citations in order, and how many were invented."""
    markers = MarkerFilter(passages)
    shown = markers.feed(text) + markers.finish()
    return shown, tuple(markers.placed), markers.invented


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).strip().strip("/").casefold()


def _names(passages: Sequence[Passage]) -> dict[str, list[Passage]]:
    """Return by every spelling of a document's name the passages of the first document that has it."""
    names: dict[str, list[Passage]] = {}
    for passage in passages:
        path = passage.path
        base = path.rpartition("/")[2]
        spellings = {path, base, passage.title, f"{passage.source}/{path}"}
        spellings |= {s[: s.rindex(".")] for s in (path, base) if "." in s.lstrip(".")[1:]}
        for spelling in spellings:
            if key := _folded(spelling):
                found = names.setdefault(key, [])
                if not found or found[0].document_id == passage.document_id:
                    found.append(passage)
    return names
