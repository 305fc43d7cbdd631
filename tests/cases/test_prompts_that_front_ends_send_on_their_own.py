"""Chat front ends ask for titles, tags and search queries in the same chat; such prompts are no questions."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from tests.adapters.server import indexed, served

if TYPE_CHECKING:
    from collections.abc import Iterator

    from askwell.server.services import Services

HISTORY = (
    "### Chat History:\n<chat_history>\nUSER: When does the garden pump run?\nASSISTANT: At noon.\n</chat_history>"
)


def task(what: str, form: str = "") -> list[tuple[str, str]]:
    output = f"### Output:\nJSON format: {form}\n" if form else ""
    return [("user", f"### Task:\n{what}\n{output}{HISTORY}")]


PROMPTS: dict[str, tuple[list[tuple[str, str]], str]] = {
    "title as JSON": (
        task("Generate a concise, 3-5 word title with an emoji.", '{ "title": "x" }'),
        '{"title": "When does the garden pump run"}',
    ),
    "tags": (
        task("Generate 1-3 broad tags categorizing the main themes.", '{ "tags": [] }'),
        '{"tags": ["General"]}',
    ),
    "follow-ups": (
        task("Suggest 3-5 relevant follow-up questions.", '{ "follow_ups": ["q"] }'),
        '{"follow_ups": []}',
    ),
    "search queries": (
        task("Analyze the chat history to determine the necessity of generating search queries."),
        '{"queries": []}',
    ),
    "completion": (
        task("You are an autocompletion system. Continue the text in `<text>`.\n<text>When does</text>"),
        '{"text": ""}',
    ),
    "title in words": (
        [("user", "When does the garden pump run?"), ("assistant", "At noon."),
         ("user", "Please generate a four to five word title summarizing our conversation without any lead-in, "
                  "punctuation, quotation marks, periods, symbols, bold text, or additional text.")],
        "When does the garden pump run",
    ),
    "title of a quoted conversation": (
        [("user", "Provide a concise, 5-word-or-less title for the conversation, using title case conventions.\n\n"
                  "User: When does the garden pump run?\nAI: At noon.")],
        "When does the garden pump run",
    ),
    "summary": (
        [("user", "When does the garden pump run?"), ("assistant", "At noon."),
         ("user", "Summarize the discussion briefly in 200 words or less to use as a prompt for future context.")],
        "When does the garden pump run",
    ),
}  # fmt: skip

QUESTIONS = [
    "### Task list for the rack: which tasks are open?",
    "What is the title of the note about pumps?",
    "Which tags does the note about valves have?",
    "Suggest a follow-up for the garden pump that runs at noon",
    "Summarize what the notes say about the garden pump",
    "Task: run the garden pump. When?",
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Services]]:
    with served(indexed(tmp_path_factory.mktemp("housekeeping"))) as found:
        yield found


def asked(server: tuple[str, Services], messages: list[tuple[str, str]], **more: Any) -> Any:
    sent = {"model": "askwell-docs", "messages": [{"role": role, "content": text} for role, text in messages], **more}
    reply = httpx.post(f"{server[0]}/v1/chat/completions", json=sent)
    assert reply.status_code == 200, reply.text
    return reply.json()


@pytest.mark.parametrize("name", PROMPTS)
def test_they_are_answered_from_their_own_words_and_leave_no_row(server: tuple[str, Services], name: str) -> None:
    messages, expected = PROMPTS[name]
    records = server[1].records
    assert records is not None
    before = len(records.ledger().rows)
    reply = asked(server, messages)
    assert reply["choices"][0]["message"]["content"] == expected
    assert reply["askwell"]["citations"] == []
    assert len(records.ledger().rows) == before


def test_a_client_that_names_its_task_is_believed(server: tuple[str, Services]) -> None:
    reply = asked(server, [("user", "Create tags for: garden pump")], metadata={"task": "tags_generation"})
    assert json.loads(reply["choices"][0]["message"]["content"]) == {"tags": ["General"]}


@pytest.mark.parametrize("question", QUESTIONS)
def test_what_only_looks_like_one_is_a_question(server: tuple[str, Services], question: str) -> None:
    assert asked(server, [("user", question)])["askwell"]["outcome"] in ("answer", "abstention")
