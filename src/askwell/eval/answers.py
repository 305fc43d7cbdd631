"""Score what answers cite: do markers resolve, are they of the right documents, do the lines carry the claim."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from askwell.eval.run import full_name
from askwell.types import Abstention, Answer, Support

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from askwell.eval.questions import Question
    from askwell.types import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class CitationFigures:
    """Shares over all citations and sentences of the answers to a set; None where there were none.

    Attributes:
        answers: Questions that were answered.
        resolved: Markers that a passage carries.
        correct: Citations of a document that answers the question; of answerable questions alone.
        supported: Sentences that the lines they cite carry.
    """

    answers: int
    resolved: float | None
    correct: float | None
    supported: float | None

    @property
    def figures(self) -> Mapping[str, float | None]:
        """The numbers by name, for a table."""
        return {
            "answers": float(self.answers),
            "resolved": self.resolved,
            "correct": self.correct,
            "supported": self.supported,
        }

    def as_json(self) -> dict[str, object]:
        """Return the shared shape."""
        return {
            "answers": self.answers,
            "resolved": self.resolved,
            "correct": self.correct,
            "supported": self.supported,
        }


def cited(questions: Sequence[Question], ask: Callable[[str], Iterable[Event]]) -> CitationFigures:
    """Ask every question and score what the answers cite.

    Source: citation precision as in Gao et al., "Enabling Large Language Models to Generate Text with Citations", EMNLP
    2023, section 3. Deviation: a citation is judged by its document against the gold documents, a sentence by the
    support that the answer itself was given.
    """
    answers = 0
    resolved: list[bool] = []
    correct: list[bool] = []
    supported: list[bool] = []
    for question in questions:
        answer = _answer(ask(question.question))
        if answer is None:
            continue
        answers += 1
        resolved += [True] * len(answer.citations) + [False] * answer.invented
        supported += [sentence.support is Support.SUPPORTED for sentence in answer.sentences]
        if question.answerable:
            right = question.named if not question.grades else frozenset(question.gold_docs)
            correct += [one.path in right or full_name(one.source, one.path) in right for one in answer.citations]
    return CitationFigures(
        answers=answers, resolved=_share(resolved), correct=_share(correct), supported=_share(supported)
    )


def mean(sets: Sequence[CitationFigures]) -> CitationFigures:
    """Return the mean of each share over the sets that have it, and the sum of the answers."""

    def over(values: Sequence[float | None]) -> float | None:
        measured = [value for value in values if value is not None]
        return sum(measured) / len(measured) if measured else None

    return CitationFigures(
        answers=sum(one.answers for one in sets),
        resolved=over([one.resolved for one in sets]),
        correct=over([one.correct for one in sets]),
        supported=over([one.supported for one in sets]),
    )


def _answer(events: Iterable[Event]) -> Answer | None:
    outcome: Answer | None = None
    for event in events:
        match event:
            case Answer():
                outcome = event
            case Abstention():
                return None
    return outcome


def _share(values: Sequence[bool]) -> float | None:
    return sum(values) / len(values) if values else None
