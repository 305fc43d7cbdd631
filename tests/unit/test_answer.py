from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.ask.made import hits_of, ranking, store_of

from askwell.answer import AnswerSettings, final, stream_answer
from askwell.ask.cleaning import whole_characters
from askwell.errors import ModelRefused, ModelUnavailable, PrivacyError
from askwell.testing.scripted_generator import Script, ScriptedGenerator
from askwell.testing.specimens import FULL_REQUEST, OPEN_REQUEST, PERSONAL, item
from askwell.types import Abstention, Answer, Checked, Delta, Event, Filter, Ranking, Support

if TYPE_CHECKING:
    from collections.abc import Iterator

    from askwell.ports import Finish

PORTS = item("net/ports.md", "The exporter listens on port 9117.\n\nThe panel listens on port 8083.")
MOVER = item("mover.md", "The mover starts at 03:30 every night.")
DIARY = item("diary.md", "The exporter password is on the port side.", class_=PERSONAL)
ITEMS = [PORTS, MOVER]
QUESTION = "which port does the exporter listen on"
SETTINGS = AnswerSettings()


def events(
    script: ScriptedGenerator | None,
    *,
    question: str = QUESTION,
    refused: str | None = None,
    found: Ranking | None = None,
    visible: Filter = FULL_REQUEST,
    settings: AnswerSettings = SETTINGS,
) -> Iterator[Event]:
    return stream_answer(
        question,
        ranking=ranking(question, hits_of(ITEMS)) if found is None else found,
        refused=refused,
        store=store_of([*ITEMS, DIARY]),
        visible=visible,
        generator=script,
        embedder=None,
        settings=settings,
        draw=lambda: "t0k3n",
    )


def drained(stream: Iterator[Event]) -> tuple[str, Answer | Abstention]:
    seen = list(stream)
    assert all(isinstance(event, Delta | Checked) for event in seen[:-1])
    last = seen[-1]
    assert isinstance(last, (Answer, Abstention))
    return "".join(event.text for event in seen[:-1] if isinstance(event, Delta)), last


@pytest.mark.parametrize("size", [1, 2, 3, 5, 100])
def test_what_is_streamed_is_the_answer_without_invented_markers(size: int) -> None:
    script = ScriptedGenerator("The exporter listens on port 9117 [1]. It was 80 [12] before [2].", piece=size)
    text, answer = drained(events(script))
    assert text == "The exporter listens on port 9117 [1]. It was 80 before [2]."
    assert isinstance(answer, Answer)
    assert answer.text == text
    assert answer.invented == 1
    assert [(c.marker, c.path) for c in answer.citations] == [(1, "net/ports.md"), (2, "mover.md")]
    assert [s.support for s in answer.sentences] == [Support.SUPPORTED, Support.UNSUPPORTED]
    assert answer.citations[0].quote == "The exporter listens on port 9117."
    assert answer.usage.prompt_tokens > 7
    assert script.completions[0].closed


def test_documents_cited_by_name_count_only_if_they_were_shown() -> None:
    reply = (
        "It is 9117 [[ports]]. It was 80 [[ancient]]. Also [[mover.md|this]], [[diary]] and [[private/diary]]; "
        "see [[net/ports#L900]] and [[ ports ]] and [[PORTS|]]."
    )
    text, answer = drained(events(ScriptedGenerator(reply), visible=OPEN_REQUEST))
    assert isinstance(answer, Answer)
    assert text == (
        "It is 9117 [1]. It was 80 ancient (not found). Also this [2], diary (not found) and "
        "private/diary (not found); see [1] and [1] and [1]."
    )
    assert answer.invented == 3
    assert {c.path for c in answer.citations} == {"net/ports.md", "mover.md"}


def test_the_gate_decides_before_any_model() -> None:
    script = ScriptedGenerator("never said")
    text, outcome = drained(events(script, refused="best cosine is low", question="how tall is a giraffe"))
    assert isinstance(outcome, Abstention)
    assert (text, outcome.by, outcome.reason) == ("", "gate", "best cosine is low")
    assert outcome.text == "I have nothing on that in the indexed documents."
    assert outcome.nearest
    assert 2 <= len(outcome.suggestions) <= 3
    assert script.asked == []


def test_without_hits_nothing_is_asked_of_a_model() -> None:
    script = ScriptedGenerator("never said")
    _, outcome = drained(events(script, found=ranking(QUESTION, ())))
    assert isinstance(outcome, Abstention)
    assert script.asked == []
    assert outcome.suggestions


@pytest.mark.parametrize("size", [1, 4, 100])
def test_a_model_abstains_on_the_control_line(size: int) -> None:
    script = ScriptedGenerator("NO_ANSWER: no height is given\nBut giraffes are tall [1].", piece=size)
    text, outcome = drained(events(script))
    assert isinstance(outcome, Abstention)
    assert (text, outcome.by, outcome.reason) == ("", "model", "no height is given")
    assert script.completions[0].closed


def test_prose_that_declines_is_an_answer_and_is_marked() -> None:
    _, outcome = drained(events(ScriptedGenerator("I am sorry, I cannot help with giraffes.")))
    assert isinstance(outcome, Answer)
    assert [s.support for s in outcome.sentences] == [Support.UNSUPPORTED]


