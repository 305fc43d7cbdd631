"""`askwell calibrate`: what it stores, says and refuses; nothing of a note is in it."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.adapters.command import Askwell

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def askwell(tmp_path_factory: pytest.TempPathFactory) -> Askwell:
    folder = tmp_path_factory.mktemp("calibrate")
    settings = '[models]\nembedding = "none"\n[privacy]\npersonal = ["people/**", "journal/**"]\n'
    made = Askwell(folder, (ROOT / "examples" / "homelab", ROOT / "examples" / "vault"), settings=settings)
    assert made("index").code == 0
    return made


def note(askwell: Askwell) -> str:
    with closing(sqlite3.connect(askwell.folder / askwell.index)) as db:
        (table,) = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE name IN ('note', 'meta')")]
        rows = dict(db.execute(f"SELECT * FROM {table}").fetchall())
    return str(rows.get("calibration", ""))


def test_both_error_rates_and_the_curve_are_shown(askwell: Askwell) -> None:
    said = askwell("calibrate")
    assert said.code == 0, said.err
    assert "off-topic answered" in said.out
    assert "answerable refused" in said.out
    assert "near miss" in said.out


def test_the_same_index_gives_the_same_figures_and_stores_numbers_alone(askwell: Askwell) -> None:
    first, second = askwell("calibrate", "--json").json, askwell("calibrate", "--json").json
    assert first == second
    assert first["chosen"]["questions"] == first["shipped"]["questions"]
    kept = note(askwell)
    if first["calibrated"]:
        assert {type(value) for value in json.loads(kept).values()} <= {float, int, str, bool}
        assert set(json.loads(kept)) == {
            "space", "min_cosine", "sure_cosine", "min_coverage", "lexical_coverage", "measured", "latin_only",
        }  # fmt: skip
        assert "fitted" in askwell("status", "--json").json["calibration"]


def test_a_reset_returns_to_the_shipped_cuts(askwell: Askwell) -> None:
    askwell("calibrate")
    assert askwell("calibrate", "--reset").code == 0
    assert note(askwell) == ""
    assert "fitted" not in askwell("status", "--json").json["calibration"]


def test_an_index_that_is_too_small_keeps_what_it_has(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("# A\n\nThe pump runs at noon.\n", encoding="utf-8")
    small = Askwell(tmp_path, (tmp_path / "notes",))
    assert small("index").code == 0
    said = small("calibrate", "--json")
    assert (said.code, said.json["calibrated"]) == (0, False)
    assert "documents" in said.json["reason"]


def test_an_index_that_is_not_there_is_told_and_not_made(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    nowhere = Askwell(tmp_path, (tmp_path / "notes",))
    for options in ((), ("--reset",)):
        assert nowhere("calibrate", *options).code == 4
    assert not (tmp_path / "index.db").exists()
