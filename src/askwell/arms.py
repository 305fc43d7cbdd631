"""A question made ready for each arm, so that the arms can be asked again at another depth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from askwell.errors import EmbeddingSpaceChanged, ModelRefused, ModelUnavailable
from askwell.ports import LexicalQuery
from askwell.terms import query_terms
from askwell.types import Arm, Filter

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from askwell.ids import ChunkId
    from askwell.ports import Embedder, Store, Trust, Vector
    from askwell.types import Audience, Sighting

TERMS = 64
"""Most terms of a question that the lexical arm is given: a pasted page is a question too."""


class Timer:
    """Milliseconds per step, by the clock it is handed."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._last = clock()
        self.laps: dict[str, float] = {}

    def lap(self, step: str) -> None:
        """Add the time since the last lap to `step`."""
        now = self._clock()
        self.laps[step] = self.laps.get(step, 0.0) + (now - self._last) * 1000
        self._last = now


@dataclass(frozen=True, slots=True, kw_only=True)
class Arms:
    """Both arms, aimed at one question.

    Attributes:
        vector: The question's vector, None where the vector arm is missing.
        missing: Why an arm does not take part, in words.
        warning: What is incomplete about an arm that does; empty if nothing.
    """

    store: Store
    visible: Filter
    lexical: LexicalQuery
    vector: Vector | None
    missing: Mapping[Arm, str]
    warning: str

    def search(self, depth: int, *, timer: Timer) -> dict[Arm, Sequence[tuple[ChunkId, Sighting]]]:
        """Return each arm's sightings, at most `depth`, best first; an arm that is missing is left out."""
        found = {Arm.LEXICAL: self.store.search_lexical(self.lexical, k=depth, visible=self.visible)}
        timer.lap("lexical")
        if self.vector is not None:
            found[Arm.VECTOR] = self.store.search_vector(self.vector, k=depth, visible=self.visible)
            timer.lap("vector")
        return found


def aim(question: str, *, store: Store, embedder: Embedder | None, visible: Filter) -> Arms:
    """Return the arms for a question.

    A model that is away or refuses is a missing arm, not an error: words alone still find something.

    Raises:
        EmbeddingSpaceChanged: the index holds vectors of another model. There the reader has something
            to repair, so it is never answered by words alone.
    """
    heaviest = sorted(query_terms(question).items(), key=lambda item: -item[1])[:TERMS]
    vector, missing, warning = _query_vector(question, store=store, embedder=embedder, visible=visible)
    return Arms(
        store=store,
        visible=visible,
        lexical=LexicalQuery(terms=dict(heaviest)),
        vector=vector,
        missing={Arm.VECTOR: missing} if missing else {},
        warning=warning,
    )


def _query_vector(
    question: str, *, store: Store, embedder: Embedder | None, visible: Filter
) -> tuple[Vector | None, str, str]:
    """Return the question's vector, or None and why there is none; and a warning where vectors are incomplete."""
    if embedder is None:
        return None, "no embedding model is configured", ""
    space = store.space()
    if space is not None and space[0] != embedder.space:
        raise EmbeddingSpaceChanged(stored=space[0], configured=embedder.space)
    have, waiting = store.vector_counts(visible=Filter(classes=visible.classes))
    if space is None or have == 0:
        return None, "no chunk has a vector yet", ""
    try:
        vector = embedder.embed_query(within_window(question, embedder))
    except (ModelUnavailable, ModelRefused) as error:
        return None, str(error), ""
    return vector, "", f"{waiting} of {have + waiting} chunks have no vector yet" if waiting else ""


def withheld(trust: Trust, audience: Audience, *, allow_cloud: bool) -> str:
    """Return why a reranker may not be shown what this audience may see, empty if it may."""
    if trust == "local" or allow_cloud or not audience.include_personal:
        return ""
    return "the reranker is not local, and this question may bring up personal text"


def within_window(text: str, embedder: Embedder) -> str:
    """Return the beginning of `text` that fits the model's window: some servers refuse instead of cutting.

    Cost: the tokens are counted only where there are more characters than tokens in the window, and never of
    more than eight characters a token.
    """
    window = embedder.max_tokens
    head = text[: 8 * window]
    while len(head) > window and (tokens := embedder.count_tokens(head)) > window:
        head = head[: min(len(head) - 1, len(head) * window // tokens)]
    return head
