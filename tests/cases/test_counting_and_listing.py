"""Counting and listing over the example corpora: every set is worked out again here, from the files alone."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.adapters.command import Askwell

from askwell import compose
from askwell.answer import final
from askwell.config import load
from askwell.engine import Request
from askwell.indexing import RunOptions
from askwell.privacy import audience
from askwell.types import Answer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from askwell.engine import Engine

EXAMPLES = Path(__file__).parents[2] / "examples"
VAULT, HOMELAB = EXAMPLES / "vault", EXAMPLES / "homelab"
EVERYONE = audience(include_personal=True)
OPEN_ONLY = audience(include_personal=False)

pytestmark = pytest.mark.xdist_group("listing")


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    config = load(
        file=None,
        environ={},
        sources=[str(VAULT), str(HOMELAB)],
        flags={"store.url": str(tmp_path_factory.mktemp("index") / "both.db"), "models.embedding": "none"},
    )
    compose.index(config, RunOptions(), environ=os.environ)
    made = compose.engine(config, environ=os.environ)
    yield made
    made.close()


def texts(root: Path) -> dict[str, str]:
    """Return every file of an example by path, as text."""
    return {
        path.relative_to(root).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(root.rglob("*"))
        if path.is_file() and ".obsidian" not in path.parts
    }


NOTES, FILES = texts(VAULT), texts(HOMELAB)
PROGRAM = re.compile(r"\.(?:sh|py|php|ps1|awk|sql)$|^bin/")
SCRIPTS = {path: text for path, text in FILES.items() if PROGRAM.search(path)}
ALL = {**NOTES, **FILES}


def where(holds: Callable[[str, str], object], among: dict[str, str]) -> set[str]:
    return {path for path, text in among.items() if holds(path, text)}


def grep(pattern: str, among: dict[str, str], flags: int = re.IGNORECASE) -> set[str]:
    return where(lambda _, text: re.search(pattern, text, flags), among)


def front(text: str) -> str:
    return text.split("\n---", 1)[0] if text.startswith("---\n") else ""


def tagged(tag: str) -> set[str]:
    """Return notes whose frontmatter or text has a tag, in a fence or code none."""
    name = rf"{tag}(?:/[\w-]+)*"
    listed = rf"^tags:[^\n]*(?<![\w/]){name}(?![\w/-])|^  - {name}$"

    def holds(_: str, text: str) -> object:
        body = re.sub(r"^```.*?^```|`[^`\n]*`", "", text[len(front(text)) :], flags=re.MULTILINE | re.DOTALL)
        head = re.sub(r"^aliases:\n(?:  - .*\n)*", "", front(text), flags=re.MULTILINE)
        return re.search(listed, head, re.MULTILINE) or re.search(rf"(?:^|\s)#{name}(?![\w/-])", body)

    return where(holds, NOTES)


def linking(name: str) -> set[str]:
    return {path for path in grep(rf"\[\[(?:[^\[\]|#]*/)?{name}[\]|#\\]", NOTES) if not path.endswith(f"{name}.md")}


def created(year: int) -> set[str]:
    return where(lambda _, text: re.search(rf"^created: {year}-", front(text), re.MULTILINE), NOTES)


QUESTIONS: list[tuple[str, set[str]]] = [
    ("how many notes are there", set(NOTES)),
    ("how many documents are indexed", set(ALL)),
    ("how many scripts are there", set(SCRIPTS)),
    ("how many notes are tagged bees", tagged("bees")),
    ("how many notes are tagged bees/equipment", tagged("bees/equipment")),
    ("which notes are tagged topic and tagged boat", tagged("topic") & tagged("boat")),
    ("list every script that takes --dry-run", grep(r"^\s*#\s+(?:-n, )?--dry-run\b", SCRIPTS, re.MULTILINE)),
    ("which files mention --dry-run", grep(r"(?<![\w-])--dry-run(?![\w-])", FILES)),
    ("which documents mention oxalic acid", grep(r"\boxalic\s+acid\b", ALL)),
    ("in which documents is the word Fredegar mentioned", grep(r"\bfredegar\b", ALL)),
    ("which scripts mention LOCK_WAIT", grep(r"\bLOCK_WAIT\b", SCRIPTS)),
    ("notes tagged bees that mention oxalic acid", tagged("bees") & grep(r"\boxalic\s+acid\b", NOTES)),
    ("list all notes in the boat folder", where(lambda path, _: path.startswith("boat/"), NOTES)),
    ("how many notes are in the folder guides", where(lambda path, _: "/guides/" in path, NOTES)),
    ("which notes link to Hive weights", linking("Hive weights")),
    ("which notes link to Anchor watch?", linking("Anchor watch")),
    ("how many notes were created in 2025", created(2025)),
    ("list all notes created between 2022 and 2023", created(2022) | created(2023)),
    ("list all YAML files", where(lambda path, _: path.endswith((".yml", ".yaml")), FILES)),
    ("how many JSON files are there", where(lambda path, _: path.endswith(".json"), FILES)),
    ("list all .md files in the docs folder", where(lambda path, _: re.match(r"docs/.*\.md$", path), FILES)),
    ("how many READMEs are there", where(lambda path, _: "README" in path.rpartition("/")[2], FILES)),
    ("list all python scripts", where(lambda path, text: path.endswith(".py") or "python" in text[:40], SCRIPTS)),
    ("which documents define LOCK_WAIT", grep(r"^#?LOCK_WAIT=", FILES, re.MULTILINE)),
    ("Wie viele Notizen haben den Tag boat?", tagged("boat")),
    ("liste alle Skripte auf, die ZFS erwähnen", grep(r"\bzfs\b", SCRIPTS)),
    ("hur många anteckningar är taggade bread", tagged("bread")),
    ("bread etiketli kaç not var", tagged("bread")),
    ("how many notes are tagged dinosaurs", set()),
]


@pytest.mark.parametrize(("question", "expected"), QUESTIONS, ids=[question for question, _ in QUESTIONS])
def test_the_set_is_exactly_right_and_every_item_cited(engine: Engine, question: str, expected: set[str]) -> None:
    outcome = final(engine.ask(Request(question=question, audience=EVERYONE, k=2)))
    assert isinstance(outcome, Answer)
    assert outcome.listed
    assert {citation.path for citation in outcome.citations} == expected
    assert len(outcome.citations) == len(expected)
    number = re.match(r"\d+", outcome.text)
    assert int(number[0] if number else 0) == len(expected)
    for citation in outcome.citations:
        lines = ALL[citation.path].split("\n")[citation.lines.first - 1 : citation.lines.last]
        assert citation.quote in "\n".join(lines)
        assert f"[{citation.marker}]" in outcome.text


def test_every_setting_of_a_file_is_listed_where_it_stands(engine: Engine) -> None:
    outcome = final(engine.ask(Request(question="which settings are defined in .env.example", audience=EVERYONE)))
    assert isinstance(outcome, Answer)
    expected = re.findall(r"^([A-Z_]+)=", FILES["deploy/.env.example"], re.MULTILINE)
    assert [citation.quote.partition("=")[0] for citation in outcome.citations] == expected
    assert outcome.text.startswith(f"{len(expected)} settings are defined in `.env.example`:")


def test_what_is_personal_is_counted_for_nobody_else(engine: Engine) -> None:
    flagged = grep(r"^sensitivity:(?! (?:open|public)$)", {p: front(t) for p, t in NOTES.items()}, re.MULTILINE)
    question = Request(question="how many notes are there", audience=EVERYONE)
    every, some = (
        final(engine.ask(Request(question=question.question, audience=one))) for one in (EVERYONE, OPEN_ONLY)
    )
    assert isinstance(every, Answer) and isinstance(some, Answer)
    hidden = {c.path for c in every.citations} - {c.path for c in some.citations}
    assert hidden >= flagged > set()
    personal = final(engine.ask(Request(question="list all personal notes", audience=EVERYONE)))
    assert isinstance(personal, Answer)
    assert {citation.path for citation in personal.citations} == hidden
    assert engine.listing(Request(question="list all personal notes", audience=OPEN_ONLY)) is None


def test_the_command_line_shows_the_rule_the_whole_list_and_the_json_of_an_answer(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    for n in range(30):
        (notes / f"day {n}.md").write_text(f"# Day {n}\n\nThe heron came. #birds\n", encoding="utf-8")
    askwell = Askwell(folder=tmp_path, sources=(notes,))
    question = "how many documents are tagged birds"
    told = askwell("ask", "--", question)
    assert told.out.startswith("30 documents are tagged `birds`:\n\n- Day 0: `day 0.md` [1]\n")
    assert sum(line.startswith("[") for line in told.out.split("\n")) == 30
    explained = askwell("ask", "--explain", "--", question)
    assert explained.out.split("\n") == [
        "profile: docs",
        "listing: answered from the index itself, by rule en:count",
        "query: document · tagged 'birds'",
        "items: 30",
        "",
    ]
    said = askwell("ask", "--json", "--", question).json
    assert (said["outcome"], said["model"], said["invented"], len(said["citations"])) == ("answer", "none", 0, 30)
    assert said["citations"][29]["quote"] == "The heron came. #birds"
    assert askwell("ask", "--json", "--explain", "--", question).json["listing"] == {
        "rule": "en:count",
        "query": "document · tagged 'birds'",
        "items": 30,
    }
    assert "listing" not in askwell("ask", "--json", "--explain", "--", "when did the heron come").json
