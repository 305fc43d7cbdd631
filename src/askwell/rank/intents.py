"""What a question asks for, judged by its wording: which sections and kinds of document tend to answer it."""

from __future__ import annotations

import re
import unicodedata
from enum import StrEnum


class Intent(StrEnum):
    """A kind of question that one kind of text answers best."""

    SAFEGUARD = "safeguard"  # what keeps something bad from happening
    VARIABLE = "variable"  # which setting controls something
    FLAG = "flag"  # a command-line switch or run-time mode
    WHY = "why"  # the reason for a design
    HOW = "how"  # the way something works
    DEFINITION = "definition"  # what something is
    NAME = "name"  # the places of one name: an identifier, a flag, a path, or a single word


_READ = 2000
"""Characters of a question whose wording is looked at; a pasted log after that says nothing about intent."""


def _any(*parts: str) -> re.Pattern[str]:
    return re.compile("|".join(parts))


# English, German, Turkish and Swedish, matched against the folded question, so without marks (`nasıl` and `nasil`
# are one). Every pattern is a fixed phrase or has bounded gaps: linear time.
_NAME = re.compile(
    r"\A\W*[A-Za-z\u00c0-\u024f0-9_.:/-]{1,64}\W*\Z"  # one word, of a script that puts spaces between words
    r"|\b\w+_\w+|(?:^|\s)--[A-Za-z][\w-]*|\b[\w-]+[./]\w*[A-Za-z]\w*|\b[a-z]+[A-Z]\w*"
)
"""Written as typed: case is part of a name."""

_WORDING: dict[Intent, re.Pattern[str]] = {
    Intent.SAFEGUARD: _any(
        r"\b(?:prevent|protect|guard|safeguard|avoid)(?:s|ed|ing)?\b",
        r"\bstops? .{1,60}\b(?:from|overlap|collid|clash|run|delet|overwrit|happen|twice)",
        r"\b(?:safe|dangerous|danger|risky?|harm) (?:to|of|if|when)\b",
        r"\bwhat (?:happens|would happen|will happen) (?:if|when)\b|\bwhat if\b|\bis it safe\b",
        r"\boverlap|\block(?:ed|ing)? (?:file|out)\b|\bat the same time\b",
        r"\bverhinder|\bschutz|\bgefahrlich|\bgleichzeitig\b|\bwas passiert, wenn\b",
        r"\bengelle|\bonle(?:r|n|y)|\bkoru(?:r|n|y)|\btehlikeli\b|\bayni anda\b",
        r"\bforhindra|\bskydda|\bfarligt?\b|\bsamtidigt\b",
    ),
    Intent.VARIABLE: _any(
        r"\b(?:which|what|name of the|where is the) (?:\w+ ){0,2}(?:variable|setting|option|parameter|env|key|switch)",
        r"\b(?:variable|setting|option|parameter|env(?:ironment)? var\w*) (?:for|to|that|which|controls?)\b",
        r"\bconfigur(?:e|ed|ing|ation)\b|\bwhere (?:do|can|is|are) .{1,60}\bset\b|\bwhat (?:do|should) i set\b",
        r"\bdefault (?:\w+ ){0,2}(?:value|of|for)\b|\b(?:disable|enable|turn (?:on|off)|switch (?:on|off))\b",
        r"\b[a-z0-9]+_[a-z0-9_]{2,}\b",
        r"\bwelche \w*(?:variable|einstellung|option)|\beinstellung\b|\bkonfigur|\b(?:de)?aktivier",
        r"\bhangi (?:degisken|ayar|secenek)|\bayar(?:i|lar|la)|\byapilandir",
        r"\bvilken (?:variabel|installning)|\binstallning|\bkonfigurera",
    ),
    Intent.FLAG: _any(
        r"(?:^|\s)--?[a-z][\w-]*",
        r"\b(?:flag|switch|command[- ]line|dry[- ]?run|run ?time|cli)\b",
        r"\b(?:argument|parameter|option)s? (?:does|can|to pass)\b|\btakes? (?:an? )?(?:argument|flag|option)",
        r"\bschalter\b|\bkommandozeile|\bprobelauf",
        r"\bbayrak|\bkomut satiri|\bparametre",
        r"\bflagga|\bkommandorad|\bvaxel\b",
    ),
    Intent.WHY: _any(
        r"\bwhy\b|\breasons?\b|\brationale\b|\bhow come\b|\bpurpose of\b",
        r"\bwarum\b|\bwieso\b|\bweshalb\b|\bgrund\b",
        r"\bneden\b|\bnicin\b|\bniye\b",
        r"\bvarfor\b|\banledning",
    ),
    Intent.HOW: _any(
        r"\bhow (?:does|do|is|are|to|can|should|did)\b|\bhow .{1,40}\bworks?\b|\bsteps? to\b",
        r"\bwie (?:funktioniert|kann|geht|mache|lauft|wird|lasst)\b",
        r"\bnasil\b",
        r"\bhur (?:fungerar|gor|kan|ska|funkar)\b",
    ),
    Intent.DEFINITION: _any(
        r"^\W*what(?:'s| is| are|s| does)\b(?! the (?:default|value|name|port|password|path|address))",
        r"\bwhat do(?:es)? .{1,80}\bmean|\bmeaning of\b|\bstands? for\b|\bdefin(?:e|ition)\b|\bwho is\b",
        r"^\W*(?:was|wer) (?:ist|sind|bedeutet)\b",
        r"\bnedir\b|\bne demek\b|\bne anlama\b",
        r"^\W*(?:vad|vem) (?:ar|betyder)\b",
    ),
}


def intents_of(question: str) -> tuple[Intent, ...]:
    """Return what the question's wording asks for, in the order of `Intent`; empty if nothing is recognised.

    Several may hold: "why does --force skip the lock" is FLAG, WHY. A wrong guess costs little, since
    intents only boost and never filter.
    """
    text = _folded(question[:_READ])
    worded = [intent for intent in _WORDING if _WORDING[intent].search(text)]
    return (*worded, Intent.NAME) if _NAME.search(question[:_READ]) else tuple(worded)


def _folded(text: str) -> str:
    """Return `text` without case and marks; dotless i is i."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(character for character in decomposed if not unicodedata.combining(character)).replace("ı", "i")
