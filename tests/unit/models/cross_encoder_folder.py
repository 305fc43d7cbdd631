"""A cross-encoder small enough to be written by hand: its score is how often a text says a word of the question."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np

from askwell.models import onnx_wire as wire
from askwell.models.local import VOCABULARY, wordpiece

if TYPE_CHECKING:
    from pathlib import Path

_INT64 = 7


def exported(folder: Path, *, classes: int = 1, length: int = 64, mask: str = "attention_mask") -> Path:
    """Write the folder, as an export of a sequence classifier looks, and return it.

    Args:
        folder: Where.
        classes: Numbers that come out a pair; of two, the second is the score and the first 0.
        length: Tokens that the model reads.
        mask: Name of that input; another one stands for a model that wants something else.
    """
    from tokenizers.processors import BertProcessing

    folder.mkdir(parents=True)
    (folder / "model.onnx").write_bytes(_graph(classes, ("input_ids", mask, "token_type_ids")))
    tokenizer = wordpiece(VOCABULARY)
    tokenizer.post_processor = BertProcessing(("[SEP]", 102), ("[CLS]", 101))
    tokenizer.enable_padding()
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "tokenizer_config.json").write_text(json.dumps({"model_max_length": length}))
    return folder


def _graph(classes: int, inputs: tuple[str, str, str]) -> bytes:
    """Return ONNX: sum over i, j of [ids_i = ids_j] * mask_i * (1 - type_i) * mask_j * type_j."""
    ids, mask, types = inputs
    steps = [
        wire.node("Unsqueeze", [ids, "last"], ["of_question"]),
        wire.node("Unsqueeze", [ids, "middle"], ["of_text"]),
        wire.node("Equal", ["of_question", "of_text"], ["same"]),
        wire.node("Cast", ["same"], ["equal"], attributes={"to": _INT64}),
        wire.node("Sub", [mask, types], ["question"]),  # padding has type 0 and mask 0
        wire.node("Unsqueeze", ["question", "last"], ["question_column"]),
        wire.node("Mul", [mask, types], ["text"]),
        wire.node("Unsqueeze", ["text", "middle"], ["text_row"]),
        wire.node("Mul", ["equal", "question_column"], ["left"]),
        wire.node("Mul", ["left", "text_row"], ["both"]),
        wire.node("ReduceSum", ["both", "pair"], ["counted"], attributes={"keepdims": 0}),
        wire.node("Cast", ["counted"], ["number"], attributes={"to": wire.FLOAT}),
        wire.node("Unsqueeze", ["number", "middle"], ["score"]),
        wire.node("Sub", ["score", "score"], ["zero"]),
        wire.node("Concat", [*["zero"] * (classes - 1), "score"], ["logits"], attributes={"axis": 1}),
    ]
    constants = {"last": [2], "middle": [1], "pair": [1, 2]}
    graph = b"".join(b"".join(wire.block(1, step)) for step in steps) + wire.text(2, "overlap")
    for name, axes in constants.items():
        graph += b"".join(wire.block(5, wire.tensor(name, _INT64, [len(axes)], np.array(axes, np.int64).tobytes())))
    for name in inputs:
        graph += b"".join(wire.block(11, wire.value_info(name, _INT64, ["batch", "length"])))
    graph += b"".join(wire.block(12, wire.value_info("logits", wire.FLOAT, ["batch", classes])))
    return wire.number(1, 8) + b"".join(wire.block(8, wire.number(2, 17))) + b"".join(wire.block(7, graph))
