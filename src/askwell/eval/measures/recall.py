"""Whether the answer is among the first k."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence


def found_at(ranked: Sequence[str], *, gold: Collection[str], also: Collection[str] = (), every: bool = False) -> int:
    """Return the smallest k at which a question counts as found in the first k, 0 if it never does.

    Args:
        ranked: Distinct documents, best first.
        gold: The documents that hold the answer.
        also: Others that hold it too; not asked for where `every` is set.
        every: All of `gold` are needed together, not any one.
    """
    ranks = {document: rank for rank, document in reversed(list(enumerate(ranked, start=1)))}
    if every:
        needed = [ranks.get(document, 0) for document in gold]
        return max(needed, default=0) if all(needed) else 0
    return min((ranks[document] for document in {*gold, *also} if document in ranks), default=0)


def hit_at(k: int, found: int) -> float:
    """Return 1.0 for a question found within the first `k`, else 0.0. Its mean over questions is recall@k.

    Where one document suffices this is success@k, which equals recall for questions with one relevant document.

    Source: Manning, Raghavan and Schuetze, "Introduction to Information Retrieval", 2008, section 8.4.
    """
    return float(0 < found <= k)


def recall(ranked: Sequence[str], relevant: Collection[str], *, k: int) -> float:
    """Return the share of `relevant` documents among the first `k`; 0.0 where none is known.

    Source: as above; the classic form, for collections with many relevant documents a question.
    """
    return len({*ranked[:k]} & {*relevant}) / len({*relevant}) if relevant else 0.0
