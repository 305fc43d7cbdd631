"""Who a sentence says that something is from: "the Manual says", "according to ports.md", "laut Handbuch"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from askwell.terms import fold, stem

if TYPE_CHECKING:
    from collections.abc import Collection

_SAYS = (
    "says?|states?|notes?|recommends?|warns?|describes?|lists?|mentions?|explains?|requires?|advises?|suggests?|claims?"
    "|records?|documents?|tells?|recommended|warned|wrote"
)
_SAGT = "sagt|schreibt|nennt|empfiehlt|besagt|erwähnt|erklärt|warnt|verlangt|beschreibt"
_SAEGER = "säger|anger|skriver|nämner|rekommenderar|beskriver|varnar|kräver|förklarar"
_DIYOR = "diyor|belirtiyor|söylüyor|yazıyor|öneriyor|anlatıyor|uyarıyor"
_WHO = r"(?P<who>[\w.'’/-]{2,60}(?:[ ][\w.'’/-]{2,40}){0,2}?)"
_BEGIN = r"(?:\A|[,.;:]\s"
_END = r"(?=[,.:;]|\Z"
_FRAMES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?:according to|as per|per|as (?:stated|described) in)\s(?:the\s|its\s)?"
        rf"{_WHO}{_END}|\s(?:the|a|an|it|you|this|that|there|is|are|\[)\b)",
        rf"{_BEGIN}|\b(?:and|but|while|whereas|as)\s)(?:the\s|its\s)?{_WHO}(?:\salso)?\s(?:{_SAYS})\b"
        r"(?=[,:]|\s(?:that|to|of|how|the|a|an|it|against|\w+ing)\b|\s[\"'\d])",
        rf"\b(?:laut|gemäß)\s(?:der\s|dem\s|des\s)?{_WHO}"
        rf"{_END}|\s(?:ist|sind|wird|werden|muss|soll|läuft|steht|darf|kann|hat|startet|liegt|gilt)\b)",
        rf"{_BEGIN}|\b(?:und|aber)\s)(?:der\s|die\s|das\s)?{_WHO}\s(?:{_SAGT})\b",
        rf"\benligt\s{_WHO}{_END}|\s(?:är|ska|körs|startar|kan|har|får|måste|ligger|gäller)\b)",
        rf"{_BEGIN}|\b(?:och|men)\s){_WHO}\s(?:{_SAEGER})\b",
        rf"{_BEGIN}){_WHO}\sgöre\b",
        rf"{_BEGIN}){_WHO}\s(?:{_DIYOR})\b",
        r"\b(?:stated|described|documented|mentioned|listed|recorded|written|noted)\s(?:in|by)\s(?:the\s|its\s)?"
        rf"{_WHO}{_END}|\s\[)",
    )
)
_LETTERS = re.compile(r"[^\W_]+")
_SUFFIX = re.compile(r"['’]\w{1,6}\b")  # `README'ye`, `Ada's`
_PRONOUNS = """
    it this that which what who he she they we you i there one note section passage passages document documents text
    source sources page author notes es dies er sie man det den de han hon bu o buna ona here
"""
_NOBODY = frozenset(_PRONOUNS.split())
_ARTICLES = "the a an its der die das dem den des file datei filen dosya also same this that own"
_GENERIC = frozenset(_ARTICLES.split())


def attributed(claim: str) -> tuple[tuple[str, ...], str]:
    """Return whom or what a sentence names as its source, in order, and the sentence without that.

    A source is words of a title or a path, or a kind of document; the sentence keeps what is said.
    """
    found: list[str] = []
    bare = claim
    for frame in _FRAMES:
        for match in frame.finditer(claim[:1000]):
            words = [word for word in _LETTERS.findall(match["who"].casefold()) if word not in _GENERIC]
            if words and not set(words) <= _NOBODY:
                found.append(match["who"].strip(" .,'"))
                bare = bare.replace(match[0], " ", 1)
    return tuple(dict.fromkeys(found)), bare.strip(" ,.:")


def is_from(who: str, names: Collection[str]) -> bool:
    """Return whether one of the names (titles, paths, headings) is the source that a sentence names.

    Args:
        who: As `attributed` gives it.
        names: Of the cited passages.
    """
    bare = _SUFFIX.sub("", who)
    wanted = {stem(fold(word)) for word in _LETTERS.findall(bare) if word.casefold() not in _GENERIC | _NOBODY}
    if not wanted:
        return True
    known = [{stem(fold(word)) for word in _LETTERS.findall(name)} for name in names]
    if any(wanted <= words for words in known):
        return True
    joined = ["".join(_LETTERS.findall(fold(name))) for name in names]
    return len(wanted) == 1 and any(len(word) > 3 and word in name for word in wanted for name in joined)
