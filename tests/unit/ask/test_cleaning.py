from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.ask.made import passage

from askwell.ask.cleaning import Cleaned
from askwell.ask.loops import repeats
from askwell.ask.prompt import messages
from askwell.ask.unseen import UnseenFilter, visible
from askwell.ports import Message

PROMPT = messages("which port", [passage(1, "The port is 9117.")], draw=lambda: "s3cret")
RULES = [line.partition(". ")[2] for line in PROMPT[0].content.split("\n") if line[:1].isdigit()]


def cleaned(text: str, size: int = 10**6, *, most: int = 10**6, prompt: list[Message] = PROMPT) -> tuple[str, Cleaned]:
    made = Cleaned(prompt, question="which port", documents=["The port is 9117.", RULES[1]], most=most)
    shown = ""
    for at in range(0, len(text), size):
        shown += made.feed(text[at : at + size])
        if made.cut:
            break
    return shown + made.finish(), made


@pytest.mark.parametrize("size", [1, 7, 10**6])
@pytest.mark.parametrize("rule", [PROMPT[0].content.split("\n")[0], RULES[0], *RULES[2:]])
def test_a_rule_is_never_given_out_wherever_it_begins(rule: str, size: int) -> None:
    shown, made = cleaned(f"The port is 9117. My rules: {rule} And so on.", size)
    assert made.cut == "echo"
    assert rule[:20] not in shown


def test_a_rule_that_a_document_holds_may_be_quoted() -> None:
    text = f"It says: {RULES[1]}"
    shown, made = cleaned(text)
    assert (shown, made.cut) == (text, None)


@pytest.mark.parametrize("size", [1, 5, 10**6])
def test_the_fence_is_never_shown(size: int) -> None:
    block = PROMPT[-1].content.split("\n\n")[1]
    shown, made = cleaned(f"{block} so passage-s3cret and <passage-s3cret number=1", size)
    assert "s3cret" not in shown
    assert shown.lstrip().startswith("The port is 9117.")
    assert made.cut is None


@pytest.mark.parametrize("size", [1, 4, 10**6])
def test_a_fence_that_is_copied_badly_is_not_shown_either(size: int) -> None:
    prompt = messages("q", [passage(1, "text")], draw=lambda: "815263102bbf723c")
    text = "See passage-815263102bbf and </passage-8152631 x> or passage-815263102bbf723c9f."
    shown, _ = cleaned(text, size, prompt=prompt)
    assert shown == "See passage and  or passage."


def test_without_a_fence_a_profile_keeps_its_rules_to_itself() -> None:
    prompt = [Message("system", "You hold an ordinary conversation and know nothing."), Message("user", "hi")]
    assert cleaned("You hold an ordinary conversation and know nothing.", 4, prompt=prompt)[1].cut == "echo"


@pytest.mark.parametrize("piece", ["ha ", "The port is 9117 [1]. ", "x" * 180, "\n"])
@pytest.mark.parametrize("size", [1, 64, 10**6])
def test_a_text_that_only_repeats_itself_is_ended(piece: str, size: int) -> None:
    shown, made = cleaned(f"The port. {piece * 3_000}", size)
    assert made.cut == "loop"
    assert len(shown) < 1_500
    assert shown == cleaned(f"The port. {piece * 3_000}")[0]


def test_a_table_a_list_or_a_rule_of_dashes_is_no_loop() -> None:
    rows = "".join(f"| host-{n} | 192.0.2.{n} | up | none | nightly |\n" for n in range(60))
    assert not repeats(rows)
    assert not repeats("-" * 900)
    assert cleaned(rows)[1].cut is None


def test_a_text_without_end_has_an_end() -> None:
    shown, made = cleaned("".join(f"{n} " for n in range(100_000)), 50, most=500)
    assert made.cut == "length"
    assert len(shown) == 500


@pytest.mark.parametrize("size", [1, 2, 3, 10**6])
def test_nothing_drives_a_terminal(size: int) -> None:
    text = "a\x1b[31mred\x1b[0m\x1b]0;title\x07\x1b]8;;https://x\x1b\\link\x9b2Jb\r\nc\rd\x00\x07\u202ee\ufefff\x1b"
    shown, _ = cleaned(text, size)
    assert shown == "aredlinkb\nc\ndef"


def test_joiners_and_signs_of_scripts_stay() -> None:
    text = "क्\u200dष 👩\u200d🔬 می\u200cخواهم ❤\ufe0f שלום\u200f"
    assert visible(text) == text


@given(st.text(alphabet="a1\x1b[]\\;m\x07\x9b\r\n\u200b", max_size=30), st.integers(1, 5))
def test_what_is_not_seen_is_taken_out_however_it_is_cut(text: str, size: int) -> None:
    made = UnseenFilter()
    shown = "".join(made.feed(text[at : at + size]) for at in range(0, len(text), size)) + made.finish()
    assert shown == visible(text)
    assert not [char for char in shown if char != "\n" and not char.isprintable()]


@given(
    st.lists(st.sampled_from([*RULES[3:5], "passage-s3cret", "<passage-s3cret x>", "The ", "Answer", "<", "a"])),
    st.integers(1, 9),
)
def test_how_a_reply_is_cut_up_does_not_decide_what_is_an_echo(parts: list[str], size: int) -> None:
    text = "".join(parts)
    shown, made = cleaned(text, size)
    whole, other = cleaned(text)
    assert made.cut == other.cut
    assert made.cut or shown == whole
    assert "s3cret" not in shown
