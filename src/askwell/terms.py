"""How text becomes lexical terms: the one analysis that documents and questions share.

    text ─▶ tokens (one regular expression) ─▶ forms of each token ─▶ terms

A token has a whole form, its parts, a joined form and stems:

    MOVER_STOP_TIMEOUT   mover_stop_timeout, moverstoptimeout, mover, stop, timeout
    --dry-run            --dry-run, dry-run, dryrun, dry, run
    v1.2.3               v1.2.3, 1.2.3, 1.2
    configured           configured, ~configur
    設定画面              設 定 画 面 設定 定画 画面

Terms hold no white space and no quotation mark. A stem is a term of its own behind `~`, beside the word and
never in its place, so that every inflection counts as one term and the exact word still counts more. Stems are
English; words of another language lose nothing by them. What cannot be inflected (numbers, names with signs,
words of three letters, stop words) has none.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from functools import lru_cache
from typing import Literal, NamedTuple

from askwell.stopwords import STOP_WORDS

ANALYSIS_VERSION = f"2/{unicodedata.unidata_version}"
"""Names this analysis: an index made by another one is analysed again before it is written to."""

MAX_TERM = 64
"""Longest term in characters. Longer ones are blobs and digests: nobody types them, and they bloat the index."""

_LONGEST_NAME = 512
"""Characters up to which words held together by hyphens, dots and underscores are read as one name."""

MAX_REPEATED = 20_000
"""Terms of one text over which repeats are dropped: such a text is data, and its counts mean nothing."""

MAX_DISTINCT = 200_000
"""Distinct terms kept of one text."""

MAX_QUESTION = 20_000
"""Characters read from each end of a question. A pasted log asks at its start or at its end."""

MAX_QUESTION_WORDS = 256
"""Different words of a question that are searched for."""

# Weights of a form in a question, against 1 for the whole word. Measured: docs/measurements/0008-lexical-terms.md
_JOINED = 0.6
_PART = 0.5
_CHARACTER = 0.2
_STEM = 0.6
_EXACT = 1 - _STEM

_SHORTEST_INFLECTED = 4

_CACHED = 1 << 16

# Marks that belong to the letter before them, scripts whose vowel signs `\w` leaves out, and characters that
# are invisible inside a word.
_IGNORED = "\u00ad\u200c\u200d\u2060\ufeff"
_MARKS = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8"
    "\u06ea-\u06ed\u0900-\u0963\u0966-\u0df3\u0e01-\u0e3a\u0e40-\u0e4e\u0e50-\u0e59\u0e81-\u0ede\u0f71-\u0f84"
    "\u0f86-\u0fbc\u1000-\u1049\u1780-\u17d3\u3099\u309a\uff9e\uff9f"
)
_W = rf"[\w{_MARKS}{_IGNORED}]"
_TOKEN = re.compile(
    rf"(?:(?<![\w-])--?(?=[^\W\d_]))?{_W}+(?:(?:[-.'\u2010\u2011\u2019\u02bc]|(?<=\d),(?=\d)){_W}+)*"
    r"(?:\+\+(?![\w+])|(?<=\b[A-Za-z])#(?![\w#]))?"
)
_PIECE = re.compile(rf"(?:[^\W_]|[{_MARKS}])+")
_TYPOGRAPHY = {**dict.fromkeys((0x2010, 0x2011), "-"), **dict.fromkeys((0x2019, 0x2BC), "'")}
_TYPOGRAPHY |= dict.fromkeys(map(ord, _IGNORED), "")
# Letters that decomposition leaves whole. Both i's of Turkish become one: no reader types the difference.
_LETTERS = str.maketrans(
    {"ı": "i", "ø": "o", "ł": "l", "æ": "ae", "œ": "oe", "đ": "d", "ð": "d", "þ": "th", "ħ": "h", "ŧ": "t", "ŀ": "l"}
)
# Marks that readers leave out: of Latin, Greek and Cyrillic letters, Hebrew points, Arabic vowel signs.
_DROPPED = re.compile("[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670]+")
# Scripts written without spaces, one unit a character with its marks: Han, kana, Hangul, Thai, Lao, Khmer, Burmese.
_CJK = "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3040-\u30ff\u3100-\u312f\u31a0-\u31bf\u31f0-\u31ff"
_CJK += "\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003fffd"
_SOUTHEAST = "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u1000-\u103f\u1780-\u17d3"
_UNSPACED = re.compile(f"[{_CJK}{_SOUTHEAST}]")
_RUN = re.compile(f"[{_CJK}{_SOUTHEAST}\u3099\u309a]+|[^{_CJK}{_SOUTHEAST}\u3099\u309a]+")
_UNIT = re.compile(
    "[^\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u102b-\u103e\u17b4-\u17d3\u3099\u309a]"
    "[\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u102b-\u103e\u17b4-\u17d3\u3099\u309a]*"
)
_HAN = re.compile("[\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd]")
_THOUSANDS = re.compile(r"\d{1,3}(?:[.,]\d{3})+")
_VERSION = re.compile(r"v?(\d+\.\d+)(?:\.[\w.-]*)?")
_LETTERS_DIGITS = re.compile(r"\d+|\D+")
_BLOB = re.compile(r"[A-Za-z0-9+/=]{65,}")
_SWITCH = re.compile(r"(?<=[a-z])[^a-z]|(?<=[A-Z])[^A-Z]|(?<=[0-9])[^0-9]")


def fold(text: str) -> str:
    """Return `text` without case, diacritics, width and typographic variants; canonically composed.

    All four Turkish i's become `i`, `ß` becomes `ss`, `æ` becomes `ae`; `ä` becomes `a`.
    Kana keep their voicing marks, Indic and Thai text keeps its vowel signs.
    """
    if text.isascii():
        return text.lower()
    folded = unicodedata.normalize("NFKC", text).translate(_TYPOGRAPHY).casefold().translate(_LETTERS)
    return unicodedata.normalize("NFC", _DROPPED.sub("", unicodedata.normalize("NFKD", folded)))


def index_text(text: str) -> str:
    """Return the terms of a document's text with repeats, joined by white space. Empty if there are none.

    Cost is linear; some megabytes a second, as forms are worked out once a distinct token.
    """
    tokens = _TOKEN.findall(_without_blobs(text))
    if len(tokens) <= MAX_REPEATED:
        return " ".join(map(_INDEX_FORMS.__getitem__, tokens))
    terms = dict.fromkeys(term for token in dict.fromkeys(tokens) for term in _INDEX_FORMS[token].split())
    return " ".join(list(terms)[:MAX_DISTINCT])


def index_terms(text: str) -> list[str]:
    """Return the terms of a document's text, in order, with repeats."""
    return index_text(text).split()


