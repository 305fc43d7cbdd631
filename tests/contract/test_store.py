"""Every store keeps every promise."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from askwell.stores.sqlite import open_store
from askwell.testing.memory_store import MemoryStore
from askwell.testing.store_suite import CLAIMS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from askwell.ports import Store


def in_memory(_folder: Path) -> Store:
    return MemoryStore()


def in_sqlite(folder: Path) -> Store:
    return open_store(folder / "index.db", create=True, read_only=False)


@pytest.fixture(params=[in_memory, in_sqlite])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    made: Store = request.param(tmp_path)
    yield made
    made.close()


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.__name__)
def test_a_store_keeps_its_promise(store: Store, claim: Callable[[Store], None]) -> None:
    claim(store)
