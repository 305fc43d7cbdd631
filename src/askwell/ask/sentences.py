"""Where sentences end: spans of the sentences of a paragraph, in Markdown, comments and several languages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from askwell.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

# A stop, what closes with it (quotes, brackets, emphasis, footnote-like markers), and then a blank or the
# end. The stops of CJK need no blank.
_END = re.compile(
    r"""(?P<stop>[.!?…]+)(?P<close>["'”’»«)\]*_`]{0,8})(?P<marks>(?:[ \t]?\[\d{1,5}(?:,[ ]?\d{1,5})*\])*)(?=\s|$)
      | (?P<wide>[。！？｡]+)(?P<after>[」』”’）)]{0,8})(?P<wide_marks>(?:[ \t]?\[\d{1,5}(?:,[ ]?\d{1,5})*\])*)""",
    re.VERBOSE,
)
_CODE = re.compile(r"(`+)(?!`)")
_LAST_WORD = re.compile(r"[^\s(\[\"'„“»]{1,24}\Z")
_NEXT = re.compile(r"\s*[\"'“„»«(\[*_`]*(\S)(\w*)")

# Written with a stop that ends no sentence; German, Swedish and Turkish next to English. Lower case, without
# the last stop.
_SHORTENED = """
    e.g i.e eg ie etc vs cf al approx ca no nr nos fig eq sec ch vol p pp ed eds est dept inc ltd co corp jr sr st
    mr mrs ms dr prof resp incl excl max min temp ver rev
    abb kap tab z.b d.h u.a o.ä u.ä bzw usw vgl ggf evtl inkl exkl zzgl abs art bd hrsg jh mio mrd std str tel s
    t.ex bl.a d.v.s dvs m.m osv f.d fr.o.m t.o.m s.k kap jfr
    örn vb vs bkz yy sn doç a.g.e çev
"""
_ABBREVIATIONS = frozenset(_SHORTENED.split())
_NAMED_MONTHS = """
    january february march april may june july august september october november december
    januar februar märz mai juni juli oktober dezember januari februari mars maj augusti
    ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık
"""
_MONTHS = frozenset(_NAMED_MONTHS.split())


def sentences(text: str, *, start: int = 0, end: int | None = None) -> Iterator[Span]:
    """Yield the spans of the sentences in ``text[start:end]``, in order, disjoint, without outer blanks.

    Line ends are blanks like any other: what must not be joined (items, rows, headings) is separated by the
    caller. Stops within inline code, versions, paths and host names, after abbreviations, initials and
    ordinals end nothing. Markers that follow a stop (`Done. [1]`) belong to the sentence before them. Linear.
    """
    end = len(text) if end is None else end
    code = _code_spans(text, start, end)
    at_code = 0
    first = start
    for match in _END.finditer(text, start, end):
        while at_code < len(code) and code[at_code].end <= match.start():
            at_code += 1
        if at_code < len(code) and code[at_code].start <= match.start() < code[at_code].end:
            continue
        if match["stop"] is not None and not _ends_sentence(text, match, end):
            continue
        if (span := _trimmed(text, first, match.end())) is not None:
            yield span
        first = match.end()
    if (span := _trimmed(text, first, end)) is not None:
        yield span


def _ends_sentence(text: str, match: re.Match[str], end: int) -> bool:
    """Say whether a stop that a blank follows closes the sentence before it."""
    following = _NEXT.match(text, match.end(), min(end, match.end() + 80))
    if following is None:
        return True
    first = following[1]
    stop = match["stop"]
    if "!" in stop or "?" in stop:
        return not first.islower()
    if first.islower():
        return False
    if stop != ".":
        return True
    before = _LAST_WORD.search(text, max(0, match.start() - 25), match.start())
    if before is None:
        return False
    word = before[0].lower()
    if word in _ABBREVIATIONS or (len(word) == 1 and word.isalpha()):
        return False
    return not (word.isdigit() and len(word) <= 2 and _ordinal(text, before.start(), (first + following[2]).lower()))


def _ordinal(text: str, at: int, following: str) -> bool:
    """Say whether a small number with a stop is a day of a month, or the number of a list item."""
    return following in _MONTHS or not text[max(0, text.rfind("\n", 0, at) + 1) : at].strip("> \t#*/;-")


def _code_spans(text: str, start: int, end: int) -> list[Span]:
    """Return the inline code spans, in order: a run of backticks up to the next run of the same length."""
    spans: list[Span] = []
    position = start
    runs = [(m.start(), len(m[1])) for m in _CODE.finditer(text, start, end)]
    closers: dict[int, list[int]] = {}
    for at, length in reversed(runs):
        closers.setdefault(length, []).append(at)
    for at, length in runs:
        stack = closers[length]
        while stack and stack[-1] <= at:
            stack.pop()
        if at < position or not stack:
            continue
        position = stack[-1] + length
        spans.append(Span(at, position))
    return spans


def _trimmed(text: str, start: int, end: int) -> Span | None:
    """Return the range without blanks at its ends; None if nothing else is in it."""
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    right = len(piece.rstrip())
    return Span(start + left, start + right) if left < right else None
