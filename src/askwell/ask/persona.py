"""What Askwell says in its own words: that nothing was found, that an answer was cut off."""

from __future__ import annotations

from typing import Literal

from askwell.rank.language import language_of

Persona = Literal["neutral", "friendly"]

_NOTHING: dict[Persona, dict[str, str]] = {
    "neutral": {
        "en": "I have nothing on that in the indexed documents.",
        "de": "Dazu habe ich in den indexierten Dokumenten nichts gefunden.",
        "tr": "Dizine eklenen belgelerde bu konuda bir şey bulamadım.",
        "sv": "Jag hittar inget om det i de indexerade dokumenten.",
    },
    "friendly": {
        "en": "I haven't done anything like that yet, at least not in the documents I can see.",
        "de": "So etwas habe ich noch nicht gemacht, jedenfalls steht nichts davon in den Dokumenten, die ich sehe.",
        "tr": "Henüz böyle bir şey yapmadım; en azından görebildiğim belgelerde bununla ilgili bir şey yok.",
        "sv": "Något sådant har jag inte gjort än, i alla fall inte i de dokument jag kan se.",
    },
}
_CUT = {
    "en": "(The answer was cut off here: it had become too long.)",
    "de": "(Die Antwort wurde hier abgebrochen: Sie war zu lang geworden.)",
    "tr": "(Yanıt çok uzadığı için burada kesildi.)",
    "sv": "(Svaret avbröts här: det hade blivit för långt.)",
}


def nothing_found(question: str, *, persona: Persona = "neutral") -> str:
    """Return what a reader is told when the documents do not answer, in the question's language where it is known.

    A language without a wording here is answered in English.
    """
    wordings = _NOTHING[persona]
    return wordings.get(language_of(question), wordings["en"])


def cut_off(question: str) -> str:
    """Return the notice under an answer that was ended because it did not end."""
    return _CUT.get(language_of(question), _CUT["en"])
