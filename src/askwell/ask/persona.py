"""What Askwell says in its own words: that nothing was found, which profile answers, that an answer was cut off."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal
from zlib import crc32

from askwell.rank.language import language_of

if TYPE_CHECKING:
    from askwell.types import Profile

Persona = Literal["neutral", "friendly"]

Cut = Literal["length", "loop", "filtered", "echo"]
"""Why an answer was ended: it was too long, it repeated itself, its server withheld the rest, or rules came instead."""

_NOTHING: dict[Persona, dict[str, tuple[str, ...]]] = {
    "neutral": {
        "en": ("I have nothing on that in the indexed documents.",),
        "de": ("Dazu habe ich in den indexierten Dokumenten nichts gefunden.",),
        "tr": ("Dizine eklenen belgelerde bu konuda bir şey bulamadım.",),
        "sv": ("Jag hittar inget om det i de indexerade dokumenten.",),
    },
    "friendly": {
        "en": (
            "I haven't done anything like that yet, at least not in the documents I can see. You may well be the "
            "first!",
            "I haven't done anything like that so far, and I would rather say so than guess. You will find a way.",
            "I haven't done anything like that as far as my documents go. Write it down once you have: we will know "
            "then.",
        ),
        "de": (
            "So etwas habe ich noch nicht gemacht, jedenfalls steht nichts davon in den Dokumenten, die ich sehe. Das "
            "schaffst du trotzdem!",
            "So etwas habe ich bisher nicht gemacht, und raten will ich nicht. Du findest bestimmt einen Weg.",
        ),
        "tr": (
            "Henüz böyle bir şey yapmadım; en azından görebildiğim belgelerde bununla ilgili bir şey yok. Yine de "
            "başarırsın!",
            "Şimdiye kadar böyle bir şey yapmadım ve tahmin yürütmek istemem. Bir yolunu bulursun.",
        ),
        "sv": (
            "Något sådant har jag inte gjort än, i alla fall inte i de dokument jag kan se. Du klarar det ändå!",
            "Något sådant har jag inte gjort hittills, och gissa vill jag inte. Du hittar säkert ett sätt.",
        ),
    },
}
_TAKEN = {
    "en": "(Answered by `{}`: {}.)",
    "de": "(Beantwortet von `{}`: {}.)",
    "tr": "(Yanıtlayan: `{}`, {}.)",
    "sv": "(Besvarat av `{}`: {}.)",
}
_FROM = {
    "docs": {
        "en": "from your documents",
        "de": "aus deinen Dokumenten",
        "tr": "belgelerinizden",
        "sv": "ur dina dokument",
    },
    "troubleshoot": {
        "en": "from what your documents say about it",
        "de": "aus dem, was deine Dokumente dazu sagen",
        "tr": "belgelerinizin bu konuda dediklerinden",
        "sv": "ur vad dina dokument säger om det",
    },
    "code": {
        "en": "a draft, not taken from your documents",
        "de": "ein Entwurf, nicht aus deinen Dokumenten",
        "tr": "bir taslak, belgelerinizden alınmadı",
        "sv": "ett utkast, inte hämtat ur dina dokument",
    },
    "chat": {
        "en": "general knowledge, not your documents",
        "de": "allgemeines Wissen, nicht deine Dokumente",
        "tr": "genel bilgi, belgeleriniz değil",
        "sv": "allmän kunskap, inte dina dokument",
    },
}
_FRIENDLY = """Be cheerful and encouraging: say what the person can do next and trust that they can. Warmth never adds \
a fact.
"""
_NOT_CARRIED = {
    "en": "The model wrote something that the documents do not carry, so it is not shown.",
    "de": "Das Modell hat etwas geschrieben, das die Dokumente nicht hergeben; es wird nicht gezeigt.",
    "tr": "Modelin yazdığı belgelere dayanmıyor, bu yüzden gösterilmiyor.",
    "sv": "Modellen skrev något som dokumenten inte styrker, därför visas det inte.",
}
_CUT: dict[Cut, dict[str, str]] = {
    "length": {
        "en": "(The answer was cut off here: it had become too long. A narrower question gets a whole one.)",
        "de": "(Die Antwort wurde hier abgebrochen: Sie war zu lang geworden. Eine engere Frage bekommt eine ganze.)",
        "tr": "(Yanıt çok uzadığı için burada kesildi. Daha dar bir soru tam bir yanıt alır.)",
        "sv": "(Svaret avbröts här: det hade blivit för långt. En snävare fråga får ett helt svar.)",
    },
    "loop": {
        "en": "(The answer was cut off here: the model only repeated itself. Ask again, or set another model.)",
        "de": "(Die Antwort wurde hier abgebrochen: Das Modell wiederholte sich nur noch. Frag noch einmal oder "
        "stelle ein anderes Modell ein.)",
        "tr": "(Yanıt burada kesildi: model yalnızca kendini yineliyordu. Yeniden sorun ya da başka bir model seçin.)",
        "sv": "(Svaret avbröts här: modellen upprepade bara sig själv. Fråga igen eller välj en annan modell.)",
    },
    "echo": {
        "en": "(The answer ends here: the model went on with its instructions. Ask again, or set another model.)",
        "de": "(Die Antwort endet hier: Das Modell fuhr mit seinen Anweisungen fort. Frag noch einmal oder stelle ein "
        "anderes Modell ein.)",
        "tr": "(Yanıt burada bitiyor: model kendi yönergeleriyle sürdürdü. Yeniden sorun ya da başka bir model seçin.)",
        "sv": "(Svaret slutar här: modellen fortsatte med sina instruktioner. Fråga igen eller välj en annan modell.)",
    },
    "filtered": {
        "en": "(The answer was cut off here: the model's server withheld the rest. Ask in other words, or set another "
        "model.)",
        "de": "(Die Antwort wurde hier abgebrochen: Der Server des Modells hielt den Rest zurück. Frag mit anderen "
        "Worten oder stelle ein anderes Modell ein.)",
        "tr": "(Yanıt burada kesildi: modelin sunucusu gerisini vermedi. Başka sözcüklerle sorun ya da başka bir model "
        "seçin.)",
        "sv": "(Svaret avbröts här: modellens server höll inne resten. Fråga med andra ord eller byt modell.)",
    },
}
_LEFT_OUT = {
    "en": "an address is left out: it stands in no document",
    "de": "eine Adresse ist ausgelassen: Sie steht in keinem Dokument",
    "tr": "bir adres çıkarıldı: hiçbir belgede geçmiyor",
    "sv": "en adress är utelämnad: den står inte i något dokument",
}


def nothing_found(question: str, *, persona: Persona = "neutral") -> str:
    """Return what a reader is told when the documents do not answer, in the question's language where it is known.

    A language without a wording here is answered in English. Where there are several wordings, one question always
    gets the same.
    """
    wordings = _NOTHING[persona]
    variants = wordings.get(language_of(question), wordings["en"])
    return variants[crc32(question.encode("utf-8", "replace")) % len(variants)]


def taken_by(question: str, profile: Profile) -> str:
    """Return the line that names the profile which took a question, in the question's language where it is known."""
    language = language_of(question)
    language = language if language in _TAKEN else "en"
    return _TAKEN[language].format(profile.value, _FROM[profile.value][language])


def voice(persona: Persona, name: str) -> str:
    """Return what a model is told of its name and manner. The contract stands before it and is not changed by it."""
    called = f"If you are asked for your name, it is {name}.\n" if name else ""
    return called + (_FRIENDLY if persona == "friendly" else "")


def cut_off(question: str, why: Cut = "length") -> str:
    """Return the notice under an answer that was ended before its end: why, and what to do."""
    wordings = _CUT[why]
    return wordings.get(language_of(question), wordings["en"])


def address_left_out(question: str) -> str:
    """Return what stands in place of an address that a model made up and that carries something away."""
    return _LEFT_OUT.get(language_of(question), _LEFT_OUT["en"])


def not_carried(question: str) -> str:
    """Return what a reader is told in place of an answer that the documents do not carry."""
    return _NOT_CARRIED.get(language_of(question), _NOT_CARRIED["en"])