def query_terms(question: str) -> dict[str, float]:
    """Return the terms to look for and their weights in (0, 1], in the order of the question.

    Stop words are left out unless nothing else remains. Any text is legal; one without a letter or a digit
    has no terms.
    """
    terms: dict[str, float] = {}
    for token in _subject(question):
        for term, weight in _query_forms(token):
            terms[term] = max(weight, terms.get(term, 0.0))
    return terms


def content_words(question: str) -> tuple[str, ...]:
    """Return the words that a question is about, folded, whole, each once, in order; stop words left out.

    A run of a script without spaces gives its pairs of characters. `forms` gives the terms that stand for a word.
    """
    words: dict[str, None] = {}
    for token in _subject(question):
        whole = _whole(token)
        if _UNSPACED.search(whole):
            words.update(dict.fromkeys(term for term, weight in _query_forms(token) if weight == 1.0))
        elif whole:
            words[whole] = None
    return tuple(words)


def forms(word: str) -> dict[str, float]:
    """Return the terms by which a document may hold `word`, with their weights: whole, joined, parts and stems."""
    return {term: weight for token in _TOKEN.findall(word) for term, weight in _query_forms(token)}


def is_stop_word(word: str, *, language: str = "en") -> bool:
    """Return whether `word` carries no subject in `language` (ISO 639-1; an unknown one has no stop words)."""
    return _whole(word).replace("'", "") in STOP_WORDS.get(language, frozenset())


def stem(word: str) -> str:
    """Return the light English stem of a folded word: plural, -ed, -ing, -ion, -ment and -ly folded away.

    The stem may equal the word, and need not be one. Words of fewer than four letters are their own stems.
    Source: own rules, after Harman, "How effective is suffixing?", JASIS 42(1), 1991 (S-stemmer) for plurals.
    """
    if len(word) < _SHORTEST_INFLECTED or not word.isascii() or not word.isalpha():
        return word
    word = _singular(word)
    for suffix, shortest in (("ingly", 3), ("edly", 3), ("ing", 3), ("ed", 3), ("ment", 4), ("ly", 4)):
        base = word.removesuffix(suffix)
        if base != word and len(base) >= shortest and _VOWEL.search(base):
            word = _undoubled(base)
            break
    if len(word) > 6 and word.endswith(("tion", "sion")):
        word = word[:-3]
    elif len(word) > 4 and word.endswith("e"):
        word = word[:-1]
    return word[:-2] if len(word) > 5 and word.endswith("at") else word


