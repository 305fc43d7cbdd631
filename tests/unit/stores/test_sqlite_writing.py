"""One writer, readers that never wait, and nothing left of what was removed."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import apsw
import pytest

from askwell.errors import IndexLocked
from askwell.stores.sqlite import SqliteStore, open_store
from askwell.stores.sqlite.lock import is_held, writer_lock
from askwell.testing.specimens import FULL_REQUEST, OPEN_REQUEST, PERSONAL, embed, fill, item, paths
from askwell.testing.store_suite.asking import ask, unit
from askwell.types import SourceType

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def index(tmp_path: Path) -> Path:
    return tmp_path / "index.db"


@pytest.fixture
def store(index: Path) -> Iterator[SqliteStore]:
    made = open_store(index, create=True, read_only=False)
    yield made
    made.close()


_HOLD = """
import sys
from pathlib import Path
from askwell.stores.sqlite import open_store
with open_store(Path(sys.argv[1]), read_only=False).write():
    print("writing", flush=True)
    sys.stdin.read()
"""


def holder(index: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", _HOLD, str(index)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "writing\n"
    return process


def test_a_second_process_names_the_first_and_goes_on_after_its_death(store: SqliteStore, index: Path) -> None:
    fill(store, [item("a.md", "avocet")])
    with holder(index) as process:
        try:
            with pytest.raises(IndexLocked) as caught, store.write():
                raise AssertionError("two writers")
            assert f"pid {process.pid}" in str(caught.value)
            assert "since 20" in str(caught.value)
            assert is_held(index)
            assert ask(store, "avocet") == ["a.md"]
        finally:
            process.kill()
            process.communicate()
    assert json.loads((index.parent / "index.db.lock").read_text())["pid"] == process.pid
    assert not is_held(index)
    with store.write() as writer:
        writer.set_note("k", "v")
    assert store.note("k") == "v"
    assert (index.parent / "index.db.lock").read_text() == ""


def test_a_writer_waits_as_long_as_it_is_told(store: SqliteStore, index: Path) -> None:
    with holder(index) as process:
        assert process.stdin is not None
        threading.Timer(0.2, process.stdin.close).start()
        with store.write(wait=30) as writer:
            writer.set_note("k", "v")
        assert process.stdout is not None
    assert store.note("k") == "v"


def test_a_stale_or_odd_lock_file_blocks_nobody(store: SqliteStore, index: Path) -> None:
    for left in ('{"pid": 1, "since": "2001-01-01"}', "not json", "[]", ""):
        (index.parent / "index.db.lock").write_text(left)
        with store.write() as writer:
            writer.set_note("k", left)
        assert store.note("k") == left


def test_a_probe_for_the_lock_does_not_refuse_a_writer(index: Path) -> None:
    probe = (index.parent / "index.db.lock").open("w")
    fcntl.flock(probe, fcntl.LOCK_SH)  # what `is_held` takes for an instant
    threading.Timer(0.1, probe.close).start()
    with writer_lock(index, wait=0.0, since="now"):
        assert is_held(index)


def test_readers_go_on_during_a_long_transaction(store: SqliteStore, index: Path) -> None:
    fill(store, [item("a.md", "avocet")])
    embed(store, {"avocet": unit(1, 0)})
    other = open_store(index)
    db = apsw.Connection(str(index))
    db.execute("BEGIN IMMEDIATE").fetchall()
    db.execute("UPDATE document SET title = 'half done'").fetchall()
    for reader in (store, other):
        assert ask(reader, "avocet") == ["a.md"]
        assert reader.documents(visible=OPEN_REQUEST)[0].title == "a"
        assert paths(reader, reader.search_vector(unit(1, 0), k=1, visible=OPEN_REQUEST)) == ["a.md"]
    db.execute("ROLLBACK").fetchall()
    db.close()
    other.close()


def test_many_threads_read_while_one_writes(store: SqliteStore) -> None:
    fill(store, [item(f"{n}.md", "avocet") for n in range(5)])
    embed(store, {"avocet": unit(1, 0)})
    errors: list[BaseException] = []
    done = threading.Event()

    def read() -> None:
        try:
            while not done.is_set():
                assert len(ask(store, "avocet", k=99)) % 5 == 0
                assert len(store.search_vector(unit(1, 0), k=99, visible=OPEN_REQUEST)) % 5 == 0
        except BaseException as error:  # noqa: BLE001 - handed to the test
            errors.append(error)

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    with store.write() as writer:
        for batch in range(10):
            writer.put_documents([item(f"{batch}-{n}.md", "avocet") for n in range(5)])
    done.set()
    for thread in threads:
        thread.join()
    assert errors == []
    assert len(ask(store, "avocet", k=99)) == 55


def test_an_interrupt_undoes_the_transaction_it_falls_into(store: SqliteStore) -> None:
    fill(store, [item("a.md", "avocet")])

    class Interrupting(tuple[object, ...]):
        def __iter__(self) -> Iterator[object]:
            raise KeyboardInterrupt

    document, chunks, edges = item("b.md", "plover")
    with pytest.raises(KeyboardInterrupt), store.write() as writer:
        writer.put_documents([item("a.md", "dunlin"), (document, chunks, Interrupting(edges))])  # type: ignore[list-item]  # on purpose
    assert ask(store, "avocet") == ["a.md"]
    assert ask(store, "dunlin") == []
    with store.write() as writer:
        writer.put_document(*item("a.md", "dunlin"))
    assert ask(store, "dunlin") == ["a.md"]


def test_nothing_of_a_removed_document_is_left_in_any_file(store: SqliteStore, index: Path) -> None:
    canary, other = "quetzalcanary", "stays"
    gone = item("gonefile.md", f"{canary} text", title="canarytitle", section="CANARYSECTION")
    fill(store, [gone, item("a.md", f"edited{canary}"), item("b.md", other)])
    embed(store, {other: unit(2, 1), f"{canary} text": unit(1, 2)})
    store.search_vector(unit(1, 2), k=3, visible=OPEN_REQUEST)
    assert any(canary.encode() in path.read_bytes() for path in index.parent.iterdir())
    with store.write() as writer:
        writer.put_source("notes", SourceType.FOLDER, "/notes")
        writer.remove_documents([gone[0].id])
        writer.put_document(*item("a.md", "edited"))
        writer.prune()
    vector = unit(1, 2).tobytes()
    for path in index.parent.iterdir():
        raw = path.read_bytes().lower()
        for trace in (canary, "canarytitle", "canarysection", "gonefile", gone[0].id, gone[1][0].id):
            assert trace.encode() not in raw, (path.name, trace)
        assert vector not in path.read_bytes(), path.name
    assert ask(store, other) == ["b.md"]


def test_a_new_analysis_fills_the_text_indexes_again(store: SqliteStore, index: Path) -> None:
    fill(store, [item("a.md", "avocet"), item("p.md", "avocet", class_=PERSONAL)])
    db = apsw.Connection(str(index))
    db.execute("UPDATE stamp SET value = 'old' WHERE name = 'analysis'").fetchall()
    db.execute("DROP TABLE text_open_terms; DROP TABLE text_open").fetchall()
    db.execute("CREATE VIRTUAL TABLE text_open USING fts5(body, prelude, content='')").fetchall()
    db.execute("CREATE VIRTUAL TABLE text_open_terms USING fts5vocab('text_open', 'row')").fetchall()
    db.close()
    assert ask(store, "avocet") == []
    with store.write() as writer:
        writer.remove_documents([item("unknown.md", "x")[0].id])
    assert ask(store, "avocet") == ["a.md"]
    assert sorted(ask(store, "avocet", visible=FULL_REQUEST)) == ["a.md", "p.md"]
    with store.write() as writer:
        writer.remove_documents(list(store.states()))
    db = apsw.Connection(str(index))
    for name in ("text_open", "text_all"):
        db.execute(f"INSERT INTO {name}({name}) VALUES ('integrity-check')").fetchall()
        assert db.execute(f"SELECT count(*) FROM {name}_terms").fetchall() == [(0,)]
    db.close()


def test_text_indexes_stay_whole_through_every_kind_of_change(store: SqliteStore, index: Path) -> None:
    fill(store, [item(f"{n}.md", f"avocet {n}\n\nplover {n}", lead="lead") for n in range(30)])
    with store.write() as writer:
        for n in range(0, 30, 3):
            writer.put_document(*item(f"{n}.md", f"new {n}\n\nplover {n}", title="other"))
        writer.refresh(classes={item(f"{n}.md", "")[0].id: PERSONAL for n in range(10)})
        writer.remove_documents([item(f"{n}.md", "")[0].id for n in range(5, 25)])
    db = apsw.Connection(str(index))
    for name in ("text_open", "text_all"):
        db.execute(f"INSERT INTO {name}({name}) VALUES ('integrity-check')").fetchall()
    counts = [db.execute(f"SELECT count(*) FROM {name}").fetchall()[0][0] for name in ("text_open", "text_all")]
    assert counts == [10, 20]
    db.close()


def test_an_edit_elsewhere_leaves_a_chunks_row_alone(store: SqliteStore, index: Path) -> None:
    fill(store, [item("a.md", "one\n\ntwo")])
    db = apsw.Connection(str(index))
    rows = "SELECT c.id, t.text FROM chunk c JOIN chunk_text t ON t.chunk = c.id ORDER BY c.ordinal"
    before = db.execute(rows).fetchall()
    fill(store, [item("a.md", "zero\n\none\n\ntwo")])
    after = db.execute(rows).fetchall()
    assert [text for _, text in after] == ["zero", "one", "two"]
    assert after[1:] == before
    db.close()


def test_a_run_that_changes_nothing_writes_nothing(store: SqliteStore, index: Path) -> None:
    fill(store, [item("a.md", "avocet")])
    before = index.read_bytes()
    with store.write() as writer:
        writer.put_source("notes", SourceType.FOLDER, "/notes")
        writer.put_faults("notes", [])
        writer.mark_boilerplate({})
        writer.refresh()
        writer.remove_documents([])
        writer.set_targets({})
        writer.put_documents([])
        writer.put_vectors("toy", [])
    assert index.read_bytes() == before


def test_opening_and_searching_by_words_imports_no_numpy(index: Path) -> None:
    store = open_store(index, create=True, read_only=False)
    fill(store, [item("a.md", "avocet")])
    store.close()
    program = f"""
import sys
from pathlib import Path
from askwell.ports import LexicalQuery
from askwell.stores.sqlite import open_store
from askwell.types import Filter, PrivacyClass
visible = Filter(classes=frozenset(PrivacyClass))
store = open_store(Path({str(index)!r}), read_only=False)
assert store.search_lexical(LexicalQuery(terms={{"avocet": 1.0}}), k=1, visible=visible)
with store.write() as writer:
    writer.set_note("k", "v")
assert store.vector_counts(visible=visible) == (0, 1)
print("numpy" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=os.environ)
    assert done.stdout == "False\n"
