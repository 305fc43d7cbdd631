"""The mapped copy of the vectors: stamped, replaced whole, never trusted further than its stamp."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from askwell.errors import StoreError
from askwell.ids import fingerprint
from askwell.stores.sqlite import SqliteStore, open_store, vector_file
from askwell.stores.sqlite.vector_rows import VectorRows, codes_mask, nearest
from askwell.testing.specimens import FULL_REQUEST, OPEN_REQUEST, PERSONAL, embed, fill, item, paths
from askwell.testing.store_suite.asking import angle, unit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from askwell.ports import Matrix
    from askwell.types import Filter


@pytest.fixture
def index(tmp_path: Path) -> Path:
    return tmp_path / "in[d]*ex.db"


@pytest.fixture
def store(index: Path) -> Iterator[SqliteStore]:
    made = open_store(index, create=True, read_only=False)
    fill(made, [item(f"{n}.md", f"text {n}") for n in range(9)], vectors={f"text {n}": angle(n) for n in range(9)})
    yield made
    made.close()


def found(store: SqliteStore, degrees: float = 0, *, k: int = 3, visible: Filter = OPEN_REQUEST) -> list[str]:
    return paths(store, store.search_vector(angle(degrees), k=k, visible=visible))


def test_the_copy_is_there_after_a_run_and_is_the_database(store: SqliteStore, index: Path) -> None:
    copy = vector_file.read(index)
    assert copy is not None
    assert len(copy[1]) == 9
    assert copy[1].matrix.flags["C_CONTIGUOUS"]
    written = vector_file.path_of(index).stat().st_mtime_ns
    assert found(store) == ["0.md", "1.md", "2.md"]
    assert vector_file.path_of(index).stat().st_mtime_ns == written


@pytest.mark.parametrize("spoil", ["gone", "empty", "cut", "noise", "another"])
def test_a_copy_that_does_not_fit_is_made_again(store: SqliteStore, index: Path, tmp_path: Path, spoil: str) -> None:
    path = vector_file.path_of(index)
    whole = path.read_bytes()
    if spoil == "gone":
        path.unlink()
    elif spoil == "another":
        other = open_store(tmp_path / "other.db", create=True, read_only=False)
        fill(other, [item("x.md", "x")], vectors={"x": unit(1, 1, 1)})
        other.close()
        path.write_bytes(vector_file.path_of(tmp_path / "other.db").read_bytes())
    else:
        path.write_bytes({"empty": b"", "cut": whole[:-8], "noise": b"\xff" * 999}[spoil])
    assert found(store) == ["0.md", "1.md", "2.md"]
    assert path.read_bytes() == whole


def test_every_change_is_seen_at_once(store: SqliteStore, index: Path) -> None:
    reader = open_store(index)
    assert found(reader, k=99) == [f"{n}.md" for n in range(9)]
    copy = vector_file.path_of(index).read_bytes()
    with store.write() as writer:
        writer.remove_documents([item("0.md", "")[0].id])
        assert found(reader, k=1) == ["1.md"]
        writer.refresh(classes={item("1.md", "")[0].id: PERSONAL})
        assert found(reader, k=1) == ["2.md"]
        writer.put_document(*item("new.md", "new"))
        writer.put_vectors("toy", [(fingerprint("new"), angle(0))])
        assert found(reader, k=2) == ["new.md", "2.md"]
        writer.put_vectors("toy", [(fingerprint("new"), angle(90))])
        assert found(reader, k=9)[-1] == "new.md"
        assert vector_file.path_of(index).read_bytes() == copy  # nobody rewrites it at every step of a run
        writer.set_space("other", unit(1, 0))
        assert found(reader) == []
    assert found(reader) == []
    reader.close()


def test_a_killed_writers_halves_are_cleared(store: SqliteStore, index: Path) -> None:
    left = index.with_name(f"{index.name}.vectors.x1.part")
    left.write_bytes(b"half")
    near = index.with_name("index.db.vectors.x1.part")
    near.write_bytes(b"of another index")
    with store.write() as writer:
        writer.put_document(*item("new.md", "text 1"))
    assert not left.exists()
    assert near.exists()


def test_a_question_of_another_width_is_refused(store: SqliteStore) -> None:
    with pytest.raises(StoreError, match="2 numbers") as caught:
        store.search_vector(unit(1, 0), k=3, visible=OPEN_REQUEST)
    assert "rebuild" in caught.value.hint


def test_no_vectors_find_nothing(index: Path) -> None:
    empty = open_store(index, create=True, read_only=False)
    fill(empty, [item("a.md", "text")])
    assert empty.search_vector(unit(1, 0), k=3, visible=OPEN_REQUEST) == ()
    embed(empty, {"of nothing": unit(1, 0)})
    assert empty.search_vector(unit(1, 0), k=3, visible=OPEN_REQUEST) == ()
    empty.close()


def rows(matrix: Matrix) -> VectorRows:
    count = len(matrix)
    numbers = np.arange(count)
    return VectorRows(
        keys=np.array([f"{n:06}".encode() for n in range(count)], dtype=np.bytes_),
        chunks=numbers, documents=numbers, vectors=numbers, sources=(numbers % 3).astype(np.int32),
        classes=(numbers % 2).astype(np.uint8), kinds=(numbers % 5).astype(np.uint8), matrix=matrix,
    )  # fmt: skip


@pytest.mark.parametrize("share", [0.01, 0.1, 0.5, 1.0])
def test_the_search_is_exact_whatever_share_is_permitted(share: float) -> None:
    generator = np.random.default_rng(3)
    matrix = generator.standard_normal((2_000, 48)).astype(np.float32)
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    matrix[1_000:] = matrix[:1_000]  # every vector twice: ties everywhere
    mask = generator.random(2_000) < share if share < 1 else None
    table = rows(matrix)
    for query in matrix[:20] * -1:
        exact = (matrix.astype(np.float64) * query.astype(np.float64)).sum(axis=1)
        order = sorted(
            (n for n in range(2_000) if mask is None or mask[n]), key=lambda n: (-np.clip(exact[n], -1, 1), n)
        )
        for k in (1, 7, 3_000):
            got = nearest(table, query, k=k, mask=mask)
            assert [int(id) for id, _ in got] == order[:k]
            assert all(sighting.score == np.clip(exact[int(id)], -1, 1) for id, sighting in got)


def test_a_question_that_is_not_a_number_finds_nothing(store: SqliteStore) -> None:
    assert store.search_vector(np.full(3, np.nan, dtype=np.float32), k=3, visible=FULL_REQUEST) == ()


def test_codes_mask_is_the_conjunction() -> None:
    table = rows(np.zeros((30, 2), dtype=np.float32))
    mask = codes_mask(table, classes=frozenset({0}), sources=frozenset({1, 2}), kinds=frozenset({4}))
    assert mask is not None
    assert np.flatnonzero(mask).tolist() == [n for n in range(30) if n % 2 == 0 and n % 3 and n % 5 == 4]
    assert codes_mask(table, classes=frozenset({0, 1}), sources=None, kinds=None) is None
    nothing = codes_mask(table, classes=frozenset({0, 1}), sources=frozenset(), kinds=None)
    assert nothing is not None
    assert not nothing.any()
