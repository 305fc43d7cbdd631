"""How far down the first answer stands."""

from __future__ import annotations


def reciprocal_rank(found: int, *, k: int) -> float:
    """Return ``1 / found``, 0.0 where `found` is 0 (never) or beyond `k`. Its mean over questions is MRR@k.

    Source: Voorhees, "The TREC-8 Question Answering Track Report", TREC 1999, section 3. Deviation: where a
    question needs several documents, `found` is the rank of the last of them.
    """
    return 1 / found if 0 < found <= k else 0.0
