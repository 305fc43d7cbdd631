"""Models in order of preference: the next is asked when one cannot be reached."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from askwell.errors import ConfigError, ModelUnavailable
from askwell.types import Usage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from askwell.ports import Embedder, Finish, Generation, Generator, Matrix, Message, Trust, Vector

T = TypeVar("T")


class FailoverEmbedder:
    """The first of several embedders of one space that can be reached."""

    def __init__(self, embedders: Sequence[Embedder]) -> None:
        """Take embedders, the preferred one first.

        Raises:
            ConfigError: there is none, or their embedding spaces differ: their vectors could not be compared.
        """
        if not embedders:
            raise ConfigError("a list of embedders is empty", hint="name at least one")
        spaces = {embedder.space for embedder in embedders}
        if len(spaces) > 1:
            raise ConfigError(
                f"embedders of different spaces cannot stand in for each other: {', '.join(sorted(spaces))}",
                hint="name the same model everywhere",
            )
        self._embedders = tuple(embedders)

    @property
    def space(self) -> str:
        """The space that they share."""
        return self._embedders[0].space

    @property
    def max_tokens(self) -> int:
        """The smallest window among them."""
        return min(embedder.max_tokens for embedder in self._embedders)

    @property
    def trust(self) -> Trust:
        """Local only if all are: any of them may be asked."""
        return _weakest([embedder.trust for embedder in self._embedders])

    def count_tokens(self, text: str) -> int:
        """Return the largest count among them."""
        return max(embedder.count_tokens(text) for embedder in self._embedders)

    def embed_query(self, text: str) -> Vector:
        """Return float32[d] of the first that answers. Raises what the last one raised if none does."""
        return _first(self._embedders, lambda embedder: embedder.embed_query(text))

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        """Return float32[n, d] of the first that answers. Raises what the last one raised if none does."""
        return _first(self._embedders, lambda embedder: embedder.embed_documents(texts))


class FailoverGenerator:
    """The first of several chat models that begins to answer."""

    def __init__(self, generators: Sequence[Generator]) -> None:
        """Take generators, the preferred one first.

        Raises:
            ConfigError: there is none.
        """
        if not generators:
            raise ConfigError("a list of chat models is empty", hint="name at least one")
        self._generators = tuple(generators)

    @property
    def name(self) -> str:
        """The preferred model's id."""
        return self._generators[0].name

    @property
    def trust(self) -> Trust:
        """Local only if all are: any of them may be asked."""
        return _weakest([generator.trust for generator in self._generators])

    def stream(self, messages: Sequence[Message]) -> FailoverCompletion:
        """Return a completion by the first model whose first piece arrives."""
        return FailoverCompletion(self._generators, messages)


class FailoverCompletion:
    """A completion that changes models until one has sent text, and never after: half an answer is not continued."""

    def __init__(self, generators: Sequence[Generator], messages: Sequence[Message]) -> None:
        """Ask nobody yet."""
        self._generators = generators
        self._messages = messages
        self._current: Generation | None = None
        self._closed = False
        self._pieces = self._run()

    def __iter__(self) -> Iterator[str]:
        """Yield text as it arrives. Raises what the last model raised if none began."""
        return self._pieces

    def close(self) -> None:
        """Cancel. Idempotent."""
        self._closed = True
        if self._current is not None:
            self._current.close()

    @property
    def usage(self) -> Usage:
        """Tokens of the model that answered."""
        return self._current.usage if self._current is not None else Usage()

    @property
    def finish(self) -> Finish:
        """Why the model that answered stopped."""
        return self._current.finish if self._current is not None else "stop"

    def _run(self) -> Iterator[str]:
        for position, generator in enumerate(self._generators, start=1):
            if self._closed:
                return
            begun = False
            try:
                self._current = generator.stream(self._messages)
                for piece in self._current:
                    begun = True
                    yield piece
            except ModelUnavailable:
                if begun or position == len(self._generators):
                    raise
            else:
                return


def _first(models: Sequence[Embedder], ask: Callable[[Embedder], T]) -> T:
    for model in models[:-1]:
        try:
            return ask(model)
        except ModelUnavailable:
            continue
    return ask(models[-1])


def _weakest(trusts: Sequence[Trust]) -> Trust:
    return "cloud" if "cloud" in trusts else "local"
