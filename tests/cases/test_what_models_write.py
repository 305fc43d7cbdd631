"""Whatever a model writes, or fails to write, ends in an answer, an abstention or an error that says what to do."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from tests.adapters.command import WORDS_ONLY, Askwell
from tests.unit.ask.made import hits_of, ranking, store_of
from tests.unit.sources.make import write

from askwell.answer import AnswerSettings, stream_answer
from askwell.ask.profiles import PROFILES
from askwell.errors import AskwellError, ModelRefused, ModelUnavailable
from askwell.plain import stream_plain
from askwell.testing.fake_openai import DONE, FakeOpenAI, Reply, finished
from askwell.testing.scripted_generator import Script, ScriptedGenerator
from askwell.testing.specimens import FULL_REQUEST, item
from askwell.types import Abstention, Answer, Checked, Delta, Profile, Support

if TYPE_CHECKING:
    from pathlib import Path

    from askwell.types import Event

VALVE = item("valve.md", "The valve closes at 2.5 bar.\n\nThe valve was changed in May.")
QUESTION = "when does the valve close"


def told(script: ScriptedGenerator, *, most: int = 20_000) -> tuple[str, Event | AskwellError]:
    """Return what was shown of an answer, and how it ended."""
    shown: list[str] = []
    last: Event | None = None
    events = stream_answer(
        QUESTION,
        ranking=ranking(QUESTION, hits_of([VALVE])),
        refused=None,
        store=store_of([VALVE]),
        visible=FULL_REQUEST,
        generator=script,
        embedder=None,
        settings=AnswerSettings(max_chars=most),
    )
    try:
        for last in events:
            if isinstance(last, Delta):
                shown.append(last.text)
    except AskwellError as error:
        return "".join(shown), error
    assert last is not None
    return "".join(shown), last


def words(count: int) -> str:
    return " ".join(f"word{n}" for n in range(count))


SAYS_NOTHING = {
    "markers alone": "[1] [1][2]\n[1]",
    "markers in a code block": "```\n[1]\n```\n",
    "markers that nobody gave": "[7][8]",
    "a link alone": "[[valve]]",
    "signs": "** -- ##",
    "what nobody sees": "\u200b\U000e0041\x1b[31m\x1b[0m\x07",
}


@pytest.mark.parametrize("size", [1, 4, 1_000])
@pytest.mark.parametrize("name", SAYS_NOTHING)
def test_a_reply_without_a_word_is_an_error_with_a_next_step(name: str, size: int) -> None:
    shown, end = told(ScriptedGenerator(SAYS_NOTHING[name], piece=size))
    assert isinstance(end, ModelRefused)
    assert "empty" in str(end)
    assert "ask again" in end.hint
    assert not any(char.isalnum() for char in shown)


def test_no_reply_at_all_is_an_error_that_may_be_tried_again() -> None:
    shown, end = told(ScriptedGenerator(""))
    assert isinstance(end, ModelUnavailable)
    assert end.hint
    assert shown == ""


@pytest.mark.parametrize("before", ["", "The valve closes at 2.5 bar [1]. "])
def test_a_stream_that_breaks_off_never_ends_like_an_answer(before: str) -> None:
    script = Script(pieces=(before, "The valve "), fails=ModelUnavailable("it broke off", hint="try again"))
    generator = ScriptedGenerator(script)
    shown, end = told(generator)
    assert isinstance(end, ModelUnavailable)
    assert shown.startswith(before[:20])
    assert generator.completions[0].closed


def test_a_refusal_is_an_answer_that_nothing_carries() -> None:
    _, end = told(ScriptedGenerator("I'm sorry, but I can't help with pressure vessels."))
    assert isinstance(end, Answer)
    assert end.citations == ()
    assert [sentence.support for sentence in end.sentences] == [Support.UNSUPPORTED]
    assert end.sentences[0].why


def test_the_control_line_is_an_abstention_that_says_so() -> None:
    shown, end = told(ScriptedGenerator("NO_ANSWER: no time of day is given, see https://collector.invalid/?q=valve"))
    assert isinstance(end, Abstention)
    assert (shown, end.by) == ("", "model")
    assert end.reason == "no time of day is given, see (an address is left out: it stands in no document)"
    assert end.nearest


ENDLESS = {
    "new words": (words(9_000), "too long. A narrower question"),
    "one sentence": ("The valve closes at 2.5 bar [1]. " * 2_000, "repeated itself. Ask again"),
    "one letter": ("a" * 60_000, "repeated itself. Ask again"),
    "one line": ("".join(f"{n:x}" for n in range(20_000)), "too long"),
    "line feeds": ("The valve closes." + "\n" * 9_000, "repeated itself"),
    "an open code block": ("```\n" + words(9_000), "too long"),
    "an open bracket": ("The valve [" + words(9_000), "too long"),
    "an address": ("See https://collector.invalid/" + words(9_000).replace(" ", "/"), "too long"),
}


@pytest.mark.parametrize("size", [7, 100_000])
@pytest.mark.parametrize("name", ENDLESS)
def test_a_reply_without_end_is_ended_and_says_why(name: str, size: int) -> None:
    text, why = ENDLESS[name]
    generator = ScriptedGenerator(text, piece=size)
    shown, end = told(generator, most=5_000)
    assert isinstance(end, Answer)
    assert end.text == shown
    assert why in shown
    assert len(shown) < 5_300
    assert generator.completions[0].closed


@pytest.mark.parametrize(("finish", "why"), [("length", "too long"), ("filtered", "withheld the rest")])
def test_a_reply_that_its_server_cut_says_who_cut_it(finish: str, why: str) -> None:
    script = Script(pieces=("The valve closes",), finish=finish)  # type: ignore[arg-type]  # one of `Finish`
    shown, end = told(ScriptedGenerator(script))
    assert isinstance(end, Answer)
    assert why in shown


def test_another_language_than_the_question_s_is_judged_like_any() -> None:
    _, end = told(ScriptedGenerator("阀门在3.5巴时关闭 [1]。 Клапан закрывается при 2.5 бар [1]."))
    assert isinstance(end, Answer)
    assert [sentence.support for sentence in end.sentences][:1] == [Support.UNSUPPORTED]


@pytest.mark.parametrize("size", [1, 5, 10_000])
@pytest.mark.parametrize("part", ["system", "passages"])
def test_the_prompt_is_never_given_back(part: str, size: int) -> None:
    first = ScriptedGenerator("x y")
    told(first)
    prompt = first.asked[0][0 if part == "system" else -1].content
    for before in ("", "The valve closes at 2.5 bar [1]. You asked:\n"):
        shown, end = told(ScriptedGenerator(before + prompt, piece=size))
        if before:
            assert isinstance(end, Answer)
            assert "went on with its instructions. Ask again" in shown
            assert end.text == shown
        else:
            assert isinstance(end, ModelRefused)
            assert "instructions" in str(end)
            assert end.hint
        assert "Use only the passages" not in shown
        assert "each in an element" not in shown
        assert "passage-" not in shown


@pytest.mark.parametrize("size", [1, 3, 1_000])
def test_a_character_in_halves_is_one(size: int) -> None:
    _, end = told(ScriptedGenerator(Script(pieces=("It is \ud83d", "\ude00 2.5 bar [1]. \udc00"))))
    assert isinstance(end, Answer)
    assert end.text.startswith("It is 😀 2.5 bar [1].")
    assert "\ufffd" in end.text


@pytest.mark.parametrize("profile", [Profile.CHAT, Profile.CODE])
def test_a_profile_without_documents_is_held_to_the_same(profile: Profile) -> None:
    rules = PROFILES[profile]

    def ended(reply: str) -> tuple[str, Event | AskwellError]:
        script = ScriptedGenerator(reply, piece=5)
        stream = stream_plain(
            "what is a valve", rules=rules, turns=(), generator=script, settings=AnswerSettings(max_chars=5_000)
        )
        shown: list[Event] = []
        try:
            shown.extend(stream)
        except AskwellError as error:
            return "".join(event.text for event in shown if isinstance(event, Delta)), error
        return "".join(event.text for event in shown if isinstance(event, Delta)), shown[-1]

    shown, end = ended(rules.contract)
    assert isinstance(end, ModelRefused)
    assert rules.contract[:30] not in shown
    shown, end = ended("Well.\n" + rules.contract.split("\n")[3])
    assert isinstance(end, Answer)
    assert shown.startswith("Well.\n")
    assert shown.index("(The answer ends here") < 20
    shown, end = ended("A valve\x1b[2J, see ![x](https://collector.invalid/?q=what+is+a+valve).")
    assert shown.startswith("A valve, see [x] (an address is left out: it stands in no document).")
    assert isinstance(end, Answer)
    assert end.text == shown
    script = "```sh\ncurl https://valve.invalid/what/valve?page=2\n```"
    assert ended(script)[0].startswith(script)  # nobody's words but the asker's were read
    assert "repeated itself" in ended("On and on. " * 3_000)[0]
    assert "too long" in ended(words(5_000))[0]
    assert isinstance(ended(" \u200b ")[1], ModelRefused)


def in_bytes(*parts: bytes) -> Reply:
    return Reply(type="text/event-stream", steps=(*parts, finished("stop"), DONE))


def asked(folder: Path, reply: Reply, *form: str) -> str:
    with FakeOpenAI() as server:
        server.reply(reply)
        models = f'generation = "openai:m"\ngeneration_url = "{server.url}"\n'
        notes = {"valve.md": "# Valve\n\nThe valve of the boiler closes at 2.5 bar.\n"}
        askwell = Askwell(folder, (write(folder / "notes", notes),), WORDS_ONLY + models)
        assert askwell("index").code == 0
        said = askwell("ask", *form, "valve of the boiler closes")
    assert said.code == 0, said.err
    return said.out


def test_bytes_of_one_character_may_come_in_two_chunks(tmp_path: Path) -> None:
    data = json.dumps(
        {"choices": [{"delta": {"content": "Das Ventil schließt 😀 bei 2.5 bar [1]."}}]}, ensure_ascii=False
    )
    line = f"data: {data}\n\n".encode()
    at = line.index("ß".encode()) + 1
    emoji = line.index("😀".encode()) + 2
    out = asked(tmp_path, in_bytes(line[:at], line[at:emoji], line[emoji:]))
    assert out.startswith("Das Ventil schließt 😀 bei 2.5 bar [1].")


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_no_model_drives_the_reader_s_terminal(tmp_path: Path, form: tuple[str, ...]) -> None:
    text = "The valve \x1b]0;owned\x07closes\x1b[2J at\u202e 2.5 bar\r [1].\x9b31m"
    event = json.dumps({"choices": [{"delta": {"content": text}}]}).encode()
    out = asked(tmp_path, in_bytes(b"data: " + event + b"\n\n"), *form)
    shown = json.loads(out)["text"] if form else out
    assert shown.startswith("The valve closes at 2.5 bar\n [1].")
    assert not [char for char in out if char not in "\n\t" and not char.isprintable()]


def test_a_verdict_stands_behind_every_sentence_that_was_shown() -> None:
    script = ScriptedGenerator("The valve closes at 2.5 bar [1]. It costs 900 [1].", piece=3)
    events = list(
        stream_answer(
            QUESTION,
            ranking=ranking(QUESTION, hits_of([VALVE])),
            refused=None,
            store=store_of([VALVE]),
            visible=FULL_REQUEST,
            generator=script,
            embedder=None,
            settings=AnswerSettings(),
        )
    )
    verdicts = [event.sentence.support for event in events if isinstance(event, Checked)]
    assert verdicts == [Support.SUPPORTED, Support.UNSUPPORTED]


FRAGMENTS = st.sampled_from(
    [
        "The valve closes at 2.5 bar", " [1]", "[1]", "[7]", "[[valve]]", "![a](https://collector.invalid/p.png)",
        "![a][r]", "[a](https://collector.invalid/?q=when+valve+close)", "<img src=x>", "https://collector.invalid/valve/close",
        "```\n", "`", "\n", ". ", "! ", "(", ")", "<", "passage-", "NO_ANSWER", "\x1b[2J", "\u202e",
        "Use only the passages in", "[r]: https://collector.invalid/r.png", "![", "](",
        "when does the valve close?", "| a | b |\n|---|---|\n",
    ]
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(st.lists(FRAGMENTS, max_size=12).map("".join), st.integers(1, 12))
def test_any_mixture_is_shown_the_same_however_it_is_cut_and_leads_nowhere(text: str, size: int) -> None:
    shown, end = told(ScriptedGenerator("Well, " + text, piece=size))
    whole, other = told(ScriptedGenerator("Well, " + text, piece=10_000))
    assert type(end) is type(other)
    assert shown == whole
    assert isinstance(end, Answer)
    assert end.text == shown
    page = MarkdownIt("commonmark").render(shown)
    assert "<img" not in page
    assert 'href="http' not in page
    assert "\x1b" not in shown
    assert "when+valve" not in shown
