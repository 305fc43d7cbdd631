r"""Which addresses of a generated text lead anywhere: those that a document or the question holds, word for word.

![a](address)  ![a][b]           an image loads without being asked: always a link, or text
[a](address)  <address>  bare    a link if a document holds the address; else text that nobody can follow by accident
<img src=…>                      an element that loads or leads somewhere is left out
https://x/?q=words               what no document holds and carries words of the conversation is left out, and said so
[a](note.md)                     a document of ours, see `markers`
"""

from __future__ import annotations

import html
import re
from itertools import count
from typing import TYPE_CHECKING

from askwell.ask.carried import Conversation

if TYPE_CHECKING:
    from collections.abc import Iterable

_LONGEST = 2_000  # characters of an address; a longer one is left out

_BEGIN = re.compile(r"https?://|ftp://|www\.|mailto:|xmpp:", re.IGNORECASE)
_SPECIAL = re.compile(r"!\[|\](?=[(:])|<(?=[A-Za-z])|`+|~{3,}|\n|https?://|ftp://|www\.|mailto:|xmpp:", re.IGNORECASE)
_LONGEST_SPAN = 300
_BARE_AT = re.compile(rf"(?:{_BEGIN.pattern})[^\s<>\"`\]]+", re.IGNORECASE)
_BARE = re.compile(r"[^\s<>\"`\]]+")
_RUN = re.compile(r"[^\s<]+")
_AFTER = re.compile(r"[^\w%&=+/#-]*(?:\]\(.*|\]\[.*)?\Z")
_TRAILING = re.compile(r"[.,;:!?*_~'\"]+\Z")
_MARKED = re.compile(r"!\[\d{1,5}\](?![\[(])")
_MARKED_SO_FAR = re.compile(r"!(?:\[\d{0,5}\]?)?\Z")
_IMAGE = re.compile(r"!\[[^\]\n]{0,300}\][(\[]")
_IMAGE_SO_FAR = re.compile(r"!(?:\[[^\]\n]{0,300}\]?)?\Z")
_TARGET_SO_FAR = re.compile(r"\](?:[(:][ \t]*\n?[ \t]*(?:<[^<>\n]*|(?:[^\s()]|\([^\s()]*\))*(?:\([^\s()]*)?))?\Z")
_TARGET = re.compile(r"\]([(:])([ \t]*\n?[ \t]*)(<[^<>\n]*>|(?:[^\s()]|\([^\s()]*\))*)")
_PLAIN = re.compile(r"[^\[\]`\"]*")
_SCHEME = re.compile(r"\A(?:[A-Za-z][A-Za-z0-9+.-]*:|[/\\]{2}|www\.)", re.IGNORECASE)
_AUTOLINK = re.compile(r"<([A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*)>")
_AUTOLINK_SO_FAR = re.compile(r"<[A-Za-z][A-Za-z0-9+.-]{0,31}(?::[^\s<>]*)?\Z")
_ELEMENT = re.compile(
    r"<(?:a|area|audio|base|body|button|embed|form|frame|iframe|image|img|input|link|meta|object|picture|portal|script|"
    r"source|style|svg|table|td|th|track|use|video)(?=[\s/])",
    re.IGNORECASE,
)
_ENDS_ADDRESS = re.compile(r"[\s<>]")
_ENDS_TARGET = re.compile(r"[\s()<>]")
_ENDS_ELEMENT = re.compile(r"[>\n]")
_ELEMENT_END = re.compile(r">|(?=\n[ \t]*\n)")
_LEADS = re.compile(
    r"[\s/\"'](?:src|srcset|href|data|action|formaction|poster|background|style|content|cite|ping|on[a-z]+|xlink:href)"
    r"\s*=",
    re.IGNORECASE,
)
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_LINE_LEAD = re.compile(r"(?:[ \t]|>|(?:[-*+]|\d{1,9}[.)])[ \t])*")
_FOLLOWED = ("http://", "https://", "mailto:")


