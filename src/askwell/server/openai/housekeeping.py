"""Prompts that chat front ends send on their own: for a title, tags, follow-ups, a search query. Answered by rule.

They look like questions and are none: they get no retrieval, no citations and no row in the query log. What they get is
made of the words that the client sent along.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from askwell.server.openai.messages import Asked

Task: TypeAlias = Literal["title", "tags", "follow-ups", "queries", "completion", "emoji", "summary"]

TITLE = 60
"""Characters of a title."""

_TASKS: dict[str, Task] = {
    "title_generation": "title",
    "tags_generation": "tags",
    "follow_up_generation": "follow-ups",
    "query_generation": "queries",
    "autocomplete_generation": "completion",
    "emoji_generation": "emoji",
    "image_prompt_generation": "summary",
    "function_calling": "queries",
    "moa_response_generation": "summary",
}
"""By what Open WebUI calls them in `metadata.task`."""

_PROMPTS: tuple[tuple[str, Task], ...] = (
    (r"\A\W*task:?\s.{0,400}\btitle\b.{0,2000}(?:<chat_history>|chat history)", "title"),
    (r"\A\W*task:?\s.{0,400}\btags\b.{0,2000}(?:<chat_history>|chat history)", "tags"),
    (r"\A\W*task:?\s.{0,400}\bfollow-?ups?\b.{0,2000}(?:<chat_history>|chat history)", "follow-ups"),
    (r"\A\W*task:?\s.{0,600}\bsearch quer(?:y|ies)\b.{0,3000}(?:<chat_history>|chat history)", "queries"),
    (r"\A\W*task:?\s.{0,200}\bautocompletion\b", "completion"),
    (r"\A\W*(?:please )?(?:generate|provide|write|create) an? (?:\S+ ){0,10}title\b.{0,300}\b(?:conversation|chat)\b",
         "title"),
    (r"\A\W*analyze this conversation and provide\b.{0,300}\btitle\b", "title"),
    (r"\A\W*(?:summari[sz]e|name) (?:this|the|our) (?:conversation|chat|discussion)\b.{0,200}\b(?:words|title)\b",
         "summary"),
)  # fmt: skip
_OPENINGS = tuple((re.compile(pattern, re.IGNORECASE | re.DOTALL), task) for pattern, task in _PROMPTS)

_HISTORY = re.compile(r"<chat_history>(.*?)</chat_history>", re.DOTALL | re.IGNORECASE)
_SPEAKER = r"^\W{0,4}(?:user|human|assistant|ai|response)\W*:"
_USER = re.compile(rf"^\W{{0,4}}(?:user|human)\W*:\s*(.+?)(?={_SPEAKER}|\Z)", re.IGNORECASE | re.MULTILINE | re.DOTALL)
_OBJECT = re.compile(r"\bjson\b|\{\s*\"", re.IGNORECASE)


def task_of(asked: Asked) -> Task | None:
    """Return what a front end wants for itself, None for a question."""
    if asked.task in _TASKS:
        return _TASKS[asked.task]
    return next((task for pattern, task in _OPENINGS if pattern.search(asked.question[:8000])), None)


def done(task: Task, asked: Asked) -> str:
    """Return what is asked for, in the form that the prompt asks for it."""
    first = _first_question(asked)
    match task:
        case "title":
            title = _title(first)
            return json.dumps({"title": title}, ensure_ascii=False) if _OBJECT.search(asked.question) else title
        case "tags":
            return json.dumps({"tags": ["General"]})
        case "follow-ups":
            return json.dumps({"follow_ups": []})
        case "queries":
            return json.dumps({"queries": []})
        case "completion":
            return json.dumps({"text": ""})
        case "emoji":
            return "💬"
        case "summary":
            return _title(first)


def _first_question(asked: Asked) -> str:
    """Return the user's first words: in the history that the prompt quotes, else in the messages before it."""
    quoted = _HISTORY.search(asked.question)
    text = quoted[1] if quoted else asked.question
    if found := _USER.search(text.strip()):
        return found[1]
    return next((text for role, text in asked.said if role == "user"), "")


def _title(text: str) -> str:
    words = " ".join(text.split()).strip(" \"'.:?!")
    if len(words) <= TITLE:
        return words or "Conversation"
    return words[:TITLE].rsplit(" ", 1)[0] + "…"
