"""Files and folders of one name are told apart from the index to the citation; a renamed one stays itself."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from tests.adapters.command import Askwell, run
from tests.unit.sources.make import write

from askwell.testing.fake_openai import FakeOpenAI

if TYPE_CHECKING:
    from pathlib import Path


def test_two_sources_of_one_folder_name_keep_their_documents(tmp_path: Path) -> None:
    write(tmp_path / "one/notes", {"net/basics.md": "# Basics\nMARKNET", "db/basics.md": "# Basics\nMARKDB"})
    write(tmp_path / "one/notes", {"a_b/c.md": "MARKAB", "a/b_c.md": "MARKBC"})
    write(tmp_path / "two/notes", {"db/basics.md": "# Basics\nMARKSECOND", "db/more.md": "MARKMORE"})
    askwell = Askwell(tmp_path, (tmp_path / "one/notes", tmp_path / "two/notes"))
    assert askwell("index", "--json").json["added"] == 6

    def places(word: str) -> list[tuple[str, str]]:
        return [(hit["source"], hit["path"]) for hit in askwell.hits(word)]

    assert places("MARKNET") == [("one/notes", "net/basics.md")]
    assert places("MARKDB") == [("one/notes", "db/basics.md")]
    assert places("MARKSECOND") == [("two/notes", "db/basics.md")]
    assert places("MARKAB") == [("one/notes", "a_b/c.md")]
    assert places("MARKBC") == [("one/notes", "a/b_c.md")]
    assert len(set(places("basics"))) == 3
    answer = askwell("ask", "--json", "MARKSECOND").json
    assert [(c["source"], c["path"]) for c in answer["citations"]] == [("two/notes", "db/basics.md")]

    (tmp_path / "two/notes/db/basics.md").unlink()
    assert askwell("index", "--json").json["removed"] == 1
    assert places("MARKSECOND") == []
    assert places("MARKDB") == [("one/notes", "db/basics.md")]
    twice = run(("index", "--index", str(tmp_path / "x.db"), *("--source", str(tmp_path / "one/notes")) * 2))
    assert twice.code == 0  # named twice is named once


def test_a_name_in_another_unicode_spelling_is_the_same_document(tmp_path: Path) -> None:
    composed = unicodedata.normalize("NFC", "Řeřicha žlutá.md")
    decomposed = unicodedata.normalize("NFD", composed)
    root = write(tmp_path / "notes", {decomposed: "# Cress\n\nMARKCRESS\n", "from.md": f"See [[{composed[:-3]}]].\n"})
    with FakeOpenAI() as server:
        settings = f'[models]\nembedding = "openai:m"\nembedding_url = "{server.url}"\n'
        askwell = Askwell(tmp_path, (root,), settings)
        assert askwell("index", "--json").json["embedded"] == 2
        assert askwell.paths("MARKCRESS cress")[0] == composed
        for spelling in (composed, decomposed):
            assert "ranked 1" in askwell("search", "--explain", "--expect", spelling, "MARKCRESS cress").out
            assert askwell.paths("MARKCRESS cress", "--path", spelling) == [composed]
        assert askwell.hits("see", "--open-only", "--path", "from.md")[0]["text"] == f"See [[{composed[:-3]}]]."

        asked = len(server.requests)
        (root / decomposed).rename(root / composed)
        said = askwell("index", "--json").json
        assert (said["added"], said["removed"], said["embedded"], said["unchanged"]) == (0, 0, 0, 2)
        assert len(server.requests) == asked
        assert askwell.paths("MARKCRESS cress").count(composed) == 1
        (root / composed).unlink()
        assert askwell("index", "--json").json["removed"] == 1
        assert composed not in askwell.paths("MARKCRESS cress")