class AddressFilter:
    """Turns pieces of a model's text into text whose links lead where documents do; holds back what is undecided."""

    def __init__(self, *, documents: Iterable[str], question: str, said: Iterable[str], notice: str) -> None:
        """Take what may be linked to, and what must not be carried away.

        Args:
            documents: Texts that the model was shown.
            question: As the person asked it; an address in it is theirs.
            said: What no address may carry: the question and earlier turns; empty to look at its form alone.
            notice: Stands in place of an address that is left out.
        """
        self.left_out = 0  # addresses and elements in whose place the notice stands
        self._known = {found.rstrip("/") for text in (*documents, question) for found in addresses(text)}
        self._conversation = Conversation(said)
        self._notice = notice
        self._pending = ""
        self._until: re.Pattern[str] | None = None  # what must come before it is worth looking at again
        self._last = "\n"  # the character before what is pending
        self._line = ""  # the current line, as far as it is read
        self._fence = ""  # the run that opened the code fence we are in
        self._opening = False  # whether we are on the line that opened it
        self._unpaired: set[int] = set()  # lengths of runs of ticks in this paragraph that opened nothing

    def feed(self, piece: str) -> str:
        """Take the next piece of text and return what may be shown now."""
        self._pending += piece
        if self._until is not None and self._until.search(piece) is None:
            return ""
        return self._drain(final=False)

    def finish(self) -> str:
        """Return the rest."""
        return self._drain(final=True)

    def _drain(self, *, final: bool) -> str:
        shown: list[str] = []
        self._until = None
        text, at = self._pending, 0
        while at < len(text):
            found = _SPECIAL.search(text, at)
            upto = found.start() if found else len(text)
            if found is None and not final:
                upto = max(at, _undecided(text))
            if upto > at:
                shown.append(text[at:upto])
                self._read(text[at:upto])
                at = upto
                continue
            if found is None:
                break
            end, out = self._token(text, at, found[0], final=final)
            if end == at:
                break
            shown.append(out)
            self._last = text[end - 1]
            at = end
        self._pending = text[at:]
        return "".join(shown)

    def _read(self, text: str) -> None:
        self._last = text[-1]
        self._line = (self._line + text)[:100]

    def _token(self, text: str, at: int, head: str, *, final: bool) -> tuple[int, str]:
        """Return where the token at `at` ends and what is shown for it; an end equal to `at` asks for more text."""
        match head[0]:
            case "\n":
                if not self._line.strip():
                    self._unpaired.clear()
                self._line, self._opening = "", False
                return at + 1, head
            case "`" | "~":
                return self._ticks(text, at, final=final)
            case "!":
                return self._image(text, at, final=final)
            case "]" | "<" if self._fence:
                return at + 1, head[0]
            case "]":
                return self._target(text, at, final=final)
            case "<":
                return self._element(text, at, final=final)
            case _:
                return self._bare(text, at, final=final)

    def _ticks(self, text: str, at: int, *, final: bool) -> tuple[int, str]:
        end = at
        while end < len(text) and text[end] == text[at]:
            end += 1
        if end == len(text) and not final:
            return at, ""
        run = text[at:end]
        lead = _LINE_LEAD.match(self._line)
        fresh = lead is not None and lead.end() == len(self._line)
        if self._fence:
            closes = fresh and not self._opening and run.startswith(self._fence)
            if closes or (self._opening and run[0] == "`" == self._fence[0]):  # a tick behind the run: no fence at all
                self._fence = ""
        elif len(run) >= 3 and fresh:
            self._fence, self._opening = run, True
        elif run[0] == "`":
            return self._span(text, at, run, final=final)
        self._read(run)
        return end, run

    def _span(self, text: str, at: int, run: str, *, final: bool) -> tuple[int, str]:
        """Read the code span that `run` opens; without an end on its line it is none."""
        begin = at + len(run)
        limit = min(len(text), begin + _LONGEST_SPAN)
        stop = text.find("\n", begin, limit)
        found = re.compile(f"(?<!`){run}(?!`)").search(text, begin, limit if stop < 0 else stop)
        if not final and (found is None or found.end() == len(text)) and stop < 0 and limit < begin + _LONGEST_SPAN:
            return at, ""
        self._line += run
        if found is None:
            self._unpaired.add(len(run))
            return begin, run
        return found.end(), _BARE_AT.sub(self._checked, text[at : found.end()])

    def _checked(self, found: re.Match[str]) -> str:
        """Return an address in a code span, or the notice in its place."""
        address = _trimmed(found[0])
        if self._follows(address) or not self._conversation.in_address(address, parameters=False):
            return found[0]
        return self._leave_out() + found[0][len(address) :]

    def _image(self, text: str, at: int, *, final: bool) -> tuple[int, str]:
        if not final and (_IMAGE_SO_FAR if self._fence else _MARKED_SO_FAR).match(text, at):
            return at, ""
        kept = not _IMAGE.match(text, at) if self._fence else _MARKED.match(text, at)
        self._line += "!"
        return at + 1, "!" if kept else ""

    def _target(self, text: str, at: int, *, final: bool) -> tuple[int, str]:
        found = _TARGET.match(text, at)
        if not final and _TARGET_SO_FAR.match(text, at):
            self._until = _ENDS_TARGET
            return at, ""
        self._line += "]"
        if found is None:
            return at + 1, "]"
        given = found[3] if found[3].startswith("<") else _PLAIN.match(found[3])[0]  # type: ignore[index]  # never None
        end = found.start(3) + len(given)
        address = _ESCAPED.sub(r"\1", html.unescape(given.removeprefix("<").removesuffix(">")))
        address = "".join(char for char in address if char > " ")
        if not _SCHEME.match(address):
            return at + 1, "]"
        if self._follows(address):
            return end, text[at:end]
        sign = "(" if found[1] == "(" else ": "
        return end, f"] {sign}{self._inert(address).strip('()')}"

    def _element(self, text: str, at: int, *, final: bool) -> tuple[int, str]:
        if (link := _AUTOLINK.match(text, at)) is not None:
            shown = link[0] if self._follows(link[1]) or not _outward(link[1]) else self._inert(link[1])
            return link.end(), shown
        if not final and _AUTOLINK_SO_FAR.match(text, at):
            self._until = _ENDS_ADDRESS if ":" in text[at:] else None
            return at, ""
        if _ELEMENT.match(text, at) is None:
            self._line += "<"
            return at + 1, "<"
        stop = _ELEMENT_END.search(text, at)
        if stop is None and not final:
            self._until = _ENDS_ELEMENT
            return at, ""
        end = stop.end() if stop else len(text)
        if not _LEADS.search(text, at, end):
            self._line += "<"
            return at + 1, "<"
        return end, self._leave_out()

    def _bare(self, text: str, at: int, *, final: bool) -> tuple[int, str]:
        if self._last.isalnum() and text[at] in "wWmMxX":  # `www.` within a word: no reader makes a link of it
            self._read(text[at])
            return at + 1, text[at]
        run = _RUN.match(text, at)
        stop = run.end() if run else at + 1
        if stop == len(text) and not final:
            self._until = _ENDS_ADDRESS
            return at, ""
        found = _BARE.match(text, at, stop)
        address = _trimmed(found[0] if found else text[at:stop])
        end = at + len(address)
        # Readers of Markdown go on with a link where a quotation mark or a bracket ends the address itself.
        if self._follows(address) and (self._fence or _AFTER.match(text, end, stop)):
            self._read(address)
            return end, address
        return end, self._inert(address)

    def _follows(self, address: str) -> bool:
        """Return whether an address may be a link."""
        return address.casefold().startswith((*_FOLLOWED, "www.")) and _trimmed(address).rstrip("/") in self._known

    def _inert(self, address: str) -> str:
        """Return an address that no document holds as text, or the notice if it carries something."""
        if len(address) >= _LONGEST or self._conversation.in_address(address, parameters=not self._fence):
            return self._leave_out()
        self._line += "x"
        if self._fence:
            return address
        ticks = "`" * next(length for length in count(1) if length not in self._unpaired)
        return f"{ticks}{address.replace('`', '')}{ticks}"

    def _leave_out(self) -> str:
        self.left_out += 1
        self._line += "x"
        return f"({self._notice})"


