"""What the server costs: time to ready, memory when idle, what it adds to a model's first word, and 50 streams at once.

`python -m benchmarks.serving` over the bundled examples. A model that answers at once stands in for a real one; for the
streams, one that writes ten words a second.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import httpx

from askwell.testing.fake_openai import DONE, FakeOpenAI, Reply, finished, said

if TYPE_CHECKING:
    from collections.abc import Iterator

EXAMPLES = Path(__file__).parents[1] / "examples"
QUESTION = {"question": "which port does grafana use"}
STREAMS = 50


@contextlib.contextmanager
def serving(folder: Path, *, model: str) -> Iterator[tuple[str, int, float]]:
    """Serve a copy of the examples; yield the address, the process and the seconds until it was ready."""
    settings = folder / "askwell.toml"
    settings.write_text(
        f'[[source]]\npath = "{EXAMPLES / "homelab"}"\n[[source]]\npath = "{folder / "grown"}"\n'
        f'[store]\nurl = "{folder / "index.db"}"\n[records]\npath = "{folder / "records"}"\n[server]\nper_minute = 0\n'
        + (f'[models]\ngeneration = "openai:m"\ngeneration_url = "{model}"\n' if model else ""),
        encoding="utf-8",
    )
    (folder / "grown").mkdir(exist_ok=True)
    command = [sys.executable, "-m", "askwell"]
    subprocess.run([*command, "index", "--config", str(settings)], check=True, capture_output=True)
    started = time.perf_counter()
    process = subprocess.Popen(
        [*command, "serve", "--config", str(settings), "--port", "0"], stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    found = next(match for line in process.stderr if (match := re.search(r"http://[\w.:]+/", line)))
    threading.Thread(target=process.stderr.read, daemon=True).start()
    base = found[0].rstrip("/")
    while True:
        with contextlib.suppress(httpx.TransportError):
            if httpx.get(f"{base}/readyz").status_code == 200:
                break
        time.sleep(0.01)
    try:
        yield base, process.pid, time.perf_counter() - started
    finally:
        process.terminate()
        process.wait(20)


def resident(pid: int) -> float:
    """Return the megabytes that a process holds in memory."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    return int(found[1]) / 1024 if found else 0.0


def first_word(client: httpx.Client, url: str, body: dict[str, object]) -> float:
    """Return the milliseconds until the first piece of an answer's text arrives."""
    started, spent = time.perf_counter(), 0.0
    with client.stream("POST", url, json=body) as reply:
        for line in reply.iter_lines():
            if not spent and re.search(r'"(?:text|content)":\s*"[^"]', line):
                spent = (time.perf_counter() - started) * 1000
    return spent


def searched(client: httpx.Client, base: str, times: int) -> list[float]:
    """Return the milliseconds of single searches, one after the other."""
    spent = []
    for _ in range(times):
        started = time.perf_counter()
        client.post(f"{base}/api/search", json=QUESTION).raise_for_status()
        spent.append((time.perf_counter() - started) * 1000)
    return spent


def searched_apart(base: str, times: int) -> list[float]:
    """Return the same from a process of its own: fifty clients and the model beside would slow the measuring down."""
    code = f"import httpx; from benchmarks.serving import searched; print(searched(httpx.Client(), {base!r}, {times}))"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    found: list[float] = json.loads(done.stdout)
    return found


def p95(values: list[float]) -> float:
    return statistics.quantiles(values, n=20)[-1]


def streamed(base: str) -> str:
    """Return how one streamed answer ended."""
    with httpx.Client(timeout=120) as client:
        text = client.post(f"{base}/api/ask", json=QUESTION).text
    return "done" if "event: done" in text else "failed"


def main() -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as place, FakeOpenAI(answer=["Grafana uses port 3030 [1]."]) as model:
        folder = Path(place)
        with serving(folder, model=model.url) as (base, pid, ready), httpx.Client(timeout=120) as client:
            print(f"ready after             {ready:.2f} s   (budget 2 s; load {os.getloadavg()[0]:.1f})")
            searched(client, base, 20)
            time.sleep(3)
            print(f"memory, idle            {resident(pid):.0f} MB   (budget 250 MB)")
            bare = [
                first_word(client, f"{model.url}/chat/completions", {"model": "m", "stream": True, "messages": []})
                for _ in range(20)
            ]
            whole = [first_word(client, f"{base}/api/ask", dict(QUESTION)) for _ in range(20)]
            retrieval = statistics.median(searched(client, base, 20))
            added = statistics.median(whole) - statistics.median(bare) - retrieval
            print(f"added to the first word {added:.0f} ms beside the search's {retrieval:.0f}   (budget 50 ms)")
            idle = p95(searched_apart(base, 60))
            for number in range(300):
                text = f"# Note {number}\n\nThe siphon {number} is made of copper.\n" * 20
                (folder / "grown" / f"n{number}.md").write_text(text, encoding="utf-8")
            client.post(f"{base}/api/index")
            words = re.findall(r"\S+", "Grafana uses port 3030 on the host, because the wiki wanted 3000 [1].")
            paced = [step for word in words * 3 for step in (said(f"{word} "), 0.1)]
            model.reply(*[Reply(type="text/event-stream", steps=(*paced, finished("stop"), DONE))] * STREAMS)
            with ThreadPoolExecutor(STREAMS) as threads:
                ends = [threads.submit(streamed, base) for _ in range(STREAMS)]
                busy = searched_apart(base, 60)
                failed = sum(end.result() != "done" for end in ends)
            print(f"{STREAMS} streams, index running  {failed} failed; p95 of a search {p95(busy):.0f} ms, "
                  f"{p95(busy) / idle:.1f} x idle ({idle:.0f} ms)   (budget 0 failed, 3 x)")  # fmt: skip


if __name__ == "__main__":
    main()
