from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askwell.ask.sentences import sentences


def split(text: str) -> list[str]:
    return [span.slice(text) for span in sentences(text)]


@pytest.mark.parametrize(
    "parts",
    [
        ["The mover stops at 03:00.", "It waits 300 s!", "Does it?", "Yes."],
        ["Use v1.2.3 from example.org, e.g. /etc/a.conf.", "Then restart."],
        ["It takes approx. 5 min. per disk and ends.", "Good."],
        ["Wait… and then go.", "Wait...", "Now it ends."],
        ["Dies gilt z. B. für Abb. 3 ab dem 3. Mai.", "Danach nicht."],
        ["Det gäller t.ex. disken, dvs. allt.", "Slut."],
        ["Bkz. örn. dosya.", "Bitti."],
        ["毎日実行します。", "次に停止します！", "終わり"],
        ["He said “stop.”", "Then it stopped."],
        ["Run `a. B` now.", "Done."],
        ["It is 5. [1]", "It was 4 [2]."],
        ["First line\ngoes on.", "Second\nsentence."],
        ["J. Smith wrote it.", "He did."],
    ],
)
def test_sentences_end_where_a_reader_ends_them(parts: list[str]) -> None:
    text = ("" if any("。" in part for part in parts) else " ").join(parts)
    assert split(text) == parts


@given(st.text(alphabet='aB1 .!?…。\n`"[]e.g', max_size=80))
def test_sentences_lose_nothing_and_do_not_overlap(text: str) -> None:
    spans = list(sentences(text))
    assert all(a.end <= b.start for a, b in itertools.pairwise(spans))
    kept = "".join("".join(span.slice(text).split()) for span in spans)
    assert kept == "".join(text.split())


@pytest.mark.parametrize("part", ["a. ", ".", "` ", "`", "word ", "[1] "])
def test_a_long_text_takes_linear_time(part: str) -> None:
    assert list(sentences(part * 50_000))