_VOWEL = re.compile("[aeiouy]")


def _singular(word: str) -> str:
    """Fold a plural away."""
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "zes", "ches", "shes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _undoubled(base: str) -> str:
    """Fold the consonant that English doubles before a suffix."""
    return base[:-1] if len(base) > 3 and base[-1] == base[-2] and base[-1] not in "lsz" else base


# -- tokens


def _without_blobs(text: str) -> str:
    """Replace long base64 by a space. A long path has few switches between cases and digits, and stays."""
    if _BLOB.search(text) is None:
        return text
    return _BLOB.sub(lambda m: " " if len(_SWITCH.findall(m[0])) * 3 > len(m[0]) else m[0], text)


def _question_tokens(question: str) -> list[str]:
    """Return a question's different tokens in order, bounded."""
    if len(question) > 2 * MAX_QUESTION:
        question = f"{question[:MAX_QUESTION]} {question[-MAX_QUESTION:]}"
    tokens = list(dict.fromkeys(_TOKEN.findall(_without_blobs(question))))
    if len(tokens) > MAX_QUESTION_WORDS:
        half = MAX_QUESTION_WORDS // 2
        tokens = tokens[:half] + tokens[-half:]
    return [token for token in tokens if _query_forms(token)]


def _subject(question: str) -> list[str]:
    """Return a question's tokens without its stop words, all of them if there is nothing else.

    Only one language's list is used: `war` is a stop word in a German question and a subject in an English
    one. Another language than English needs two of its words, and more than English has.
    """
    tokens = _question_tokens(question)
    words = [_whole(token).replace("'", "") for token in tokens]
    votes = {language: len(stops.intersection(words)) for language, stops in STOP_WORDS.items()}
    best = max(votes, key=lambda language: (votes[language], language == "en"))
    stops = STOP_WORDS[best if votes[best] >= 2 else "en"]
    return [token for token, word in zip(tokens, words, strict=True) if word not in stops] or tokens


@lru_cache(maxsize=4096)
def _whole(token: str) -> str:
    """Return a token's whole form without the dashes of a flag."""
    return fold(token).strip("-_")


# -- forms


class _Form(NamedTuple):
    """A term that stands for a token, and its weight in a question."""

    term: str
    weight: float
    role: Literal["whole", "part", "character"] = "whole"


class _IndexForms(dict[str, str]):
    """Token → its terms, space-joined, worked out once. Bounded: it is emptied when it is full."""

    def __missing__(self, token: str) -> str:
        if len(self) >= _CACHED:
            self.clear()
        terms = " ".join(dict.fromkeys(form.term for form in _forms(token)))
        if len(token) <= MAX_TERM:
            self[token] = terms
        return terms


_INDEX_FORMS = _IndexForms()


@lru_cache(maxsize=4096)
def _query_forms(token: str) -> tuple[tuple[str, float], ...]:
    """Return a question token's terms with weights: without stop words that are only a part of it."""
    found: dict[str, float] = {}
    several = len(_pieces(token)) > 1
    for term, weight, role in _forms(token):
        if several and role == "part" and term in STOP_WORDS["en"]:
            continue
        if role == "character" and _HAN.fullmatch(term) is None:
            continue
        found[term] = max(weight, found.get(term, 0.0))
        if other := _short_form(term):
            found[other] = max(_STEM * (weight if term[0] != "~" else 1.0), found.get(other, 0.0))
    return tuple(found.items())


def _short_form(term: str) -> str:
    """Return the other way a text writes a word of three letters: `run` has no stem there, `runs` has `~run`.

    Empty if there is none.
    """
    word = term.removeprefix("~")
    short = len(word) == _SHORTEST_INFLECTED - 1 and word.isascii() and word.isalpha()
    if not short or word in STOP_WORDS["en"]:
        return ""
    return word if word != term else f"~{word}"


def _forms(token: str) -> list[_Form]:
    """Return a token's terms with their weights in a question. Empty if it has no letter and no digit."""
    if token.isascii():
        return _word_forms(token)
    token = unicodedata.normalize("NFKC", token).translate(_TYPOGRAPHY)
    if _TOKEN.fullmatch(token) is None:  # a compatibility form may bring spaces and signs in
        return [form for inner in _TOKEN.findall(token) for form in _forms(inner)] if token else []
    if _UNSPACED.search(token) is None:
        return _word_forms(token)
    found: list[_Form] = []
    for run in _RUN.findall(token):
        found += _grams(run) if _UNSPACED.match(run) else _word_forms(run)
    return found


