"""Which language a short text is in, by its function words or its script."""

from __future__ import annotations

import re
from collections import Counter

_READ = 4000
"""Characters looked at: function words are frequent, so a longer text decides nothing more."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Function words that few of the other languages share; a word listed for two languages counts for both.
_WORDS: dict[str, frozenset[str]] = {
    "en": _words(
        "the of and to in is are was it that this with for on my i you do does how what which when where why who can "
        "should from not have has be an or if there"
    ),
    "de": _words(
        "der die das den dem des und oder nicht ist sind war ein eine einen einem einer ich du wir sie mein meine wie "
        "was welche welcher welches wann wo warum wieso kann mit für auf aus bei nach von vor zu zum zur im am wenn "
        "unter wird werden gibt es auch"
    ),
    "tr": _words(
        "ve bir bu için ile mi mı mu mü nasıl neden nedir ne hangi kaç gün sonra nerede kim ben sen değil daha çok "
        "olarak olan var yok gibi kadar göre veya ama nasil icin nereye"
    ),
    "sv": _words(
        "och det att en ett som är på för med av den till inte jag du vi min mitt hur vad vilken vilket varför när "
        "var kan ska från innan eller om de dem länge sig"
    ),
    "es": _words("el la los las de del que y en un una es por para con no mi cómo qué cuál cuándo dónde se su al lo"),
    "fr": _words("le la les des du de et un une est dans pour par avec ne pas mon ma mes comment que qui où"),
    "nl": _words("de het een en van ik niet is dat op te met voor zijn hoe wat welke waarom kan mijn naar"),
    "it": _words("il lo gli di che e un una è per con non come cosa quale quando dove mio mia nel della"),
    "pt": _words("o os as de da do que e um uma é em para com não como qual quando onde meu minha no na"),
}

_SCRIPTS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("ja", re.compile(r"[\u3040-\u30ff]")),
    ("ko", re.compile(r"[\uac00-\ud7af]")),
    ("zh", re.compile(r"[\u4e00-\u9fff]")),
    ("ru", re.compile(r"[\u0400-\u04ff]")),
    ("el", re.compile(r"[\u0370-\u03ff]")),
    ("he", re.compile(r"[\u0590-\u05ff]")),
    ("ar", re.compile(r"[\u0600-\u06ff]")),
    ("th", re.compile(r"[\u0e00-\u0e7f]")),
)

_WORD = re.compile(r"[^\W\d_]+")

LANGUAGE_CODES = _words(
    "ar be bg bn ca cs da de el en es et eu fa fi fr gl he hi hr hu id is it ja km ko lt lv nb nl nn no pl pt ro ru sk "
    "sl sq sr sv ta te th tr uk ur vi zh"
)
"""Two-letter codes that name a language folder."""

_CODE = re.compile(r"([a-z]{2})(?:[-_][a-z]{2,4})?\Z")


def language_of(text: str) -> str:
    """Return the two-letter code of the language that `text` is most likely in, empty if nothing tells.

    A script decides alone where a fifth of the letters are of it. Otherwise the language with most function
    words wins; a tie, or a text without any, tells nothing. Cyrillic reads as `ru`: good enough to
    choose among translations, which is all that this is for.
    """
    head = text[:_READ]
    letters = sum(map(len, _WORD.findall(head)))
    for code, pattern in _SCRIPTS:
        if 5 * len(pattern.findall(head)) > letters > 0:
            return code
    counts: Counter[str] = Counter()
    for word in _WORD.findall(head.casefold()):
        counts.update(code for code, words in _WORDS.items() if word in words)
    top = counts.most_common(2)
    if not top or (len(top) == 2 and top[0][1] == top[1][1]):
        return ""
    return top[0][0]


def language_folder(part: str) -> str:
    """Return the two-letter code that a folder's name stands for (`de`, `pt-br`, `zh-TW`), empty if none."""
    match = _CODE.match(part.casefold())
    return match[1] if match and match[1] in LANGUAGE_CODES else ""
