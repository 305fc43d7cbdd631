"""Odd files lose no word between the disk and a search, and what is shown is as it was written."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from tests.adapters.command import Askwell
from tests.unit.sources.make import git, write

if TYPE_CHECKING:
    from pathlib import Path

LONG = "Every box is labelled on two sides with the room that it goes to and with a number from the list. " * 6

FENCES = f"""Words before any heading. {LONG}

```sh
# no title
## nor this
borg list
```

# Moving house

Intro. {LONG}

## Boxes

{LONG}

~~~python
# tildes
```
# a fence of backticks does not close them
~~~

````md
```
# inner
```
## still code
````

    # indented

- item
  ```yaml
  # in a list
  a: b
  ```

## Keys

Count them. {LONG}

```
# never closed
## so this is code too
"""

FILES: dict[str, str] = {
    "rule.md": "---\n\nMARKONE stands after a rule.\n\n---\n\nMARKTWO after another.\n",
    "banner.md": "-----\nMARKTHREE in a banner\n-----\nMARKFOUR below\n",
    "dashes.md": "--- draft ---\nMARKFIVE\n---\nMARKSIX\n",
    "unclosed.md": "---\ntitle: open\n\nMARKSEVEN body\n\n# Heading\nMARKEIGHT\n",
    "empty front.md": "---\n---\nMARKNINE\n",
    "dots.md": "---\ntitle: Dots\n...\nMARKTEN\n---\nMARKELEVEN\n",
    "house.yaml": "garden:\n  name: Orchard\nledger:\n  store: !secret MARKSECRETNAME\nbeds: !include MARKINCLUDE\n",
    "template.yml.j2": "a: {{ MARKJINJA }}\n{% if x %}\nb: 1\n{% endif %}\n",
    "list.json": '[{"bird":"wren","role":"MARKLIST"},{"bird":"rook"}]\n',
    "scalar.json": '"MARKSCALAR"\n',
    "comments.json": '// head\n{\n  /* x */ "name": "MARKCOMMENT", // tail\n  "list": [1, 2,],\n}\n',
    "five.json5": "{bare: 'MARKJSONFIVE', hex: 0x1F, plus: +2,}\n",
    "lines.jsonl": '{"n":1}\n{"n":2,"m":"MARKLINES"}\n',
    "twice.json": '{"a":{"k":"x"},"b":{"k":"MARKKEY"},"a":{"k":"MARKAGAIN"}}\n',
    "numbers.json": '{"id": 98765432109876543210987, "rate": 2.50, "odd": NaN, "note": "MARKNUMBER"}\n',
    "half.json": '{"half": "a \\ud83d b MARKHALF", "whole": "\\ud83d\\ude00"}\n',
    "fences.md": FENCES,
    "long title.md": "# " + "very " * 700 + "MARKTITLE\n\ntext\n",
    "words.txt": " ".join(f"w{n:06x}{n * 7919 % 65536:04x}" for n in range(12_000)) + "\n\nMARKTAIL\n",
    "image.md": "![x](data:image/png;base64," + "QUJD" * 5_000 + ")\n\nMARKIMAGE\n",
}


@pytest.fixture(scope="module")
def askwell(tmp_path_factory: pytest.TempPathFactory) -> Askwell:
    folder = tmp_path_factory.mktemp("words")
    made = Askwell(folder, (write(folder / "notes", FILES),))
    said = made("index", "--json").json
    assert (said["added"], said["failed"], said["skipped"]) == (len(FILES), [], [])
    return made


@pytest.mark.parametrize(
    ("path", "word"), [(p, w) for p, text in FILES.items() for w in re.findall("MARK[A-Z]+", text)]
)
def test_the_word_is_found_on_its_line(askwell: Askwell, path: str, word: str) -> None:
    hit = askwell.hits(word, "-k", 1)[0]
    assert hit["path"] == path
    assert len(hit["text"]) < 8_000
    first, last = hit["lines"]
    shown = "\n".join(FILES[path].split("\n")[first - 1 : last])
    assert word in shown
    assert hit["text"] in shown


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("98765432109876543210987", "98765432109876543210987"),
        ("MARKNUMBER rate", "2.50"),
        ("MARKSECRETNAME", "!secret MARKSECRETNAME"),
        ("MARKHALF", "\\ud83d b MARKHALF"),
        ("MARKJSONFIVE", "0x1F"),
    ],
)
def test_values_are_shown_as_written(askwell: Askwell, question: str, shown: str) -> None:
    assert shown in askwell.hits(question, "-k", 1)[0]["text"]


def test_a_hash_in_code_is_no_heading(askwell: Askwell) -> None:
    hits = askwell.hits("borg tildes inner never closed count intro words", "--path", "fences.md", "-k", 50)
    assert {hit["title"] for hit in hits} == {"Moving house"}
    paths = {tuple(hit["headings"]) for hit in hits}
    house = "Moving house"
    assert paths == {(), (house,), (house, "Boxes"), (house, "Keys")}


NAMES = (
    "größe/menü.md", "脚本/血条.md", "it's \"quoted\".md", "back\\slash.md", "tab\there.md", "new\nline.md",
    "bird 🐦.md", " lead and trail .md", "-dash.md", "a b/c.md", "a:b*c?.md", "#hash [x](y).md",
)  # fmt: skip


def test_names_that_git_quotes_are_read_like_any_other(tmp_path: Path) -> None:
    root = write(tmp_path / "repo", {name: f"MARK{n}NAME" for n, name in enumerate(NAMES)})
    git(root, "init", "-q", ".")
    git(root, "add", "-A")
    git(root, "config", "core.quotePath", "true")
    askwell = Askwell(tmp_path, (root,))
    assert askwell("index", "--json").json["added"] == len(NAMES)
    assert [askwell.paths(f"MARK{n}NAME", "-k", 1) for n in range(len(NAMES))] == [[name] for name in NAMES]