def _grams(run: str) -> list[_Form]:
    """Return the characters and the pairs of characters of a run written without spaces."""
    units = _UNIT.findall(fold(run))[:MAX_DISTINCT]
    if len(units) < 2:
        return [_Form(unit, 1.0) for unit in units]
    pairs = [_Form(a + b, 1.0) for a, b in itertools.pairwise(units)]
    return [_Form(unit, _CHARACTER, "character") for unit in units] + pairs


def _pieces(token: str) -> list[str]:
    """Split a token at connectors, case kept."""
    return _PIECE.findall(token)


def _word_forms(token: str) -> list[_Form]:
    """Return the forms of a token of a script with spaces."""
    pieces = _pieces(token)
    if len(token) > _LONGEST_NAME:  # no name: its pieces are words, each once
        return [form for piece in dict.fromkeys(pieces) if len(piece) <= _LONGEST_NAME for form in _word_forms(piece)]
    if not pieces:
        return []
    if len(pieces) == 1 and pieces[0] == token and (token.islower() or token.isupper() or token.istitle()):
        word = fold(token)
        if word.isalpha() and len(word) <= MAX_TERM:  # the usual case, kept short
            return _inflected(word, "whole")
    found = _identifier_forms(token, pieces)
    return [form for form in found if len(form.term) <= MAX_TERM and any(map(str.isalnum, form.term))]


def _identifier_forms(token: str, pieces: list[str]) -> list[_Form]:
    """Return the forms of a token with connectors, digits, mixed case or a sign at its end."""
    whole = fold(token)
    bare = whole.strip("-_")
    found = [_Form(whole, 1.0)] if "'" not in whole else []
    if bare != whole:
        found.append(_Form(bare, _JOINED if found else 1.0))
    if bare.replace(".", "").replace(",", "").replace("-", "").isdigit():
        return found + _number_forms(bare)
    if (version := _VERSION.fullmatch(bare)) is not None:
        return [*found, _Form(bare.removeprefix("v"), _JOINED), _Form(version[1], _PART, "part")]
    words = [fold(piece) for piece in pieces]
    if len(words) > 1 and "." not in whole:
        found.append(_Form("".join(words), 1.0 if "'" in whole else _JOINED))
    for piece, word in zip(pieces, words, strict=True):
        inner = _humps(piece)
        parts = [*([word] if word != bare else []), *(inner if len(inner) > 1 else [])]
        for part in parts:
            if len(part) > 1 or (len(words) > 1 and "'" not in whole) or bare in (f"{part}++", f"{part}#"):
                found += _inflected(part, "part")
    return found


def _number_forms(number: str) -> list[_Form]:
    """Return how else a number with connectors is written: without thousands marks, its year, `1.2` of `1.2.3`."""
    found: list[_Form] = []
    if _THOUSANDS.fullmatch(number):
        found.append(_Form(re.sub("[.,]", "", number), _JOINED))
    elif (version := _VERSION.fullmatch(number)) is not None and version[1] != number:
        found.append(_Form(version[1], _PART, "part"))
    return found + [_Form(part, _PART, "part") for part in re.split("[-.,]", number) if len(part) == 4 != len(number)]


def _humps(piece: str) -> list[str]:
    """Split camelCase and letters from digits, folded. More than six humps are a digest, and are not split."""
    if piece.islower() and piece.isalpha():
        return [piece]
    marked = []
    for i, char in enumerate(piece):
        starts = i and char.isupper() and (not piece[i - 1].isupper() or piece[i + 1 : i + 2].islower())
        marked.append(f" {char}" if starts else char)
    humps = [fold(part) for hump in "".join(marked).split() for part in _LETTERS_DIGITS.findall(hump)]
    return humps if len(humps) <= 6 else []


def _inflected(word: str, role: Literal["whole", "part"]) -> list[_Form]:
    """Return a word with its stem; together they weigh what a word without one does."""
    weight = 1.0 if role == "whole" else _PART
    if len(word) < _SHORTEST_INFLECTED or not word.isascii() or not word.isalpha() or word in STOP_WORDS["en"]:
        return [_Form(word, weight, role)]
    return [_Form(word, weight * _EXACT, role), _Form(f"~{stem(word)}", weight * _STEM, role)]
