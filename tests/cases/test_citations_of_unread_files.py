"""A model may name files that do not exist, that it was not shown, or that are private. None is shown as a source."""

from __future__ import annotations

import pytest
from tests.unit.ask.made import hits_of, ranking, store_of

from askwell.answer import AnswerSettings, stream_answer
from askwell.testing.scripted_generator import ScriptedGenerator
from askwell.testing.specimens import OPEN_REQUEST, PERSONAL, item
from askwell.types import Answer, Delta

SHOWN = item("net/modem.md", "The modem answers at 192.0.2.1.")
OTHER = item("garden.md", "Nothing of the kind.")
PRIVATE = item("private/letters.md", "The modem of an aunt.", class_=PERSONAL)
REPLY = (
    "It answers at 192.0.2.1 [[modem]], before that at 192.0.2.9 [[old-modem]]. {} says the same, as do {} and {}. "
    "See lines [[net/modem#L400]], [[MODEM.md|this note]], [[modem|]] and [[ modem ]]."
)


def answered(reply: str, piece: int) -> tuple[str, Answer]:
    events = list(
        stream_answer(
            "where does the modem answer",
            ranking=ranking("where does the modem answer", hits_of([SHOWN])),
            refused=None,
            store=store_of([SHOWN, OTHER, PRIVATE]),
            visible=OPEN_REQUEST,
            generator=ScriptedGenerator(reply, piece=piece),
            embedder=None,
            settings=AnswerSettings(),
        )
    )
    answer = events[-1]
    assert isinstance(answer, Answer)
    return "".join(event.text for event in events if isinstance(event, Delta)), answer


@pytest.mark.parametrize("piece", [1, 4, 1000])
def test_only_what_was_shown_is_a_source_in_any_spelling(piece: int) -> None:
    text, answer = answered(REPLY.format("[[garden]]", "[[private/letters]]", "[[nowhere/at-all]]"), piece)
    assert answer.text == text
    assert {citation.path for citation in answer.citations} == {"net/modem.md"}
    assert "[[" not in text
    assert text.count("[1]") == 5
    assert "this note [1]" in text
    assert answer.invented == 4
    for name in ("old-modem", "garden", "private/letters", "nowhere/at-all"):
        assert f"{name} (not found)" in text


def test_a_private_file_looks_like_one_that_does_not_exist() -> None:
    names = ("[[garden]]", "[[private/letters]]", "[[private/nothing]]")
    shown = [answered(f"It says so in {name}.", 4) for name in names]
    plain = [text.replace(name[2:-2], "X") for (text, _), name in zip(shown, names, strict=True)]
    assert len(set(plain)) == 1
    assert len({(answer.invented, len(answer.citations)) for _, answer in shown}) == 1
