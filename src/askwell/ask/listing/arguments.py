"""What a criterion is about: the tag, the words, the flag, the folder, the note or the dates in a question.

A reader yields (value, whether it is sure, where it ends) for every way to read what stands at an offset, the
shortest first: which one is meant, the rest of the question decides. Sure is what is quoted or an identifier.
"""

from __future__ import annotations

import re
from calendar import monthrange
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Read: TypeAlias = tuple[str, bool, int]
Reader: TypeAlias = "Callable[[str, int], Iterator[Read]]"

_MOST_WORDS = 5
_QUOTED = re.compile(r"\"(?P<a>[^\"]{1,120})\"|`(?P<b>[^`]{1,120})`|'(?P<c>[^']{1,120})'|\[\[(?P<d>[^\[\]]{1,120})\]\]")
_TOKEN = re.compile(r"[^\s,;?!\"`]{1,120}")
_TAG = re.compile(r"#?[\w][\w/-]{0,100}")
_FLAG = re.compile(r"--?[A-Za-z0-9][\w-]{0,60}(?:=\S{1,60})?")
_IDENTIFIER = re.compile(r"--?\w[\w-]*|\w*_\w[\w.-]*|[\w-]+(?:\.[\w-]+)+|~?\.{0,2}/?[\w.-]+(?:/[\w.-]+)+/?|\.[\w.-]+")
_MADE_UP = re.compile(r"[A-Z][A-Z0-9]+|\w*[a-z][A-Z]\w*|[A-Za-z]+\d[\w-]*|\d+[A-Za-z]\w*")
_FILE = re.compile(r"(?:[\w.@+-]+/)*[\w@+-]*\.[\w.-]*\w|(?:[\w.@+-]+/)+[\w.@+-]+")
# Words that no phrase to look for begins with, ends with or holds: they begin something else.
_CONNECTING = frozenset(
    """
    a an and any are as at because been both but by did do does done each every for from had has have how i if in is it
    its me my no nor not on only or our so some than that the their them then there these they this those to was we were
    what when where whether which while who whom whose why will with without you your about
    auch auf aus bei das dass den dem der des die ein eine einem einen einer es haben hat ich ihr im in ist kein keine
    mit nach nicht oder sie sind um und unter von vor wann warum was wenn wer werden wie wir wird wo wurde wurden zu zum
    zur über
    att av de den det eller en ett finns från för har hur i inte jag med men när och om på samt som till ut vad var
    varför vi vilka vilken är
    """.split()  # noqa: SIM905 - a list of words is read as words
)
_ARTICLES = frozenset(
    "the a an my our der die das den dem des ein eine einen einem meine mein meinen det en ett".split()  # noqa: SIM905
)
_MONTHS = {
    word: number
    for number, words in enumerate(
        (
            "january jan januar januari",
            "february feb februar februari",
            "march mar märz mars",
            "april apr",
            "may mai maj",
            "june jun juni",
            "july jul juli",
            "august aug augusti",
            "september sep sept",
            "october oct oktober okt",
            "november nov",
            "december dec dezember dez december",
        ),
        start=1,
    )
    for word in words.split()
}
_DAY = re.compile(
    r"(?:(?:the year|im jahr|jahr|år) )?(?:(?P<year>(?:19|20)\d{2})(?:-(?P<month>\d{2})(?:-(?P<day>\d{2}))?)?"
    r"|(?P<name>[^\W\d]{3,9})(?: of)? (?P<of>(?:19|20)\d{2}))(?![\w-])",
    re.IGNORECASE,
)
_FROM = frozenset({"since", "from", "seit", "ab", "sedan", "från"})
_AFTER = frozenset({"after", "nach", "efter"})
_BEFORE = frozenset({"before", "vor", "före", "innan"})
_UNTIL = frozenset({"until", "bis", "till"})
_PERIOD = re.compile(
    r"(?:(?P<when>in|on|during|since|from|after|before|until|im|am|seit|ab|nach|vor|bis|i|under|sedan|från|efter|före|innan|till)"
    r" +)?(?P<rest>\S)",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"(?:between|zwischen|mellan) +", re.IGNORECASE)
_AND = re.compile(r" +(?:and|und|och|to|bis|till) +", re.IGNORECASE)


def nothing(_text: str, at: int) -> Iterator[Read]:
    """Yield the empty argument of a criterion that has none."""
    yield "", True, at


def quoted(text: str, at: int) -> Iterator[Read]:
    """Yield what stands in quotation marks."""
    if (found := _QUOTED.match(text, at)) is not None:
        value = next(part for part in found.groups() if part is not None).strip()
        if value:
            yield value, True, found.end()


def tag(text: str, at: int) -> Iterator[Read]:
    """Yield a tag."""
    yield from quoted(text, at)
    if (found := _TAG.match(text, at)) is not None and found[0].casefold() not in _CONNECTING:
        yield found[0].rstrip("/-"), True, found.end()