def test_without_a_model_the_answer_is_verbatim() -> None:
    text, answer = drained(events(None))
    assert isinstance(answer, Answer)
    assert answer.text == text
    assert text.startswith("The exporter listens on port 9117.")
    assert answer.invented == 0
    assert all(s.support is Support.SUPPORTED for s in answer.sentences)
    assert all(c.quote in PORTS[0].text or c.quote in MOVER[0].text for c in answer.citations)


def test_without_a_model_and_without_a_word_in_common_it_abstains() -> None:
    _, outcome = drained(events(None, question="quantum chromodynamics"))
    assert isinstance(outcome, Abstention)
    assert outcome.by == "gate"


def test_closing_the_stream_cancels_the_model() -> None:
    script = ScriptedGenerator(Script(pieces=("The port ", "is ", "9117 ", "[1].")))
    stream = events(script)
    assert isinstance(next(stream), Delta)
    assert not script.completions[0].closed
    stream.close()  # type: ignore[attr-defined]  # a generator, as every stream is
    assert script.completions[0].closed


def test_the_first_words_are_shown_at_once() -> None:
    script = ScriptedGenerator(Script(pieces=("The", " port", " is 9117 [1].")))
    assert next(events(script)) == Delta("The")


def test_a_model_that_cannot_be_reached_fails_before_anything_is_shown() -> None:
    script = ScriptedGenerator(Script(pieces=(), fails=ModelUnavailable("connection refused")))
    with pytest.raises(ModelUnavailable):
        next(events(script))
    assert script.completions[0].closed


def test_a_model_that_breaks_off_is_no_answer() -> None:
    script = ScriptedGenerator(Script(pieces=("The port is ",), fails=ModelUnavailable("broke off")))
    stream = events(script)
    assert isinstance(next(stream), Delta)
    with pytest.raises(ModelUnavailable):
        list(stream)
    assert script.completions[0].closed


@pytest.mark.parametrize("reply", ["[1] [2]", "[99]", "**", "[[ports]]"])
def test_a_reply_that_says_nothing_is_a_fault_of_the_model(reply: str) -> None:
    with pytest.raises(ModelRefused, match="empty"):
        list(events(ScriptedGenerator(reply)))


def test_a_reply_that_repeats_its_instructions_is_a_fault_of_the_model() -> None:
    first = ScriptedGenerator("x")
    list(events(first))
    with pytest.raises(ModelRefused, match="instructions"):
        list(events(ScriptedGenerator(first.asked[0][0].content)))


def test_a_reply_without_end_is_cut_and_says_so() -> None:
    script = ScriptedGenerator("port 9117 [1]. " * 10_000)
    text, answer = drained(events(script, settings=AnswerSettings(max_chars=500)))
    assert isinstance(answer, Answer)
    assert answer.text == text
    assert "cut off" in text
    assert len(text) < 700
    assert script.completions[0].closed


@pytest.mark.parametrize("finish", ["length", "filtered"])
def test_a_reply_that_the_server_ended_says_so(finish: Finish) -> None:
    text, answer = drained(events(ScriptedGenerator(Script(pieces=("The port is 9117 [1]",), finish=finish))))
    assert isinstance(answer, Answer)
    assert text.startswith("The port is 9117 [1]\n\n(")


def test_markers_in_code_are_code() -> None:
    reply = "Run it [1]:\n```sh\necho ${a[1]} [7]\n```\nor `b[2]`."
    text, answer = drained(events(ScriptedGenerator(reply, piece=2)))
    assert isinstance(answer, Answer)
    assert text == reply
    assert answer.invented == 0
    assert {c.marker for c in answer.citations} == {1}


def test_halves_of_a_character_are_joined() -> None:
    assert "".join(whole_characters(iter(["a\ud83d", "\ude00b", "\ud83d"]))) == "a😀b\ufffd"
    text, _ = drained(events(ScriptedGenerator(Script(pieces=("It is \ud83d", "\ude00 [1]\udc00")))))
    assert text == "It is 😀 [1]\ufffd"


def test_personal_passages_never_go_to_a_model_that_is_not_local() -> None:
    found = ranking(QUESTION, hits_of([DIARY, PORTS]))
    cloud = ScriptedGenerator("It is so.", trust="cloud")
    with pytest.raises(PrivacyError):
        list(events(cloud, found=found))
    assert cloud.asked == []
    list(events(cloud, found=found, settings=AnswerSettings(allow_cloud=True)))
    list(events(ScriptedGenerator("It is so."), found=found))
    assert len(cloud.asked) == 1


def test_a_stream_without_outcome_is_a_fault() -> None:
    with pytest.raises(RuntimeError):
        final(iter([Delta("x")]))
    assert isinstance(final(events(None)), Answer)


@given(st.text(alphabet="a9 [1]2.\n`[]~#-【】(:", max_size=80), st.integers(1, 9))
def test_deltas_concatenate_to_the_answer(reply: str, size: int) -> None:
    try:
        text, answer = drained(events(ScriptedGenerator("So " + reply, piece=size)))
    except ModelRefused:
        return
    assert isinstance(answer, Answer)
    assert answer.text == text
    for citation in answer.citations:
        source = PORTS if citation.path == "net/ports.md" else MOVER
        lines = source[0].text.split("\n")[citation.lines.first - 1 : citation.lines.last]
        assert citation.quote in "\n".join(lines)
