"""Retrieval on the example corpora with the bundled model: floors under what `make eval` measures."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from askwell import compose
from askwell.answer import final
from askwell.config import load
from askwell.engine import Engine, Request
from askwell.eval.questions import read_questions
from askwell.eval.run import HITS, Report, evaluate
from askwell.indexing import RunOptions
from askwell.privacy import audience
from askwell.types import Abstention, Answer

if TYPE_CHECKING:
    from collections.abc import Iterator

EXAMPLES = Path(__file__).parents[2] / "examples"
EVERYONE = audience(include_personal=True)

pytestmark = [pytest.mark.xdist_group("examples"), pytest.mark.timeout(600)]

SAFEGUARDS = {
    "Mounted Target Proof": "what if the USB disk is absent and the path on ember is only a directory",
    "Shrinking Source Brake": "what happens if most files of a dataset disappear because of malware",
    "Free Space Floor": "how many gigabytes must be free on ember before sending begins",
    "Held Common Base": "can somebody destroy the newest snapshot that both sides share by accident",
    "Resume Before Restart": "a broken connection during a transfer: is the stream continued or started over",
    "Daytime Bandwidth Cap": "is the replication stream limited during the day because of video calls",
    "Battery Veto": "what happens to a running replication when the house is on UPS battery",
    "Clock Agreement": "how far may the clocks of wick and ember differ",
    "Read-Only Replica": "what prevents somebody from editing a received dataset on ember",
    "Last Three Rule": "which newest snapshots stay whatever the retention arithmetic says",
    "Feature Flag Gate": "what if the pool has an active feature that the ZFS on the other side does not know",
    "Loud After Silence": "after how many failed nights in a row does a message become urgent",
}
"""Named paragraphs of one section of one script, each with a question that only it answers."""


def opened(name: str, folder: Path) -> Engine:
    config = load(
        file=None,
        environ={},
        sources=[str(EXAMPLES / name)],
        flags={"store.url": str(folder / f"{name}.db")},
    )
    compose.index(config, RunOptions(), environ=os.environ)
    return compose.engine(config, environ=os.environ)


@pytest.fixture(scope="module")
def homelab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    made = opened("homelab", tmp_path_factory.mktemp("index"))
    yield made
    made.close()


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    made = opened("vault", tmp_path_factory.mktemp("index"))
    yield made
    made.close()


def scored(engine: Engine, name: str) -> Report:
    questions = read_questions((EXAMPLES / "questions" / f"{name}.jsonl").read_text(), name=name)
    request = Request(question="", audience=EVERYONE, k=HITS)
    return evaluate(
        questions,
        rank=lambda question: engine.search(replace(request, question=question)),
        refused=engine.gate,
        evidence=engine.covered,
        known=lambda: [(info.source, info.path) for info in engine.documents(audience=EVERYONE)],
        clock=time.perf_counter,
    )


def test_a_question_about_one_safeguard_puts_its_paragraph_first(homelab: Engine) -> None:
    wrong = {}
    for title, question in SAFEGUARDS.items():
        hits = homelab.search(Request(question=question, audience=EVERYONE)).hits
        own = [hit.chunk.headings[-1] for hit in hits if hit.path == "backup/snapshot_sync.sh"]
        if own[:1] != [title] or hits[0].chunk.headings[-1:] != (title,):
            wrong[title] = [(hit.path, hit.chunk.headings) for hit in hits[:2]]
    assert wrong == {}


def test_the_homelab_is_found(homelab: Engine) -> None:
    report = scored(homelab, "homelab")
    assert report.missing == ()
    assert (report.recall(5) or 0) >= 0.9
    assert (report.mrr or 0) >= 0.75


def test_the_vault_is_found_in_every_language(vault: Engine) -> None:
    report = scored(vault, "vault")
    assert report.missing == ()
    assert (report.recall(5) or 0) >= 0.85
    assert (report.mrr or 0) >= 0.8


def test_a_definition_comes_from_the_readme_not_from_a_purpose_line(homelab: Engine) -> None:
    (first, *_) = homelab.search(Request(question="what is Lanthorn", audience=EVERYONE)).hits
    assert (first.path, first.chunk.kind) == ("README.md", "readme")


def test_what_nobody_wrote_is_refused_and_what_is_there_is_answered(homelab: Engine) -> None:
    report = scored(homelab, "homelab")
    assert (report.abstained_answerable or 0) <= 0.2
    off_topic = [row for row in report.rows if row.question.type == "unanswerable"]
    assert all(row.refused for row in off_topic)


@pytest.mark.parametrize("name", ["homelab", "vault"])
def test_what_is_suggested_would_be_answered(name: str, request: pytest.FixtureRequest) -> None:
    engine: Engine = request.getfixturevalue(name)
    questions = read_questions((EXAMPLES / "questions" / f"{name}.jsonl").read_text(), name=name)
    unanswerable = [q.question for q in questions if not q.gold_docs] + ["how tall is a giraffe", "zzyzx quux"]
    suggested = 0
    for question in unanswerable:
        outcome = final(engine.ask(Request(question=question, audience=EVERYONE)))
        for suggestion in outcome.suggestions if isinstance(outcome, Abstention) else ():
            suggested += 1
            again = final(engine.ask(Request(question=suggestion, audience=EVERYONE)))
            assert isinstance(again, Answer), f"{question!r} suggests {suggestion!r}"
    assert suggested >= 6
