from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from askwell.errors import BadRequest
from askwell.eval.sets import read_sets

if TYPE_CHECKING:
    from pathlib import Path

LINE = '{"id": "a", "question": "where is it?", "gold_docs": ["x.md"]}\n'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.jsonl"
    path.write_text(LINE, encoding="utf-8")
    return path


def test_a_set_is_named_after_its_file_and_may_have_a_source_of_its_own(file: Path) -> None:
    plain, bound = read_sets([str(file), f"{file}=some/folder"])
    assert (plain.name, plain.source, plain.graded, plain.suffix) == ("mine", "", False, "")
    assert (bound.name, bound.source) == ("mine-2", "some/folder")


def test_an_equals_sign_may_be_part_of_a_name(file: Path) -> None:
    odd = file.rename(file.with_name("k=v.jsonl"))
    (read,) = read_sets([str(odd)])
    assert (read.name, read.source) == ("k=v", "")


def test_a_collection_is_a_set_and_its_documents(tmp_path: Path) -> None:
    folder = tmp_path / "birds"
    (folder / "qrels").mkdir(parents=True)
    (folder / "corpus.jsonl").write_text('{"_id": "7", "text": "They wade."}\n', encoding="utf-8")
    (folder / "queries.jsonl").write_text('{"_id": "1", "text": "who wades"}\n', encoding="utf-8")
    (folder / "qrels" / "test.tsv").write_text("1\t7\t1\n", encoding="utf-8")
    (read,) = read_sets([str(folder)])
    assert (read.name, read.collection, read.graded, read.suffix) == ("birds", folder, True, ".md")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda path: None, "cannot read"),
        (lambda path: path.write_bytes(b"\xff\xfe"), "is not UTF-8"),
        (lambda path: path.mkdir(), "is a folder without `queries.jsonl`"),
        (lambda path: path.write_text("\n"), "has no questions"),
    ],
    ids=["absent", "binary", "folder", "empty"],
)
def test_what_is_no_set_is_told_with_a_next_step(tmp_path: Path, make: object, message: str) -> None:
    assert callable(make)
    make(tmp_path / "x")
    with pytest.raises(BadRequest, match=message) as caught:
        read_sets([str(tmp_path / "x")])
    assert caught.value.hint