def addresses(text: str) -> set[str]:
    """Return the addresses that stand in a text, without the punctuation behind them."""
    found: set[str] = set()
    for begin in _BEGIN.finditer(text):
        bare = _BARE.match(text, begin.start())
        if bare is not None:
            found.add(_trimmed(bare[0]))
    return found


def _outward(address: str) -> bool:
    """Return whether `<address>` is one, and no placeholder such as `<host:port>`."""
    scheme, _, rest = address.partition(":")
    return rest.startswith("//") or scheme.casefold() in {"mailto", "data", "javascript", "vbscript", "xmpp", "tel"}


def _trimmed(address: str) -> str:
    """Return an address without punctuation that belongs to the sentence around it."""
    while True:
        shorter = _TRAILING.sub("", address)
        if shorter.endswith(")") and shorter.count(")") > shorter.count("("):
            shorter = shorter[:-1]
        if shorter == address or not shorter:
            return address
        address = shorter


_BEGINS = ("https://", "http://", "ftp://", "www.", "mailto:", "xmpp:")


def _undecided(text: str) -> int:
    """Return where the end of `text` begins that more text may make an address, an image or a run of ticks."""
    tail = text[-10:].casefold()
    for at in range(len(tail)):
        rest = tail[at:]
        if any(begin.startswith(rest) for begin in _BEGINS) or rest in ("!", "]", "<") or not rest.strip("~"):
            return len(text) - len(rest)
    return len(text)
