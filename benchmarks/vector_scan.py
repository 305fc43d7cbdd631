"""How far the vector arm is from a bare numpy product over the same vectors, both in one run.

    python benchmarks/vector_scan.py [--rows 3000 100000] [--width 384]

Prints, per size, the median time of `matrix @ query` with a partition for the best 40, and the ratio of the store's
whole `search_vector` to it: without a condition, with one tenth of the chunks permitted, and with nine tenths.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from askwell.ids import fingerprint
from askwell.stores.sqlite import open_store
from askwell.testing.specimens import FULL_REQUEST, OPEN, PERSONAL, item
from askwell.types import Filter, SourceType

if TYPE_CHECKING:
    from collections.abc import Callable

    from askwell.ports import Matrix, Store

K = 40
_A_DOCUMENT = 100


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    options.add_argument("--rows", type=int, nargs="+", default=[3_000, 100_000])
    options.add_argument("--width", type=int, default=384)
    options.add_argument("--rounds", type=int, default=30)
    arguments = options.parse_args()
    print(f"{'chunks':>8} {'bare ms':>8} {'all':>6} {'1/10':>6} {'9/10':>6}")
    for rows in arguments.rows:
        with tempfile.TemporaryDirectory() as folder:
            measure(rows, arguments.width, arguments.rounds, Path(folder))


def measure(rows: int, width: int, rounds: int, folder: Path) -> None:
    """Print one line: bare time in milliseconds, then ratios."""
    generator = np.random.default_rng(7)
    matrix = generator.standard_normal((rows, width)).astype(np.float32)
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    store = open_store(folder / "index.db", create=True, read_only=False)
    fill(store, matrix)
    queries = generator.standard_normal((rounds, width)).astype(np.float32)
    queries /= np.linalg.norm(queries, axis=1, keepdims=True)
    filters = {
        "all": FULL_REQUEST,
        "tenth": Filter(classes=frozenset({PERSONAL})),
        "most": Filter(classes=frozenset({OPEN})),
    }
    runs: dict[str, Callable[[int], object]] = {"bare": lambda n: bare(matrix, queries[n])}
    for name, visible in filters.items():
        runs[name] = lambda n, visible=visible: store.search_vector(queries[n], k=K, visible=visible)  # type: ignore[misc]  # bound early
    times: dict[str, list[float]] = {name: [] for name in runs}
    for n in range(rounds):  # one after the other, so that a busy moment is shared
        for name, run in runs.items():
            started = time.perf_counter()
            run(n)
            times[name].append(time.perf_counter() - started)
    middle = {name: statistics.median(taken[3:]) for name, taken in times.items()}
    ratios = " ".join(f"{middle[name] / middle['bare']:6.2f}" for name in filters)
    print(f"{rows:8d} {middle['bare'] * 1000:8.3f} {ratios}")
    store.close()


def bare(matrix: Matrix, query: np.ndarray[tuple[int], np.dtype[np.float32]]) -> object:
    """Return the best `K` by numpy alone."""
    scores = matrix @ query
    best = np.argpartition(-scores, K)[:K]
    return best[np.argsort(-scores[best])]


def fill(store: Store, matrix: Matrix) -> None:
    """Put a chunk a row, one document in ten personal."""
    texts = [f"text {n}" for n in range(len(matrix))]
    with store.write() as writer:
        writer.put_source("notes", SourceType.FOLDER, "/notes")
        for start in range(0, len(texts), _A_DOCUMENT):
            class_ = PERSONAL if start // _A_DOCUMENT % 10 == 0 else OPEN
            writer.put_document(*item(f"{start}.md", "\n\n".join(texts[start : start + _A_DOCUMENT]), class_=class_))
        writer.set_space("random", matrix[0])
        for start in range(0, len(texts), 5_000):
            piece = range(start, min(start + 5_000, len(texts)))
            writer.put_vectors("random", [(fingerprint(texts[n]), matrix[n]) for n in piece])


if __name__ == "__main__":
    main()
