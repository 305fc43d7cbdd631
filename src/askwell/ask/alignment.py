"""How a sentence lies over the words of a passage: what of the passage it is about, and which words it exchanges."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher

from askwell.terms import fold, is_stop_word, stem

_TOKEN = re.compile(r"[^\W_]+(?:(?:[-'’._/]{1,2}|(?<=\d)[,:](?=\d))[^\W_]+)*")
_CLAUSE_END = re.compile(r"[.;:!?]|,\s|\s[-–—]\s|[()]|\n(?![ \t]*[^\W\d_]+ [^\W\d_])")  # a wrapped line goes on
_CLAUSES = re.compile(r"[;:!?\n()]|\.\s|,\s|\s[-–—]\s|\s(?:and|but|und|aber|och|men|ve|ama|while|with)\s")
_DIGITS = re.compile(r"\d+")
_MOST = 96  # tokens of either side: a sentence has fewer
_LEFT, _RIGHT = 5, 3  # tokens beside what matches in which a negation would still be about it


@dataclass(frozen=True, slots=True)
class Aligned:
    """A sentence laid over a piece of a passage.

    Attributes:
        region: The part of the piece that the sentence is about.
        exchanged: Words of the sentence that stand where the piece has another, with that one: both folded.
        share: Of the sentence's words, those that match in order, in [0, 1].
    """

    region: str
    exchanged: tuple[tuple[str, str], ...]
    share: float


def aligned(claim: str, piece: str) -> Aligned:
    """Return how `claim` lies over `piece`; of both only the first words are looked at."""
    mine, theirs = _tokens(claim), _tokens(piece)
    if not mine or not theirs:
        return Aligned("", (), 0.0)
    a, b = [token.key for token in mine], [token.key for token in theirs]
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    blocks = [block for block in matcher.get_matching_blocks() if block.size]
    solid = [block for block in blocks if any(not _small(a[n]) for n in range(block.a, block.a + block.size))]
    if not solid:
        return Aligned("", (), 0.0)
    first, last = solid[0].b, solid[-1].b + solid[-1].size - 1
    start = _back(piece, theirs, first)
    end = _forth(piece, theirs, last)
    exchanged: list[tuple[str, str]] = []
    in_a, in_b = set(a), set(b)
    for tag, a1, a2, b1, b2 in matcher.get_opcodes():
        if tag != "replace":
            continue
        if a2 < len(a) and max(a2 - a1, b2 - b1) > 3:  # what stands just before the words that match again
            a1, b1 = max(a1, a2 - 2), max(b1, b2 - 2)
        elif max(a2 - a1, b2 - b1) > 3:
            a2, b2 = min(a2, a1 + 2), min(b2, b1 + 2)
        new = [mine[n].word for n in range(a1, a2) if not _small(a[n]) and a[n] not in in_b]
        old = [theirs[n].word for n in range(b1, b2) if not _small(b[n]) and b[n] not in in_a]
        if new and old and (a1 == 0 or b1 > 0):
            exchanged += [(word, old[min(n, len(old) - 1)]) for n, word in enumerate(new)]
    share = sum(block.size for block in blocks) / len(a)
    return Aligned(piece[start:end], tuple(exchanged), share)


@dataclass(frozen=True, slots=True)
class _Token:
    word: str
    key: str
    start: int
    end: int


def _tokens(text: str) -> list[_Token]:
    found = []
    for match in _TOKEN.finditer(text):
        word = fold(match[0])
        if word[:1].isdigit():
            word = word.replace(",", ".")
        found.append(_Token(word, stem(word), match.start(), match.end()))
        if len(found) >= _MOST:
            break
    return found


def _small(key: str) -> bool:
    return len(key) < 2 or any(is_stop_word(key, language=language) for language in ("en", "de", "sv", "tr"))


def exchanged_values(claim: str, piece: str) -> tuple[str, str] | None:
    """Return a value of `claim` that `piece` gives to something else, with the one it gives to this; None if none is.

    A value is a word with a digit in it. It belongs to the words of its clause: `13` to `spark` in "12 for hearth, 13
    for spark".
    """
    mine, theirs = _valued(claim), _valued(piece)
    for value, words in mine.items():
        if not words or value not in theirs or words & theirs[value]:
            continue
        for other, around in theirs.items():
            if other != value and _shape(other) == _shape(value) and words & around:
                return value, other
    return None


def displaced(claim: str, piece: str) -> bool:
    """Say whether a word of `claim` is in `piece` too, but there with another of the claim's words in its place.

    "The header wins" lies over "if header and template differ, the template wins": `header` stands where the piece has
    `template`. Two words are in one place if the same word follows them in their clause.
    """
    mine, theirs = _followed(claim), _followed(piece)
    known = {word for place in mine.values() for word in place.clause}
    there = {word for place in theirs.values() for word in place.clause}
    for follower, place in mine.items():
        other = theirs.get(follower, place)
        if other.key not in place.clause and other.key in known and place.key in there - other.clause:
            return True
    return False


@dataclass(frozen=True, slots=True)
class _Place:
    """What stands before a word, and the keys of the clause that both are in."""

    key: str
    clause: frozenset[str]


def _followed(text: str) -> dict[str, _Place]:
    """Return by each word that stands once in a text the word before it in its clause."""
    found: dict[str, _Place] = {}
    seen: set[str] = set()
    for clause in _CLAUSES.split(text[:4000]):
        tokens = [token for token in _tokens(clause) if not _small(token.key) and not _valuable(token.word)]
        keys = frozenset(token.key for token in tokens)
        for n, token in enumerate(tokens):
            if token.key in seen:
                found.pop(token.key, None)
            elif n:
                found[token.key] = _Place(tokens[n - 1].key, keys)
            seen.add(token.key)
    return found


def region(claim: str, piece: str) -> str:
    """Return the part of `piece` that has most words of `claim`, in any order; empty if it has next to none."""
    wanted = {token.key for token in _tokens(claim) if not _small(token.key)}
    theirs = _tokens(piece)
    at = [n for n, token in enumerate(theirs) if token.key in wanted]
    if len(wanted) == 1 and at:
        return piece[_back(piece, theirs, at[0], most=2) : theirs[at[0]].end]
    best, found = 1.0, ""
    for n, first in enumerate(at):
        for last in at[n + 1 :]:
            if last - first > 2 * len(wanted) + 6:
                break
            held = len({theirs[m].key for m in at if first <= m <= last})
            if held >= 2 and (score := held - 0.05 * (last - first)) > best:
                best, found = score, piece[_back(piece, theirs, first, most=2) : theirs[last].end]
    return found


def _valued(text: str) -> dict[str, set[str]]:
    """Return by each value of a text the words of the clauses that it stands in."""
    found: dict[str, set[str]] = {}
    for clause in _CLAUSES.split(text[:4000]):
        tokens = _tokens(clause)
        words = {token.key for token in tokens if not _valuable(token.word) and not _small(token.key)}
        for token in tokens:
            if _valuable(token.word):
                found.setdefault(token.word, set()).update(words)
    return found


def _valuable(word: str) -> bool:
    return "_" in word or any(char.isdigit() for char in word)


def _shape(word: str) -> str:
    """Return what two values have in common that can stand for each other: `igc0` and `igc1`, `14` and `21`."""
    return _DIGITS.sub("0", word) if any(map(str.isdigit, word)) else "_"


def _parted(piece: str, end: int, start: int) -> bool:
    """Say whether a clause ends between two tokens."""
    found = _CLAUSE_END.search(piece, end)
    return found is not None and found.start() < start


def _back(piece: str, tokens: list[_Token], at: int, *, most: int = _LEFT) -> int:
    """Return where the region begins: some tokens before `at`, within its clause."""
    start = tokens[at].start
    for n in range(at - 1, max(-1, at - 1 - most), -1):
        if _parted(piece, tokens[n].end, start):
            break
        start = tokens[n].start
    return start


def _forth(piece: str, tokens: list[_Token], at: int) -> int:
    """Return where the region ends: some tokens behind `at`, within its clause."""
    end = tokens[at].end
    for n in range(at + 1, min(len(tokens), at + 1 + _RIGHT)):
        if _parted(piece, end, tokens[n].start):
            break
        end = tokens[n].end
    return end
