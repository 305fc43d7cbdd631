"""A question is words, whatever stands between them and however they are spelt: no operator, no crash, no loss."""

from __future__ import annotations

import unicodedata

import pytest
from tests.adapters.command import Askwell
from tests.unit.sources.make import write

NOTES = {
    "pump.md": "# Pump rest\n\nThe cellar pump's rest period is 40 min; don't skip it. Set `PUMP_REST_MINS=40`.\n"
    "See also wiring.md, v2.0.7 of the plan and the low-noise notes.\n",
    "code.md": "# Programs I ported\n\nC++ and C# and F#, and .NET 9. Rate: 75% of tools. Contact: root@gannet.lan. "
    'Tag: #cellar/tools\nWords such as AND NOT NEAR OR in prose: "one OR two" is a sentence.\n',
    "turkish.md": "# İZMİR NOTLARI\n\nKıyı ışığı: IŞIL kapalı, ılık su. Sunucu: İNCE.\n",
    "swedish.md": unicodedata.normalize("NFD", "# Köttbullar\n\nÄrtsoppa på torsdag är gott.\n"),
    **{f"other {n}.md": f"# Other {n}\n\nThis and that is one or two things, number {n}.\n" for n in range(20)},
}

QUESTIONS = {
    "what's the pump's rest period, roughly?": "pump.md",
    "don't skip": "pump.md",
    "PUMP_REST_MINS=40": "pump.md",
    "pump_rest": "pump.md",
    "low-noise": "pump.md",
    "wiring.md": "pump.md",
    "v2.0.7": "pump.md",
    '"unbalanced quote rest': "pump.md",
    "title: pump*": "pump.md",
    "pump NOT rest": "pump.md",
    "(pump OR": "pump.md",
    "^pump": "pump.md",
    "-pump --rest": "pump.md",
    "pump'; DROP TABLE chunk; --": "pump.md",
    "{pump} [rest] <period>": "pump.md",
    "pump\\": "pump.md",
    "pump%_": "pump.md",
    "“pump” … rest—period": "pump.md",
    "\ufeffpump\u200b rest": "pump.md",
    "C++": "code.md",
    "C# or F#?": "code.md",
    ".NET": "code.md",
    "@gannet.lan": "code.md",
    "#cellar/tools": "code.md",
    "75%": "code.md",
    "AND NOT NEAR": "code.md",
    "NEAR(one two)": "code.md",
}

PAIRS = {
    ("izmir", "İZMİR", "IZMIR", "İzmir"): "turkish.md",
    ("ışıl", "IŞIL", "isil", "ISIL"): "turkish.md",
    ("ılık", "ILIK", "ilik"): "turkish.md",
    ("ince", "İNCE", "İnce"): "turkish.md",
    ("köttbullar", "KÖTTBULLAR", "kottbullar", unicodedata.normalize("NFD", "köttbullar")): "swedish.md",
    ("ärtsoppa", "ÄRTSOPPA", "artsoppa", unicodedata.normalize("NFD", "Ärtsoppa")): "swedish.md",
}


@pytest.fixture(scope="module")
def askwell(tmp_path_factory: pytest.TempPathFactory) -> Askwell:
    folder = tmp_path_factory.mktemp("typed")
    made = Askwell(folder, (write(folder / "notes", NOTES),))
    made("index")
    return made


@pytest.mark.parametrize("question", QUESTIONS, ids=ascii)
def test_punctuation_neither_breaks_a_question_nor_commands(askwell: Askwell, question: str) -> None:
    assert QUESTIONS[question] in askwell.paths(question, "-k", 5)
    assert askwell("ask", "--", question).code == 0


@pytest.mark.parametrize(("spelling", "path"), [(s, path) for them, path in PAIRS.items() for s in them], ids=ascii)
def test_every_spelling_finds_the_note_and_its_text_as_written(askwell: Askwell, spelling: str, path: str) -> None:
    hit = askwell.hits(spelling, "-k", 1)[0]
    assert hit["path"] == path
    assert hit["text"] == NOTES[path].rstrip("\n")
