"""What to score on: a file of questions or a BEIR folder, and the source that it is about."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from askwell.errors import BadRequest
from askwell.eval.beir import SUFFIX, is_beir, read_beir
from askwell.eval.questions import read_questions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askwell.eval.questions import Question

_HINT = "name a question file (JSON lines) or a folder in BEIR's layout"


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionSet:
    """Questions with known answers, under a name.

    Attributes:
        source: Folder that it is about, empty if that is left to the other options.
        collection: The BEIR folder that holds its documents too, None for a question file.
    """

    name: str
    questions: tuple[Question, ...]
    source: str = ""
    collection: Path | None = None

    @property
    def graded(self) -> bool:
        """Whether its judgements have grades."""
        return any(question.grades for question in self.questions)

    @property
    def suffix(self) -> str:
        """What its documents' paths have besides their names in TREC files."""
        return SUFFIX if self.collection else ""


def read_sets(arguments: Sequence[str]) -> tuple[QuestionSet, ...]:
    """Return a set an argument, under names that differ.

    Args:
        arguments: Each a path, or `PATH=SOURCE` for questions about a source of their own.

    Raises:
        BadRequest: one cannot be read or makes no sense.
    """
    sets: list[QuestionSet] = []
    for argument in arguments:
        made = _read(argument)
        taken = {one.name for one in sets}
        free = (name for n in count(1) if (name := f"{made.name}-{n}" if n > 1 else made.name) not in taken)
        sets.append(replace(made, name=next(free)))
    return tuple(sets)


def _read(argument: str) -> QuestionSet:
    path, source = Path(argument), ""
    if not path.exists() and "=" in argument:
        text, _, source = argument.rpartition("=")
        path = Path(text)
    if path.is_dir():
        if not is_beir(path):
            raise BadRequest(f"{str(path)!r} is a folder without `queries.jsonl`", hint=_HINT)
        folder = path.resolve()
        return QuestionSet(name=folder.name, questions=read_beir(folder), source=source, collection=folder)
    return QuestionSet(name=path.stem, questions=read_questions(file_text(path), name=path.name), source=source)


def file_text(path: Path, *, hint: str = _HINT) -> str:
    """Return a file's text.

    Raises:
        BadRequest: it cannot be read, or is not UTF-8.
    """
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise BadRequest(f"cannot read {str(path)!r}: {error.strerror}", hint=hint) from error
    except UnicodeDecodeError as error:
        raise BadRequest(f"{str(path)!r} is not UTF-8 text", hint=hint) from error
