"""The bundled embedder against the bare session: `python benchmarks/embedder.py [FOLDER]`.

Everything is measured in one run, alternating, so that a busy machine slows both sides. Prints ratios; the budget is
that `embed_documents` and the whole vector pass keep at least 90 % of the bare session's chunks a second. Where other
programs take turns with it, the rate a CPU-second is the one to read.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from askwell.embedding import embed_pending
from askwell.models.local import LocalEmbedder, load_model, processors, weights_path
from askwell.testing.memory_store import MemoryStore
from askwell.testing.specimens import fill, item

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

CHUNK = 900  # characters, about 210 tokens
CHUNKS = 192
ROUNDS = 3


def chunks(folder: Path) -> list[str]:
    """Return pieces of the Markdown below `folder`, spread over its files."""
    found: list[str] = []
    for path in sorted(folder.rglob("*.md")):
        text = path.read_text(encoding="utf-8", errors="replace")
        found += [text[at : at + CHUNK] for at in range(0, len(text), CHUNK)]
    return found[:: max(1, len(found) // CHUNKS)][:CHUNKS]


def published(texts: Sequence[Sequence[int]], *, batch: int) -> Callable[[], None]:
    """Run the published graph as it comes, padded batches by length, all processors in each run."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(str(weights_path()), options, providers=["CPUExecutionProvider"])
    ordered = sorted(texts, key=len)

    def run() -> None:
        for at in range(0, len(ordered), batch):
            part = ordered[at : at + batch]
            ids = np.zeros((len(part), max(map(len, part))), np.int64)
            mask = np.zeros_like(ids)
            for row, tokens in enumerate(part):
                ids[row, : len(tokens)] = tokens
                mask[row, : len(tokens)] = 1
            session.run(None, {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)})

    return run


def bare(texts: Sequence[Sequence[int]]) -> Callable[[], None]:
    """Run our graph on inputs made beforehand: no tokenizer, no check, no order."""
    model, session = load_model(weights_path())
    inputs = [{"embedded": model.embed(tokens)} for tokens in sorted(texts, key=len, reverse=True)]

    def run() -> None:
        with ThreadPoolExecutor(processors()) as pool:
            list(pool.map(lambda given: session.run(None, given), inputs))

    return run


def vector_pass(texts: Sequence[str], embedder: LocalEmbedder) -> Callable[[], None]:
    """Run the whole pass over a store in memory."""

    def run() -> None:
        store = MemoryStore()
        fill(store, [item(f"{number}.md", text.replace("\n\n", "\n")) for number, text in enumerate(texts)])
        with store.write() as writer:
            embed_pending(store, writer, embedder, allow_personal=True)

    return run


def rates(sides: dict[str, Callable[[], None]], *, count: int) -> dict[str, tuple[float, float]]:
    """Return each side's best texts a second and a CPU-second over alternating rounds."""
    best = dict.fromkeys(sides, (0.0, 0.0))
    for run in sides.values():
        run()
    for _ in range(ROUNDS):
        for name, run in sides.items():
            started, used = time.perf_counter(), time.process_time()
            run()
            wall, cpu = count / (time.perf_counter() - started), count / (time.process_time() - used)
            best[name] = (max(best[name][0], wall), max(best[name][1], cpu))
    return best


def cold(code: str) -> float:
    """Return the median seconds of a new process."""
    times: list[float] = []
    for _ in range(5):
        started = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)
        times.append(time.perf_counter() - started)
    return statistics.median(times)


def main(arguments: Sequence[str]) -> None:
    folder = Path(arguments[0]) if arguments else Path(__file__).parents[1] / "examples"
    embedder = LocalEmbedder()
    texts = [text for text in chunks(folder) if 0 < embedder.count_tokens(text) <= embedder.max_tokens]
    tokens = [[101, *embedder._tokens(text), 102] for text in texts]
    print(f"{len(texts)} chunks, {statistics.mean(map(len, tokens)):.0f} tokens on average, {processors()} processors")
    sides: dict[str, Any] = {
        "published graph, batches of 16": published(tokens, batch=16),
        "bare session": bare(tokens),
        "embed_documents": lambda: embedder.embed_documents(texts),
        "vector pass": vector_pass(texts, embedder),
    }
    found = rates(sides, count=len(texts))
    reference = found["bare session"]
    print(f"{'':32} chunks/s           a CPU-second")
    for name, (wall, cpu) in found.items():
        print(f"{name:32} {wall:7.1f} {wall / reference[0]:7.1%}   {cpu:7.1f} {cpu / reference[1]:7.1%}")
    question = "how long does the mover wait before it stops"
    times = []
    for _ in range(50):
        started = time.perf_counter()
        embedder.embed_query(question)
        times.append(time.perf_counter() - started)
    print(f"a question, warm: {statistics.median(times) * 1000:.1f} ms")
    start, arrays = cold("pass"), cold("import numpy")
    first = cold(f"from askwell.models.local import LocalEmbedder; LocalEmbedder().embed_query({question!r})")
    print(f"a new process: {start * 1000:.0f} ms, with numpy {arrays * 1000:.0f}, with a question {first * 1000:.0f}")


if __name__ == "__main__":
    main(sys.argv[1:])
