"""Whether a question needs the one before it, and for what. One that can stand alone is left alone.

    bare       "why?", "yes", "more"                     the earlier question itself
    choice     "the second one"                          an item of the earlier answer
    instead    "what about X", "and for X?", "on X?"     the earlier question with X in the place of something
    pronoun    "how do I restart it"                     what the earlier question is about
    there      "what runs there?"                        where it happens
    pointing   "how do I undo that", "this script"       what was asked or answered

A pronoun whose noun stands earlier in the same question, an `it` that stands for nothing ("is it safe to …") and a
`that` which opens a clause refer to nothing outside. Long questions are never follow-ups.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from askwell.ask.phrases import BE, DEFINITE, DO, INDEFINITE, PREPOSITIONS, WH, is_content, is_name, tokens_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askwell.ask.phrases import Token

LONGEST = 24
"""Words from which a question says what it is about."""

_SHORT = 8
"""Most words of a question that only names what is different."""


class Need(StrEnum):
    """What a follow-up lacks."""

    BARE = "bare"
    YES = "yes"
    MORE = "more"
    CHOICE = "choice"
    INSTEAD = "instead"
    PRONOUN = "pronoun"
    THERE = "there"
    POINTING = "pointing"


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowUp:
    """A question that leans on an earlier one.

    Attributes:
        at: Index of the word that refers, or of the first word of what is put in place.
        choice: For `CHOICE`, which item, from 0; -1 for the last.
    """

    need: Need
    at: int = 0
    choice: int = 0


def _set(*phrases: str) -> frozenset[str]:
    return frozenset(phrase for line in phrases for phrase in line.split("|"))


# Whole questions, folded and without punctuation.
_BARE = _set(
    "why|why so|why not|why is that|why that|and why|but why|how come|how|how so|how exactly|and how|when|since when",
    "until when|and when|where|where exactly|and where|who|and who|which|which one|which ones|by how much|how many",
    "how much|how often|how long|what for|really|are you sure|is that so|what next|what then|and then|then what",
    "warum|wieso|weshalb|warum das|und warum|warum nicht|wie|wie genau|und wie|wann|seit wann|und wann|wo|und wo",
    "wer|und wer|welche|welcher|welches|wie viele|wie oft|wie lange|wirklich|und dann|wozu",
    "neden|niye|nicin|neden peki|peki neden|nasil|peki nasil|ne zaman|nerede|kim|hangisi|kac tane|gercekten mi|sonra",
    "varfor|varfor det|och varfor|varfor inte|hur|hur da|och hur|nar|och nar|var|vem|vilken|vilka|hur manga|hur ofta",
    "hur lange|verkligen|och sen|och sedan",
)
_YES = _set(
    "yes|yeah|yep|yes please|sure|ok|okay|please do|please|go ahead|do it|do that|of course|right|correct|y",
    "ja|ja bitte|klar|gerne|ja gerne|bitte|genau|mach das|evet|evet lutfen|tamam|olur|lutfen|tabii",
    "ja tack|garna|ja garna|visst|okej|gor det",
)
_MORE = _set(
    "more|more please|tell me more|go on|continue|and|more details|more detail|in more detail|in detail|details",
    "explain|please explain|can you explain|elaborate|can you elaborate|an example|for example|example|examples",
    "show me|show me an example|say more|anything else|what else|anything more|is that all|and what else|give me more",
    "mehr|mehr dazu|weiter|mehr details|genauer|erzahl mehr|ein beispiel|beispiel|zum beispiel|was noch|sonst noch was",
    "und sonst|erklar das|kannst du das erklaren|devam|devam et|daha fazla|daha fazlasi|detay|ornek|ornek ver|acikla",
    "baska|baska ne var|mer|mer om det|beratta mer|fortsatt|ett exempel|exempel|till exempel|vad mer|nagot mer",
)
_COURTESY = _set("please|bitte|lutfen|tack|thanks|pls")
_LEADS = sorted(
    (
        tuple(lead.split())
        for lead in _set(
            "what about|how about|and what about|and how about|but what about|what if it is|same for|the same for",
            "same question for|and the same for|and also|and|or|but|also|or rather|i mean|i meant|no i mean|no i meant",
            "was ist mit|und was ist mit|wie sieht es mit|und|oder|aber|und bei|wie ist es mit|wie ist es bei|auch",
            "dasselbe fur|ich meine|peki|ya|peki ya|vad sags om|hur ar det med|och hur ar det med|och|eller|men",
            "samma for|jag menar|vad galler for",
        )
    ),
    key=len,
    reverse=True,
)
_WEAK = _set("and|or|but|also|und|oder|aber|auch|peki|ya|och|eller|men")
"""Openings that a full question may have too."""

_ORDINALS = (
    {
        word: place
        for place, words in enumerate(
            (
                "first 1st erste ersten erstes ilk birinci ilkini forsta",
                "second 2nd zweite zweiten zweites ikinci ikincisi ikincisini andra",
                "third 3rd dritte dritten drittes ucuncu ucuncusu tredje",
                "fourth 4th vierte vierten dorduncu fjarde",
                "fifth 5th funfte funften besinci femte",
            )
        )
        for word in words.split()
    }
    | dict.fromkeys(("last", "latter", "letzte", "letzten", "son", "sonuncu", "sista"), -1)
    | {"former": 0}
)
_ONE = _set("one|ones|option|point|item|step|suggestion|eine|punkt|schritt|en|ett|alternativet|olani|tanesi|secenek")
_OTHER = _set("other|others|andere|anderen|digeri|andra")

_IT = _set("it|its|it's|itself|he|she|him|his|er|es|ihn|ihm|onu|ona|onun|den|det|dess|honom|henne|han|hon")
_THEY = _set("they|them|their|theirs|onlar|onlari|onlara|onlarin|dem|deras")
_THERE = _set("there|dort|dorthin|orada|oraya|oradan|dar|dit")
_THAT = _set("that|this|these|those|das|dies|bunu|buna|bunun|bundan|sunu|bunlar|bunlari|detta|det har")
_DAFUR = _set("damit|dafur|davon|darin|darauf|danach|dazu|dagegen|daran")
_POINTERS = _set("this|that|these|those|dieser|dieses|diese|diesen|diesem|bu|su|denna|detta|dessa")
_OPENS = _set(
    "if|when|because|while|since|after|before|and|but|so|although|wenn|weil|und|aber|nachdem|bevor|om|nar|och"
)
_HERE = _set(
    "machine|server|system|week|month|year|repo|repository|vault|folder|house|time|way|place|network|computer|host",
    "morning|evening|night|project|question|box|directory|weekend|summer|winter|setup|homelab|site|mean|means",
    "rechner|woche|monat|jahr|system|netz|ordner|mal|makine|sunucu|sistem|hafta|ay|yil|klasor|dator|vecka|manad|ar",
)
"""What `this` may point at without a conversation."""

_CLAUSE_VERBS = _set(
    "know|sure|say|says|check|verify|ensure|so|such|think|see|show|shows|found|guarantee|assume|tell|told|prove",
    "confirm|notice|means|mean|now|given|provided|all|everything|one|ones|those|anything|something|hear|remember",
)
"""Before `that`, these open a clause."""

_TAKES = _set(
    "undo|do|does|did|is|was|are|like|with|for|about|from|after|before|fix|change|disable|enable|why|than|use|run"
    "|revert",
    "stop|start|restart|remove|delete|into|to|in|on|at|by|of|prevent|avoid|explain|see|set|configure|test|try|would",
    "should|could|can|will|has|have|had|without|if|and|when|how|what",
)
"""Before a `that` which stands for something."""

_AFTER_THAT = (
    BE
    | DO
    | PREPOSITIONS
    | _set(
        "work|works|mean|happen|happens|happened|and|or|but|again|too|then|if|when|safe|true|possible|normal|one|so"
        "|change"
    )
)
_EXPLETIVE = _set("finns|gibt|geht|gar|ist|dauert|tar|ar|regnet")
_TO = _set("to|that|if|for|whether|zu|dass|wenn|ob|att|om|when")
_GREETING = _set("hi|hello|hey|out|over|up|down")
_QUANTIFIED = _set("only|no|any|each|every")


def need_of(question: str, *, language: str) -> FollowUp | None:
    """Return what a question needs of an earlier one, None if it can stand alone.

    Args:
        question: As typed.
        language: Its language, or the conversation's where it does not tell.
    """
    tokens = tokens_of(question)
    if not tokens or len(tokens) > LONGEST:
        return None
    words = [token.word for token in tokens]
    whole = " ".join(word for word in words if word not in _COURTESY) or " ".join(words)
    for known, need in ((_BARE, Need.BARE), (_YES, Need.YES), (_MORE, Need.MORE)):
        if whole in known:
            return FollowUp(need=need)
    return (
        _choice(words)
        or _instead(tokens, words, question, language)
        or _pointing(tokens, words, language)
        or _pronoun(tokens, words, language)
    )


def _choice(words: Sequence[str]) -> FollowUp | None:
    """Read `the second one`, `and the last?`, `the other one`."""
    rest = [
        word for word in words if word not in DEFINITE | _WEAK | {"please", "bitte", "lutfen", "tack", "about", "what"}
    ]
    if 1 <= len(rest) <= 2 and len(words) <= _SHORT and (len(rest) == 1 or rest[1] in _ONE):
        if rest[0] in _ORDINALS and (len(words) > 1 or rest[0] not in {"son", "andra"}):
            return FollowUp(need=Need.CHOICE, choice=_ORDINALS[rest[0]])
        if rest[0] in _OTHER and len(words) > 1:
            return FollowUp(need=Need.CHOICE, choice=1)
    return None


def _instead(tokens: Sequence[Token], words: Sequence[str], question: str, language: str) -> FollowUp | None:
    """Read `what about X`, `and for X`, `on X?`, `peki X?`."""
    lead = next((lead for lead in _LEADS if tuple(words[: len(lead)]) == lead), ())
    rest = words[len(lead) :]
    if not rest:
        return None
    full = any(word in DO or word in BE or word in _ASKS for word in rest) and not _which(rest)
    if lead:
        weak = " ".join(lead) in _WEAK
        if len(rest) > _SHORT or (weak and full):
            return None
        if weak and not (
            rest[0] in PREPOSITIONS | DEFINITE | INDEFINITE or _names(tokens[len(lead) :]) or len(rest) <= 3
        ):
            return None
        if all(word in _IT | _THEY | _THERE | _THAT for word in rest):
            return FollowUp(need=Need.BARE)
        return FollowUp(need=Need.INSTEAD, at=len(lead))
    if len(words) >= 2 and words[-1] in {"peki", "ya"} and len(words) <= 4:
        return FollowUp(need=Need.INSTEAD)
    if full or len(words) > 6 or question.rstrip()[-1:] not in "?!":
        return FollowUp(need=Need.INSTEAD) if _placed(tokens, words) and not full and len(words) <= 4 else None
    if _placed(tokens, words):
        return FollowUp(need=Need.INSTEAD)
    if (
        language == "tr"
        and len(words) <= 3
        and re.search(r"'(?:d[ae]|t[ae]|d[ae]n|t[ae]n|y?[aeiu])$|\bicin$", words[-1])
    ):
        return FollowUp(need=Need.INSTEAD)
    return None


_ASKS = _set(
    "which what how why when where who wie was wann wo wer warum welche nasil neden nerede hur vad nar varfor".replace(
        " ", "|"
    )
)


def _which(rest: Sequence[str]) -> bool:
    """Return whether `rest` is only `which user`: another thing that is asked of the same subject."""
    return len(rest) == 2 and rest[0] in WH and rest[1] not in DO | BE


def _names(tokens: Sequence[Token]) -> bool:
    return any(is_name(token) or token.core[:1].isupper() for token in tokens)


def _placed(tokens: Sequence[Token], words: Sequence[str]) -> bool:
    """Return whether a fragment is a preposition with one thing: `on Debian`, `for the bike`, `without sudo`."""
    if words[0] not in PREPOSITIONS or len(words) < 2:
        return False
    rest = [word for word in words[1:] if word not in {"too", "also", "then", "instead", "auch", "ocksa", "please"}]
    if not rest:
        return False
    if rest[0] in DEFINITE | INDEFINITE:
        return 2 <= len(rest) <= 4
    return len(rest) == 1 or (len(rest) <= 3 and _names(tokens[1:]))


def _pointing(tokens: Sequence[Token], words: Sequence[str], language: str) -> FollowUp | None:
    """Read `that` and `this` where they stand for something that was said."""
    for at, word in enumerate(words):
        before = words[at - 1] if at else ""
        after = words[at + 1] if at + 1 < len(words) else ""
        if before and tokens[at - 1].text[-1:] == ",":
            continue
        if word in _DAFUR and len(words) <= _SHORT and not _noun_before(tokens, at, language):
            return FollowUp(need=Need.POINTING, at=at)
        if before in _CLAUSE_VERBS:
            continue
        if word in _POINTERS and after and after not in _AFTER_THAT and is_content(tokens[at + 1], language):
            relative = word in {"that"} and at > 0 and before not in _TAKES
            if not relative and after not in _HERE and not _named_elsewhere(tokens, at + 2):
                return FollowUp(need=Need.POINTING, at=at)
        elif (
            word in _THAT
            and (not after or after in _AFTER_THAT or word == "das")
            and not _noun_before(tokens, at, language)
        ):
            verbless = at + 2 == len(words) and tokens[at + 1].core.islower()
            alone = not after or word != "das" or after in BE or verbless
            if alone and (not before or before in _TAKES or not is_content(tokens[at - 1], language) or not after):
                return FollowUp(need=Need.POINTING, at=at)
    return None


def _named_elsewhere(tokens: Sequence[Token], start: int) -> bool:
    return any(is_name(token) for token in tokens[start:])


def _pronoun(tokens: Sequence[Token], words: Sequence[str], language: str) -> FollowUp | None:
    for at, word in enumerate(words):
        before = words[at - 1] if at else ""
        after = words[at + 1] if at + 1 < len(words) else ""
        if word in _THERE:
            existential = (before in BE and after) or after in BE or before in _GREETING or (word == "dar" and after)
            if not existential and not _noun_before(tokens, at, language):
                return FollowUp(need=Need.THERE, at=at)
        elif word in _THEY or word in _IT:
            if not _spoken(word, language) or (word in {"den", "det", "dem"} and not _free(at, words)):
                continue
            if word in _IT and _stands_for_nothing(words, at):
                continue
            if not _noun_before(tokens, at, language, possessive=word in {"its", "their", "his", "dess", "deras"}):
                return FollowUp(need=Need.PRONOUN, at=at)
        elif (
            word in {"one", "ones"} and before in DEFINITE | _OTHER | {"which", "other"} and after not in {"of", "that"}
        ):
            return FollowUp(need=Need.POINTING, at=at)
    if language == "tr" and 2 <= len(words) <= 3 and words[0] in _TURKISH_ASKS and _TURKISH_VERB.search(words[-1]):
        return FollowUp(need=Need.BARE)
    return None


_TURKISH_ASKS = _set("nasil|neden|niye|nicin|nerede|nereden")
_TURKISH_VERB = re.compile(r"(?:yor|yorum|yoruz|irim|arim|urum|erim|iriz|ariz|uruz|eriz|[iaue]r|ilir|ulur|inir|unur)$")
_OF_LANGUAGE = {
    "er": "de", "es": "de", "ihn": "de", "ihm": "de", "onu": "tr", "ona": "tr", "onun": "tr", "onlar": "tr",
    "den": "sv", "det": "sv", "dem": "sv", "dess": "sv", "deras": "sv", "han": "sv", "hon": "sv", "dar": "sv",
}  # fmt: skip


def _spoken(word: str, language: str) -> bool:
    """Return whether a pronoun is one in this language: `den` is an article in German."""
    return _OF_LANGUAGE.get(word, language) == language


def _free(at: int, words: Sequence[str]) -> bool:
    """Return whether Swedish `den` stands alone and not before its noun."""
    after = words[at + 1] if at + 1 < len(words) else ""
    return (
        not after
        or at + 2 == len(words)
        or after in {"igen", "ocksa", "inte", "da", "nar", "om", "pa", "i", "till", "av", "fran", "sen"}
    )


def _stands_for_nothing(words: Sequence[str], at: int) -> bool:
    """Return whether `it` only fills its place: `is it safe to …`, `how long does it take to …`, `gibt es`."""
    before = words[at - 1] if at else ""
    after = words[at + 1 :]
    if words[at] in {"es", "det"}:
        return before in _EXPLETIVE or bool(after[:1] and after[0] in _EXPLETIVE)
    if words[at] != "it":
        return False
    if (
        after[:1] == ["possible"]
        or (after[:1] == ["worth"] and after[1:])
        or (before == "is" and at and words[:2] == ["what", "time"])
    ):
        return True
    takes = bool(after) and (
        after[0] in BE or before in BE or after[0] in {"take", "cost", "make", "matter", "seem", "mean"}
    )
    return takes and any(word in _TO for word in after[1:5])


def _noun_before(tokens: Sequence[Token], at: int, language: str, *, possessive: bool = False) -> bool:
    """Return whether an earlier clause of the same question names something that a pronoun may stand for.

    Within one clause a pronoun is not its own subject: `does the exporter need it` refers to something else; its
    possessive is: `where does the mover keep its log`.
    """
    bounds = [n for n in range(at) if tokens[n].word in _OPENS or (n < at and tokens[n].text[-1:] in ",;:.?!")]
    limit = at if possessive else (bounds[-1] + (tokens[bounds[-1]].word not in _OPENS) if bounds else 0)
    for n in range(limit):
        token = tokens[n]
        before = tokens[n - 1].word if n else ""
        if not is_content(token, language):
            continue
        if is_name(token) or (n and token.core[:1].isupper()):
            return True
        if before in DEFINITE | INDEFINITE | DO | BE or (n > 1 and tokens[n - 2].word in DEFINITE | INDEFINITE):
            return True
        if token.word.endswith("s") and before not in _BEFORE_A_VERB:
            return True
        if n and before in PREPOSITIONS:
            return True
    first = tokens[at].word in _OF_THEY
    later = bool(bounds) and tokens[0].word in {"when", "if", "wenn", "nar", "om"} and not first
    return later and any(t.word in DEFINITE for t in tokens[at + 1 :]) and not possessive


_BEFORE_A_VERB = frozenset({"i", "we", "you", "what", "who", "that", "it", "he", "she"})
_OF_THEY = frozenset({"they"})
