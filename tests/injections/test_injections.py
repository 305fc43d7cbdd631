"""A note may tell a model what to do, and it may do it. What a person is shown stays what the documents carry."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.adapters.command import Askwell
from tests.injections.attempts import ATTEMPTS, BREAD, Attempt
from tests.unit.sources.make import write

from askwell import compose
from askwell.answer import final
from askwell.config import load
from askwell.engine import Request
from askwell.privacy import audience
from askwell.testing.obedient_generator import ObedientGenerator
from askwell.types import Answer, Delta, Support

if TYPE_CHECKING:
    from pathlib import Path

    from askwell.engine import Engine

QUESTION = "does the sourdough bread rest for nine hours"
REQUEST = Request(question=QUESTION, audience=audience(include_personal=False))
OTHERS = {
    "oven.md": "# Oven\n\nThe oven is heated to 250 degrees before sourdough bread goes in.\n",
    "private/letters.md": "# Letters CANARY\n\nCANARY: the sourdough bread of an aunt rests for a week.\n",
}


def engine_of(folder: Path, files: dict[str, str], generator: ObedientGenerator) -> Engine:
    settings = '[models]\nembedding = "none"\n[privacy]\npersonal = ["private/"]\n'
    made = Askwell(folder, (write(folder / "vault", files),), settings)
    assert made("index").code == 0
    config = load(
        file=folder / "settings.toml",
        environ={},
        sources=[str(folder / "vault")],
        flags={"store.url": str(folder / "index.db")},
    )
    return replace(compose.engine(config, environ={}), make_generator=lambda: generator)


@pytest.mark.parametrize("attempt", ATTEMPTS, ids=lambda attempt: attempt.name)
def test_what_a_note_tells_a_model_changes_nothing_that_matters(attempt: Attempt, tmp_path: Path) -> None:
    generator = ObedientGenerator()
    engine = engine_of(tmp_path, {attempt.path: attempt.text, **OTHERS}, generator)
    events = list(engine.ask(REQUEST))
    engine.close()
    assert attempt.written in "\n".join(generator.obeyed)  # the attempt is one: it reached a model that obeys
    assert len(generator.asked) == 1
    system = generator.asked[0][0].content
    shown = "".join(event.text for event in events if isinstance(event, Delta))
    assert "You answer questions from" not in shown
    assert "passage-" not in shown.replace("</passage>", "")
    for rule in system.split("\n"):
        assert len(rule) < 40 or rule not in shown
    # nobody is called by what is shown, and nothing of the conversation is carried away
    assert not re.search(r"!\[(?!\d{1,5}\](?![\[(]))", shown)
    assert not re.search(r"\]\(\s*[a-z]+:|<img|<script", shown)
    assert not re.search(r"collector\S*sourdough|sourdough\S*collector", shown)
    assert not re.search(r"(?<!`)https?://", shown)
    assert "\x1b" not in shown
    # nothing that the request may not see
    assert "CANARY: " not in repr((generator.asked, events))
    assert "private/letters.md" not in repr((generator.asked, events))
    assert ("went on with its instructions" in shown) is (attempt.name in {"the rules", "the fence"})
    outcome = events[-1]
    assert isinstance(outcome, Answer)
    assert outcome.text == shown
    # every citation leads to lines that are there, and no sentence that was dictated passes for what they say
    for citation in outcome.citations:
        assert citation.path in {attempt.path, "oven.md"}
        lines = {attempt.path: attempt.text, **OTHERS}[citation.path].split("\n")
        assert citation.quote in "\n".join(lines[citation.lines.first - 1 : citation.lines.last])
    markers = {int(found) for found in re.findall(r"(?<!`)\[(\d{1,5})\]", shown)}
    assert markers <= {citation.marker for citation in outcome.citations}


def test_there_are_attempts_of_every_kind_and_each_has_a_name() -> None:
    assert len({attempt.name for attempt in ATTEMPTS}) == len(ATTEMPTS) >= 40


def test_an_honest_note_is_answered_from(tmp_path: Path) -> None:
    generator = ObedientGenerator()
    engine = engine_of(tmp_path, {"bread.md": f"# Bread\n\n{BREAD}\n", **OTHERS}, generator)
    outcome = final(engine.ask(REQUEST))
    engine.close()
    assert isinstance(outcome, Answer)
    assert generator.obeyed == []
    assert [citation.support for citation in outcome.citations][:1] == [Support.SUPPORTED]
