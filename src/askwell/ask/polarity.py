"""Whether a sentence turns round what its passage says: a negation too many, `before` for `after`, `on` for `off`.

Words are compared by what they do to a statement, in English, German, Swedish and Turkish. A pair of opposites counts
only where each text has one side of it: a passage that speaks of both decides nothing.
"""

from __future__ import annotations

import re

from askwell.terms import fold, stem

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
_CLAUSE = re.compile(r"[.,;:!?()\n]|\s[-–—]\s")


def denied(text: str) -> frozenset[str]:
    """Return the stems of the words that a text denies: up to four behind a negation, within its clause."""
    found: set[str] = set()
    for clause in _CLAUSE.split(_plain(text)):
        words = _WORD.findall(clause)
        at = next((n for n, word in enumerate(words) if word.replace("'", "") in _NEGATORS), None)
        if at is not None:
            found.update(stem(fold(word)) for word in words[at + 1 :][:4] if len(word) > 2)
    return frozenset(found)


def _plain(text: str) -> str:
    text = text.casefold()
    for pattern, meaning in _BOUNDS:
        text = pattern.sub(meaning, text)
    return text


def negations(text: str) -> int:
    """Return how often a text negates."""
    text = _plain(text)
    words = [word.replace("'", "").replace("’", "") for word in _WORD.findall(text)]
    return sum(word in _NEGATORS or (len(word) > 5 and _TURKISH_NEGATED.match(word) is not None) for word in words)


def turned(claim: str, said: str) -> bool:
    """Return whether a claim and what is said differ in polarity, or stand on different sides of a pair of opposites.

    Args:
        claim: A sentence.
        said: The part of the passage that it is about, and no more: a negation elsewhere says nothing of it.
    """
    if negations(claim) % 2 != negations(said) % 2:
        return True
    mine, theirs = denied(claim), denied(said)
    if mine - theirs and theirs - mine:
        words, other = _stems(said), _stems(claim)
        if (mine - theirs) & words and (theirs - mine) & other:
            return True
    sides, others = _sides(claim), _sides(said)
    return any(
        (pair, 1 - side) in others and (pair, side) not in others and (pair, 1 - side) not in sides
        for pair, side in sides
    )


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(fold(word)) for word in _WORD.findall(text))


def _sides(text: str) -> set[tuple[int, int]]:
    return {side for word in _WORD.findall(_plain(text)) for side in _SIDES.get(word, ())}
