"""What `askwell eval` measures, writes and refuses, from the command line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest
from tests.adapters.command import WORDS_ONLY, Askwell, run

if TYPE_CHECKING:
    from pathlib import Path

NOTES = {
    "heron.md": "# Heron\n\nThe heron wades at dawn.\n",
    "disk.md": "# Disk\n\nThe disk spins at night.\n",
    "my pool.md": "# Pool\n\nThe pool is scrubbed monthly.\n",
}
QUESTIONS = [
    {"id": "h", "question": "when does the heron wade", "gold_docs": ["heron.md"]},
    {"id": "p", "question": "is the pool scrubbed", "gold_docs": ["my pool.md"]},
    {"id": "u", "question": "who repairs zebras", "type": "unanswerable", "gold_docs": [], "need": "none"},
]


@pytest.fixture
def askwell(tmp_path: Path) -> Askwell:
    source = tmp_path / "notes"
    source.mkdir()
    for name, text in NOTES.items():
        (source / name).write_text(text, encoding="utf-8")
    return Askwell(tmp_path, (source,))


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    return written(tmp_path / "mine.jsonl", *QUESTIONS)


@pytest.fixture
def birds(tmp_path: Path) -> Path:
    folder = tmp_path / "birds"
    (folder / "qrels").mkdir(parents=True)
    corpus = [{"_id": "7", "title": "Herons", "text": "They wade."}, {"_id": "8", "title": "Grebes", "text": "Dive."}]
    written(folder / "corpus.jsonl", *corpus)
    written(folder / "queries.jsonl", {"_id": "1", "text": "who wades"}, {"_id": "2", "text": "herons or grebes"})
    judged = "query-id\tcorpus-id\tscore\n1\t7\t2\n1\t8\t0\n2\t7\t1\n2\t8\t2\n"
    (folder / "qrels" / "test.tsv").write_text(judged, encoding="utf-8")
    return folder


def written(path: Path, *lines: object) -> Path:
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return path


def test_a_question_file_is_scored_in_the_shared_shape(askwell: Askwell, questions: Path) -> None:
    value = askwell("eval", "--json", questions).json
    assert value["questions"] == 3
    assert value["recall"] == {"1": 1.0, "5": 1.0, "10": 1.0}
    assert (value["mrr10"], value["ndcg10"], value["map"]) == (1.0, 1.0, None)
    assert set(value["abstention"]) > {
        "answered_unanswerable", "abstained_answerable", "auroc_offtopic", "auroc_nearmiss",
    }  # fmt: skip
    assert value["abstention"]["auroc_offtopic"] == 1.0
    assert set(value["latency_ms"]) == {"p50", "p95"}
    assert value["notes"][0]["questions"] == 3  # the vector arm was away
    assert [one["name"] for one in value["sets"]] == ["mine"]


def test_answers_are_scored_by_what_they_cite(askwell: Askwell, questions: Path) -> None:
    cited = askwell("eval", "--json", "--answers", questions).json["citations"]
    assert cited == {"answers": 2, "resolved": 1.0, "correct": 1.0, "supported": 1.0}
    assert askwell("eval", "--json", questions).json["citations"] is None


def test_several_sets_have_a_row_each_and_a_mean(askwell: Askwell, questions: Path, tmp_path: Path) -> None:
    lost = written(tmp_path / "lost.jsonl", {"id": "x", "question": "heron", "gold_docs": ["disk.md"]})
    said = askwell("eval", questions, lost)
    rows = [line.split()[0] for line in said.out.splitlines() if line]
    assert rows[:6] == ["mine:", "lost:", "Retrieval", "set", "mine", "lost"]
    assert "mean of 2" in said.out
    assert askwell("eval", "--json", questions, lost).json["recall"]["1"] == 0.5


def test_a_set_may_have_a_source_of_its_own(askwell: Askwell, questions: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "zebra.md").write_text("Zebras are striped.\n", encoding="utf-8")
    stripes = written(tmp_path / "stripes.jsonl", {"id": "z", "question": "stripes", "gold_docs": ["zebra.md"]})
    config = tmp_path / "words.toml"
    config.write_text(WORDS_ONLY, encoding="utf-8")
    said = run(["eval", "--config", str(config), "--json", f"{questions}={askwell.sources[0]}", f"{stripes}={other}"])
    assert [one["documents"] for one in said.json["sets"]] == [3, 1]
    assert said.json["missing"] == []


def test_gold_documents_that_are_not_there_are_named_and_missed(askwell: Askwell, tmp_path: Path) -> None:
    file = written(tmp_path / "q.jsonl", {"id": "x", "question": "heron", "gold_docs": ["gone.md"]})
    said = askwell("eval", file)
    assert "q: x: gold document 'gone.md' is not in the index" in said.err
    assert "is `--source` what the questions are about?" in said.err
    value = askwell("eval", "--json", file).json
    assert (value["recall"]["10"], value["missing"]) == (0.0, [{"id": "x", "path": "gone.md"}])


def test_a_collection_is_indexed_and_scored_by_its_grades(askwell: Askwell, birds: Path) -> None:
    words = askwell.folder / "words.toml"
    words.write_text(WORDS_ONLY, encoding="utf-8")
    for _ in range(2):  # the second time there is nothing to index
        value = run(["eval", "--json", "--config", str(words), str(birds)]).json
        assert value["recall"] == {"1": 0.75, "5": 1.0, "10": 1.0, "100": 1.0}
        assert value["map"] == 1.0
        assert value["sets"][0]["documents"] == 2
        assert value["sets"][0]["hits"] == 1000


def test_each_arm_is_scored_by_itself(askwell: Askwell, questions: Path) -> None:
    assert "The lexical arm by itself" in askwell("eval", "--arms", questions).out
    arms = askwell("eval", "--arms", "--json", questions).json["sets"][0]["arms"]
    assert arms == {"lexical": {"recall": {"1": 1.0, "5": 1.0, "10": 1.0}, "mrr10": 1.0, "ndcg10": 1.0, "map": None}}


def test_a_run_written_is_a_run_read(askwell: Askwell, questions: Path, birds: Path) -> None:
    for file in (questions, birds):
        run_file, judged = askwell.folder / "out.run", askwell.folder / "out.qrels"
        own = askwell("eval", "--json", "--run-out", run_file, "--qrels-out", judged, file)
        again = run(["eval", "--json", "--run-in", str(run_file), str(file)])
        for key in ("recall", "mrr10", "ndcg10", "map"):
            assert again.json[key] == own.json[key], key
        assert again.json["abstention"]["answered_unanswerable"] is None
    assert judged.read_text() == "1 0 7 2\n1 0 8 0\n2 0 7 1\n2 0 8 2\n"


def test_what_a_foreign_run_lacks_counts_as_missed_and_is_said(questions: Path, tmp_path: Path) -> None:
    foreign = tmp_path / "other.run"
    foreign.write_text("h Q0 heron.md 1 3.5 tool\nnobody Q0 heron.md 1 1 tool\n", encoding="utf-8")
    said = run(["eval", "--json", "--run-in", str(foreign), str(questions)])
    assert said.json["recall"]["1"] == 0.5
    assert "nothing for 2 of 3 questions" in said.err
    assert "1 questions are not in 'mine'" in said.err


def test_two_settings_are_compared_over_the_same_questions(askwell: Askwell, questions: Path) -> None:
    one = askwell.folder / "one.toml"
    one.write_text(WORDS_ONLY + "[retrieval]\nper_document = 1\n", encoding="utf-8")
    value = askwell("eval", "--json", questions, "--compare", one, askwell.folder / "settings.toml").json["compare"]
    assert (value["a"], value["b"]) == ("one.toml", "settings.toml")
    assert {row["measure"]: row["difference"] for row in value["measures"]}["recall@1"] == 0.0
    told = askwell("eval", questions, "--compare", "retrieval.fusion=rrf", "retrieval.fusion=convex").out
    assert "a: retrieval.fusion=rrf, b: retrieval.fusion=convex" in told
    assert "mine: 0 questions changed" in told


@pytest.mark.parametrize(
    ("a", "b", "names"),
    [
        ("", "[index]\nchunk_tokens = 50\n", "`index.chunk_tokens` is 0 in"),
        ("", '[privacy]\npersonal = ["journal/"]\n', "`privacy.personal` is"),
        ('[store]\nurl = "a.db"\n', '[store]\nurl = "b.db"\n', "`store.url` is 'a.db' in"),
        ('[[source]]\npath = "notes"\n', '[[source]]\npath = "."\n', "`source` is"),
    ],
)
def test_settings_that_lead_to_other_indexes_are_not_compared(
    askwell: Askwell, questions: Path, a: str, b: str, names: str
) -> None:
    files = []
    for name, text in (("a.toml", a), ("b.toml", b)):
        files.append(askwell.folder / name)
        files[-1].write_text(f"{WORDS_ONLY}{text}", encoding="utf-8")
    said = run(["eval", str(questions), "--compare", *map(str, files)])
    assert said.code == 2
    assert names in said.err
    assert "`--run-in A --run-in B`" in said.err
    assert not (askwell.folder / "a.db").exists()


def test_charts_and_a_record_are_written(askwell: Askwell, questions: Path) -> None:
    plots, records = askwell.folder / "plots", askwell.folder / "records"
    said = askwell("eval", questions, "--plot", plots, "--record", records)
    assert sorted(path.name for path in plots.iterdir()) == ["mine-evidence.svg", "mine-recall.svg", "mine-risk.svg"]
    for path in plots.iterdir():
        ElementTree.parse(path)
    (page,) = records.iterdir()
    text = page.read_text(encoding="utf-8")
    assert page.name.endswith("-evaluation.md")
    assert "| mine | 3 | 2 | 3 | none |" in text
    assert "| set | recall@1 |" in text
    assert str(askwell.folder) not in text
    assert f"wrote {page}" in said.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-k", "0"], "the number of hits must be from 1 to 1000, not 0"),
        (["--set", "retrieval.k"], "`--set` got 'retrieval.k'"),
        (["--set", "retrieval.kay=3"], "unknown setting `retrieval.kay`"),
        (["--run-in", "a", "--compare", "b", "c"], "`--run-in` searches nothing"),
        (["--run-in", "a", "--run-in", "b", "--run-in", "c"], "3 runs"),
        (["--run-in", "absent.run"], "cannot read 'absent.run'"),
        (["--compare", "absent.toml", "retrieval.k=3"], "no config file at 'absent.toml'"),
    ],
)
def test_options_that_make_no_sense_are_told(
    askwell: Askwell, questions: Path, options: list[str], message: str
) -> None:
    said = askwell("eval", questions, *options)
    assert said.code == 2
    assert message in said.err
    assert "hint: " in said.err


def test_what_takes_one_set_is_not_given_two(askwell: Askwell, questions: Path) -> None:
    said = askwell("eval", questions, questions, "--run-out", askwell.folder / "x.run")
    assert (said.code, "`--run-out` takes one set, not 2" in said.err) == (2, True)


def test_a_run_for_other_questions_is_refused(questions: Path, tmp_path: Path) -> None:
    foreign = tmp_path / "other.run"
    foreign.write_text("nobody Q0 heron.md 1 1 tool\n", encoding="utf-8")
    said = run(["eval", "--run-in", str(foreign), str(questions)])
    assert (said.code, "ranks for none of the questions" in said.err) == (2, True)


def test_a_place_that_cannot_be_written_is_told(askwell: Askwell, questions: Path) -> None:
    said = askwell("eval", questions, "--run-out", questions / "x.run")
    assert said.code == 2
    assert "cannot write" in said.err


def test_one_question_is_a_set(askwell: Askwell, tmp_path: Path) -> None:
    one = written(tmp_path / "one.jsonl", QUESTIONS[0])
    said = askwell("eval", one, "--compare", "retrieval.fusion=rrf", "retrieval.fusion=convex")
    assert said.code == 0
    assert "recall@1            1.000  1.000      +0.000" in said.out


def test_what_was_not_found_is_listed_on_request(askwell: Askwell, tmp_path: Path) -> None:
    file = written(tmp_path / "q.jsonl", {"id": "x", "question": "heron", "gold_docs": ["disk.md"]})
    out = askwell("eval", "--misses", file).out
    assert "x: heron\n  wanted disk.md; got notes/heron.md\n" in out


def test_a_collection_is_scored_alone_in_an_index_that_holds_more(askwell: Askwell, birds: Path) -> None:
    assert askwell("index").code == 0
    words, index = askwell.folder / "settings.toml", askwell.folder / askwell.index
    value = run(["eval", "--json", "--config", str(words), "--index", str(index), str(birds)]).json
    assert value["sets"][0]["documents"] == 2
    assert askwell.paths("heron") == ["heron.md"]
