"""The command line over an embedding server that refuses long texts, and over notes that change while it works."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.adapters.command import Askwell
from tests.unit.sources.make import write

from askwell.testing.fake_openai import FakeOpenAI

if TYPE_CHECKING:
    from pathlib import Path

    from askwell.testing.fake_openai import Reply, Request


def tokens(text: str) -> int:
    """Count one for each character that is no letter, and one for every four letters."""
    letters = sum(char.isascii() and char.isalpha() for char in text)
    return len(text) - letters + letters // 4


def test_texts_over_the_servers_window_cost_no_other_text_its_vector(tmp_path: Path) -> None:
    notes = {
        "aaa.md": "# First\n\nMARKFIRST is ordinary.\n",
        "dense.yml": "k: [" + ",".join(f"({n},[{n}])" for n in range(3_000)) + "]\nlast: MARKDENSE\n",
        "rules.py": "".join(f'# {"=" * 150}\nx{n} = {{"a": [{n}, ({n},)]}}\n' for n in range(120)) + "# MARKRULES\n",
        "cjk.md": "# 长\n\n" + "备份与恢复测试。" * 400 + "\n\nMARKCJK 备份\n",
        "zzz.md": "# Last\n\nMARKLAST is ordinary.\n",
    }
    with FakeOpenAI() as server:
        server.refuse_over(200, counts=tokens)
        settings = f'[models]\nembedding = "openai:m"\nembedding_url = "{server.url}"\nembedding_window = 512\n'
        askwell = Askwell(tmp_path, (write(tmp_path / "notes", notes),), settings)
        said = askwell("index", "--json")
        assert said.code == 0
        report = said.json
        assert (report["added"], report["pending"], report["failed"]) == (5, 0, [])
        assert any("only their beginning is embedded" in warning for warning in report["warnings"])
        for path, text in notes.items():
            (word,) = re.findall("MARK[A-Z]+", text)
            hit = askwell.hits(word, "-k", 1)[0]
            assert hit["path"] == path
            assert {sighting["arm"] for sighting in hit["sightings"]} >= {"lexical", "vector"}
        count = len(server.requests)
        assert askwell("index", "--json").json["embedded"] == 0
        assert len(server.requests) == count


class Editing(FakeOpenAI):
    """A server during whose first batch somebody edits a note."""

    def __init__(self, note: Path, text: str) -> None:
        super().__init__()
        self._note, self._text = note, text

    def next_reply(self, request: Request) -> Reply:
        if len(request.body["input"]) > 1 and self._text:  # type: ignore[arg-type]  # the probe is one text
            self._note.write_text(self._text)
            self._text = ""
        return super().next_reply(request)


def test_an_edit_during_the_run_is_seen_by_the_next(tmp_path: Path) -> None:
    before, after = ("# Slow\n\nthe answer is OLD\n", "# Slow\n\nthe answer is NEW\n")  # of one length
    notes = write(tmp_path / "notes", {"slow.md": before, "other.md": "# Other\n\nsomething else\n"})
    server = Editing(notes / "slow.md", after)
    with server:
        settings = f'[models]\nembedding = "openai:m"\nembedding_url = "{server.url}"\n'
        askwell = Askwell(tmp_path, (notes,), settings)
        assert askwell("index").code == 0
        assert "1 documents changed" in askwell("search", "answer").err
        assert askwell("index", "--json").json["updated"] == 1
        hits = askwell.hits("what is the answer")
        assert (hits[0]["text"], hits[0]["sightings"][0]["rank"]) == (after.rstrip("\n"), 1)
        assert "OLD" not in repr(hits)
        assert askwell("status", "--json").json["vectors"] == 2


def test_the_bundled_model_tells_what_is_covered_from_what_is_not(tmp_path: Path) -> None:
    notes = {
        f"bus{n}.md": f"# Bus {n}\n\nWhich is which: bus {n} leaves at 1{n}:20, my favourite ride.\n" for n in range(8)
    }
    notes["flower.md"] = "# Likes\n\nMy favourite flower is the lupin.\n"
    askwell = Askwell(tmp_path, (write(tmp_path / "notes", notes),), "")
    askwell("index")
    for question in ("which is my favourite flower?", "lupin"):
        answer = askwell("ask", "--json", question).json
        assert (answer["outcome"], answer["citations"][0]["path"]) == ("answer", "flower.md")
    for question in ("what is the airspeed of a laden pigeon?", "qwzx vbnm plok", "the of and is which my"):
        answer = askwell("ask", "--json", question).json
        assert (answer["outcome"], answer["citations"]) == ("abstention", [])
        assert answer["nearest"]
