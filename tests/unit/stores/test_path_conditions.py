"""A path filter as SQL admits what the globs admit, whatever their form."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.unit.rank.index import doc, fill

from askwell.ports import LexicalQuery
from askwell.stores.conditions import path_filter
from askwell.stores.sqlite import open_store
from askwell.types import Filter, PrivacyClass

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from askwell.ports import Store

PATHS = (
    "a.md", "docs/a.md", "docs/deep/b.md", "docs.md", "docsx/c.md", "old/docs/d.md", "docs/[x].md", "docs/x.md",
    "Docs/a.md", "caf\u00e9/e.md", "cafe/e.md", "docs/100%.md", "docs/_.md", "docs/deep/docs/f.md",
)  # fmt: skip
GLOBS = (
    ("docs/",), ("docs/**",), ("/docs/**",), ("/docs",), ("docs",), ("docs/*.md",), ("docs/a.md",), ("docs/a.md/",),
    ("**/docs/**",), ("**",), ("*.md",), ("/*.md",), ("docs**",), ("docs/d**",), ("docs/deep/**", "a.md"),
    ("docs/[x].md",), ("docs/[",), ("docs/?.md",), ("caf\u00e9/",), ("cafe\u0301/**",), ("docs/_.md",),
    ("docs/100%.md",),
    ("DOCS/**",), ("//docs/**",), ("docs//a.md",), ("nowhere/**",), ("",), ("/",), ("docs/***",), ("docs/**/f.md",),
    ("docs/deep/", "docs/deep/**", "/docs/deep/**"),
)  # fmt: skip


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    folder: Path = tmp_path_factory.mktemp("paths")
    made = open_store(folder / "index.db", create=True, read_only=False)
    fill(made, [doc(path, "heron") for path in PATHS])
    yield made
    made.close()


@pytest.mark.parametrize("globs", GLOBS, ids=repr)
def test_a_path_filter_admits_what_its_globs_admit(store: Store, globs: tuple[str, ...]) -> None:
    visible = Filter(classes=frozenset(PrivacyClass), paths=globs)
    admitted = path_filter(globs)
    expected = {path for path in PATHS if admitted(path)}
    found = store.search_lexical(LexicalQuery(terms={"heron": 1.0}), k=100, visible=visible)
    read = store.hits([id for id, _ in found], visible=visible)
    assert {info.path for _, info in read.values()} == expected
    assert {info.path for info in store.documents(visible=visible)} == expected
