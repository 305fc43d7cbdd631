"""Fits the gate's cuts to one index, on questions drawn from it and on questions that it cannot answer.

documents ─▶ drawn (words of a heading and its text, reordered, one left out)       must be answered
             drawn with its rarest word exchanged for one that the index lacks       must not: near misses
foreign questions                                                                    must not: off topic
           ─▶ signals of each ─▶ cuts by half of them ─▶ judged by the other half
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

from askwell.engine import Request
from askwell.eval.foreign import OFF_TOPIC, STRANGERS
from askwell.privacy import audience
from askwell.rank.gate import uncovered
from askwell.rank.language import language_of
from askwell.terms import content_words, forms, is_stop_word
from askwell.types import Filter

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from askwell.engine import Engine
    from askwell.ports import Progress, Store
    from askwell.rank.gate import Calibration
    from askwell.types import Signals

Kind: TypeAlias = Literal["answerable", "off-topic", "near miss"]

FEWEST = 40
"""Documents under which nothing is fitted: a rate of 2 % cannot be told from chance by a few questions."""

MOST = 120
"""Questions of a kind: each costs a search."""

_NEAR = 0.06  # a fitted cosine is at most this far from the shipped one: drawn questions are easier than people's
_ASIDE = 0.02  # by how much the loss must fall on questions that were not fitted on

_FORMS = {
    "en": ("how does {} work", "what is {}", "where is {}", "{}", "why {}", "which {}"),
    "de": ("wie funktioniert {}", "was ist {}", "wo steht {}", "{}", "warum {}", "welche {}"),
    "sv": ("hur fungerar {}", "vad är {}", "var finns {}", "{}", "varför {}", "vilken {}"),
    "tr": ("{} nasıl çalışır", "{} nedir", "{} nerede", "{}", "neden {}", "hangi {}"),
}


@dataclass(frozen=True, slots=True)
class Asked:
    """One question's evidence; its words are not kept."""

    kind: Kind
    signals: Signals


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """What a calibration does to questions that it was not fitted on: shares, and how many each is of."""

    off_topic: float  # answered
    refused: float  # answerable ones
    near_miss: float  # answered
    counts: tuple[int, int, int]  # of the three

    @property
    def loss(self) -> float:
        """What fitting makes small: both error rates, fivefold over their targets of 2 % and 5 %; near misses a bit."""
        over = max(0.0, self.off_topic - 0.02) + max(0.0, self.refused - 0.05)
        return self.off_topic + self.refused + 4 * over + 0.2 * self.near_miss


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """What came of it. `chosen` is `shipped` where nothing better was found."""

    shipped: Calibration
    chosen: Calibration
    before: Rates
    after: Rates
    curve: tuple[tuple[float, float, float, float], ...]  # least cosine, then the three rates, all questions


def asked_of(engine: Engine, *, seed: int = 7, progress: Progress | None = None) -> list[Asked]:
    """Return the evidence of drawn, altered and foreign questions; empty if the index is too small.

    Args:
        engine: Over the index, with all of its owner's documents.
        seed: Of the draw.
        progress: Told after each question.
    """
    dice = random.Random(seed)  # noqa: S311 - a draw that can be repeated
    everyone = audience(include_personal=True)
    visible = engine.admitted(everyone)
    documents = list(engine.documents(audience=everyone))
    if len(documents) < FEWEST:
        return []
    questions: list[tuple[Kind, str]] = [("off-topic", question) for question in OFF_TOPIC]
    for words, language in _drawn(engine, documents, dice, visible):
        if sum(kind == "answerable" for kind, _ in questions) >= MOST:
            break
        form = dice.choice(_FORMS.get(language, _FORMS["en"]))
        questions.append(("answerable", form.format(" ".join(words))))
        if stranger := _stranger(engine.store, dice, visible):
            rarest = _rarest(engine.store, words, visible)
            questions.append(("near miss", form.format(" ".join(stranger if w == rarest else w for w in words))))
    found = []
    for n, (kind, question) in enumerate(questions, start=1):
        ranking = engine.search(Request(question=question, audience=everyone))
        found.append(Asked(kind, ranking.signals))
        if progress is not None:
            progress("asking", n, len(questions))
    return found


