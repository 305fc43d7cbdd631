"""Counting and listing on the example corpora: what comes back is exactly what reading every file says.

The truth is worked out here from the files alone, by other means than the index has.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml

from askwell import compose
from askwell.config import load
from askwell.engine import Engine, Request
from askwell.indexing import RunOptions
from askwell.privacy import audience

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

EXAMPLES = Path(__file__).parents[2] / "examples"

pytestmark = [pytest.mark.xdist_group("examples"), pytest.mark.timeout(600)]


def texts(name: str, *, ending: str = "") -> dict[str, str]:
    root = EXAMPLES / name
    return {
        path.relative_to(root).as_posix(): path.read_text(encoding="utf-8", errors="replace")
        for path in sorted(root.rglob(f"*{ending}"))
        if path.is_file()
    }


def saying(name: str, word: str, *, ending: str = "") -> set[str]:
    pattern = re.compile(rf"(?<![\w-]){re.escape(word)}(?!\w)", re.IGNORECASE)
    return {path for path, text in texts(name, ending=ending).items() if pattern.search(text)}


def tagged(tag: str) -> set[str]:
    found = set()
    for path, text in texts("vault", ending=".md").items():
        front = re.match(r"---\n(.*?)\n---\n", text, re.DOTALL)
        try:
            named = (yaml.safe_load(front[1]) or {}).get("tags") or [] if front else []
        except yaml.YAMLError:
            named = []
        tags = {one for one in ([named] if isinstance(named, str) else named) if isinstance(one, str)}
        tags |= set(re.findall(r"(?<![\w/#&])#([A-Za-z][\w/-]*)", text[front.end() if front else 0 :]))
        if any(one.casefold() == tag or one.casefold().startswith(f"{tag}/") for one in tags):
            found.add(path)
    return found


def below(name: str, folder: str, *, ending: str = "") -> set[str]:
    return {path for path in texts(name, ending=ending) if path.startswith(f"{folder}/")}


QUESTIONS: list[tuple[str, str, Callable[[], set[str]]]] = [
    ("vault", "how many notes are there", lambda: set(texts("vault", ending=".md"))),
    ("vault", "how many notes are in the folder bees", lambda: below("vault", "bees", ending=".md")),
    ("vault", "list the notes in bread", lambda: below("vault", "bread", ending=".md")),
    ("vault", "which notes are in en/guides", lambda: below("vault", "en/guides", ending=".md")),
    ("vault", "how many notes are tagged journal", lambda: tagged("journal")),
    ("vault", "list every note tagged bread", lambda: tagged("bread")),
    ("vault", "which notes are tagged bread/method", lambda: tagged("bread/method")),
    ("vault", "how many notes are tagged #travel", lambda: tagged("travel")),
    ("vault", "how many notes mention varroa", lambda: saying("vault", "varroa", ending=".md")),
    ("vault", 'which notes mention "oxalic acid"', lambda: saying("vault", "oxalic acid", ending=".md")),
    ("vault", "wie viele Notizen erwähnen Sauerteig", lambda: saying("vault", "Sauerteig", ending=".md")),
    ("homelab", "how many documents mention wick", lambda: saying("homelab", "wick")),
    ("homelab", "which documents mention ZFS", lambda: saying("homelab", "ZFS")),
    ("homelab", "list all files that mention restic", lambda: saying("homelab", "restic")),
    ("homelab", "how many files are in docs", lambda: below("homelab", "docs")),
    ("homelab", "list the files in the folder storage", lambda: below("homelab", "storage")),
    ("homelab", "which documents in docs mention ember", lambda: saying("homelab", "ember") & below("homelab", "docs")),
    ("homelab", 'how many documents mention "ups"', lambda: saying("homelab", "ups")),
    ("homelab", "how many documents mention walrus", lambda: saying("homelab", "walrus")),
    (
        "homelab",
        "which scripts mention snapshots",
        lambda: {
            path
            for path in saying("homelab", "snapshots")
            if path.endswith((".sh", ".py", ".php", ".ps1", ".awk", ".sql"))
        },
    ),
]


@pytest.fixture(scope="module")
def engines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Engine]]:
    made = {}
    for name in ("vault", "homelab"):
        url = str(tmp_path_factory.mktemp("counting") / f"{name}.db")
        flags = {"store.url": url, "models.embedding": "none"}
        config = load(file=None, environ={}, sources=[str(EXAMPLES / name)], flags=flags)
        compose.index(config, RunOptions(), environ=os.environ)
        made[name] = compose.engine(config, environ=os.environ)
    yield made
    for engine in made.values():
        engine.close()


@pytest.mark.parametrize(("name", "question", "truth"), QUESTIONS, ids=[question for _, question, _ in QUESTIONS])
def test_it_is_all_of_them_and_nothing_else(
    engines: dict[str, Engine], name: str, question: str, truth: Callable[[], set[str]]
) -> None:
    seen = audience(include_personal=True)
    held = {info.path for info in engines[name].documents(audience=seen)}
    listed = engines[name].listing(Request(question=question, audience=seen))
    assert listed is not None
    expected = truth() & held  # what is not indexed by rule (credentials, lock files) is no document
    assert {citation.path for citation in listed.answer.citations} == expected
    number = re.search(r"\d+", listed.blocks[0])
    assert (int(number[0]) if number else 0) == len(expected)
