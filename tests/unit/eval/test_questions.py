from __future__ import annotations

import pytest

from askwell.errors import BadRequest
from askwell.eval.questions import read_questions

GOOD = '{"id": "a", "question": "where is it?", "gold_docs": ["x.md"]}'


def test_a_line_is_a_question_and_blank_lines_are_not() -> None:
    read = read_questions(f"\ufeff{GOOD}\r\n\n", name="q.jsonl")
    assert [(one.id, one.gold_docs, one.need, one.answerable) for one in read] == [("a", ("x.md",), "any", True)]


def test_no_gold_document_means_unanswerable() -> None:
    (read,) = read_questions('{"id": "a", "question": "q", "gold_docs": [], "need": "none"}', name="q")
    assert not read.answerable
    (short,) = read_questions('{"id": "a", "question": "q"}', name="q")
    assert not short.answerable


def test_a_line_separator_inside_a_text_does_not_end_the_line() -> None:
    (read,) = read_questions('{"id": "a", "question": "one\u2028two", "gold_docs": ["x"]}', name="q")
    assert read.question == "one\u2028two"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "q.jsonl, line 2: not JSON"),
        ("[1]", "q.jsonl, line 2: not a JSON object"),
        ('{"id": "b", "question": "q", "gold": ["x"]}', "line 2: unknown field 'gold'"),
        ('{"id": "a", "question": "q", "gold_docs": ["x"]}', "line 2: id 'a' is already on line 1"),
        ('{"question": "q", "gold_docs": ["x"]}', "line 2: `id` is missing or empty"),
        ('{"id": "b", "question": " ", "gold_docs": ["x"]}', "line 2: `question` is missing or empty"),
        ('{"id": "b", "question": "???", "gold_docs": ["x"]}', "line 2: nothing to search for"),
        ("[" * 10_000, "q.jsonl, line 2: not JSON"),
        ('{"id": "b", "question": 3, "gold_docs": ["x"]}', "line 2: `question` must be text, not 3"),
        ('{"id": "b", "question": "q", "gold_docs": "x"}', "line 2: `gold_docs` must be a list of texts"),
        ('{"id": "b", "question": "q", "gold_docs": [""]}', "line 2: `gold_docs` must be a list of texts"),
        ('{"id": "b", "question": "q", "gold_docs": ["x"], "need": "none"}', 'line 2: `need` is "none", but'),
        ('{"id": "b", "question": "q", "gold_docs": ["x"], "need": "some"}', "line 2: `need` is 'some'"),
        ('{"id": "b", "question": "q", "need": "any"}', "line 2: `gold_docs` is empty"),
    ],
)
def test_a_fault_is_told_with_its_line(line: str, message: str) -> None:
    with pytest.raises(BadRequest) as caught:
        read_questions(f"{GOOD}\n{line}\n", name="q.jsonl")
    assert message in str(caught.value)
    assert caught.value.hint


def test_an_empty_set_measures_nothing() -> None:
    with pytest.raises(BadRequest, match="q has no questions"):
        read_questions("\n \n", name="q")
