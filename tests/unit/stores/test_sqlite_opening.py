"""What may be opened, what is refused and left alone, and what the refusal says."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import apsw
import pytest

from askwell.errors import IndexMissing, StoreError
from askwell.stores.sqlite import open_store, remove_index
from askwell.stores.sqlite.exceptions import MESSAGES, store_error, translated
from askwell.stores.sqlite.schema import APPLICATION_ID
from askwell.testing.specimens import OPEN_REQUEST, embed, fill, item
from askwell.testing.store_suite.asking import ask, unit


@pytest.fixture
def index(tmp_path: Path) -> Path:
    path = tmp_path / "deep" / "index.db"
    store = open_store(path, create=True, read_only=False)
    fill(store, [item("a.md", "avocet")])
    embed(store, {"avocet": unit(1, 0)})
    store.close()
    return path


def test_a_missing_index_is_named_with_the_next_step(tmp_path: Path) -> None:
    for path in (tmp_path / "no.db", tmp_path / "no" / "folder.db"):
        with pytest.raises(IndexMissing, match=r"there is no index at .*no") as caught:
            open_store(path)
        assert "`askwell index`" in caught.value.hint
        assert not path.exists()
    (tmp_path / "empty.db").touch()
    with pytest.raises(IndexMissing):
        open_store(tmp_path / "empty.db")


def test_another_programs_database_is_refused_and_untouched(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    db = apsw.Connection(str(path))
    db.execute("CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)").fetchall()
    db.close()
    before = path.read_bytes()
    for create in (False, True):
        with pytest.raises(StoreError, match="not an Askwell index") as caught:
            open_store(path, create=create, read_only=not create)
        assert "--index" in caught.value.hint
    with pytest.raises(StoreError, match="left alone"):
        remove_index(path)
    assert path.read_bytes() == before
    assert [found.name for found in tmp_path.iterdir()] == ["other.db"]


def test_a_file_that_is_no_database_is_refused_and_untouched(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear reader, " * 500)
    with pytest.raises(StoreError, match="is not a database"):
        open_store(path, create=True, read_only=False)
    with pytest.raises(StoreError, match="left alone"):
        remove_index(path)
    assert path.read_text() == "Dear reader, " * 500
    with pytest.raises(StoreError, match="is a folder"):
        open_store(tmp_path, create=True, read_only=False)


def test_an_index_of_another_format_says_rebuild(index: Path) -> None:
    db = apsw.Connection(str(index))
    db.execute("PRAGMA user_version = 99").fetchall()
    db.close()
    with pytest.raises(StoreError, match="format 99") as caught:
        open_store(index)
    assert "`askwell index --rebuild`" in caught.value.hint


def test_a_damaged_index_says_rebuild_and_can_be_removed(index: Path) -> None:
    raw = bytearray(index.read_bytes())
    raw[4096:] = os.urandom(len(raw) - 4096)
    index.write_bytes(raw)
    with pytest.raises(StoreError) as caught:
        open_store(index).documents(visible=OPEN_REQUEST)
    assert "`askwell index --rebuild`" in caught.value.hint
    assert str(index) in str(caught.value)
    remove_index(index)
    assert list(index.parent.iterdir()) == []
    with pytest.raises(IndexMissing):
        open_store(index)


def test_an_unfinished_creation_is_no_index_and_is_finished(tmp_path: Path) -> None:
    path = tmp_path / "index.db"
    db = apsw.Connection(str(path))
    db.execute("PRAGMA journal_mode = WAL").fetchall()
    db.close()
    with pytest.raises(IndexMissing):
        open_store(path)
    open_store(path, create=True).close()
    assert open_store(path).documents(visible=OPEN_REQUEST) == ()


def test_an_index_is_its_owners_alone(index: Path) -> None:
    for path in index.parent.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path


def test_a_store_opened_for_reading_does_not_write(index: Path) -> None:
    store = open_store(index)
    before = index.read_bytes()
    with pytest.raises(StoreError, match="reading only"), store.write():
        raise AssertionError("a reader became the writer")
    assert ask(store, "avocet") == ["a.md"]
    store.close()
    store.close()
    with pytest.raises(StoreError, match="closed"):
        store.documents(visible=OPEN_REQUEST)
    assert index.read_bytes() == before


_READ = """
import os, sys
from pathlib import Path
from askwell.stores.sqlite import open_store, vectors
from askwell.testing.store_suite.asking import ask, unit
from askwell.testing.specimens import OPEN_REQUEST, paths
if os.geteuid() == 0:  # nothing is read-only to root
    os.setgid(65534)
    os.setuid(65534)
