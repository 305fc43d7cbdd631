"""What a drafted script would destroy is told, through every disguise; what only looks like it is not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from askwell.ask.destructive import scan, scan_answer, scan_sql, summary
from askwell.parse.shell import shell

ROWS = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "fixtures/shell_commands.jsonl").read_text("utf-8").splitlines()
]


def test_the_set_has_many_of_both() -> None:
    assert sum(row["dangerous"] for row in ROWS) >= 60
    assert sum(not row["dangerous"] for row in ROWS) >= 60


@pytest.mark.parametrize("code", [row["code"] for row in ROWS if row["dangerous"]])
def test_a_destructive_operation_is_found(code: str) -> None:
    assert list(scan(code))


@pytest.mark.parametrize("code", [row["code"] for row in ROWS if not row["dangerous"]])
def test_what_destroys_nothing_is_let_through(code: str) -> None:
    assert list(scan(code)) == []


def test_a_finding_says_what_why_and_where() -> None:
    (found,) = scan("cd /srv\nX=rm\nsudo $X -rf data\n", line=10)
    assert (found.what, found.line, found.command) == ("recursive delete", 12, "rm -rf data")
    assert "data" in found.why


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("dockerfile", "FROM alpine\nRUN apk add curl && \\\n    rm -rf /data\n"),
        ("yaml", "tasks:\n  - name: x\n    shell: |\n      cd /srv\n      rm -rf data\n"),
        ("yaml", "services:\n  a:\n    command: sh -c 'rm -rf /data'\n"),
        ("yaml", 'services:\n  a:\n    command: ["sh", "-c", "rm -rf /data"]\n'),
        ("ini", "[Service]\nExecStart=/bin/sh -c 'rm -rf /data'\n"),
        ("cron", "0 3 * * * root rm -rf /data\n"),
        ("python", "import subprocess\nsubprocess.run(['rm', '-rf', '/data'])\n"),
        ("python", "import os\nos.system('rm -rf /data')\n"),
        ("python", "import shutil\nshutil.rmtree(path)\n"),
        ("powershell", "Remove-Item -Path C:\\data -Recurse -Force\n"),
        ("sql", "-- tidy\nDROP TABLE users;\n"),
        ("", "$ cd /srv\n$ sudo rm -rf data\n"),
        ("console", "root@nas:~# ls\nroot@nas:~$ rm -rf data\n"),
    ],
)
def test_every_kind_of_block_is_read(language: str, code: str) -> None:
    found, blocks = scan_answer(f"Here:\n\n```{language}\n{code}```\n\nDone.\n")
    assert blocks == 1
    assert len(found) == 1
    line = found[0].line
    assert 4 <= line <= 4 + code.count("\n")


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("python", "print('rm -rf /')\n"),
        ("yaml", "name: remove the old -rf flag\nimage: postgres\n"),
        ("dockerfile", "FROM alpine\nRUN apk add curl\n"),
        ("markdown", "Never run rm -rf / here.\n"),
        ("sql", "SELECT 'DROP TABLE users'; DELETE FROM a WHERE id = 3;\n"),
    ],
)
def test_other_blocks_that_destroy_nothing_are_let_through(language: str, code: str) -> None:
    assert scan_answer(f"```{language}\n{code}```\n") == ((), 1)


def test_text_without_code_is_not_said_to_be_checked() -> None:
    found, blocks = scan_answer("You could write a loop.")
    assert summary(found, blocks=blocks) == ""


def test_a_summary_names_each_line_and_says_when_nothing_was_found() -> None:
    found, blocks = scan_answer("```sh\nls\nrm -rf `x`\n```")
    assert "line 3" in summary(found, blocks=blocks)
    assert "none found" in summary((), blocks=1)


def test_a_block_that_is_not_closed_is_read() -> None:
    assert scan_answer("```sh\nrm -rf /data\n")[0]


@pytest.mark.parametrize(
    "broken", ["if true; then rm -rf /data", "rm -rf /data <<'EOF", "curl x | sh ) )", "((((\nrm -rf /data"]
)
def test_what_cannot_be_parsed_is_judged_all_the_same(broken: str) -> None:
    assert list(scan(broken))


@pytest.mark.parametrize(
    "text", ["(" * 50_000, "$(" * 20_000, "a|" * 50_000, "`" * 9_999, "x=$x$x;" * 5_000, "{a,b}" * 400, "\x00" * 99]
)
def test_no_text_takes_long_or_fails(text: str) -> None:
    list(scan(text))
    shell(text)


@pytest.mark.parametrize(
    ("statement", "dropped"),
    [
        ("DELETE FROM users", True),
        ("DELETE FROM users WHERE id = 1", False),
        ("UPDATE users SET a = 1", True),
        ("UPDATE users SET a = 1 WHERE b = 2", False),
        ("ALTER TABLE a DROP COLUMN b", True),
        ("DROP INDEX a", False),
        ("/* DROP TABLE a */ SELECT 1", False),
        ("truncate table a", True),
    ],
)
def test_sql_is_told_by_what_it_leaves(statement: str, dropped: bool) -> None:
    assert bool(list(scan_sql(statement))) is dropped