def flag(text: str, at: int) -> Iterator[Read]:
    """Yield a command-line flag."""
    for value, sure, end in quoted(text, at):
        if _FLAG.fullmatch(value):
            yield value, sure, end
    if (found := _FLAG.match(text, at)) is not None:
        yield found[0].partition("=")[0], True, found.end()


def identifier(text: str, at: int) -> Iterator[Read]:
    """Yield what is quoted, or no word of any language: a flag, a setting, a file."""
    yield from quoted(text, at)
    yield from _shaped(_IDENTIFIER, text, at)


def setting(text: str, at: int) -> Iterator[Read]:
    """Yield an identifier, or a name in capitals or with capitals or digits inside."""
    yield from identifier(text, at)
    yield from _shaped(_MADE_UP, text, at)


def file(text: str, at: int) -> Iterator[Read]:
    """Yield the name or path of a file, or what is quoted."""
    yield from quoted(text, at)
    if (found := _FILE.match(text, at)) is not None:
        yield found[0], True, found.end()


def phrase(text: str, at: int) -> Iterator[Read]:
    """Yield an identifier, a name with capitals or digits inside, or a few plain words that belong together."""
    sure = list(setting(text, at))
    yield from sure
    ends = {end for _, _, end in sure}
    for value, end in _plain_words(text, at):
        if end not in ends:
            yield value, False, end


def word(text: str, at: int) -> Iterator[Read]:
    """Yield one word, whatever it is: its own question says that it is one."""
    yield from quoted(text, at)
    if (found := _TOKEN.match(text, at)) is not None:
        yield found[0], True, found.end()


def name(text: str, at: int) -> Iterator[Read]:
    """Yield the name of a document: quoted, a path, or its words."""
    yield from quoted(text, at)
    end = at
    for _ in range(_MOST_WORDS + 1):
        found = _TOKEN.match(text, end)
        if found is None:
            return
        yield text[at : found.end()], True, found.end()
        end = found.end()
        if text[end : end + 1] != " ":
            return
        end += 1


def folder(text: str, at: int) -> Iterator[Read]:
    """Yield the name or path of a folder."""
    for value, sure, end in name(text, at):
        if value.casefold() not in _CONNECTING and not value.startswith(("/", "~")):
            yield value.strip("/"), sure, end


def period(text: str, at: int) -> Iterator[Read]:
    """Yield a period as `first/last`, ISO dates that belong to it, either empty where it is open."""
    if (between := _BETWEEN.match(text, at)) is not None:
        start = _DAY.match(text, between.end())
        joint = _AND.match(text, start.end()) if start else None
        stop = _DAY.match(text, joint.end()) if joint else None
        if start and stop and (a := _bounds(start)) and (b := _bounds(stop)):
            yield f"{a[0]}/{b[1]}", True, stop.end()
        return
    when = _PERIOD.match(text, at)
    if when is None:
        return
    found = _DAY.match(text, when.start("rest"))
    if found is None or (bounds := _bounds(found)) is None:
        return
    first, last = bounds
    word = (when["when"] or "").casefold()
    if word in _FROM:
        value = f"{first}/"
    elif word in _AFTER:
        value = f"{_beside(last, 1)}/"
    elif word in _BEFORE:
        value = f"/{_beside(first, -1)}"
    elif word in _UNTIL:
        value = f"/{last}"
    else:
        value = f"{first}/{last}"
    yield value, True, found.end()


def _shaped(shape: re.Pattern[str], text: str, at: int) -> Iterator[Read]:
    """Yield the token at `at` if it has a shape."""
    if (found := _TOKEN.match(text, at)) is not None:
        value = found[0].rstrip(".:")
        if shape.fullmatch(value):
            yield value, True, at + len(value)


def _plain_words(text: str, at: int) -> Iterator[tuple[str, int]]:
    """Yield one word, two, and so on, without an article before them, as long as they can be a phrase."""
    start = end = at
    taken = 0
    while taken < _MOST_WORDS:
        found = _TOKEN.match(text, end)
        if found is None:
            return
        folded = found[0].casefold()
        end = found.end()
        if not taken and folded in _ARTICLES:
            start = end + 1
        elif folded == "of" and taken:
            pass
        elif folded in _CONNECTING:
            return
        else:
            taken += 1
            yield text[start:end].rstrip(".:'"), end
        if text[end : end + 1] != " ":
            return
        end += 1


def _bounds(found: re.Match[str]) -> tuple[str, str] | None:
    """Return the first and the last day of a year, a month or a day."""
    month = int(found["month"] or 0)
    if found["name"] and not (month := _MONTHS.get(found["name"].casefold(), 0)):
        return None
    year = int(found["year"] or found["of"])
    if not month:
        return f"{year}-01-01", f"{year}-12-31"
    if not 1 <= month <= 12:
        return None
    days = monthrange(year, month)[1]
    if found["day"] is None:
        return f"{year}-{month:02}-01", f"{year}-{month:02}-{days:02}"
    if not 1 <= int(found["day"]) <= days:
        return None
    return (f"{year}-{month:02}-{found['day']}",) * 2


def _beside(day: str, by: int) -> str:
    import datetime

    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=by)).isoformat()
