"""Read a test collection in BEIR's layout: `corpus.jsonl`, `queries.jsonl`, `qrels/SPLIT.tsv`.

Its documents are a source like any other, so that they go through the same parsing, chunking and index.
"""

from __future__ import annotations

import json
import math
import time
import unicodedata
from collections import defaultdict
from typing import TYPE_CHECKING

from askwell.errors import BadRequest, SourceError, UnreadableFile
from askwell.eval.questions import Question
from askwell.types import Entry, FileStat, Listing, RawFile, SourceType

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

SUFFIX = ".md"
"""What a document's path has besides its id: it is read as Markdown, its title the heading."""

_HINT = "a BEIR folder has `corpus.jsonl`, `queries.jsonl` and `qrels/test.tsv`"
_NAMED = 5  # ids that a message names
_SETTLED_NS = 2_000_000_000  # a younger stamp could be that of an earlier content


def is_beir(folder: Path) -> bool:
    """Return whether a folder is meant as a BEIR collection: it has one of the layout's files."""
    return any((folder / part).exists() for part in ("corpus.jsonl", "queries.jsonl", "qrels"))


class BeirSource:
    """The documents of a collection as Markdown files: title as heading, text below. Read line by line, on demand.

    Every document has the stamp of the corpus file: unless that changed, a second run reads nothing.
    """

    def __init__(self, folder: Path, *, name: str = "") -> None:
        self._file = folder / "corpus.jsonl"
        self._name = name or folder.name
        self._offsets: dict[str, int] = {}
        self._stat = FileStat(size=0, mtime_ns=0, ctime_ns=0, inode=0)

    @property
    def name(self) -> str:
        """Name of the collection."""
        return self._name

    @property
    def type(self) -> SourceType:
        """Listed like a folder."""
        return SourceType.FOLDER

    def list(self) -> Listing:
        """List every document of the corpus.

        Raises:
            SourceError: the corpus file cannot be read.
            BadRequest: a line is no document, or has the id of another.
        """
        offsets: dict[str, int] = {}
        offset = 0
        try:
            stat = self._file.stat()
            with self._file.open("rb") as lines:
                for number, line in enumerate(lines, start=1):
                    if line.strip():
                        where = f"{self._file.name}, line {number}"
                        path = _path(_record(line, where)["_id"])
                        if path in offsets:
                            raise BadRequest(
                                f"{where}: the id {path.removesuffix(SUFFIX)!r} is there twice", hint=_HINT
                            )
                        offsets[path] = offset
                    offset += len(line)
        except OSError as error:
            raise SourceError(f"cannot read {self._file.name}: {error.strerror}", hint=_HINT) from error
        self._offsets = offsets
        self._stat = FileStat(
            size=stat.st_size, mtime_ns=stat.st_mtime_ns, ctime_ns=stat.st_ctime_ns, inode=stat.st_ino
        )
        return Listing(entries=tuple(Entry(path=path, stat=self._stat) for path in sorted(offsets)))

    def look(self, path: str) -> FileStat | None:
        """Return the stamp that the corpus file was listed with."""
        return self._stat if path in self._offsets else None

    def watched(self) -> tuple[bytes, ...]:
        """Return nothing: a collection is not watched."""
        return ()

    def read(self, path: str) -> RawFile:
        """Return one document.

        Raises:
            UnreadableFile: it was not listed, or the corpus file is gone or was changed since.
        """
        if path not in self._offsets:
            raise UnreadableFile(f"no document {path!r} in this collection")
        try:
            with self._file.open("rb") as lines:
                lines.seek(self._offsets[path])
                record = _record(lines.readline(), self._file.name)
        except (OSError, BadRequest) as error:
            raise UnreadableFile(f"cannot read {self._file.name}: {error}") from error
        title = " ".join(record.get("title", "").split())
        text = record.get("text", "")
        raw = (f"# {title}\n\n{text}\n" if title else f"{text}\n").encode("utf-8", "replace")
        return RawFile(raw=raw, stat=self._stat, settled=time.time_ns() - self._stat.mtime_ns > _SETTLED_NS)


