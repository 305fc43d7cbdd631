"""Embedders from the user's own disk: a folder exported for sentence-transformers, or a model fetched by fastembed.

FOLDER/
  model.onnx | onnx/model.onnx
  tokenizer.json
  1_Pooling/config.json              mean, or the first token
  sentence_bert_config.json          max_seq_length
  config_sentence_transformers.json  prompts: what to put before questions and documents
"""

from __future__ import annotations

import hashlib
import json
import threading
from functools import cached_property
from typing import TYPE_CHECKING, Any

from askwell.errors import ConfigError, InputTooLong, ModelRefused
from askwell.models.check import checked, sendable

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from askwell.ports import Matrix, Trust, Vector

BATCH = 16
"""Texts a run; larger ones cost memory and bring nothing."""

_SPECIAL = 2  # tokens that the tokenizer puts around a text
_DEFAULT_LENGTH = 512
_SAMPLE = 1 << 20  # bytes


class FolderEmbedder:
    """An ONNX encoder in a folder. Loaded when first used, safe to share between threads."""

    def __init__(self, folder: Path) -> None:
        """Look for the files; load nothing yet.

        Raises:
            ConfigError: the folder holds no model or no tokenizer.
        """
        self._folder = folder
        self._weights = next(
            (path for path in (folder / "model.onnx", folder / "onnx" / "model.onnx") if path.is_file()), None
        )
        if self._weights is None or not (folder / "tokenizer.json").is_file():
            raise ConfigError(
                f"no `model.onnx` with a `tokenizer.json` in {str(folder)!r}",
                hint="export the model with `optimum-cli export onnx`, and name that folder",
            )
        length = _setting(folder / "sentence_bert_config.json", "max_seq_length")
        self._length = length if isinstance(length, int) and length > _SPECIAL else _DEFAULT_LENGTH
        self._first_token = _setting(folder / "1_Pooling" / "config.json", "pooling_mode_cls_token") is True
        prompts = _setting(folder / "config_sentence_transformers.json", "prompts")
        self._query_prefix = _prompt(prompts, "query")
        self._document_prefix = _prompt(prompts, "document") or _prompt(prompts, "passage")
        self._lock = threading.Lock()

    @cached_property
    def space(self) -> str:
        """Folder name, a sample of the weights' hash, pooling and prefixes."""
        pooling = "cls" if self._first_token else "mean"
        prefixes = f"/{self._query_prefix!r}/{self._document_prefix!r}" if self._document_prefix else ""
        return f"{self._folder.resolve().name}/onnx@{self._sample()}/{pooling}{prefixes}"

    @property
    def max_tokens(self) -> int:
        """Tokens of one text; special tokens and the prefix are not counted."""
        return (
            self._length - _SPECIAL - len(self._tokenizer.encode(self._document_prefix, add_special_tokens=False).ids)
        )

    @property
    def trust(self) -> Trust:
        """Texts do not leave the process."""
        return "local"

    def count_tokens(self, text: str) -> int:
        """Return exactly how many tokens of the window `text` takes."""
        return len(self._tokenizer.encode(sendable(text), add_special_tokens=False).ids)

    def embed_query(self, text: str) -> Vector:
        """Return float32[d], L2-normalised; a longer question is read up to the window.

        Raises:
            ConfigError, ModelRefused: the files are no encoder.
        """
        tokens = self._tokenizer.encode(sendable(self._query_prefix + text)).ids
        vector: Vector = self._run([[*tokens[: self._length - 1], tokens[-1]] if tokens else tokens])[0]
        return vector

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        """Return float32[n, d], L2-normalised, in order.

        Raises:
            InputTooLong: a text is over the window.
            ConfigError, ModelRefused: the files are no encoder.
        """
        import numpy as np

        if not texts:
            return np.empty((0, 0), np.float32)
        tokens = [self._tokenizer.encode(sendable(self._document_prefix + text)).ids for text in texts]
        longest = max(map(len, tokens))
        if longest > self._length:
            raise InputTooLong(f"a text has {longest} tokens, {self.space} reads {self._length}", hint="split it")
        order = sorted(range(len(tokens)), key=lambda row: len(tokens[row]))
        parts = [self._run([tokens[row] for row in order[at : at + BATCH]]) for at in range(0, len(order), BATCH)]
        matrix: Matrix = np.concatenate(parts)[np.argsort(order)]
        return np.ascontiguousarray(matrix)

    def _run(self, batch: Sequence[Sequence[int]]) -> Matrix:
        import numpy as np

        longest = max(map(len, batch))
        ids = np.zeros((len(batch), longest), np.int64)
        mask = np.zeros_like(ids)
        for row, tokens in enumerate(batch):
            ids[row, : len(tokens)] = tokens
            mask[row, : len(tokens)] = 1
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        wanted = {value.name for value in self._session.get_inputs()}
        if not wanted <= set(given):
            raise ConfigError(
                f"the model in {str(self._folder)!r} wants {', '.join(sorted(wanted - set(given)))}",
                hint="use an encoder that takes `input_ids` and `attention_mask`",
            )
        output = self._session.run(None, {name: given[name] for name in wanted})[0]
        if output.ndim == 3:
            weights = mask[..., np.newaxis]
            output = output[:, 0] if self._first_token else (output * weights).sum(1) / weights.sum(1)
        return checked(output, count=len(batch), width=0, by=str(self._folder.name))

    @cached_property
    def _tokenizer(self) -> Any:  # Any: tokenizers has no types
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(self._folder / "tokenizer.json"))
        tokenizer.no_truncation()
        tokenizer.no_padding()
        return tokenizer

    @cached_property
    def _session(self) -> Any:  # Any: onnxruntime has no types
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        with self._lock:
            return onnxruntime.InferenceSession(str(self._weights), options, providers=["CPUExecutionProvider"])

    def _sample(self) -> str:
        """Return a hash of the weights' size, first and last bytes: to hash a gigabyte would delay every question."""
        assert self._weights is not None  # noqa: S101 - checked when it was made
        files = [self._weights, *sorted(self._weights.parent.glob("model.onnx[._]data"))]
        digest = hashlib.blake2b(digest_size=4)
        for path in files:
            size = path.stat().st_size
            digest.update(size.to_bytes(8, "big"))
            with path.open("rb") as file:
                digest.update(file.read(_SAMPLE))
                file.seek(max(0, size - _SAMPLE))
                digest.update(file.read(_SAMPLE))
        return digest.hexdigest()


