from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from askwell.errors import BadRequest, UnreadableFile
from askwell.eval.beir import BeirSource, is_beir, read_beir

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "qrels").mkdir()
    (tmp_path / "corpus.jsonl").write_text(
        '{"_id": "7", "title": "Herons", "text": "They wade."}\n{"_id": "8", "title": "", "text": "They dive."}\n',
        encoding="utf-8",
    )
    (tmp_path / "queries.jsonl").write_text(
        '{"_id": "1", "text": "who wades"}\n{"_id": "2", "text": "unjudged"}\n', encoding="utf-8"
    )
    (tmp_path / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n1\t7\t2\n1\t8\t0\n", encoding="utf-8")
    return tmp_path


def test_documents_are_markdown_files_of_a_source(folder: Path) -> None:
    assert is_beir(folder)
    assert not is_beir(folder / "qrels")
    source = BeirSource(folder)
    assert [entry.path for entry in source.list().entries] == ["7.md", "8.md"]
    assert source.read("7.md").raw == b"# Herons\n\nThey wade.\n"
    assert source.read("8.md").raw == b"They dive.\n"
    with pytest.raises(UnreadableFile):
        source.read("9.md")


def test_questions_carry_their_grades_and_unjudged_ones_are_left_out(folder: Path) -> None:
    (question,) = read_beir(folder)
    assert (question.question, question.gold_docs) == ("who wades", ("7.md",))
    assert question.grades == {"7.md": 2.0, "8.md": 0.0}


def test_a_broken_judgement_is_told_with_its_line(folder: Path) -> None:
    (folder / "qrels" / "test.tsv").write_text("1\t7\t2\n1\tmany\n", encoding="utf-8")
    with pytest.raises(BadRequest, match=r"qrels/test.tsv, line 2"):
        read_beir(folder)
    (folder / "qrels" / "test.tsv").write_text("1\t7\tnan\n", encoding="utf-8")
    with pytest.raises(BadRequest, match=r"qrels/test.tsv, line 1"):
        read_beir(folder)


def test_judgements_without_their_questions_are_refused(folder: Path) -> None:
    (folder / "qrels" / "test.tsv").write_text("1\t7\t1\n30\t7\t1\n31\t8\t1\n", encoding="utf-8")
    with pytest.raises(BadRequest, match=r"judges questions that queries.jsonl .* does not have: '30', '31'") as caught:
        read_beir(folder)
    assert caught.value.hint
    (folder / "queries.jsonl").unlink()
    with pytest.raises(BadRequest, match=r"cannot read 'queries.jsonl'"):
        read_beir(folder)


@pytest.mark.parametrize(
    ("name", "line", "message"),
    [
        ("queries.jsonl", '{"_id": "1", "text": "again"}', r"queries.jsonl, line 3: the id '1' is there twice"),
        ("queries.jsonl", '{"_id": 3, "text": "number"}', r"queries.jsonl, line 3: no text under `_id`"),
        ("queries.jsonl", '{"_id": "3", "text": "?"}', r"queries.jsonl, line 3: `text` is missing"),
        ("queries.jsonl", "[" * 10_000, r"queries.jsonl, line 3: not JSON"),
        ("qrels/test.tsv", "1\t7\t1", r"qrels/test.tsv, line 4: '7' is judged twice for '1'"),
    ],
)
def test_a_faulty_line_is_told(folder: Path, name: str, line: str, message: str) -> None:
    with (folder / name).open("a", encoding="utf-8") as file:
        file.write(f"{line}\n")
    with pytest.raises(BadRequest, match=message) as caught:
        read_beir(folder)
    assert caught.value.hint


def test_two_documents_of_one_id_are_told(folder: Path) -> None:
    with (folder / "corpus.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"_id": "7", "text": "again"}\n')
    with pytest.raises(BadRequest, match=r"corpus.jsonl, line 3: the id '7' is there twice"):
        BeirSource(folder).list()


def test_every_document_has_the_stamp_of_the_corpus_file(folder: Path) -> None:
    os.utime(folder / "corpus.jsonl", (1_000_000_000, 1_000_000_000))
    source = BeirSource(folder)
    stamps = {entry.stat for entry in source.list().entries}
    assert [stamp.mtime_ns for stamp in stamps] == [1_000_000_000 * 10**9]
    assert (source.read("7.md").stat, source.read("7.md").settled) == (*stamps, True)


def test_a_collection_without_judgements_measures_nothing(folder: Path) -> None:
    (folder / "qrels" / "test.tsv").write_text("1\t7\t0\n", encoding="utf-8")
    with pytest.raises(BadRequest, match="no question"):
        read_beir(folder)
    with pytest.raises(BadRequest, match="cannot read"):
        read_beir(folder, split="train")
