"""A folder as sentence-transformers exports it, made of the bundled weights."""

from __future__ import annotations

import importlib.util
import json
from typing import TYPE_CHECKING

import numpy as np
import pytest

from askwell.errors import ConfigError, InputTooLong
from askwell.models.folder import FastEmbedder, FolderEmbedder
from askwell.models.local import VOCABULARY, LocalEmbedder, weights_path, wordpiece
from askwell.testing.embedder_suite import EmbedderSuite

if TYPE_CHECKING:
    from pathlib import Path

    from askwell.ports import Embedder

TEXTS = ["The mover stops after its time limit.", "bread", "Backups run at three in the morning, every night."]


def exported(folder: Path, *, length: int = 64, cls: bool = False, prompts: dict[str, str] | None = None) -> Path:
    from tokenizers.processors import BertProcessing

    (folder / "onnx").mkdir(parents=True)
    (folder / "onnx" / "model.onnx").symlink_to(weights_path())
    tokenizer = wordpiece(VOCABULARY)
    tokenizer.post_processor = BertProcessing(("[SEP]", 102), ("[CLS]", 101))
    tokenizer.enable_truncation(length)
    tokenizer.enable_padding()
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": length}))
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text(json.dumps({"pooling_mode_cls_token": cls}))
    if prompts is not None:
        (folder / "config_sentence_transformers.json").write_text(json.dumps({"prompts": prompts}))
    return folder


class TestContract(EmbedderSuite):
    @pytest.fixture(scope="class")
    @classmethod
    def embedder(cls, tmp_path_factory: pytest.TempPathFactory) -> Embedder:
        return FolderEmbedder(exported(tmp_path_factory.mktemp("models") / "mini"))


def test_vectors_are_nearly_the_bundled_models(tmp_path: Path) -> None:
    matrix = FolderEmbedder(exported(tmp_path / "mini")).embed_documents(TEXTS)
    assert (matrix * LocalEmbedder().embed_documents(TEXTS)).sum(axis=1).min() > 0.98


def test_the_length_is_the_folders_and_nothing_is_cut(tmp_path: Path) -> None:
    model = FolderEmbedder(exported(tmp_path / "mini", length=12))
    assert model.max_tokens == 10
    assert len(model.embed_documents(["time " * 10])) == 1
    with pytest.raises(InputTooLong, match="13 tokens"):
        model.embed_documents(["time " * 11])


def test_prompts_are_put_in_front_and_take_their_part_of_the_window(tmp_path: Path) -> None:
    plain = FolderEmbedder(exported(tmp_path / "plain"))
    prompted = FolderEmbedder(exported(tmp_path / "prompted", prompts={"query": "query: ", "passage": "passage: "}))
    assert prompted.max_tokens == plain.max_tokens - 2
    np.testing.assert_allclose(prompted.embed_query("bread"), plain.embed_query("query: bread"), atol=1e-6)
    np.testing.assert_allclose(
        prompted.embed_documents(["bread"]), plain.embed_documents(["passage: bread"]), atol=1e-6
    )
    assert plain.space.partition("/")[2] != prompted.space.partition("/")[2]


def test_pooling_is_the_folders_and_part_of_the_space(tmp_path: Path) -> None:
    mean, first = (
        FolderEmbedder(exported(tmp_path / name / "mini", cls=name == "first")) for name in ("mean", "first")
    )
    assert (mean.embed_query("bread") != first.embed_query("bread")).any()
    assert mean.space != first.space


def test_the_space_follows_the_weights(tmp_path: Path) -> None:
    folder = exported(tmp_path / "mini")
    before = FolderEmbedder(folder).space
    assert before == FolderEmbedder(folder).space
    weights = folder / "onnx" / "model.onnx"
    changed = bytearray(weights.read_bytes())
    changed[-1] ^= 1
    weights.unlink()
    weights.write_bytes(changed)
    assert FolderEmbedder(folder).space != before


@pytest.mark.parametrize("missing", ["tokenizer.json", "onnx/model.onnx"])
def test_a_folder_without_a_model_is_a_setting_to_fix(tmp_path: Path, missing: str) -> None:
    folder = exported(tmp_path / "mini")
    (folder / missing).unlink()
    with pytest.raises(ConfigError, match=r"no `model.onnx` with a `tokenizer.json`"):
        FolderEmbedder(folder)


@pytest.mark.skipif(importlib.util.find_spec("fastembed") is not None, reason="it is installed here")
def test_fastembed_is_named_where_it_is_missing() -> None:
    with pytest.raises(ConfigError) as missing:
        FastEmbedder("BAAI/bge-small-en-v1.5")
    assert missing.value.hint == 'run `pip install "askwell[fastembed]"`'
