"""A cross-encoder from the user's own disk: a model that reads question and passage together and says how they fit.

FOLDER/
  model.onnx | onnx/model.onnx    `input_ids` [, `attention_mask`, `token_type_ids`] → one score a pair, or two classes
  tokenizer.json
  tokenizer_config.json           model_max_length
"""

from __future__ import annotations

import json
import threading
from functools import cached_property
from typing import TYPE_CHECKING, Any

from askwell.errors import ConfigError, ModelRefused
from askwell.models.check import sendable

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy as np
    import numpy.typing as npt

    from askwell.ports import Trust

BATCH = 8
"""Pairs a run: larger ones cost memory and bring nothing on a processor."""

LONGEST = 512
"""Tokens of a pair where the folder does not say how many the model reads; also the most, whatever it says."""

_QUESTION_SHARE = 2  # of a pair's tokens, the part that a question may take at most
_SHORTEST = 16
_PAD_NAMES = ("[PAD]", "<pad>", "<|pad|>")


class FolderReranker:
    """An ONNX cross-encoder in a folder. Loaded when first used, safe to share between threads."""

    def __init__(self, folder: Path) -> None:
        """Look for the files; load nothing yet.

        Raises:
            ConfigError: the folder holds no model or no tokenizer.
        """
        self._folder = folder
        weights = next(
            (path for path in (folder / "model.onnx", folder / "onnx" / "model.onnx") if path.is_file()), None
        )
        if weights is None or not (folder / "tokenizer.json").is_file():
            raise ConfigError(
                f"no `model.onnx` with a `tokenizer.json` in {str(folder)!r}",
                hint="export a cross-encoder with `optimum-cli export onnx`, and name that folder",
            )
        self._weights = weights
        self._lock = threading.Lock()

    @property
    def trust(self) -> Trust:
        """Texts do not leave the process."""
        return "local"

    def rerank(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """Return one score a text, higher is better, in order: the model's own unit, not bounded.

        Of a question, what fits half of the window is read; of a text, what is left of it.

        Raises:
            ConfigError: the files are no cross-encoder. ModelRefused: its scores are no finite numbers.
        """
        if not texts:
            return []
        asked = self._beginning(sendable(question))
        pairs = self._tokenizers[1].encode_batch([(asked, sendable(text)) for text in texts])
        order = sorted(range(len(pairs)), key=lambda row: len(pairs[row].ids))
        scores = [0.0] * len(pairs)
        for at in range(0, len(order), BATCH):
            rows = order[at : at + BATCH]
            for row, score in zip(rows, self._run([pairs[row] for row in rows]), strict=True):
                scores[row] = score
        return scores

    def _beginning(self, question: str) -> str:
        """Return what is read of a question: the text is cut to make room for it, never the other way round."""
        found = self._tokenizers[0].encode(question, add_special_tokens=False)
        most = self._length // _QUESTION_SHARE
        return question if len(found.ids) <= most else question[: found.offsets[most - 1][1]]

    def _run(self, batch: Sequence[Any]) -> list[float]:  # Any: tokenizers has no types
        import numpy as np

        longest = max(len(pair.ids) for pair in batch)
        ids = np.full((len(batch), longest), self._pad, np.int64)
        mask, types = np.zeros_like(ids), np.zeros_like(ids)
        for row, pair in enumerate(batch):
            ids[row, : len(pair.ids)] = pair.ids
            mask[row, : len(pair.ids)] = 1
            types[row, : len(pair.ids)] = pair.type_ids
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}
        wanted = [value.name for value in self._session.get_inputs()]
        if not set(wanted) <= set(given):
            raise self._unfit(f"wants {', '.join(sorted(set(wanted) - set(given)))}")
        try:
            output = self._session.run(None, {name: given[name] for name in wanted})[0]
        except _faults() as error:
            raise self._unfit("cannot be run on a question and a text") from error
        return self._scores(np.asarray(output, np.float64), count=len(batch))

    def _scores(self, output: npt.NDArray[np.float64], *, count: int) -> list[float]:
        """Return one number a pair; of two classes, by how much the second is preferred."""
        import numpy as np

        rows = output.reshape(count, -1) if output.size and output.shape[0] == count else output.reshape(-1, 0)
        if rows.shape[1] not in (1, 2):
            raise self._unfit("does not give one score, or two classes, a pair")
        scores = rows[:, 0] if rows.shape[1] == 1 else rows[:, 1] - rows[:, 0]
        if not np.isfinite(scores).all():
            raise ModelRefused(f"the reranker in {str(self._folder)!r} gave a score that is no finite number")
        found: list[float] = scores.tolist()
        return found

    @cached_property
    def _length(self) -> int:
        """Tokens of a pair, the special ones included."""
        stated = _json(self._folder / "tokenizer_config.json").get("model_max_length")
        return min(LONGEST, stated) if isinstance(stated, int) and stated >= _SHORTEST else LONGEST

    @cached_property
    def _pad(self) -> int:
        found = (self._tokenizers[0].token_to_id(name) for name in _PAD_NAMES)
        return next((token for token in found if token is not None), 0)

    @cached_property
    def _tokenizers(self) -> tuple[Any, Any]:  # Any: tokenizers has no types
        """Return one that does not cut, and one that cuts the text of a pair: that one takes pairs alone."""
        from tokenizers import Tokenizer

        path = self._folder / "tokenizer.json"
        if not isinstance(_json(path).get("model"), dict):  # tokenizers has no exception of its own
            raise self._unfit("has a `tokenizer.json` that is no tokenizer")
        free, cutting = Tokenizer.from_file(str(path)), Tokenizer.from_file(str(path))
        free.no_truncation()
        cutting.enable_truncation(self._length, strategy="only_second")
        for tokenizer in (free, cutting):
            tokenizer.no_padding()
        return free, cutting

    @cached_property
    def _session(self) -> Any:  # Any: onnxruntime has no types
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.log_severity_level = 4
        with self._lock:
            try:
                return onnxruntime.InferenceSession(str(self._weights), options, providers=["CPUExecutionProvider"])
            except _faults() as error:
                raise self._unfit("has a `model.onnx` that cannot be loaded") from error

    def _unfit(self, what: str) -> ConfigError:
        return ConfigError(
            f"the reranker in {str(self._folder)!r} {what}",
            hint="use a cross-encoder (sequence classification) that takes `input_ids` and `attention_mask`",
        )


def _faults() -> tuple[type[Exception], ...]:
    """Return what onnxruntime raises of a file or an input that it cannot use: they have no class in common."""
    from onnxruntime.capi import onnxruntime_pybind11_state as state

    return (
        state.EPFail,
        state.Fail,
        state.InvalidArgument,
        state.InvalidGraph,
        state.InvalidProtobuf,
        state.NoModel,
        state.NoSuchFile,
        state.NotImplemented,
        state.RuntimeException,
    )


def _json(path: Path) -> dict[str, Any]:  # Any: whatever a file holds
    """Return an object from a JSON file, an empty one if there is none."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
