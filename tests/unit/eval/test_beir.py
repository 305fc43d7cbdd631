from __future__ import annotations

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


def test_a_collection_without_judgements_measures_nothing(folder: Path) -> None:
    (folder / "qrels" / "test.tsv").write_text("1\t7\t0\n", encoding="utf-8")
    with pytest.raises(BadRequest, match="no question"):
        read_beir(folder)
    with pytest.raises(BadRequest, match="cannot read"):
        read_beir(folder, split="train")
