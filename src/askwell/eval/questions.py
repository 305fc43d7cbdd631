"""Read a file of questions with known answers; every fault is told with its line."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from askwell.errors import BadRequest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Need: TypeAlias = Literal["any", "all", "none"]

OFF_TOPIC = "unanswerable"
"""Type of a question about something else altogether."""

NEAR_MISS = "near-miss-unanswerable"
"""Type of a question that fits the corpus and is not answered in it."""

_TEXTS = ("id", "question", "type", "answer", "lang", "notes", "gold_quote")
_LISTS = ("gold_docs", "also_ok", "gold_quotes")
_FIELDS = frozenset({*_TEXTS, *_LISTS, "need"})
_HINT = 'a line looks like {"id": "q1", "question": "…", "gold_docs": ["notes/a.md"]}'


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question and where its answer is.

    `need` says whether one of `gold_docs` and `also_ok` suffices, all `gold_docs` are needed, or nothing in the
    corpus answers. Paths are relative to the source, or begin with the source's name.
    """

    id: str
    question: str
    type: str = ""
    answer: str = ""
    gold_docs: tuple[str, ...] = ()
    also_ok: tuple[str, ...] = ()
    gold_quotes: tuple[str, ...] = ()
    need: Need = "any"
    lang: str = ""
    notes: str = ""
    grades: Mapping[str, float] = field(default_factory=dict)  # graded judgements, where a collection has them

    @property
    def answerable(self) -> bool:
        """Whether the corpus holds the answer."""
        return self.need != "none"

    @property
    def named(self) -> frozenset[str]:
        """Every document that it names."""
        return frozenset((*self.gold_docs, *self.also_ok, *self.grades))


def read_questions(text: str, *, name: str) -> tuple[Question, ...]:
    """Return the questions of a JSON-lines file, in its order. Blank lines are skipped.

    Args:
        text: The file's content.
        name: What to call the file in messages.

    Raises:
        BadRequest: a line is not an object, lacks a field, has an unknown one or one of the wrong type, repeats an
            id, or contradicts itself; or there is no question at all.
    """
    questions: list[Question] = []
    lines: dict[str, int] = {}
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        if not line.strip():
            continue
        where = f"{name}, line {number}"
        question = _question(_object(line, where), where)
        if question.id in lines:
            raise BadRequest(f"{where}: id {question.id!r} is already on line {lines[question.id]}", hint=_HINT)
        lines[question.id] = number
        questions.append(question)
    if not questions:
        raise BadRequest(f"{name} has no questions", hint=_HINT)
    return tuple(questions)


def _object(line: str, where: str) -> dict[str, object]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:  # the latter from ten thousand brackets
        raise BadRequest(f"{where}: not JSON: {error}", hint=_HINT) from error
    if not isinstance(value, dict):
        raise BadRequest(f"{where}: not a JSON object", hint=_HINT)
    return value


def _question(value: dict[str, object], where: str) -> Question:
    if unknown := sorted(value.keys() - _FIELDS):
        known = ", ".join(f"`{field}`" for field in sorted(_FIELDS))
        raise BadRequest(f"{where}: unknown field {unknown[0]!r}", hint=f"known fields are {known}")
    texts = {name: _text(value, name, where) for name in _TEXTS}
    lists = {name: _list(value, name, where) for name in _LISTS}
    for name in ("id", "question"):
        if not texts[name].strip():
            raise BadRequest(f"{where}: `{name}` is missing or empty", hint=_HINT)
    if not any(char.isalnum() for char in texts["question"]):
        raise BadRequest(f"{where}: nothing to search for", hint="ask with at least one word or number")
    quotes = lists["gold_quotes"] or ((texts["gold_quote"],) if texts["gold_quote"] else ())
    return Question(
        id=texts["id"],
        question=texts["question"],
        type=texts["type"],
        answer=texts["answer"],
        gold_docs=lists["gold_docs"],
        also_ok=lists["also_ok"],
        gold_quotes=quotes,
        need=_need(value, lists["gold_docs"], where),
        lang=texts["lang"],
        notes=texts["notes"],
    )


def _need(value: dict[str, object], gold: Sequence[str], where: str) -> Need:
    need = value.get("need", "any" if gold else "none")
    if need == "none" and not gold:
        return "none"
    if need == "none":
        raise BadRequest(f'{where}: `need` is "none", but `gold_docs` names documents', hint=_HINT)
    if not gold:
        raise BadRequest(f"{where}: `gold_docs` is empty", hint='an unanswerable question says `"need": "none"`')
    if need == "any":
        return "any"
    if need == "all":
        return "all"
    raise BadRequest(f"{where}: `need` is {need!r}", hint="`need` is `any`, `all` or `none`")


def _text(value: dict[str, object], field: str, where: str) -> str:
    text = value.get(field, "")
    if not isinstance(text, str):
        raise BadRequest(f"{where}: `{field}` must be text, not {text!r}", hint=_HINT)
    return text


def _list(value: dict[str, object], field: str, where: str) -> tuple[str, ...]:
    items = value.get(field, [])
    if not isinstance(items, list) or not all(isinstance(item, str) and item for item in items):
        raise BadRequest(f"{where}: `{field}` must be a list of texts, not {items!r}", hint=_HINT)
    return tuple(items)