store = open_store(Path(sys.argv[1]))
print(ask(store, "avocet"), paths(store, store.search_vector(unit(1, 0), k=3, visible=OPEN_REQUEST)))
"""


def test_a_read_only_folder_can_be_searched() -> None:
    folder = Path(tempfile.mkdtemp())
    try:
        store = open_store(folder / "index.db", create=True, read_only=False)
        fill(store, [item("a.md", "avocet")])
        embed(store, {"avocet": unit(1, 0)})
        store.close()
        for path in folder.iterdir():
            path.chmod(0o444)
        folder.chmod(0o555)
        done = subprocess.run(
            [sys.executable, "-c", _READ, str(folder / "index.db")], capture_output=True, text=True, check=False
        )
        assert done.stdout == "['a.md'] ['a.md']\n", done.stderr
        assert not list(folder.glob("*-wal"))
    finally:
        folder.chmod(0o755)
        shutil.rmtree(folder)


def test_every_exception_of_the_library_has_a_meaning(tmp_path: Path) -> None:
    foreign = {found for found in vars(apsw).values() if isinstance(found, type) and issubclass(found, apsw.Error)}
    assert foreign - MESSAGES.keys() == set()
    for kind in foreign:
        error = store_error(kind("SELECT secret"), tmp_path / "index.db")
        assert "index.db" in str(error)
        assert "secret" not in str(error)
        assert error.hint
        assert not str(error).endswith(".")


def test_a_full_disk_says_so_and_keeps_whole_documents(index: Path) -> None:
    store = open_store(index, read_only=False)
    with pytest.raises(StoreError, match="disk is full"), store.write() as writer:
        writer._db.execute("PRAGMA max_page_count = 1").fetchall()  # type: ignore[attr-defined]  # makes a disk full
        writer.put_document(*item("b.md", "plover " * 100_000))
    assert ask(store, "avocet") == ["a.md"]
    assert ask(store, "plover") == []
    store.close()


def test_translated_keeps_the_cause(tmp_path: Path) -> None:
    with pytest.raises(StoreError) as caught, translated(tmp_path):
        raise apsw.CorruptError("page 7")
    assert isinstance(caught.value.__cause__, apsw.CorruptError)


def test_the_header_tells_an_index(index: Path) -> None:
    assert int.from_bytes(index.read_bytes()[68:72], "big") == APPLICATION_ID


def test_a_store_that_is_open_follows_a_replaced_index(index: Path, tmp_path: Path) -> None:
    store = open_store(index)
    assert ask(store, "avocet") == ["a.md"]
    assert store.vector_counts(visible=OPEN_REQUEST) == (1, 0)
    other = open_store(tmp_path / "other.db", create=True, read_only=False)
    fill(other, [item("new.md", "avocet"), item("b.md", "plover")])
    embed(other, {"plover": unit(0, 1)})
    other.close()
    (tmp_path / "other.db").replace(index)
    assert ask(store, "avocet") == ["new.md"]
    assert store.vector_counts(visible=OPEN_REQUEST) == (1, 1)
    assert len(store.search_vector(unit(1, 0), k=9, visible=OPEN_REQUEST)) == 1
    index.unlink()
    with pytest.raises(IndexMissing, match="is gone"):
        ask(store, "avocet")
