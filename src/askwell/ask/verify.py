"""What of an answer its passages carry: each sentence judged as soon as it is complete, each marker resolved to lines.

text, marker by marker ─▶ sentence complete? ─▶ judged by what it cites ─▶ Checked
                                                 │ nothing carries it
                                                 └▶ another passage does? ─▶ its marker is put there instead
"""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from askwell.ask.claims import MARKER, claims, claims_nothing
from askwell.ask.judging import ORDER, claim_of, judge, judge_code
from askwell.ask.markers import Placed
from askwell.ask.reading import read
from askwell.types import Checked, Citation, Delta, Sentence, Support

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from askwell.ask.claims import Said
    from askwell.ask.judging import Judged, Similarity
    from askwell.ask.reading import Reading
    from askwell.types import Passage

Unsupported = Literal["mark", "remove", "abstain"]
"""What becomes of a sentence that nothing carries: shown and marked, left out, or no answer at all."""

_HELD = 600
"""Characters behind a marker that are held back until their sentence is complete; then its markers stay as given."""

_LONGEST_PENDING = 6_000
"""Characters of a sentence without end after which what was given of it counts as one."""

_ENDS = re.compile(r"[.!?…。！？｡|\n]")
_BLANK = re.compile(r"\s")


@dataclass(frozen=True, slots=True)
class Verified:
    """An answer's citations in reading order and its sentences with their support."""

    text: str
    citations: tuple[Citation, ...]
    sentences: tuple[Sentence, ...]


def verify(
    text: str, placed: Sequence[Placed], passages: Sequence[Passage], *, similarity: Similarity | None = None
) -> Verified:
    """Return what of `text` the passages carry.

    Args:
        text: The answer.
        placed: Its citations, as `ask.markers` found them, in order.
        passages: What the model was shown.
        similarity: Gives the cosine of a sentence to each text; None judges by words alone.

    Returns:
        The text with markers that carry nothing replaced, and one citation for each marker and place it leads to, the
        best supported of those that coincide. Quotations are verbatim text of the passage at the lines given.
    """
    checker = Checker(passages, similarity=similarity)
    events = [*checker.feed(text, placed), *checker.finish()]
    shown = "".join(event.text for event in events if isinstance(event, Delta))
    return Verified(shown, checker.citations, tuple(checker.sentences))


