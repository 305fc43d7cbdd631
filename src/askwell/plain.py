"""Answers from no document: the profiles that converse and that draft. What they say cites nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from askwell.ask.cleaning import Cleaned, whole_characters
from askwell.ask.history import as_messages
from askwell.ask.persona import cut_off, voice
from askwell.ask.profiles import Capability
from askwell.errors import ModelRefused
from askwell.ports import Message
from askwell.reply import CUT
from askwell.types import Answer, Delta, Ranking, Signals

if TYPE_CHECKING:
    from collections.abc import Generator as TextStream
    from collections.abc import Iterator, Sequence

    from askwell.answer import AnswerSettings
    from askwell.ask.profiles import ProfileRules
    from askwell.ports import Generation, Generator
    from askwell.types import Event, Finding, Turn


def plain_messages(
    question: str, *, rules: ProfileRules, turns: Sequence[Turn], settings: AnswerSettings
) -> list[Message]:
    """Return what a model is sent: the profile's contract, earlier turns, the question."""
    system = rules.contract + voice(settings.persona, settings.name)
    return [Message("system", system), *as_messages(turns), Message("user", question.strip())]


def stream_plain(
    question: str, *, rules: ProfileRules, turns: Sequence[Turn], generator: Generator, settings: AnswerSettings
) -> TextStream[Event, None, None]:
    """Yield text as the model writes it, then one `Answer` without citations. Closing the iterator cancels the model.

    Raises:
        ModelUnavailable: the model cannot be reached, or broke off.
        ModelRefused: the model said nothing, or gave back its instructions.
    """
    prompt = plain_messages(question, rules=rules, turns=turns, settings=settings)
    cleaned = Cleaned(prompt, question=question, most=settings.max_chars)
    generation = generator.stream(prompt)
    shown: list[str] = []
    try:
        for text in _readable(generation, cleaned):
            text = text if shown else text.lstrip()
            if text:
                shown.append(text)
                yield Delta(text)
        usage = generation.usage
        cut = cleaned.cut or CUT[generation.finish]
    finally:
        generation.close()
    if cleaned.echo_alone:
        raise ModelRefused(
            "the model gave back its instructions instead of an answer",
            hint="set `models.generation` to a model that follows instructions",
        )
    if not shown:
        raise ModelRefused(
            "the model returned an empty answer", hint="ask again, or set `models.generation` to another model"
        )
    if cut:
        shown.append(f"\n\n{cut_off(question, cut)}")
        yield Delta(shown[-1])
    found: tuple[Finding, ...] = ()
    blocks = 0
    if Capability.OUTPUT_SCAN in rules.capabilities:
        from askwell.ask.destructive import scan_answer, summary  # a grammar, for the profile that drafts alone

        found, blocks = scan_answer("".join(shown))
        if said := summary(found, blocks=blocks):
            shown.append(f"\n\n{said}")
            yield Delta(shown[-1])
    nothing = Signals(best_cosine=None, cosine_margin=None, rare_coverage=0.0, rare_missing=(), agreement=0.0)
    yield Answer(
        text="".join(shown),
        citations=(),
        sentences=(),
        invented=0,
        ranking=Ranking(question=question, hits=(), signals=nothing),
        usage=usage,
        scanned=blocks,
        destructive=found,
    )


def _readable(generation: Generation, cleaned: Cleaned) -> Iterator[str]:
    """Yield text that may be shown, until the completion ends or has to be ended."""
    for piece in whole_characters(iter(generation)):
        yield cleaned.feed(piece)
        if cleaned.cut:
            break
    rest = cleaned.finish()
    yield rest
