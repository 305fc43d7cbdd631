"""Kill index runs at random moments: what can be found is whole, and one more run repairs the rest.

`ASKWELL_KILLS=200` runs the long form.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest

from askwell.privacy import EVERYTHING
from askwell.stores.sqlite import open_store
from askwell.testing.fake_openai import FakeOpenAI
from askwell.types import Filter

if TYPE_CHECKING:
    from pathlib import Path

KILLS = int(os.environ.get("ASKWELL_KILLS", "12"))
DOCUMENTS = 60
SECTIONS = 6
ALL = Filter(classes=EVERYTHING)


class Corpus:
    """A folder of notes whose every section names the note and its version, so that a mixture shows."""

    def __init__(self, folder: Path, rng: random.Random) -> None:
        self.folder, self.rng = folder, rng
        self.versions: dict[str, int] = {}
        folder.mkdir()
        for number in range(DOCUMENTS):
            self.write(f"note{number}")

    def write(self, name: str) -> None:
        version = self.versions[name] = self.versions.get(name, 0) + 1
        parts = [
            f"## Part {part}\n\n{name} stands at version{version} in part{part}. "
            + " ".join(self.rng.choices(("pump", "filter", "lamp", "disk", "bread", "soil"), k=40))
            for part in range(SECTIONS)
        ]
        (self.folder / f"{name}.md").write_text(f"# {name}\n\n" + "\n\n".join(parts) + "\n")

    def change(self) -> None:
        """Edit some notes, remove one, add one, rename one."""
        names = sorted(self.versions)
        for name in self.rng.sample(names, 12):
            self.write(name)
        gone = self.rng.choice(names)
        (self.folder / f"{gone}.md").unlink()
        del self.versions[gone]
        self.write(f"fresh{self.rng.randrange(10**9)}")
        old = self.rng.choice(sorted(self.versions))
        (self.folder / f"{old}.md").rename(self.folder / f"{old}x.md")
        self.versions[f"{old}x"] = self.versions.pop(old)


def environ(server: FakeOpenAI) -> dict[str, str]:
    return os.environ | {
        "ASKWELL_MODELS__EMBEDDING": "openai:hashing",
        "ASKWELL_MODELS__EMBEDDING_URL": server.url,
        "ASKWELL_INDEX__WAIT": "30",
    }


def command(corpus: Corpus, index: Path, *argv: str) -> list[str]:
    return [sys.executable, "-m", "askwell", *argv, "--source", str(corpus.folder), "--index", str(index), "--json"]


def contents(index: Path) -> dict[str, Any]:
    """Return everything that a search can see, by names that two indexes of the same folder share."""
    store = open_store(index)
    try:
        documents = {}
        for info in store.documents(visible=ALL):
            chunks = store.document_chunks(info.id, visible=ALL)
            edges = store.edges_from([info.id], visible=ALL)
            documents[info.path] = (
                [(chunk.id, chunk.text, chunk.lines, chunk.boilerplate) for chunk in chunks],
                sorted(str(edge) for edge in edges),
            )
        return {"documents": documents, "vectors": store.vector_counts(visible=ALL)}
    finally:
        store.close()


def assert_whole(index: Path) -> None:
    """Every indexed document is one version of itself, complete, and its text and chunks agree."""
    store = open_store(index)
    try:
        for info in store.documents(visible=ALL):
            chunks = store.document_chunks(info.id, visible=ALL)
            document = store.document_by_id(info.id, visible=ALL)
            assert document is not None
            text = " ".join(chunk.text for chunk in chunks)
            assert len({word for word in text.split() if word.startswith("version")}) == 1
            assert all(f"part{part}." in text for part in range(SECTIONS))
            assert all(chunk.span.slice(document.text) == chunk.text for chunk in chunks)
    finally:
        store.close()


@pytest.mark.timeout(60 + 12 * KILLS)
def test_a_killed_run_leaves_whole_documents_and_the_next_one_finishes(tmp_path: Path) -> None:
    seed = random.randrange(10**6)
    rng = random.Random(seed)
    corpus = Corpus(tmp_path / "notes", rng)
    index = tmp_path / "index.db"
    with FakeOpenAI() as server:
        env = environ(server)
        started = time.monotonic()
        subprocess.run(command(corpus, index, "index"), check=True, env=env, capture_output=True)
        usual = time.monotonic() - started
        killed = 0
        for _ in range(KILLS):
            corpus.change()
            line = command(corpus, index, "index", "--force")
            run = subprocess.Popen(line, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                run.wait(timeout=rng.uniform(0.05, usual * 1.1))
            except subprocess.TimeoutExpired:
                run.send_signal(signal.SIGKILL)
                killed += 1
            run.wait()
            assert_whole(index)
            found = subprocess.run(
                command(corpus, index, "search", "pump filter"), check=True, env=env, capture_output=True, text=True
            )
            assert json.loads(found.stdout)["hits"], f"seed {seed}"
        last = subprocess.run(command(corpus, index, "index"), check=True, env=env, capture_output=True, text=True)
        assert json.loads(last.stdout)["pending"] == 0
        other = tmp_path / "undisturbed.db"
        subprocess.run(command(corpus, other, "index"), check=True, env=env, capture_output=True)
    assert killed, "no run was killed: the moments are chosen badly"
    assert contents(index) == contents(other), f"seed {seed}"
