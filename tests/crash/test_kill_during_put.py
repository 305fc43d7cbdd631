"""Kill a writer in the middle of its batches: documents are whole or absent, and the next writer goes on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import apsw

from askwell.stores.sqlite import open_store
from askwell.testing.specimens import OPEN_REQUEST, fill, item
from askwell.testing.store_suite.asking import ask

if TYPE_CHECKING:
    from pathlib import Path

KILLS = 6
PARAGRAPHS = 8

_WRITE = """
import sys
from pathlib import Path
from askwell.stores.sqlite import open_store
from askwell.testing.specimens import item
from askwell.types import SourceType
store = open_store(Path(sys.argv[1]), create=True, read_only=False)
with store.write() as writer:
    writer.put_source("notes", SourceType.FOLDER, "/notes")
    for batch in range(10_000):
        paragraphs = [f"version{sys.argv[2]}x{batch} avocet part{n}" for n in range(8)]
        writer.put_documents([item(f"{batch % 7}-{n}.md", "\\n\\n".join(paragraphs)) for n in range(5)])
        print(batch, flush=True)
"""


def test_documents_are_whole_after_a_kill(tmp_path: Path) -> None:
    index = tmp_path / "index.db"
    for kill in range(KILLS):
        with subprocess.Popen(
            [sys.executable, "-c", _WRITE, str(index), str(kill)], stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout is not None
            for _ in range(1 + 3 * kill):
                process.stdout.readline()
            os.kill(process.pid, signal.SIGKILL)
        store = open_store(index)
        documents = store.documents(visible=OPEN_REQUEST)
        assert len(documents) % 5 == 0
        assert documents
        for info in documents:
            document = store.document_by_id(info.id, visible=OPEN_REQUEST)
            chunks = store.document_chunks(info.id, visible=OPEN_REQUEST)
            assert document is not None
            assert "\n\n".join(chunk.text for chunk in chunks) == document.text
            assert len(chunks) == PARAGRAPHS
            assert len({chunk.text.split()[0] for chunk in chunks}) == 1
        assert len(ask(store, "avocet", k=9999)) == PARAGRAPHS * len(documents)
        store.close()
    db = apsw.Connection(str(index))
    assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    for name in ("text_open", "text_all"):
        db.execute(f"INSERT INTO {name}({name}) VALUES ('integrity-check')").fetchall()
    db.close()
    store = open_store(index, read_only=False)
    fill(store, [item("after.md", "dunlin")])
    assert ask(store, "dunlin") == ["after.md"]
    store.close()
