"""Ordinary punctuation in a question is neither an operator nor an error, and never swallows the question."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from askwell.stores.sqlite import SqliteStore, open_store
from askwell.testing.specimens import fill, item
from askwell.testing.store_suite.asking import ask

if TYPE_CHECKING:
    from collections.abc import Iterator

PUMP = """Cellar pump

The cellar pump's rest period is 40 min; don't skip it. Set `PUMP_REST_MINS=40`.
See also wiring.md, v2.0.7 of the plan and the low-noise notes."""

CODE = """Programs I ported

C++ and C# and F#, and .NET 9. Rate: 75% of tools ported. Contact: root@gannet.lan. Tag: #cellar/pump
Words such as AND NOT NEAR OR in prose: "one OR two" is a sentence, not an operator."""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqliteStore]:
    made = open_store(tmp_path_factory.mktemp("index") / "index.db", create=True, read_only=False)
    others = [item(f"other{n}.md", f"A note on something else, the {n}th, for this and that.") for n in range(20)]
    fill(made, [item("pump.md", PUMP), item("code.md", CODE), *others])
    yield made
    made.close()


@pytest.mark.parametrize(
    ("question", "path"),
    [
        ("what's the pump's rest period, roughly?", "pump.md"),
        ("don't skip", "pump.md"),
        ("PUMP_REST_MINS=40", "pump.md"),
        ("low-noise", "pump.md"),
        ("wiring.md", "pump.md"),
        ("v2.0.7", "pump.md"),
        ("C++", "code.md"),
        ("C# or F#?", "code.md"),
        (".NET", "code.md"),
        ("@gannet.lan", "code.md"),
        ("75%", "code.md"),
        ("one AND two", "code.md"),
        ("NEAR(one two)", "code.md"),
        ('"unbalanced quote rest', "pump.md"),
        ("title: pump*", "pump.md"),
        ("pump NOT rest", "pump.md"),
        ("(rest OR", "pump.md"),
        ("^rest", "pump.md"),
        ("rest; DROP TABLE chunk; --", "pump.md"),
    ],
)
def test_the_document_is_among_the_first(store: SqliteStore, question: str, path: str) -> None:
    assert path in ask(store, question, k=5)


@pytest.mark.parametrize(
    "question", ["", " ", "???", "-", "---", '"', '""', "*", "…", "😀", "(", ")", "\0", "\u200b", "::"]
)
def test_nothing_to_search_for_finds_nothing(store: SqliteStore, question: str) -> None:
    assert ask(store, question) == []


@pytest.mark.parametrize("question", ["AND", "NOT", "OR", "NEAR"])
def test_a_lone_operator_is_a_word(store: SqliteStore, question: str) -> None:
    assert "code.md" in ask(store, question, k=30)