class FastEmbedder:
    """A model that fastembed knows by name and has on disk. Nothing is downloaded here."""

    def __init__(self, name: str) -> None:
        """Load nothing yet.

        Raises:
            ConfigError: fastembed is not installed.
        """
        import importlib.util

        if importlib.util.find_spec("fastembed") is None:
            raise ConfigError("fastembed is not installed", hint='run `pip install "askwell[fastembed]"`')
        self._name = name

    @property
    def space(self) -> str:
        """Name of the vector space."""
        return f"{self._name}/fastembed"

    @cached_property
    def max_tokens(self) -> int:
        """Tokens of one text, as the model's own tokenizer has it."""
        truncation = self._tokenizers[1]
        return int(truncation) - _SPECIAL

    @property
    def trust(self) -> Trust:
        """Texts do not leave the process."""
        return "local"

    def count_tokens(self, text: str) -> int:
        """Return exactly how many tokens of the window `text` takes."""
        return len(self._tokenizers[0].encode(sendable(text), add_special_tokens=False).ids)

    def embed_query(self, text: str) -> Vector:
        """Return float32[d], L2-normalised; fastembed reads a longer question up to the window.

        Raises:
            ConfigError: fastembed does not know the model, or it is not on disk.
        """
        rows = list(self._model.query_embed([sendable(text)]))
        vector: Vector = checked(rows, count=1, width=0, by=self._name)[0]
        return vector

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        """Return float32[n, d], L2-normalised, in order.

        Raises:
            InputTooLong: a text is over the window.
            ConfigError: as for `embed_query`.
        """
        import numpy as np

        if not texts:
            return np.empty((0, 0), np.float32)
        longest = max(map(self.count_tokens, texts))
        if longest > self.max_tokens:
            raise InputTooLong(f"a text has {longest} tokens, {self._name} reads {self.max_tokens}", hint="split it")
        rows = list(self._model.passage_embed([sendable(text) for text in texts], batch_size=BATCH))
        return checked(rows, count=len(texts), width=0, by=self._name)

    @cached_property
    def _model(self) -> Any:  # Any: fastembed is not installed where types are checked
        from fastembed import TextEmbedding

        try:
            return TextEmbedding(model_name=self._name, local_files_only=True)
        except (ValueError, OSError, RuntimeError) as error:
            raise ConfigError(
                f"fastembed has no model {self._name!r} on this machine",
                hint=f"fetch it once: `python -c \"from fastembed import TextEmbedding as T; T('{self._name}')\"`",
            ) from error

    @cached_property
    def _tokenizers(self) -> tuple[Any, int]:  # Any: as above
        """Return a tokenizer that does not cut, and the length at which the model's own does."""
        from tokenizers import Tokenizer

        own = getattr(self._model.model, "tokenizer", None)
        if own is None or own.truncation is None:
            raise ModelRefused(f"fastembed does not say how much {self._name!r} reads", hint="use `folder:PATH`")
        free = Tokenizer.from_str(own.to_str())
        free.no_truncation()
        free.no_padding()
        return free, own.truncation["max_length"]


def _setting(path: Path, name: str) -> object:
    """Return a value of a JSON file, None if there is no such file or value."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return found.get(name) if isinstance(found, dict) else None


def _prompt(prompts: object, side: str) -> str:
    value = prompts.get(side) if isinstance(prompts, dict) else ""
    return value if isinstance(value, str) else ""
