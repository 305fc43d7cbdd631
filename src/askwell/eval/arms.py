"""What each arm finds by itself, before fusion and every rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

from askwell.arms import Timer, aim
from askwell.eval.run import scored

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from askwell.eval.questions import Question
    from askwell.eval.run import Report
    from askwell.ports import Embedder, Store
    from askwell.types import Arm, Filter


def by_arm(
    questions: Sequence[Question],
    *,
    store: Store,
    embedder: Embedder | None,
    visible: Filter,
    depth: int,
    clock: Callable[[], float],
) -> dict[Arm, Report]:
    """Return a report an arm: documents by their best chunk, in the arm's own order.

    Args:
        questions: The set.
        store: The index.
        embedder: None where there are no vectors; then there is no such arm either.
        visible: What may be seen.
        depth: Chunks that an arm is asked for.
        clock: Seconds, monotonic.
    """
    found: dict[Arm, dict[str, tuple[tuple[str, str], ...]]] = {}
    for question in questions:
        arms = aim(question.question, store=store, embedder=embedder, visible=visible)
        for arm, sightings in arms.search(depth, timer=Timer(clock)).items():
            ids = [id for id, _ in sightings]
            read = store.hits(ids, visible=visible)
            places = ((info.source, info.path) for id in ids if id in read for info in (read[id][1],))
            found.setdefault(arm, {})[question.id] = tuple(dict.fromkeys(places))
    return {arm: scored(questions, documents) for arm, documents in found.items()}
