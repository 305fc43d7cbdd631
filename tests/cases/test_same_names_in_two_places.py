"""Files of one name in different folders and sources are different documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.unit.sources.make import write

from askwell.ids import document_id
from askwell.sources.folder import FolderSource

if TYPE_CHECKING:
    from pathlib import Path


def test_every_file_has_an_identity_of_its_own(tmp_path: Path) -> None:
    write(tmp_path, {f"one/notes/{path}": path for path in ("net/basics.md", "db/basics.md", "a_b/c.md", "a/b_c.md")})
    write(tmp_path, {"two/notes/db/basics.md": "the other one"})
    sources = [FolderSource("one", tmp_path / "one/notes"), FolderSource("two", tmp_path / "two/notes")]
    ids = [document_id(source.name, entry.path) for source in sources for entry in source.list().entries]
    assert len(set(ids)) == len(ids) == 5
    assert sources[0].read("db/basics.md").raw == b"db/basics.md"
    assert sources[1].read("db/basics.md").raw == b"the other one"


def test_a_deleted_file_leaves_its_twin_in_another_source(tmp_path: Path) -> None:
    write(tmp_path, {"one/db/basics.md": "x", "two/db/basics.md": "x"})
    (tmp_path / "two/db/basics.md").unlink()
    assert [e.path for e in FolderSource("one", tmp_path / "one").list().entries] == ["db/basics.md"]
    assert FolderSource("two", tmp_path / "two").list().entries == ()
