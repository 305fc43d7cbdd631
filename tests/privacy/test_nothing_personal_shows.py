"""A request for open documents is answered as if no personal document existed: word for word, in every command."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from tests.adapters.command import WORDS_ONLY, Askwell, Said
from tests.unit.sources.make import write

from askwell.testing.fake_openai import FakeOpenAI

if TYPE_CHECKING:
    from collections.abc import Iterator

FOOTER = "\n\nThis page belongs to the handbook of the house and is printed once a year.\n"

OPEN = {
    "boiler.md": "# Boiler\n\nThe boiler keeps 1.5 bar. Its valve was changed in May." + FOOTER,
    "garden/pond.md": "# Pond\n\nThe pump of the pond runs at night. #water\n\n## Winter\n\nDrain the pump." + FOOTER,
    "work/plan.md": "# Plan\n\nPlant the quince in autumn.",
    "links.md": "# Links\n\nSee [[journal/The clinic]], [[The clinic|a visit]], [a letter](journal/The%20clinic.md), "
    "[[plan]], [[boiler]].\n\n![[journal/The clinic]]\n\n",
    "same.md": "# Same\n\nThe very same words about the heron stand in two places.",
    "en/page.md": "---\npermalink: page\n---\n# Page\n\nThe page about the valve.",
}

PERSONAL = {
    "journal/The clinic.md": "# The clinic CANARYTITLE\n\nCANARYTEXT: the boiler of the clinic, the pump, the valve."
    + FOOTER,
    "journal/plan.md": "# Plan\n\nCANARYTEXT plan of the pond and the quince.",
    "journal/same.md": "# Same\n\nThe very same words about the heron stand in two places.",
    "flagged.md": "---\nsensitivity: personal\ntags: [canarytag, water]\naliases: [canary-alias]\n---\n"
    "# Flagged\n\n## Canarysection\n\nCANARYTEXT pump pump pump",
    "nonsense flag.md": "---\nsensitivity: purple\n---\nCANARYTEXT valve of the boiler",
    "twice flagged.md": "---\nsensitivity: open\nsensitivity: open\n---\nCANARYTEXT boiler valve",
    "broken flag.md": "---\nsensitivity: [open\n---\nCANARYTEXT boiler pond",
    "de/page.md": "---\npermalink: page\nsensitivity: personal\n---\n# CANARYTITLE\n\nDie Seite: the valve.",
    "empty canary.md": "",
    "binary canary.md": bytes(range(256)) * 20,
    **{f"journal/day {n}.md": f"# Day {n}\n\nCANARYTEXT boiler pump pond valve {n}" + FOOTER for n in range(30)},
}

CANARIES = ("canary", "journal/day", "journal/same", "journal/plan", "flag.md")

COMMANDS: list[tuple[str, ...]] = [
    *((command, *form, "--", question)
      for command in ("search", "ask")
      for form in ((), ("--json",), ("--explain",), ("--explain", "--json"))
      for question in ("how much pressure does the boiler keep", "CANARYTEXT", "the clinic", "what is in [[plan]]")),
    *(("search", "--json", "-k", "1000", "--", question)
      for question in ("boiler pump pond valve quince heron page", "plan", "very same words about the heron", "links")),
    *(("search", "--explain", "--expect", path, "--", "boiler pump")
      for path in ("journal/The clinic.md", "The clinic.md", "flagged.md", "empty canary.md", "binary canary.md")),
    *(("ask", *form, "--", question)
      for form in ((), ("--json",), ("--explain",), ("--explain", "--json"))
      for question in ("how many notes are there", "which documents mention the clinic", "which files mention boiler",
                       "list all documents tagged water", "which tags are there", "list all personal documents",
                       "which documents link to The clinic", "list all documents in the journal folder",
                       "which files failed to index", "how many files were skipped")),
    ("search", "--section", "Canarysection", "--", "pump"),
    ("search", "--section", "Canarysection", "--json", "--", "pump"),
    ("search", "--section", "Wintr", "--", "pump"),
    ("search", "--tag", "canarytag", "--", "pump"),
    ("search", "--tag", "water", "--json", "--", "pump"),
    ("search", "--path", "journal/**", "--", "pump"),
    ("search", "--path", "**/plan.md", "--json", "--", "plan"),
    ("ask", "how many notes are tagged water"),
    ("ask", "--json", "which documents mention the pump"),
    ("ask", "--json", "what does nobody know about submarines"),
    ("status",),
    ("status", "--json"),
    ("eval", "questions.jsonl", "--json", "--misses"),
]  # fmt: skip


@pytest.fixture(scope="module", params=["words", "vectors"])
def pair(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Askwell, Askwell]]:
    """The same vault with and without its personal notes, both indexed."""
    rules = '[privacy]\npersonal = ["journal/"]\n'
    with FakeOpenAI() as server:
        models = f'[models]\nembedding = "openai:m"\nembedding_url = "{server.url}"\n'
        settings = rules + (WORDS_ONLY if request.param == "words" else models)
        made = []
        for name, files in (("with", OPEN | PERSONAL), ("without", OPEN)):
            folder = tmp_path_factory.mktemp(name)
            questions = {"id": "q", "question": "the clinic", "gold_docs": ["journal/The clinic.md"]}
            write(folder, {"questions.jsonl": json.dumps(questions)})
            askwell = Askwell(folder, (write(folder / "vault", files),), settings)
            assert askwell("index").code == 0
            made.append(askwell)
        yield made[0], made[1]


def told(askwell: Askwell, *command: str) -> Said:
    """Run a command for open documents; what differs from run to run and from place to place is taken out."""
    name, *rest = command
    rest = [str(askwell.folder / part) if part == "questions.jsonl" else part for part in rest]
    said = askwell(name, "--open-only", *rest)

    def plain(text: str) -> str:
        text = text.replace(str(askwell.folder), "FOLDER")
        text = re.sub(r'(?s)"(\w*(?:timings|latency|_ms|seconds)\w*)": (?:\{[^{}]*\}|[\d.e-]+)', r"\1", text)
        return re.sub(r"\d{4}-\d\d-\d\dT[\d:]+\+00:00", "TIME", text)

    return Said(said.code, plain(said.out).encode(), plain(said.err))


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_an_open_request_is_answered_as_if_there_were_nothing_personal(
    pair: tuple[Askwell, Askwell], command: tuple[str, ...]
) -> None:
    with_personal, without = pair
    shown = told(with_personal, *command)
    assert shown == told(without, *command)
    echoed = f"{shown.out}\n{shown.err}".casefold()
    for asked in command:
        echoed = echoed.replace(asked.casefold(), "")
    assert not [canary for canary in CANARIES if canary in echoed]


@pytest.mark.parametrize("k", [1, 3, 6])
def test_permitted_hits_fill_the_places_however_many_forbidden_ones_are_nearer(
    pair: tuple[Askwell, Askwell], k: int
) -> None:
    question = "CANARYTEXT boiler pump pond valve"
    everything = pair[0].hits(question, "-k", 30)
    assert sum(hit["class"] == "personal" for hit in everything[:20]) > 15
    hits = pair[0].hits(question, "-k", k, "--open-only")
    assert [hit["class"] for hit in hits] == ["open"] * min(k, len(hits))
    assert len(hits) == min(k, len(pair[1].hits(question, "-k", 1000)))


def test_a_model_that_is_not_local_is_shown_nothing_personal(pair: tuple[Askwell, Askwell]) -> None:
    vault = pair[0]
    with FakeOpenAI() as server:
        cloud = f'generation = "openai:m"\ngeneration_url = "{server.url}"\ngeneration_trust = "cloud"\n'
        asking = Askwell(vault.folder, vault.sources, vault.settings + cloud)
        for question in ("how much pressure does the boiler keep", "what do I write about the clinic and its valve"):
            said = asking("ask", "--json", question)
            assert said.code == 0
            assert said.json["audience"]["classes"] == ["open"]
            assert "not local" in said.err
        assert server.requests
        assert "anary" not in repr(server.requests).lower()


def test_the_person_at_the_terminal_sees_their_notes(pair: tuple[Askwell, Askwell]) -> None:
    said = pair[0]("ask", "--json", "CANARYTEXT: the boiler of the clinic, the pump, the valve")
    assert "CANARYTEXT" in said.json["text"]
    assert len(pair[0]("status", "--json").json["skipped"]) == 2
