from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.unit.models.cross_encoder_folder import exported

from askwell.errors import ConfigError
from askwell.models.cross_encoder import BATCH, FolderReranker

if TYPE_CHECKING:
    from pathlib import Path

SEPARATOR = 1.0
"""The graph counts the separator that ends both the question and the text."""


def test_the_score_is_the_models_own(tmp_path: Path) -> None:
    reranker = FolderReranker(exported(tmp_path / "m"))
    assert reranker.rerank("heron pond", ["a heron by the pond", "heron heron", "bread"]) == [
        2 + SEPARATOR,
        2 + SEPARATOR,
        SEPARATOR,
    ]
    assert reranker.trust == "local"


def test_of_two_classes_the_second_counts(tmp_path: Path) -> None:
    one, two = (FolderReranker(exported(tmp_path / str(classes), classes=classes)) for classes in (1, 2))
    texts = ["heron", "pond and heron", "bread"]
    assert one.rerank("heron pond", texts) == two.rerank("heron pond", texts)


def test_neither_padding_nor_batches_change_a_score(tmp_path: Path) -> None:
    reranker = FolderReranker(exported(tmp_path / "m"))
    texts = [f"{'heron ' * n}and {'other ' * (n % 3)}words" for n in range(2 * BATCH + 3)]
    assert reranker.rerank("heron", texts) == [reranker.rerank("heron", [text])[0] for text in texts]


def test_the_text_is_cut_to_the_window_and_not_the_question(tmp_path: Path) -> None:
    reranker = FolderReranker(exported(tmp_path / "m", length=16))
    assert reranker.rerank("heron", ["heron " * 100])[0] < 16
    assert reranker.rerank("heron", ["bread " * 100 + "heron"]) == reranker.rerank("heron", ["bread " * 100])
    # Half of the window is the question's: its end is not read, its beginning is.
    long = "heron " + "bread " * 100
    assert reranker.rerank(long, ["heron"]) == [1 + SEPARATOR]
    assert reranker.rerank("bread " * 100 + "heron", ["heron"])[0] < 1 + SEPARATOR


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ("weights", "no `model.onnx` with a `tokenizer.json`"),
        ("tokenizer", "no `model.onnx` with a `tokenizer.json`"),
        ("broken weights", "cannot be loaded"),
        ("broken tokenizer", "is no tokenizer"),
        ("three classes", "does not give one score"),
        ("another input", "wants pixels"),
    ],
)
def test_a_folder_that_holds_none_is_told_with_the_next_step(tmp_path: Path, what: str, message: str) -> None:
    wanted = "pixels" if what == "another input" else "attention_mask"
    folder = exported(tmp_path / "m", classes=3 if what == "three classes" else 1, mask=wanted)
    match what:
        case "weights":
            (folder / "model.onnx").unlink()
        case "tokenizer":
            (folder / "tokenizer.json").unlink()
        case "broken weights":
            (folder / "model.onnx").write_bytes(b"no model")
        case "broken tokenizer":
            (folder / "tokenizer.json").write_text("{}")
    with pytest.raises(ConfigError, match=message) as caught:
        FolderReranker(folder).rerank("heron", ["heron"])
    assert caught.value.hint
