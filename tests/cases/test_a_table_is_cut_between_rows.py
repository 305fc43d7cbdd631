"""A long table is cut between its rows; each piece carries the names of the columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.adapters.command import WORDS_ONLY, Askwell
from tests.unit.sources.make import write

if TYPE_CHECKING:
    from pathlib import Path

HEAD = "| Name | Task | Place | Amps |\n|------|------|-------|------|\n"
ROWS = [f"| shed{n:02} | task-{n:02} | 10.8.{n}.{n + 1} | {n},{n + 120} |\n" for n in range(1, 121)]


def test_rows_stay_whole_and_columns_keep_their_names(tmp_path: Path) -> None:
    notes = {
        "sheds.md": "# Sheds\n\nAll sheds, counted in June.\n" + HEAD + "".join(ROWS),
        "other.md": "# Other\n\nx\n",
    }
    askwell = Askwell(tmp_path, (write(tmp_path / "notes", notes),), WORDS_ONLY + "[index]\nchunk_tokens = 300\n")
    askwell("index")
    pieces = askwell.hits("sheds task place amps counted", "-k", 100, "--path", "sheds.md")
    assert len(pieces) > 3
    for piece in pieces:
        lines = [line for line in piece["text"].splitlines() if line.startswith("| shed")]
        assert all(f"{line}\n" in ROWS for line in lines)
        assert HEAD.rstrip("\n") in f"{piece['lead']}\n{piece['text']}".replace("\n\n", "\n")
        assert len(f"{piece['lead']}{piece['text']}") < 1_500
    (hit, *_) = askwell.hits("67,187")
    assert ROWS[66].rstrip("\n") in hit["text"]
    assert HEAD.split("\n")[0] in askwell("search", "-k", 1, "67,187").out.replace("   |", "|").split("\n")
    for question in ("what is the place of shed67?", "how many amps for shed67?"):
        answer = askwell("ask", "--json", question).json
        assert answer["outcome"] == "answer"
        rows = [(item["quote"].strip(), item["lines"]) for item in answer["citations"] if "shed" in item["quote"]]
        assert rows[0] == (ROWS[66].strip(), [72, 72])
        assert HEAD.split("\n")[0] in answer["text"], "the row is shown under the names of its columns"
