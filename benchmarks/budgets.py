"""Print every budget of docs/architecture.md as a ratio (or the bound it names), measured in one run.

    python -m benchmarks.budgets            all of them, a few minutes
    python -m benchmarks.budgets idle move  only those

Timings are medians over several runs; the machine may be shared, so compare columns, not runs.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.corpus import make

if TYPE_CHECKING:
    from collections.abc import Callable

PYTHON = sys.executable
ENVIRON = {**{k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}, "NO_COLOR": "1"}
"""Without byte code every process would compile what was edited last, which no installed program does."""
ASKWELL = str(Path(PYTHON).with_name("askwell"))


def timed(command: list[str], *, times: int = 9) -> float:
    """Return the median seconds of a whole process, after one run that warms the caches."""
    spent = []
    for _ in range(times + 1):
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=ENVIRON)
        spent.append(time.perf_counter() - start)
    return statistics.median(spent[1:])


def row(name: str, measured: str, budget: str) -> None:
    print(f"{name:<34} {measured:<44} budget {budget}", flush=True)


def askwell(*argv: str) -> list[str]:
    return [ASKWELL, *argv]


def settled(run: list[str]) -> None:
    """Index, and again when no stamp of the files, then of the index, is young: from then on nothing is to be done."""
    for _ in range(3):
        subprocess.run(run, check=True, stdout=subprocess.DEVNULL)
        time.sleep(2.5)
    subprocess.run(run, check=True, stdout=subprocess.DEVNULL)


def idle(root: Path) -> None:
    corpus, index = root / "c180", str(root / "c180.db")
    make(corpus, files=180, git=True)
    run = askwell("index", "--no-vectors", "--source", str(corpus), "--index", index)
    settled(run)
    bare = timed([PYTHON, "-c", "pass"])
    files = timed(["git", "-C", str(corpus), "ls-files", "-z"])
    paths = list(corpus.rglob("*.md"))
    start = time.perf_counter()
    for path in paths:
        path.stat()
    floor = 3 * bare + files + (time.perf_counter() - start)
    spent = timed(run)
    row("nothing changed, 180 files", f"{spent * 1000:.0f} ms, {spent / floor:.2f} of the allowance", "<= 1.00")


def idle_large(root: Path) -> None:
    corpus, index = root / "c10k", str(root / "c10k.db")
    make(corpus, files=10_000, git=True)
    run = askwell("index", "--no-vectors", "--source", str(corpus), "--index", index)
    settled(run)
    spent = timed(run, times=3)
    probe = (
        f"import resource, subprocess; subprocess.run({run!r}, stdout=subprocess.DEVNULL); "
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    peak = int(subprocess.run([PYTHON, "-c", probe], check=True, capture_output=True, text=True).stdout)
    row("nothing changed, 10,000 files", f"{spent:.2f} s, {peak // 1024} MB", "<= 1.5 s, <= 150 MB")


def text_phase(root: Path) -> None:
    corpus, index = root / "text", str(root / "text.db")
    size = make(corpus, files=2500)
    start = time.perf_counter()
    subprocess.run(
        askwell("index", "--no-vectors", "--source", str(corpus), "--index", index),
        check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    spent = time.perf_counter() - start
    row(
        "first index, text phase",
        f"{size / 1e6 / spent * 60:.0f} MB a minute ({size / 1e6:.1f} MB)",
        ">= 20 MB a minute",
    )


def vector_phase(root: Path) -> None:
    subprocess.run([PYTHON, str(Path(__file__).with_name("embedder.py"))], check=True)


def vector_scan(root: Path) -> None:
    subprocess.run([PYTHON, str(Path(__file__).with_name("vector_scan.py"))], check=True)


def move(root: Path) -> None:
    import json

    corpus, index = root / "move", str(root / "move.db")
    make(corpus, files=40)
    run = askwell("index", "--json", "--source", str(corpus), "--index", index)
    first = json.loads(subprocess.run(run, check=True, capture_output=True).stdout)
    (corpus / "moved").mkdir()
    for folder in list(corpus.glob("area*")):
        shutil.move(str(folder), str(corpus / "moved" / folder.name))
    moved = json.loads(subprocess.run(run, check=True, capture_output=True).stdout)
    for path in corpus.rglob("*.md"):
        path.touch()
    touched = json.loads(subprocess.run(run, check=True, capture_output=True).stdout)
    rebuilt = json.loads(subprocess.run([*run, "--rebuild"], check=True, capture_output=True).stdout)
    again = ", ".join(
        f"{name} {report['embedded']}"
        for name, report in {"moved": moved, "touched": touched, "rebuilt": rebuilt}.items()
    )
    row("embedded again", f"{again} of {first['embedded']}", "0, 0, 0")


def searching(root: Path) -> None:
    """Warm and cold search over about 3,000 chunks."""
    corpus, index = root / "search", str(root / "search.db")
    make(corpus, files=960)
    where = ["--source", str(corpus), "--index", index]
    subprocess.run(askwell("index", *where), check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    question = "how often is the pump in the greenhouse checked"
    cold = timed(askwell("search", question, *where), times=7)
    row("search, cold, whole process", f"{cold:.2f} s", "<= 0.4 s")
    from benchmarks.searching import by_quality

    for name, whole, alone in by_quality(corpus, index):
        row(
            f"search, warm, {name}",
            f"{whole * 1000:.1f} ms, {whole / alone:.1f} x the query's embedding ({alone * 1000:.1f} ms)",
            "<= 3 x",
        )


def searching_large(root: Path) -> None:
    """Warm search over 100,000 chunks, a part of them admitted."""
    from benchmarks.searching import large

    chunks, median, p95 = large(root)
    row(
        f"search, warm, filtered, {chunks} chunks",
        f"p50 {median * 1000:.0f} ms, p95 {p95 * 1000:.0f} ms",
        "p95 <= 100 ms",
    )


def agents(root: Path) -> None:
    """From the start of `askwell mcp` to its first reply, and to the first passages."""
    corpus, index = root / "agents", str(root / "agents.db")
    make(corpus, files=180)
    where = ["--source", str(corpus), "--index", index]
    subprocess.run(askwell("index", "--no-vectors", *where), check=True, stdout=subprocess.DEVNULL)
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
    find = {"name": "search", "arguments": {"question": "how often is the pump checked"}}
    replies: list[float] = []
    passages: list[float] = []
    for _ in range(6):
        start = time.perf_counter()
        command = subprocess.Popen(
            askwell("mcp", *where),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=ENVIRON,
        )
        assert command.stdin is not None
        assert command.stdout is not None
        for id, method, params in ((1, "initialize", hello), (2, "tools/call", find)):
            message = {"jsonrpc": "2.0", "id": id, "method": method, "params": params}
            command.stdin.write(json.dumps(message).encode() + b"\n")
            command.stdin.flush()
            command.stdout.readline()
            (replies if id == 1 else passages).append(time.perf_counter() - start)
        command.stdin.close()
        command.wait()
    bare = timed([PYTHON, "-c", "import mcp.server.lowlevel, mcp.server.stdio"], times=5)
    first, found = statistics.median(replies[1:]), statistics.median(passages[1:])
    row(
        "mcp, from start to first reply",
        f"{first:.2f} s, {first / bare:.1f} x its library's import; a search {found:.2f} s",
        "<= 1.5 x",
    )


def install_size(root: Path) -> None:
    venv = root / "venv"
    subprocess.run([PYTHON, "-m", "venv", str(venv)], check=True)
    pip = [str(venv / "bin" / "python"), "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    subprocess.run([*pip, str(Path(__file__).parents[1])], check=True, stdout=subprocess.DEVNULL)
    size = sum(path.stat().st_size for path in venv.rglob("*") if path.is_file() and not path.is_symlink())
    row("install, fresh environment", f"{size / 1e6:.0f} MB", "<= 300 MB")


BUDGETS: dict[str, Callable[[Path], None]] = {
    "idle": idle,
    "idle-large": idle_large,
    "search": searching,
    "search-large": searching_large,
    "scan": vector_scan,
    "text": text_phase,
    "vectors": vector_phase,
    "move": move,
    "mcp": agents,
    "install": install_size,
}


def main(argv: list[str]) -> int:
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the command does, before anything here imports numpy
    for name in argv or list(BUDGETS):
        if name not in BUDGETS:
            sys.stderr.write(f"unknown budget {name!r}; known: {', '.join(BUDGETS)}\n")
            return 2
        with tempfile.TemporaryDirectory() as folder:
            BUDGETS[name](Path(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
