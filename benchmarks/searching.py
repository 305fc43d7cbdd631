"""How long a search takes: warm over 3,000 chunks, by what it does for quality, and over 100,000 chunks with a filter.

The large index holds random vectors in place of embedded ones: how many there are takes the time, not what they mean.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from askwell.compose import engine, open_store
from askwell.config import load
from askwell.embedding import PROBE_TEXT
from askwell.engine import Request
from askwell.models.local import LocalEmbedder
from askwell.privacy import audience
from benchmarks.corpus import make

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from askwell.engine import Engine

QUESTION = "how often is the pump in the greenhouse checked"
WORDS = ("pump", "garden", "disk", "bread", "backup", "fan", "lamp", "filter", "soil", "winter")
QUESTIONS = tuple(f"{QUESTION} {one} {two}" for one in WORDS for two in WORDS[:3])

VARIANTS: Mapping[str, Mapping[str, object]] = {
    "without words": {"retrieval.words": "false"},
    "default": {},
    "late, 16 hits": {"models.rerank": "late"},
}
"""Settings that buy quality with time."""


def opened(corpus: Path, index: str, flags: Mapping[str, object] = {}) -> Engine:
    """Return an engine over an index that is there."""
    return engine(load(file=None, environ={}, sources=[str(corpus)], flags={"store.url": index, **flags}))


def timed(made: Engine, requests: Sequence[Request]) -> list[float]:
    """Return the seconds of each search, the index and the model warm."""
    for request in requests:
        made.search(request)
    spent = []
    for request in requests:
        start = time.perf_counter()
        made.search(request)
        spent.append(time.perf_counter() - start)
    return spent


def by_quality(corpus: Path, index: str) -> list[tuple[str, float, float]]:
    """Return per variant its name, its median and the median of embedding the question alone, in seconds.

    The variants take turns over the questions, so that what else the machine does falls on all of them alike.
    """
    seen = audience(include_personal=True)
    engines = {name: opened(corpus, index, flags) for name, flags in VARIANTS.items()}
    requests = [Request(question=text, audience=seen) for text in QUESTIONS]
    for made in engines.values():
        timed(made, requests)
    embedder = LocalEmbedder()
    embedder.embed_query(QUESTION)
    alone: list[float] = []
    spent: dict[str, list[float]] = {name: [] for name in engines}
    for request in requests:
        start = time.perf_counter()
        embedder.embed_query(request.question)
        alone.append(time.perf_counter() - start)
        for name, made in engines.items():
            start = time.perf_counter()
            made.search(request)
            spent[name].append(time.perf_counter() - start)
    for made in engines.values():
        made.close()
    return [(name, statistics.median(times), statistics.median(alone)) for name, times in spent.items()]


def large(root: Path, *, chunks: int = 100_000) -> tuple[int, float, float]:
    """Return how many chunks there are, and the median and 95th percentile of warm searches of a part."""
    corpus, index = root / "large", str(root / "large.db")
    make(corpus, files=chunks * 8 // 25)
    askwell = str(Path(sys.executable).with_name("askwell"))
    index_run = [askwell, "index", "--no-vectors", "--source", str(corpus), "--index", index]
    subprocess.run(index_run, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with_random_vectors(index)
    made = opened(corpus, index)
    seen = audience(include_personal=True)
    requests = [Request(question=text, audience=seen, paths=(f"area{n % 9}*/**",)) for n, text in enumerate(QUESTIONS)]
    spent = sorted(timed(made, requests))
    count = sum(info.chunks for info in made.documents(audience=seen))
    made.close()
    return count, statistics.median(spent), spent[int(0.95 * len(spent))]


def with_random_vectors(index: str) -> None:
    """Give every chunk that waits for one a vector of the bundled model's space."""
    rng = np.random.default_rng(7)
    embedder = LocalEmbedder()
    probe = embedder.embed_query(PROBE_TEXT)
    store = open_store(Path(index), read_only=False)
    try:
        with store.write() as writer:
            writer.set_space(embedder.space, probe)
            after = ""
            while page := store.pending(embedder.space, limit=4096, after=after):
                rows = rng.standard_normal((len(page), len(probe))).astype(np.float32)
                rows /= np.linalg.norm(rows, axis=1, keepdims=True)
                writer.put_vectors(embedder.space, [(one.key, row) for one, row in zip(page, rows, strict=True)])
                after = page[-1].key
    finally:
        store.close()
