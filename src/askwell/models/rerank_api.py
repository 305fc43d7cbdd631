"""A reranker behind HTTP, in the two forms that servers speak."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal, TypeAlias

from askwell.errors import ModelRefused
from askwell.models.check import sendable
from askwell.models.endpoint import Endpoint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askwell.ports import Leaving, Trust

Dialect: TypeAlias = Literal["jina", "tei"]
"""`jina`: Jina, Cohere, llama.cpp, vLLM (`documents`, `relevance_score`);
`tei`: text-embeddings-inference (`texts`)."""


class HttpReranker:
    """`POST /rerank`. Safe to share between threads."""

    def __init__(
        self,
        *,
        url: str,
        model: str = "",
        key: str = "",
        dialect: Dialect = "jina",
        declared: Trust | None = None,
        timeout: float = 30.0,
        leaving: Leaving | None = None,
    ) -> None:
        """Connect to nothing yet. `url` is the address that `/rerank` is below; `leaving` is told of each request.

        Raises:
            ConfigError: the URL or the key cannot be used.
        """
        self._endpoint = Endpoint(
            url,
            key=key,
            declared=declared,
            timeout=timeout,
            root="" if dialect == "tei" else "/v1",
            purpose="rerank",
            leaving=leaving,
        )
        self._model = model
        self._dialect = dialect

    @property
    def trust(self) -> Trust:
        """Whether texts stay with the user."""
        return self._endpoint.trust

    def rerank(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """Return one relevance a text, higher is better, in order. An empty input makes no request.

        Scores are the server's own unit: compare them within one call only.

        Raises:
            ModelUnavailable: no answer, after one attempt. ModelRefused: not one finite score a text.
        """
        if not texts:
            return []
        sent = [sendable(text) for text in texts]
        query = sendable(question)
        body: dict[str, object] = {"model": self._model} if self._model else {}
        if self._dialect == "tei":
            body |= {"query": query, "texts": sent, "truncate": True}
        else:
            body |= {"query": query, "documents": sent, "top_n": len(sent), "return_documents": False}
        reply = self._endpoint.post("rerank", body, sent=[query, *sent], attempts=1)
        return self._scores(reply, count=len(sent))

    def close(self) -> None:
        """Close idle connections. Idempotent."""
        self._endpoint.close()

    def _scores(self, reply: object, *, count: int) -> list[float]:
        items = reply.get("results", reply.get("data")) if isinstance(reply, dict) else reply
        scores: dict[int, float] = {}
        for item in items if isinstance(items, list) else []:
            if not isinstance(item, dict):
                continue
            index, score = item.get("index"), item.get("relevance_score", item.get("score"))
            if isinstance(index, int) and isinstance(score, (int, float)) and math.isfinite(score):
                scores[index] = float(score)
        if set(scores) != set(range(count)):
            raise ModelRefused(
                f"{self._endpoint.label} did not return one score a text", hint="check the model and its dialect"
            )
        return [scores[index] for index in range(count)]
