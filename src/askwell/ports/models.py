"""What turns text into vectors, scores and prose."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    import numpy.typing as npt

    from askwell.types import Usage

Vector: TypeAlias = "npt.NDArray[np.float32]"
"""float32[d], L2-normalised. Quoted, so that naming it does not import numpy."""

Matrix: TypeAlias = "npt.NDArray[np.float32]"
"""float32[n, d], C-contiguous, rows L2-normalised."""


class Embedder(Protocol):
    """Text to vectors. Query and document sides may use different prefixes."""

    @property
    def space(self) -> str:
        """Name of the vector space: model, revision, prefixes, dimension. Vectors mix only within one space."""
        ...

    @property
    def max_tokens(self) -> int:
        """The window: tokens of one text that the model reads, special tokens not counted."""
        ...

    @property
    def trust(self) -> Trust:
        """Whether texts stay with the user."""
        ...

    def count_tokens(self, text: str) -> int:
        """Return how many tokens of the window `text` takes; an upper bound where the tokenizer is not known."""
        ...

    def embed_query(self, text: str) -> Vector:
        """Return float32[d], L2-normalised.

        Raises:
            ModelUnavailable: it cannot be reached. ModelRefused: what it returned is not a usable vector.
        """
        ...

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        """Return float32[n, d], L2-normalised, in order. An empty input makes no request.

        Raises:
            InputTooLong: a text is over the window of a model that refuses instead of cutting.
            ModelUnavailable, ModelRefused: as above; also for a wrong count, width or order, NaN and zero vectors.
        """
        ...


Trust: TypeAlias = Literal["local", "cloud"]


@dataclass(frozen=True, slots=True)
class Message:
    """One turn as a model reads it."""

    role: Literal["system", "user", "assistant"]
    content: str


class Generator(Protocol):
    """A chat model."""

    @property
    def name(self) -> str:
        """The model's id, for records."""
        ...

    @property
    def trust(self) -> Trust:
        """Whether prompts stay with the user."""
        ...

    def stream(self, messages: Sequence[Message]) -> Generation:
        """Start one completion. Raises as soon as it is known that nothing will come.

        Raises:
            ModelUnavailable: refused connection, timeout, broken off. ModelRefused: an unusable reply.
        """
        ...


class Generation(Protocol):
    """A running completion. `close()` cancels the request; iterating raises like `Generator.stream`."""

    def __iter__(self) -> Iterator[str]:
        """Yield text as it arrives; ends only when the model said that it was done."""
        ...

    def close(self) -> None:
        """Cancel. Idempotent."""
        ...

    @property
    def usage(self) -> Usage:
        """Tokens as the server counted them, once the iteration has ended."""
        ...

    @property
    def finish(self) -> Finish:
        """Why the model stopped, once the iteration has ended."""
        ...


Finish: TypeAlias = Literal["stop", "length", "filtered"]
"""Its own decision; the output limit; the server's content filter. After the last two the text is not complete."""


class Reranker(Protocol):
    """Scores passages against a question."""

    @property
    def trust(self) -> Trust:
        """Whether texts stay with the user."""
        ...

    def rerank(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """Return one relevance a text, higher is better, in order. An empty input makes no request."""
        ...


Progress: TypeAlias = Callable[[str, int, int], None]
"""Called with (phase, done, total) as work advances; cheap to call often."""
