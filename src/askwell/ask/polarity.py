"""Whether a sentence turns round what its passage says: a negation too many, `before` for `after`, `on` for `off`.

Words are compared by what they do to a statement, in English, German, Swedish and Turkish. A pair of opposites counts
only where each text has one side of it: a passage that speaks of both decides nothing.
"""

from __future__ import annotations

import re

from askwell.terms import fold, is_stop_word, stem

_NEGATING = """
    not never no none neither nor cannot without unless nothing nobody nowhere isnt doesnt dont didnt wasnt werent wont
    cant couldnt shouldnt wouldnt hasnt havent hadnt arent aint mustnt
    nicht nie niemals kein keine keinen keinem keiner keines ohne nichts niemand nirgends weder
    inte aldrig ingen inget inga utan ej icke ingenting varken
    değil değildir yok yoktur asla hiç hiçbir olmadan
"""
_NEGATORS = frozenset(_NEGATING.split())
_TURKISH_NEGATED = re.compile(
    r"\w{2,}(?:m[ae]z(?:lar|ler|sınız|siniz)?|m[ıiuü]yor(?:lar)?|m[ae]d[ıi]|m[ae]malı|m[ae]meli|m[ae]y[ıi]n(?:[ıi]z)?)\Z"
)

# Opposites, a pair a line: words of one side, then of the other.
_PAIRS = """
    before | after
    vor vorher | nach nachher
    före innan | efter
    önce | sonra
    more greater larger bigger higher over above exceeds | less fewer smaller lower under below
    mehr größer höher über | weniger kleiner niedriger unter
    mer fler större högre över | mindre färre lägre under
    fazla çok büyük yüksek | az küçük düşük
    maximum max highest largest latest newest | minimum min lowest smallest earliest oldest
    maximal spätestens | minimal frühestens
    senast | tidigast
    young | old
    ahead forward forwards | astern back backward backwards
    top | bottom middle
    always every each all | never none
    immer alle jede jeder jedes | nie niemals keine
    alltid alla varje | aldrig inga
    enabled enable enables on | disabled disable disables off
    aktiviert eingeschaltet an | deaktiviert ausgeschaltet aus
    aktiverad aktiverat på | avaktiverad inaktiverad av
    açık etkin | kapalı
    allowed allow allows permitted permit permits accepts | denied deny denies forbidden refused refuses rejects blocked
    erlaubt | verboten untersagt
    tillåtet tillåten | förbjudet förbjuden
    required mandatory must needed | optional
    start starts started starting begins begin | stop stops stopped stopping ends
    open opens opened | close closes closed
    first | last
    zuerst erste ersten | zuletzt letzte letzten
    först första | sist sista
    ilk | son
    true yes | false no
    wahr ja | falsch nein
    with mit med | without ohne utan
    increase increases increased raise raises raised grows up | decrease decreases decreased reduce reduces reduced down
    add adds added | remove removes removed delete deletes deleted
    read reads readable readonly | write writes writable
    succeeds success succeeded successful | fails failure failed unsuccessful
    same | different
    inside within | outside
    faster quick quickly fast | slower slow slowly
    hot warm | cold cool
    heiß warm | kalt
    left | right
    internal local | external remote public
    private personal | public open
    encrypted | unencrypted plaintext
    automatic automatically | manual manually
    automatisch | manuell
    safe safely | unsafe dangerous
    winter | summer
    morning | evening
    morgens | abends
    day daytime | night
    upload uploads | download downloads
    import imports | export exports
    newer new | older old
    only nur bara endast yalnızca sadece | also auch även ayrıca
"""
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")


def _read(pairs: str) -> dict[str, list[tuple[int, int]]]:
    """Return by word the pairs that it belongs to, and the side of each that it is on."""
    found: dict[str, list[tuple[int, int]]] = {}
    for pair, line in enumerate(pairs.strip().splitlines()):
        for side, words in enumerate(line.split("|")):
            for word in words.split():
                found.setdefault(word, []).append((pair, side))
    return found


_SIDES = _read(_PAIRS)


