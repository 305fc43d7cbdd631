"""Counting and listing questions in Swedish."""

from __future__ import annotations

from functools import cache

from askwell.ask.listing import arguments as read
from askwell.ask.listing.grammar import (
    Grammar,
    dated,
    mentions,
    mentions_word,
    nouns,
    of,
    pattern,
    points,
    tagged,
)
from askwell.ask.listing.query import InFolder, Takes, Titled, Untagged

_PAGE = "(?: (?:anteckningen|dokumentet|sidan|filen))?"
_KNOB = "(?: (?:flaggan|växeln|inställningen|variabeln))"


@cache
def swedish() -> Grammar:
    """Return the language."""
    return Grammar(
        determiners=r"(?P<every>alla|varje)|av|mina|våra|de|olika",
        adjectives={"personliga": "personal", "privata": "personal", "öppna": "open"},
        nouns=nouns(
            note="anteckning;anteckningar|anteckningarna",
            document=";dokument|dokumenten",
            file="fil;filer|filerna",
            page="sida;sidor|sidorna",
            script=";skript|skripten",
            template="mall;mallar|mallarna",
            tag="tagg;taggar|taggarna",
        ),
        criteria=(
            pattern("(?:taggade|taggad|märkta)(?: (?:med|som))?", read.tag, tagged),
            pattern("(?:har|med)(?: taggen| (?=#))", read.tag, tagged),
            pattern("utan taggar", read.nothing, lambda *_: Untagged()),
            pattern(f"(?:tar|accepterar|stöder|har|med){_KNOB}?", read.flag, of(lambda v: Takes(flag=v))),
            pattern(f"(?:nämner|omnämner)(?: ordet|{_KNOB})?", read.phrase, mentions),
            pattern(f"(?:innehåller|använder)(?: ordet|{_KNOB})", read.word, mentions_word),
            pattern("(?:innehåller|använder)", read.identifier, mentions),
            pattern(f"(?:länkar|pekar) (?:till|på){_PAGE}", read.name, points("link")),
            pattern("(?:skapades|skapats|skapade|skrevs|skrivna)", read.period, dated("created")),
            pattern("(?:ändrades|ändrats|ändrade|uppdaterades|uppdaterade)", read.period, dated("updated")),
            pattern("med(?: ordet)?", read.phrase, of(lambda v: Titled(text=v, of="title")), "i titeln"),
            pattern("(?:i|från) mappen", read.folder, of(lambda v: InFolder(folder=v))),
            pattern("i", read.folder, of(lambda v: InFolder(folder=v))),
        ),
        conjunction="och",
        scope="i indexet|totalt|sammanlagt",
        fillers=r"finns det|finns|har jag|har vi|är det|är|har|som|och|tack|indexerade",
    )