class Checker:
    """Takes an answer piece by piece and gives it out with a verdict behind each sentence.

    Where `unsupported` is "mark", text is given out at once; only what follows a marker is held until its sentence is
    complete, so that the marker can be replaced. Where it is "remove", sentences are given out whole, if they are
    carried. Where it is "abstain", nothing is given out before the end.

    The pieces may be cut anywhere: what is judged, and how, does not depend on it.
    """

    def __init__(
        self, passages: Sequence[Passage], *, similarity: Similarity | None = None, unsupported: Unsupported = "mark"
    ) -> None:
        self.sentences: list[Sentence] = []
        self.removed = 0
        self.failed = False  # whether a sentence was unsupported
        self._passages = {passage.marker: passage for passage in passages}
        self._similarity = similarity
        self._mode = unsupported
        self._readings: dict[int, Reading] = {}
        self._citations: dict[tuple[int, int, int], Citation] = {}
        self._text = ""  # what is not judged yet
        self._offset = 0  # where it begins in all that was taken
        self._given = 0  # characters of it that were given out
        self._kept: list[str] = []  # what is given out at the end, where nothing is before
        self._placed: deque[Placed] = deque()  # markers in it, by their place in all that was taken
        self._next = 0  # where in it to look again for an end
        self._seen = 0  # how far it was looked at
        self._blank = True  # whether what was given out last ends a line

    @property
    def whole(self) -> bool:
        """Whether one unsupported sentence leaves nothing to be shown."""
        return self._mode == "abstain"

    @property
    def citations(self) -> tuple[Citation, ...]:
        """One for each marker and the lines it leads to, in the order of the sentences so far."""
        return tuple(self._citations.values())

    def feed(self, text: str, placed: Sequence[Placed] = ()) -> Iterator[Delta | Checked]:
        """Take the next piece, and the markers that are placed in it; yield what may be shown now, and verdicts."""
        self._text += text
        self._placed.extend(placed)
        while (blank := _BLANK.search(self._text, self._seen)) is not None:
            self._seen = blank.end()
            if self._seen > self._next and _ENDS.search(self._text, 0, self._seen):
                self._next = self._seen * 9 // 8
                yield from self._settle(self._seen, final=False)
        self._seen = len(self._text)
        if self._mode == "mark":
            yield from self._out(self._text[self._given : self._limit()])
            self._given = max(self._given, self._limit())

    def finish(self) -> Iterator[Delta | Checked]:
        """Judge and give out the rest."""
        yield from self._settle(len(self._text), final=True)
        rest = self._text[self._given :]
        self._given = len(self._text)
        if self._mode == "mark" or rest.strip():
            yield from self._out(rest)
        if self._mode == "abstain" and not self.failed and (kept := "".join(self._kept)):
            yield Delta(kept)

    def _limit(self) -> int:
        """Return where the pending text must be held back: at the first marker that stands behind a word."""
        for marker in self._placed:
            at = marker.start - self._offset
            if len(self._text) - at > _HELD:
                continue
            if at >= self._given and any(map(str.isalnum, MARKER.sub("", self._text[:at]))):
                return at
        return len(self._text)

    def _settle(self, upto: int, *, final: bool) -> Iterator[Delta | Checked]:
        """Judge the sentences that are complete in the first `upto` characters of what is pending."""
        local = [
            Placed(one.marker, one.start - self._offset, one.end - self._offset)
            for one in self._placed
            if one.start - self._offset < upto
        ]
        found = claims(self._text[:upto], local)
        if not final and upto < _LONGEST_PENDING:
            found = found[:-1]
        for said in found:
            sentence, removed = self._judged(said, held=upto)
            self.sentences.append(sentence)
            self.failed = self.failed or sentence.support is Support.UNSUPPORTED
            between = self._text[self._given : said.span.start]
            if removed and self._blank:
                between = between.lstrip("\n")
            yield from self._out(between)
            start = max(self._given, said.span.start)
            if removed:
                self.removed += 1
            else:
                shown = _rewritten(
                    self._text, start, said.end, said.markers, replaced=sentence.replaced, by=sentence.markers
                )
                yield from self._out(shown)
            self._given = max(start, said.end)
            yield Checked(sentence, removed)
        if found and not final:
            self._drop(self._given)

    def _drop(self, upto: int) -> None:
        self._text = self._text[upto:]
        self._offset += upto
        self._given = 0
        self._seen = max(0, self._seen - upto)
        self._next = 0
        while self._placed and self._placed[0].start < self._offset:
            self._placed.popleft()

    def _out(self, text: str) -> Iterator[Delta]:
        if not text:
            return
        self._blank = text.endswith("\n")
        if self._mode == "abstain":
            self._kept.append(text)
        else:
            yield Delta(text)

    def _judged(self, said: Said, *, held: int) -> tuple[Sentence, bool]:
        """Return a sentence with its verdict, and whether it is left out; note its citations."""
        text = said.span.slice(self._text)
        claim = MARKER.sub("", text).strip()
        given = dict.fromkeys(mark.marker for mark in said.markers)
        cited = [self._read(marker) for marker in given if marker in self._passages]
        support, why, judged = self._verdict(claim, said, cited or [self._read(marker) for marker in self._passages])
        replaced: tuple[int, ...] = ()
        markers = tuple(one.passage.marker for one in cited)
        first = next((mark.start for mark in said.markers), -1)
        if support is Support.UNSUPPORTED and cited and self._given <= first and held - first <= _HELD:
            others = [self._read(marker) for marker in self._passages if marker not in given]
            better = [(one, self._verdict(claim, said, [one])) for one in others]
            carrying = [(one, verdict) for one, verdict in better if verdict[0] is Support.SUPPORTED]
            if carrying:
                one, (support, why, judged) = max(carrying, key=lambda item: item[1][2][0].score)
                replaced, markers = markers, (one.passage.marker,)
        if support is Support.UNSUPPORTED and (nothing := claims_nothing(claim)):
            support, why = Support.WEAK, nothing
        if not cited and support is Support.SUPPORTED:
            support, why = Support.WEAK, "cites nothing: nobody can open what it rests on"
        places = self._places(support, judged, cited=bool(cited))
        for place in places if cited else ():
            key = (place.marker, place.lines.first, place.lines.last)
            if key not in self._citations or ORDER[place.support] > ORDER[self._citations[key].support]:
                self._citations[key] = place
        sentence = Sentence(
            text=_rewritten(self._text, said.span.start, said.span.end, said.markers, replaced=replaced, by=markers),
            support=support,
            markers=markers,
            places=places,
            replaced=replaced,
            why="" if support is Support.SUPPORTED else why,
        )
        return sentence, self._mode == "remove" and support is Support.UNSUPPORTED

    def _read(self, marker: int) -> Reading:
        if marker not in self._readings:
            self._readings[marker] = read(self._passages[marker])
        return self._readings[marker]

    def _verdict(self, claim: str, said: Said, readings: Sequence[Reading]) -> tuple[Support, str, list[Judged]]:
        if said.role == "fence":
            return judge_code(claim, readings)
        return judge(claim_of(claim), readings, self._similarity)

    def _places(self, support: Support, judged: Sequence[Judged], *, cited: bool) -> tuple[Citation, ...]:
        """Return the lines of each judgement as a citation; of a sentence that cites nothing the best ones."""
        ranked = sorted(judged, key=lambda one: (ORDER[one.support], one.score), reverse=True)
        return tuple(
            Citation(
                marker=one.marker,
                source=self._passages[one.marker].source,
                path=self._passages[one.marker].path,
                lines=one.lines,
                quote=one.quote,
                support=_support_of(one.support, support, several=len(judged) > 1),
                kind=self._passages[one.marker].kind,
            )
            for one in (judged if cited else ranked[:1])
        )


def _support_of(own: Support, sentence: Support, *, several: bool) -> Support:
    """Return a place's support: of several each may carry a part, so what carries something is weak at least."""
    if not several:
        return sentence
    return min(own, sentence, key=ORDER.__getitem__) if sentence is Support.UNSUPPORTED else own


def _rewritten(
    text: str, start: int, end: int, markers: Sequence[Placed], *, replaced: Sequence[int], by: Sequence[int]
) -> str:
    """Return ``text[start:end]`` with the first of its markers in place of all, if they are replaced."""
    if not replaced:
        return text[start:end]
    shown: list[str] = []
    at = start
    for n, mark in enumerate(mark for mark in markers if start <= mark.start < end):
        shown.append(text[at : mark.start] if not n else text[at : mark.start].rstrip(" \t"))
        shown += [f"[{by[0]}]"] if not n else []
        at = mark.end
    return "".join(shown) + text[at:end]
