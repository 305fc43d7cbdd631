"""Models behind an OpenAI-style HTTP address: Ollama, llama.cpp, vLLM, TEI, LM Studio, or a cloud."""

from __future__ import annotations

import base64
import binascii
import re
import threading
import time
from typing import TYPE_CHECKING

from askwell.errors import InputTooLong, ModelRefused
from askwell.models.check import checked, sendable
from askwell.models.completion import GRACE, HttpCompletion
from askwell.models.endpoint import ATTEMPTS, Endpoint

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from askwell.ports import Leaving, Matrix, Message, Trust, Vector

BATCH = 32
"""Texts a request: the most that TEI takes as it comes; more brings nothing on a processor."""

_RUN = re.compile(r"[A-Za-z]+")
_SPACE = re.compile(r"\s{2,}")
_SMALLEST = 64  # characters; a shorter question is not shortened further


class OpenAIEmbedder:
    """`POST /embeddings`. Safe to share between threads."""

    def __init__(
        self,
        *,
        url: str,
        model: str,
        key: str = "",
        window: int = 512,
        declared: Trust | None = None,
        timeout: float = 60.0,
        query_prefix: str = "",
        document_prefix: str = "",
        sleep: Callable[[float], None] = time.sleep,
        leaving: Leaving | None = None,
    ) -> None:
        """Connect to nothing yet.

        Args:
            url: Base URL, such as `http://127.0.0.1:11434/v1`.
            model: Its name there.
            key: API key, from the environment; empty for none.
            window: Tokens of one text that the model reads.
            declared: The trust that the user declared.
            timeout: Seconds of silence after which a request is given up.
            query_prefix: What the model wants before a question.
            document_prefix: What the model wants before a document.
            sleep: Waits between attempts.
            leaving: Told of each request that goes to another machine.

        Raises:
            ConfigError: the URL or the key cannot be used.
        """
        self._endpoint = Endpoint(
            url, key=key, declared=declared, timeout=timeout, sleep=sleep, purpose="embedding", leaving=leaving
        )
        self._model = model
        self._window = window
        self._prefixes = (query_prefix, document_prefix)
        self._lock = threading.Lock()
        self._width = 0

    @property
    def space(self) -> str:
        """Model and prefixes. Neither the address, which may change, nor the dimension, which is asked for first."""
        prefixes = "".join(f"/{prefix!r}" for prefix in self._prefixes) if any(self._prefixes) else ""
        return f"{self._model}/api{prefixes}"

    @property
    def max_tokens(self) -> int:
        """The window that was configured."""
        return self._window

    @property
    def trust(self) -> Trust:
        """Whether texts stay with the user."""
        return self._endpoint.trust

    def count_tokens(self, text: str) -> int:
        """Return how many tokens `text` takes at most in the usual tokenizers; see `tokens_at_most`."""
        return tokens_at_most(text)

    def embed_query(self, text: str) -> Vector:
        """Return float32[d], L2-normalised. A question that is refused as too long is read by its head and tail.

        One attempt only: a search that goes on by words is better than one that waits.

        Raises:
            ModelUnavailable, ModelRefused: see `refusals`.
        """
        while True:
            try:
                vector: Vector = self._embed([self._prefixes[0] + text], attempts=1)[0]
            except InputTooLong:
                if len(text) <= _SMALLEST:
                    raise
                text = text[: len(text) // 4] + "\n" + text[-(len(text) // 4) :]
            else:
                return vector

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        """Return float32[n, d], L2-normalised, in order. An empty input makes no request.

        Raises:
            InputTooLong: the server refused a text for its length.
            ModelUnavailable, ModelRefused: see `refusals`.
        """
        import numpy as np

        if not texts:
            return np.empty((0, self._width), np.float32)
        prefixed = [self._prefixes[1] + text for text in texts]
        parts = [self._embed(prefixed[at : at + BATCH], attempts=ATTEMPTS) for at in range(0, len(prefixed), BATCH)]
        return np.concatenate(parts)

    def close(self) -> None:
        """Close idle connections. Idempotent."""
        self._endpoint.close()

    def _embed(self, texts: Sequence[str], *, attempts: int) -> Matrix:
        sent = [sendable(text) for text in texts]
        body = {"model": self._model, "input": sent, "encoding_format": "float"}
        reply = self._endpoint.post("embeddings", body, sent=sent, attempts=attempts)
        rows = _vectors(reply, count=len(sent), by=self._endpoint.label)
        matrix = checked(rows, count=len(sent), width=self._width, by=self._endpoint.label)
        with self._lock:
            self._width = self._width or matrix.shape[1]
        return matrix


class OpenAIGenerator:
    """`POST /chat/completions` with `stream: true`. Safe to share between threads."""

    def __init__(
        self,
        *,
        url: str,
        model: str,
        key: str = "",
        declared: Trust | None = None,
        timeout: float = 120.0,
        temperature: float | None = 0.1,
        max_tokens: int | None = None,
        grace: float = GRACE,
        leaving: Leaving | None = None,
    ) -> None:
        """Connect to nothing yet.

        Args:
            url: Base URL, such as `http://127.0.0.1:11434/v1`.
            model: Its name there.
            key: API key, from the environment; empty for none.
            declared: The trust that the user declared.
            timeout: Seconds of silence after which an answer is given up, the wait for its first word included;
                comments that only keep the connection open are silence too.
            temperature: None leaves it to the server; low by default, because answers are to be found, not invented.
            max_tokens: The longest answer; None leaves it to the server.
            grace: Seconds to wait for the usage after the last word.
            leaving: Told of each request that goes to another machine.

        Raises:
            ConfigError: the URL or the key cannot be used.
        """
        self._endpoint = Endpoint(
            url, key=key, declared=declared, timeout=timeout, reuse=False, purpose="generation", leaving=leaving
        )
        self._model = model
        self._options = {"temperature": temperature, "max_tokens": max_tokens}
        self._grace = grace
        self._patience = timeout

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model

    @property
    def trust(self) -> Trust:
        """Whether prompts stay with the user."""
        return self._endpoint.trust

    def stream(self, messages: Sequence[Message]) -> HttpCompletion:
        """Return a completion whose request starts with its iteration, so that `close()` can cancel all of it."""
        turns = wire_messages(messages)
        body = {
            "model": self._model,
            "messages": turns,
            "stream": True,
            "stream_options": {"include_usage": True},
            **{name: value for name, value in self._options.items() if value is not None},
        }
        return HttpCompletion(
            self._endpoint,
            body,
            sent=[turn["content"] for turn in turns],
            grace=self._grace,
            patience=self._patience,
        )


def wire_messages(messages: Sequence[Message]) -> list[dict[str, str]]:
    """Return messages as JSON; system messages become one, in front: many chat templates accept nothing else."""
    system = "\n\n".join(sendable(message.content) for message in messages if message.role == "system")
    turns = [
        {"role": message.role, "content": sendable(message.content)} for message in messages if message.role != "system"
    ]
    return [{"role": "system", "content": system}, *turns] if system else turns


def tokens_at_most(text: str) -> int:
    """Return a number of tokens that the usual tokenizers stay under, from the letters alone.

    Two for every five letters of a run, rounded up (English takes one in four or five, identifiers one in three); one
    for a digit, a sign or a run of spaces; for a character beyond ASCII as many as its UTF-8 bytes less one (Greek and
    Cyrillic 1, CJK 2, emoji 3). No tokenizer that falls back to bytes takes more than one a byte, but a bound by
    that would leave chunks of a quarter of the window. A server that still refuses makes the text be cut.
    """
    runs = _RUN.findall(text)
    letters = sum(map(len, runs))
    spaces = sum(map(str.isspace, text))
    ascii_ = len(text.encode("ascii", "ignore"))
    beyond = len(text.encode("utf-8", "replace")) - ascii_ - (len(text) - ascii_)
    signs = max(0, ascii_ - letters - spaces)
    return sum((2 * len(run) + 4) // 5 for run in runs) + signs + beyond + len(_SPACE.findall(text))


def _vectors(reply: object, *, count: int, by: str) -> list[object]:
    """Return the vectors of a reply in the order of the request."""
    data = reply.get("data") if isinstance(reply, dict) else None
    if not isinstance(data, list) or not all(isinstance(item, dict) for item in data):
        raise ModelRefused(f"{by} returned no embeddings", hint="check that the model is an embedding model")
    if len(data) != count:
        raise ModelRefused(f"{by} returned {len(data)} vectors for {count} texts", hint="check the server's version")
    indexes = [item.get("index") for item in data]
    if all(index is None for index in indexes):
        return [_numbers(item.get("embedding"), by=by) for item in data]
    by_index = {index: item.get("embedding") for index, item in zip(indexes, data, strict=True)}
    if set(by_index) != set(range(count)):
        raise ModelRefused(f"{by} numbered its vectors wrongly", hint="check the server's version")
    return [_numbers(by_index[index], by=by) for index in range(count)]


def _numbers(embedding: object, *, by: str) -> object:
    """Return a vector's numbers; some servers send base64 of little-endian float32 whatever was asked for."""
    if not isinstance(embedding, str):
        return embedding
    import numpy as np

    try:
        return np.frombuffer(base64.b64decode(embedding, validate=True), dtype="<f4")
    except (binascii.Error, ValueError) as error:
        raise ModelRefused(f"{by} returned a vector that cannot be read", hint="check the server's version") from error
