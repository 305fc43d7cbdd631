"""Read a test collection in BEIR's layout: `corpus.jsonl`, `queries.jsonl`, `qrels/SPLIT.tsv`.

Its documents are a source like any other, so that they go through the same parsing, chunking and index.
"""

from __future__ import annotations

import json
import unicodedata
from collections import defaultdict
from typing import TYPE_CHECKING

from askwell.errors import BadRequest, SourceError, UnreadableFile
from askwell.eval.questions import Question
from askwell.types import Entry, FileStat, Listing, RawFile, SourceType

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

_NO_STAT = FileStat(size=0, mtime_ns=0, ctime_ns=0, inode=0)
_HINT = "a BEIR folder has `corpus.jsonl`, `queries.jsonl` and `qrels/test.tsv`"


def is_beir(folder: Path) -> bool:
    """Return whether a folder is laid out as a BEIR collection."""
    return (folder / "corpus.jsonl").is_file() and (folder / "queries.jsonl").is_file()


class BeirSource:
    """The documents of a collection as Markdown files: title as heading, text below. Read line by line, on demand."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "corpus.jsonl"
        self._offsets: dict[str, int] = {}

    @property
    def name(self) -> str:
        """Name of the collection."""
        return self._file.parent.name

    @property
    def type(self) -> SourceType:
        """Listed like a folder."""
        return SourceType.FOLDER

    def list(self) -> Listing:
        """List every document of the corpus.

        Raises:
            SourceError: the corpus file cannot be read.
        """
        offset = 0
        try:
            with self._file.open("rb") as lines:
                for line in lines:
                    if line.strip():
                        self._offsets[_path(_record(line, self._file.name)["_id"])] = offset
                    offset += len(line)
        except OSError as error:
            raise SourceError(f"cannot read {self._file.name}: {error.strerror}", hint=_HINT) from error
        return Listing(entries=tuple(Entry(path=path, stat=_NO_STAT) for path in sorted(self._offsets)))

    def watched(self) -> tuple[bytes, ...]:
        """Return nothing: a collection is read once."""
        return ()

    def read(self, path: str) -> RawFile:
        """Return one document.

        Raises:
            UnreadableFile: it was not listed, or the corpus file is gone.
        """
        if path not in self._offsets:
            raise UnreadableFile(f"no document {path!r} in this collection")
        try:
            with self._file.open("rb") as lines:
                lines.seek(self._offsets[path])
                record = _record(lines.readline(), self._file.name)
        except OSError as error:
            raise UnreadableFile(f"cannot read {self._file.name}: {error.strerror}") from error
        title = " ".join(record.get("title", "").split())
        text = record.get("text", "")
        return RawFile(raw=(f"# {title}\n\n{text}\n" if title else f"{text}\n").encode(), stat=_NO_STAT, settled=False)


def read_beir(folder: Path, *, split: str = "test") -> tuple[Question, ...]:
    """Return the collection's questions that have a relevant document, with their grades.

    Raises:
        BadRequest: a file is missing, not of the layout, or judges nothing.
    """
    try:
        queries = (folder / "queries.jsonl").read_text(encoding="utf-8")
        judged = (folder / "qrels" / f"{split}.tsv").read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadRequest(f"cannot read the collection {folder.name!r}: {error}", hint=_HINT) from error
    grades = _grades(judged, name=f"qrels/{split}.tsv")
    questions = tuple(
        Question(id=id, question=text, type="graded", gold_docs=_relevant(grades[id]), grades=grades[id])
        for id, text in _queries(queries)
        if id in grades and _relevant(grades[id])
    )
    if not questions:
        raise BadRequest(f"{folder.name!r} has no question with a relevant document", hint=_HINT)
    return questions


def _queries(text: str) -> Iterator[tuple[str, str]]:
    for line in text.split("\n"):
        if line.strip():
            record = _record(line.encode(), "queries.jsonl")
            yield record["_id"], record.get("text", "")


def _grades(text: str, *, name: str) -> dict[str, dict[str, float]]:
    grades: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for number, line in enumerate(text.splitlines(), start=1):
        fields = line.split("\t")
        if number == 1 and fields[-1].strip() == "score":
            continue
        if not line.strip():
            continue
        try:
            question, document, grade = fields
            grades[question][_path(document)] = float(grade)
        except ValueError as error:
            raise BadRequest(f"{name}, line {number}: not three fields, the last a number", hint=_HINT) from error
    return dict(grades)


def _relevant(grades: Mapping[str, float]) -> tuple[str, ...]:
    return tuple(document for document, grade in grades.items() if grade > 0)


def _path(id: str) -> str:
    return unicodedata.normalize("NFC", f"{id}.md")


def _record(line: bytes, name: str) -> dict[str, str]:
    """Return a line's text fields.

    Raises:
        BadRequest: it is no JSON object with a text `_id`.
    """
    try:
        value = json.loads(line)
    except ValueError as error:
        raise BadRequest(f"{name}: not JSON: {error}", hint=_HINT) from error
    if not isinstance(value, dict) or not isinstance(value.get("_id"), str):
        raise BadRequest(f"{name}: a line has no `_id`", hint=_HINT)
    return {key: text for key, text in value.items() if isinstance(text, str)}
