"""Where in a text a criterion is met: whole words, whole identifiers, and nothing that only looks like them.

Positions are lines, 1-based. Texts are compared without case and in one normal form, which moves no line.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

from askwell.types import Lines

if TYPE_CHECKING:
    from collections.abc import Iterator

QUOTE = 300
"""Characters of a quoted line; a longer one is cut around what was found in it."""

_TYPOGRAPHY = (("\u2019", "'"), ("\u2010", "-"), ("\u2011", "-"))
_SIGNS = re.compile(r"[-_./]")
_GAP = r"(?:[^\S\n]+|[^\S\n]*\n[^\S\n]*(?:(?:#+|//|>+|\*|--|;+)[^\S\n]*)?)"  # a line may break, in a comment too
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_SHORT_FLAG = re.compile(r"-\w")
_USAGE = r"(?:usage|synopsis|aufruf)\b[^\n]{0,200}?"
_PLACE = r"(?:\[[^\]\n]{0,60}\]|<[^>\n]{0,60}>|\$\w+|[A-Z][A-Z_0-9]*|--?[\w-]+(?:[= ][A-Z]+)?|\.\.\.)"


class Needle:
    """Words or an identifier to look for as a whole."""

    def __init__(self, text: str) -> None:
        """Take what was asked for."""
        self._exact = _SHORT_FLAG.fullmatch(text) is not None  # `-v` and `-V` are two flags
        folded = self._folded(text)
        words = folded.split()
        self._first = words[0]
        self._rarest = max(words, key=len)
        self._pattern = re.compile(_left(folded) + _GAP.join(map(re.escape, words)) + _right(folded))

    def lines(self, text: str) -> Iterator[Lines]:
        """Yield the lines of each place, in order."""
        folded = self._folded(text)
        if self._rarest not in folded:
            return
        line, counted = 1, 0
        at = folded.find(self._first)
        while at >= 0:
            if (found := self._pattern.match(folded, at)) is not None:
                line += folded.count("\n", counted, at)
                counted = at
                yield Lines(line, line + found[0].count("\n"))
            at = folded.find(self._first, at + 1)

    def within(self, line: str) -> int:
        """Return where in a line it stands, about: folding may move it by a few characters. 0 if it does not."""
        return max(0, self._folded(line).find(self._rarest))

    def _folded(self, text: str) -> str:
        if not text.isascii():
            text = unicodedata.normalize("NFC", text)
            for written, plain in _TYPOGRAPHY:  # a table for `translate` costs ten times as much
                text = text.replace(written, plain)
        return text if self._exact else text.casefold()


def _left(text: str) -> str:
    if text[0] == "-":
        return r"(?<![\w-])"
    if _UNSPACED.match(text[0]):
        return ""
    if not _SIGNS.search(text):
        return r"(?<!\w)"
    # `process.env.MOVER_STOP` says the name, `x.conf/mover.toml` another path than `conf/mover.toml`.
    member = text.replace("_", "").isalnum()
    return r"(?<!\w)(?<!\w-)" if member else r"(?<!\w)(?<!\w[-.])"


def _right(text: str) -> str:
    if _UNSPACED.match(text[-1]) or not (text[-1].isalnum() or text[-1] == "_"):
        return ""
    return r"(?!\w)(?![-.]\w)" if _SIGNS.search(text) else r"(?!\w)"


def takes(text: str, flag: str, *, path: str) -> Iterator[Lines]:
    """Yield the lines on which a program declares or handles a flag.

    That is: an entry of a list of options, a usage line, a `case` label, a comparison, a declaration of an option
    parser. A line that runs another program with the flag is none of these.
    """
    exact = _SHORT_FLAG.fullmatch(flag) is not None
    bare = flag.lstrip("-") if exact else flag.lstrip("-").lower()
    if bare not in (text if exact else text.lower()):
        return
    patterns = _taking(flag, path.rpartition("/")[2], exact=exact)
    before = ""
    for number, line in enumerate(text.split("\n"), start=1):
        goes_on = before.endswith("\\") and "|" not in line and ")" not in line
        held = bare in (line if exact else line.lower())
        if held and not goes_on and any(pattern.search(line[:2000]) for pattern in patterns):
            yield Lines(number, number)
        before = line.rstrip()


@lru_cache(maxsize=8)
def _taking(flag: str, name: str, *, exact: bool) -> tuple[re.Pattern[str], ...]:
    case = "(?-i:" if exact else "(?i:"
    whole = rf"{case}{re.escape(flag)})(?![\w-])"
    bare = rf"{case}{re.escape(flag.lstrip('-'))})"
    names = "|".join(map(re.escape, dict.fromkeys((name, name.rpartition(".")[0] or name))))
    own = rf"(?<![\w-])(?:{names}|\$0|\$\(basename[^)\n]{{0,40}}\))"
    lead = r"^[^\S\n]*(?:#+|//|\*|;+|rem\b|')?[^\S\n]*(?:[-*•][^\S\n]+)?[`\"'(\[]?"
    short = r"(?:-\w(?:[= ][A-Z<][\w>]*)?[`\"']?[^\S\n]*[,|/][^\S\n]*[`\"'(\[]?)*"
    patterns = [
        rf"{lead}{short}{whole}",
        rf"[|\[(]{whole}|\|[^\S\n]*[\"']?{whole}",
        rf"(?:==?|=~|!=|-eq|\bin|\bcase)[^\S\n]*[(\[\"']*{whole}",
        rf"\b(?:add_argument|add_option|option|argument|parameter|flag|getopt\w*|argv|includes|startswith|in_array)\b[^\n]{{0,120}}"
        rf"[\"']{whole}",
        rf"(?i:{_USAGE}){whole}",
        rf"(?i:{own})[\"'`]?(?:[^\S\n]+{_PLACE})*?[^\S\n]+\[?{whole}",
        rf"\bgetopt\w*\b[^\n]{{0,200}}[\"',]{bare}:{{0,2}}[\"',]",
    ]
    if len(flag) == 2:
        patterns.append(rf"\bgetopts[^\S\n]+[\"']?[A-Za-z0-9:]*{bare}")
    return tuple(re.compile(pattern) for pattern in patterns)


def assigned(text: str, name: str) -> int:
    """Return the line that sets a setting, else the first that names it, 1 if none does."""
    words = r"(?:(?:export|set|readonly|const|local|declare)[^\S\n]+|- |\$)*"
    named = rf"{words}[\"']?{re.escape(name)}[\"']?"
    shapes = (
        rf"^[^\S\n]*(?:[#;]+[^\S\n]*)?{named}[^\S\n]*[:=+?({{]",
        rf"^[^\S\n]*{named}[^\S\n]+\S",
        rf"(?<![\w-]){re.escape(name)}(?![\w-])",
    )
    searches = (re.search(shape, text, re.MULTILINE | re.IGNORECASE) for shape in shapes)
    found = next(filter(None, searches), None)
    return text.count("\n", 0, found.start()) + 1 if found else 1


def opening(text: str, title: str) -> int:
    """Return the line that shows a document's title, else the first that says anything; 1 for an empty text."""
    first = 0
    for number, line in enumerate(text[:20_000].split("\n"), start=1):
        if title and title in line:
            return number
        if not first and any(map(str.isalnum, line[:200])) and not line.startswith("#!"):
            first = number
    return first or 1


def quote(text: str, lines: Lines, *, near: int = 0) -> str:
    """Return lines of a text verbatim; of long ones the part around the character `near`."""
    start = 0
    for _ in range(lines.first - 1):
        start = text.find("\n", start) + 1
    end = start
    for _ in range(lines.last - lines.first + 1):
        stop = text.find("\n", end)
        end = len(text) + 1 if stop < 0 else stop + 1
    shown = text[start : end - 1]
    if len(shown) <= QUOTE:
        return shown
    first = max(0, min(near - QUOTE // 3, len(shown) - QUOTE))
    return shown[first : first + QUOTE]