def read_beir(folder: Path, *, split: str = "test") -> tuple[Question, ...]:
    """Return the collection's questions that have a relevant document, with their grades, in the file's order.

    Raises:
        BadRequest: a file is missing or not of the layout, an id is there twice, a judgement is of a question that
            `queries.jsonl` does not have, or nothing is judged relevant.
    """
    name = f"qrels/{split}.tsv"
    grades = _grades(_text(folder, name), name=name)
    queries = _queries(_text(folder, "queries.jsonl"))
    if unknown := [id for id in grades if id not in queries]:
        named = ", ".join(repr(id) for id in unknown[:_NAMED])
        more = f" and {len(unknown) - _NAMED} more" if len(unknown) > _NAMED else ""
        raise BadRequest(
            f"{name} judges questions that queries.jsonl of {folder.name!r} does not have: {named}{more}",
            hint="take both files from the same collection",
        )
    questions = tuple(
        Question(id=id, question=text, type="graded", gold_docs=_relevant(grades[id]), grades=grades[id])
        for id, text in queries.items()
        if id in grades and _relevant(grades[id])
    )
    if not questions:
        raise BadRequest(f"{folder.name!r} has no question with a relevant document", hint=_HINT)
    return questions


def _text(folder: Path, name: str) -> str:
    try:
        return (folder / name).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise BadRequest(
            f"cannot read {name!r} of the collection {folder.name!r}: {error.strerror}", hint=_HINT
        ) from error
    except UnicodeDecodeError as error:
        raise BadRequest(f"{name!r} of the collection {folder.name!r} is not UTF-8 text", hint=_HINT) from error


def _queries(text: str) -> Mapping[str, str]:
    queries: dict[str, str] = {}
    for number, line in _lines(text):
        where = f"queries.jsonl, line {number}"
        record = _record(line.encode("utf-8", "replace"), where)
        if record["_id"] in queries:
            raise BadRequest(f"{where}: the id {record['_id']!r} is there twice", hint=_HINT)
        if not any(char.isalnum() for char in record.get("text", "")):
            raise BadRequest(f"{where}: `text` is missing, or nothing to search for", hint=_HINT)
        queries[record["_id"]] = record["text"]
    return queries


def _grades(text: str, *, name: str) -> dict[str, dict[str, float]]:
    grades: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for number, line in _lines(text):
        fields = line.rstrip("\r").split("\t")
        if number == 1 and fields[-1].strip() == "score":
            continue
        try:
            question, document, shown = fields
            grade = float(shown)
            if not math.isfinite(grade):
                raise ValueError(shown)
        except ValueError as error:
            raise BadRequest(f"{name}, line {number}: not three fields, the last a number", hint=_HINT) from error
        if _path(document) in grades[question]:
            raise BadRequest(f"{name}, line {number}: {document!r} is judged twice for {question!r}", hint=_HINT)
        grades[question][_path(document)] = grade
    return dict(grades)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    return ((number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip())


def _relevant(grades: Mapping[str, float]) -> tuple[str, ...]:
    return tuple(document for document, grade in grades.items() if grade > 0)


def _path(id: str) -> str:
    return unicodedata.normalize("NFC", f"{id}{SUFFIX}")


def _record(line: bytes, where: str) -> dict[str, str]:
    """Return a line's text fields.

    Raises:
        BadRequest: it is no JSON object with a text `_id`.
    """
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:  # the latter from ten thousand brackets
        raise BadRequest(f"{where}: not JSON: {error}", hint=_HINT) from error
    if not isinstance(value, dict) or not isinstance(value.get("_id"), str) or not value["_id"]:
        raise BadRequest(f"{where}: no text under `_id`", hint=_HINT)
    return {key: text for key, text in value.items() if isinstance(text, str)}