_BOUNDS = (
    (
        re.compile(
            r"\b(?:(?:no|not) (?:more|longer|later|higher|larger) than|at most|up to|nicht (?:mehr|länger|später) als"
            r"|höchstens|inte (?:mer|längre|senare) än|högst|en fazla|en çok)\b"
        ),
        " maximum ",
    ),
    (
        re.compile(
            r"\b(?:(?:no|not) (?:less|fewer|earlier|lower|smaller) than|at least|nicht (?:weniger|früher) als"
            r"|mindestens|wenigstens|inte (?:mindre|färre) än|minst|en az)\b"
        ),
        " minimum ",
    ),
    (re.compile(r"\bnot only\b|\bnicht nur\b|\binte bara\b"), " also "),
)
_NOUN = r"(?: (?:the|a|an|its|der|die|das|dem|den|en|ett))?((?: (?!to\b|nach\b|till\b|from\b)[\w`-]+){1,2})"
_FROM = re.compile(rf"\b(?:from|von|vom|från){_NOUN}")
_TO = re.compile(rf"\b(?:to|into|nach|zum|zur|till){_NOUN}")
_CLAUSE = re.compile(r"[.,;:!?()]|\s[-–—]\s|\n(?![ \t]*[^\W\d_]+ [^\W\d_])")  # a wrapped line goes on


def denied(text: str) -> list[frozenset[str]]:
    """Return for each negation of a text the stems of what it denies: up to four words behind it, within its clause.

    Of a negation that ends its clause ("it moves nothing") what stands before it is denied.
    """
    found: list[frozenset[str]] = []
    for clause in _CLAUSE.split(_plain(text)):
        words = _WORD.findall(clause)
        for n, word in enumerate(words):
            if _negates(word):
                about = words[n + 1 :][:4] or words[max(0, n - 2) : n]
                found.append(_stems(" ".join(one for one in about if len(one) > 2 and not _small(one))))
    return found


def _negates(word: str) -> bool:
    word = word.replace("'", "").replace("’", "")
    return word in _NEGATORS or (len(word) > 5 and _TURKISH_NEGATED.match(word) is not None)


def _small(word: str) -> bool:
    return any(is_stop_word(fold(word), language=language) for language in ("en", "de", "sv", "tr"))


def _plain(text: str) -> str:
    text = text.casefold()
    for pattern, meaning in _BOUNDS:
        text = pattern.sub(meaning, text)
    return text


def turned(claim: str, said: str) -> bool:
    """Return whether a claim and what is said differ in polarity, or stand on different sides of a pair of opposites.

    Args:
        claim: A sentence.
        said: The part of the passage that it is about, and no more: a negation elsewhere says nothing of it.
    """
    if _denied_otherwise(claim, said):
        return True
    sides, others = _sides(claim), _sides(said)
    return any(
        (pair, 1 - side) in others and (pair, side) not in others and (pair, 1 - side) not in sides
        for pair, side in sides
    )


def _denied_otherwise(claim: str, said: str) -> bool:
    """Return whether one denies what the other states; negations that deny a like word agree."""
    left, theirs = [], denied(said)
    for group in denied(claim):
        alike = next((other for other in theirs if group & other), None)
        if alike is None:
            left.append(group)
        else:
            theirs.remove(alike)
    if any(group & _stems(said) for group in left) or any(group & _stems(claim) for group in theirs):
        return True
    return len(left) > len(theirs)


def backward(claim: str, said: str) -> bool:
    """Return whether a claim leads from where the other leads to, and to where it comes from."""
    (start, end), (begin, goal) = _way(claim), _way(said)
    return bool(start & goal - begin and end & begin - goal)


def _way(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the stems of where something comes from, and of where it goes to."""
    found: list[frozenset[str]] = []
    for pattern in (_FROM, _TO):
        found.append(
            frozenset(stem(fold(word)) for match in pattern.finditer(_plain(text)) for word in match[1].split())
        )
    return found[0], found[1]


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(fold(word)) for word in _WORD.findall(text))


def _sides(text: str) -> set[tuple[int, int]]:
    return {side for word in _WORD.findall(_plain(text)) for side in _SIDES.get(word, ())}
