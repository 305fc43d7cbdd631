"""Counting and listing questions in German. The verb may stand at the end: `Notizen, die X erwähnen`."""

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
from askwell.ask.listing.query import DefinedIn, Defines, InFolder, PointedFrom, Takes, Titled, Untagged

_THE = "(?: (?:der|die|das|den|dem|einen?|einem|meine[rn]?|unsere[rn]?))?"
_TAG = "(?:Tags?|Schlagworte?|Schlagwörter|Etiketten|Etikett)"
_KNOB = "(?: (?:Option|Schalter|Flag|Einstellung|Variable|Parameter))"
_WORD = "(?: (?:Wort|Begriff|Ausdruck|Text|Zeichenkette))"
_PAGE = "(?: (?:Notiz|Seite|Datei|Dokument|Skript))?"
_TAKE = "annehmen|akzeptieren|kennen|verstehen|unterstützen|haben|nehmen|entgegennehmen"
_WERE = "(?:die|wurden|sind)(?: (?:wurden|sind))?"
_MADE = "(?:erstellt|angelegt|geschrieben|verfasst)(?: (?:wurden|sind))?"
_CHANGED = "(?:geändert|aktualisiert|bearbeitet)(?: (?:wurden|sind))?"
_WHOSE = "(?:die|welche|das|den|in denen|in welchen)"


@cache
def german() -> Grammar:
    """Return the language."""
    return Grammar(
        determiners=r"(?P<every>alle[rns]?|jedes|jede|jeden)|der|die|das|von den|meiner?|unserer?|verschiedenen?",
        adjectives={
            "persönliche": "personal",
            "persönlichen": "personal",
            "private": "personal",
            "privaten": "personal",
            "offene": "open",
            "offenen": "open",
        },
        nouns=nouns(
            note="notiz;notizen",
            document="dokument;dokumente|dokumenten",
            file="datei;dateien",
            page="seite;seiten",
            script="skript|script;skripte|skripten|scripte|scripts|skripts",
            manual="handbuch;handbücher|handbüchern",
            readme="readme;readmes",
            template="vorlage;vorlagen",
            setting="einstellung|variable;einstellungen|variablen",
            tag="tag|schlagwort;tags|schlagwörter|schlagworte",
        ),
        criteria=(
            pattern(f"(?:mit|haben|hat|tragen){_THE} {_TAG}", read.tag, tagged, "haben|tragen|versehen"),
            pattern(f"(?:mit|haben|hat|tragen){_THE} {_TAG}", read.tag, tagged),
            pattern(f"(?:das|den) {_TAG}", read.tag, tagged, "haben|tragen"),
            pattern("mit", read.tag, tagged, "(?:getaggt|verschlagwortet|gekennzeichnet|markiert)"),
            pattern("mit(?= #)", read.tag, tagged),
            pattern(f"ohne {_TAG}", read.nothing, lambda *_: Untagged()),
            pattern(f"keine {_TAG} haben", read.nothing, lambda *_: Untagged()),
            pattern(
                f"(?:nehmen|akzeptieren|kennen|verstehen|unterstützen|haben|mit){_THE}{_KNOB}?",
                read.flag,
                of(lambda v: Takes(flag=v)),
                "an|entgegen",
            ),
            pattern(
                f"(?:nehmen|akzeptieren|kennen|verstehen|unterstützen|haben|mit){_THE}{_KNOB}?",
                read.flag,
                of(lambda v: Takes(flag=v)),
            ),
            pattern(f"{_WHOSE}{_THE}{_KNOB}?", read.flag, of(lambda v: Takes(flag=v)), _TAKE),
            pattern(f"(?:erwähnen|erwähnt|nennen){_THE}(?:{_WORD}|{_KNOB})?", read.phrase, mentions),
            pattern(f"(?:enthalten|benutzen|verwenden|mit){_THE}(?:{_WORD}|{_KNOB})", read.word, mentions_word),
            pattern(f"(?:enthalten|benutzen|verwenden){_THE}", read.identifier, mentions),
            pattern(
                f"{_WHOSE}{_THE}(?:{_WORD}|{_KNOB})?",
                read.phrase,
                mentions,
                "(?:erwähnen|nennen|erwähnt (?:wird|werden|ist)|vorkommt|vorkommen)",
            ),
            pattern(f"{_WHOSE}{_THE}(?:{_WORD}|{_KNOB})", read.word, mentions_word, "enthalten|verwenden|benutzen"),
            pattern(f"{_WHOSE}{_THE}", read.identifier, mentions, "enthalten|verwenden|benutzen"),
            pattern(f"(?:kommt|wird|ist){_THE}(?:{_WORD}|{_KNOB})?", read.phrase, mentions, "vor|erwähnt|genannt"),
            pattern(f"(?:definieren|setzen){_THE}{_KNOB}?", read.setting, of(lambda v: Defines(name=v))),
            pattern(f"{_WHOSE}{_THE}{_KNOB}?", read.setting, of(lambda v: Defines(name=v)), "definieren|setzen"),
            pattern(f"(?:verlinken|verweisen|linken|zeigen) auf{_THE}{_PAGE}", read.name, points("link")),
            pattern(
                f"(?:(?:die|welche) )?auf{_THE}{_PAGE}",
                read.name,
                points("link"),
                "verlinken|verweisen|linken|zeigen",
            ),
            pattern(f"(?:rufen|aufrufen){_THE}{_PAGE}", read.file, points("call"), "auf"),
            pattern(f"(?:die|welche){_THE}{_PAGE}", read.file, points("call"), "aufrufen"),
            pattern(f"(?:von|in){_THE}{_PAGE}", read.name, of(lambda v: PointedFrom(name=v)), "verlinkt(?: sind)?"),
            pattern(
                _WERE,
                read.period,
                dated("created"),
                _MADE,
            ),
            pattern(
                _WERE,
                read.period,
                dated("updated"),
                _CHANGED,
            ),
            pattern(
                f"(?:mit|deren Titel){_THE}{_WORD}?",
                read.phrase,
                of(lambda v: Titled(text=v, of="title")),
                "im Titel|enthält|enthalten",
            ),
            pattern(
                "(?:liegen |stehen )?(?:(?:im|aus dem|in dem|unter dem) (?:Ordner|Verzeichnis))",
                read.folder,
                of(lambda v: InFolder(folder=v)),
            ),
            pattern("(?:im|in)", read.folder, of(lambda v: InFolder(folder=v))),
            pattern(
                f"(?:(?:sind|werden) )?(?:in|von|aus){_THE}{_PAGE}",
                read.file,
                of(lambda v: DefinedIn(name=v)),
                "(?:definiert|gesetzt|festgelegt)",
                of_settings=True,
            ),
            pattern(f"(?:in|von|aus){_THE}{_PAGE}", read.file, of(lambda v: DefinedIn(name=v)), of_settings=True),
            pattern(
                f"(?:definiert|setzt|hat){_THE}{_PAGE}", read.file, of(lambda v: DefinedIn(name=v)), of_settings=True
            ),
        ),
        conjunction="und",
        scope=r"(?:im|in der|in meinem|in diesem) (?:Index|Vault|Korpus|Repository|Projekt|Sammlung)|insgesamt",
        fillers=r"gibt es|sind es|haben wir|habe ich|haben|hat|existieren|sind|ist|werden|wurden|liegen|stehen|"
        r"auf|bitte|und|die|welche|indexiert|es|da",
    )
