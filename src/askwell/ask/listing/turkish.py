"""Counting and listing questions in Turkish: whole forms, since what is asked for stands before the noun."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from askwell.ask.listing.query import FORMS, InFolder, ListingQuery, Mentions, Tagged, Takes

if TYPE_CHECKING:
    from askwell.ask.listing.query import Criterion, What

_NOUNS: dict[str, What] = {"not": "note", "belge": "document", "dosya": "file", "betik": "script", "betiğ": "script"}
_VALUE = r"[\"`'#]?(?P<value>[^\s\"`']{1,100}|(?<=[\"`'])[^\"`']{1,100})[\"`']?(?:['’]\w{1,6})?"
_CRITERION = (
    rf"(?:{_VALUE} (?P<kind>etiketli|etiketiyle|geçen|içeren|klasöründeki|seçeneğini alan|bayrağını alan|kabul eden) )?"
)
_FORM = "(?:(?P<form>" + "|".join(re.escape(name) for name in sorted(FORMS, key=len, reverse=True)) + ") )?"
_NOUN = r"(?P<noun>not|belge|dosya|betik|betiğ)\w{0,8}"
_SHAPES = (
    ("count", rf"{_CRITERION}kaç (?:tane |adet )?{_FORM}{_NOUN}(?: (?:var|vardır))?"),
    ("list", rf"{_CRITERION}(?:tüm |bütün |her ){_FORM}{_NOUN} (?:listele|göster|say)"),
    ("list", rf"(?:tüm|bütün) {_CRITERION}{_FORM}{_NOUN} (?:listele|göster|say)"),
    ("list", rf"{_CRITERION}{_FORM}{_NOUN} listele"),
    ("which", rf"hangi {_FORM}{_NOUN} {_VALUE} (?P<kind>içeriyor|etiketli|seçeneğini alıyor|kabul ediyor)"),
    ("which", rf"hangi {_FORM}{_NOUN}d[ae] {_VALUE} (?P<kind>geçiyor)"),
)
_PATTERNS = tuple((form, re.compile(shape, re.IGNORECASE)) for form, shape in _SHAPES)


def turkish(text: str) -> ListingQuery | None:
    """Return the query of a question in Turkish, None if it is none."""
    for form, shape in _PATTERNS:
        found = shape.fullmatch(text)
        if found is None:
            continue
        kind, value = found["kind"], found["value"]
        format_name = found["form"]
        return ListingQuery(
            rule=f"tr:{form}",
            language="tr",
            what=_NOUNS[found["noun"].casefold()],
            form=FORMS[format_name.lower()] if format_name else None,
            criteria=(_criterion(kind, value),) if kind else (),
        )
    return None


def _criterion(kind: str, value: str) -> Criterion:
    if kind.startswith("etiket"):
        return Tagged(tag=value)
    if kind.startswith("klasör"):
        return InFolder(folder=value)
    if value.startswith("-"):
        return Takes(flag=value) if not kind.startswith(("geç", "içer")) else Mentions(text=value)
    return Mentions(text=value)