def fit(asked: Sequence[Asked], shipped: Calibration) -> Fit:
    """Return the best cuts near the shipped ones, judged on the half of the questions that they were not chosen by."""
    own, others = asked[::2], asked[1::2]
    best = min(
        _candidates(shipped), key=lambda cuts: (rates(own, cuts).loss, abs(cuts.min_cosine - shipped.min_cosine))
    )
    before, after = rates(others, shipped), rates(others, best)
    kept = best if after.loss < before.loss - _ASIDE else shipped
    steps = [shipped.min_cosine + step / 50 for step in range(-8, 11)]
    curve = tuple(
        (cosine, one.off_topic, one.refused, one.near_miss)
        for cosine in steps
        for one in [
            rates(asked, _moved(shipped, cosine, shipped.sure_cosine - shipped.min_cosine, shipped.min_coverage))
        ]
    )
    return Fit(shipped=shipped, chosen=kept, before=before, after=rates(others, kept), curve=curve)


def rates(asked: Iterable[Asked], calibration: Calibration) -> Rates:
    """Return what a calibration does to these questions."""
    verdicts: dict[Kind, list[bool]] = {"off-topic": [], "answerable": [], "near miss": []}
    for one in asked:
        verdicts[one.kind].append(uncovered(one.signals, calibration, space=calibration.space) is None)
    off, good, near = verdicts["off-topic"], verdicts["answerable"], verdicts["near miss"]
    return Rates(
        off_topic=_share(off),
        refused=1 - _share(good) if good else 0.0,
        near_miss=_share(near),
        counts=(len(off), len(good), len(near)),
    )


def interval(share: float, count: int) -> tuple[float, float]:
    """Return the 95 % interval of a share.

    Source: Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927); z = 1.96.
    """
    if not count:
        return 0.0, 1.0
    z = 1.96
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count)) / (1 + z * z / count)
    return max(0.0, middle - half), min(1.0, middle + half)


def _candidates(shipped: Calibration) -> Iterator[Calibration]:
    for step in range(-3, 4):
        for gap in (0.04, 0.08, 0.12, 0.16):
            for coverage in (0.34, shipped.min_coverage):  # people paraphrase more than a draw does: never stricter
                yield _moved(shipped, shipped.min_cosine + step * _NEAR / 3, gap, coverage)
    yield shipped


def _moved(shipped: Calibration, cosine: float, gap: float, coverage: float) -> Calibration:
    return replace(
        shipped, min_cosine=cosine, sure_cosine=cosine + gap, min_coverage=coverage, lexical_coverage=coverage
    )


def _drawn(
    engine: Engine, documents: Sequence[object], dice: random.Random, visible: Filter
) -> Iterator[tuple[list[str], str]]:
    """Yield the words of questions: of a heading and of the text below it, reordered, with one left out."""
    infos = list(documents)
    dice.shuffle(infos)
    for info in infos * 2:
        chunks = engine.store.document_chunks(info.id, visible=visible)  # type: ignore[attr-defined]  # a DocumentInfo
        if not chunks:
            continue
        chunk = dice.choice(list(chunks))
        language = language_of(chunk.text) or "en"
        said = [w for w in content_words(chunk.text[:1500]) if _usable(w, language)]
        above = [w for w in content_words(" ".join(chunk.headings[-1:])) if _usable(w, language)][:2]
        if len(set(said)) < 6:
            continue
        words = list(dict.fromkeys([*above, *dice.sample(said, 3)]))
        dice.shuffle(words)
        yield words[: max(2, len(words) - 1)], language


def _usable(word: str, language: str) -> bool:
    return word.isalpha() and 3 < len(word) < 20 and not is_stop_word(word, language=language)


def _stranger(store: Store, dice: random.Random, visible: Filter) -> str:
    word = dice.choice(STRANGERS)
    counts, _ = store.frequencies(frozenset(forms(word)), visible=Filter(classes=visible.classes))
    return "" if any(counts.values()) else word


def _rarest(store: Store, words: Sequence[str], visible: Filter) -> str:
    counts, _ = store.frequencies(
        frozenset(term for word in words for term in forms(word)), visible=Filter(classes=visible.classes)
    )
    return min(words, key=lambda word: max((counts.get(term, 0) for term in forms(word)), default=0))


def _share(verdicts: Sequence[bool]) -> float:
    return sum(verdicts) / len(verdicts) if verdicts else 0.0
