from __future__ import annotations

import pytest

from askwell.ask.listing.evidence import QUOTE, Needle, assigned, opening, quote, takes
from askwell.types import Lines


def first(needle: str, text: str) -> tuple[int, int] | None:
    found = next(Needle(needle).lines(text), None)
    return None if found is None else (found.first, found.last)


@pytest.mark.parametrize(
    ("needle", "text", "lines"),
    [
        ("mite", "one\nA Mite, counted", (2, 2)),
        ("mite", "mites, termite, mite_count", None),
        ("backup", "the backup-server", (1, 1)),
        ("oxalic acid", "trickle Oxalic\n  acid now", (1, 2)),
        ("oxalic acid", "# trickle oxalic\n# acid now", (1, 2)),
        ("oxalic acid", "oxalic, acid", None),
        ("LOCK_WAIT", "LOCK_WAIT_MAX=1\nlock_wait=2", (2, 2)),
        ("LOCK_WAIT", "${LOCK_WAIT:-90}", (1, 1)),
        ("LOCK_WAIT", "process.env.LOCK_WAIT !== 'no'", (1, 1)),
        ("LOCK_WAIT", "MY-LOCK_WAIT MY_LOCK_WAIT", None),
        ("conf/mover.toml", "x.conf/mover.toml", None),
        ("--dry-run", "--dry-run-all no--dry-run\n[--dry-run]", (2, 2)),
        ("dry-run", "takes --dry-run", (1, 1)),
        ("dry-run", "dry-run-all", None),
        ("-n", "-N\n-n", (2, 2)),
        ("common.sh", "common.sh.bak uncommon.sh\n. ../lib/common.sh", (2, 2)),
        ("common.sh", "my-common.sh x.common.sh", None),
        ("café", "Cafe\u0301", (1, 1)),
        ("Straße", "STRASSE", (1, 1)),
        ("don't", "don\u2019t", (1, 1)),
        ("出汁", "昆布と出汁の取り方", (1, 1)),
        ("x", "", None),
    ],
)
def test_words_and_identifiers_are_found_whole(needle: str, text: str, lines: tuple[int, int] | None) -> None:
    assert first(needle, text) == lines


@pytest.mark.parametrize(
    "line",
    [
        "# --dry-run   say what would be done",
        "#   -n, --dry-run     print what would be done",
        "  -n | --dry-run) DRY_RUN=1 ;;",
        "        --dry-run) DRY_RUN=1 ;;",
        '[[ "${1:-}" == --dry-run ]] && DRY_RUN=1',
        "# Usage: tool.sh [--dry-run] FILE",
        "# tool.sh FILE --dry-run",
        'parser.add_argument("-n", "--dry-run", action="store_true")',
        "$options = getopt('n', ['dry-run', 'force:']);",
        "- `--dry-run`: nothing is written",
    ],
)
def test_a_program_that_declares_a_flag_takes_it(line: str) -> None:
    assert list(takes(f"#!/bin/sh\n{line}\n", "--dry-run", path="bin/tool.sh")) == [Lines(2, 2)]


@pytest.mark.parametrize(
    "line",
    [
        "rsync --dry-run a b",
        "# `other.sh --dry-run` shows it first",
        "# `tool.sh other --dry-run` passes it on",
        "rsync -a \\\n    --dry-run \\\n    a b",
        "# --dry-run-all",
        "dry-run",
    ],
)
def test_a_program_that_only_names_a_flag_does_not_take_it(line: str) -> None:
    assert not list(takes(f"#!/bin/sh\n{line}\n", "--dry-run", path="bin/tool.sh"))


def test_a_short_flag_may_be_one_letter_of_getopts() -> None:
    text = "while getopts 'hf:n' option; do"
    assert list(takes(text, "-n", path="a.sh")) == [Lines(1, 1)]
    assert not list(takes(text, "-N", path="a.sh"))


def test_a_setting_stands_where_it_is_set() -> None:
    text = "# LOCK_WAIT is long\nexport LOCK_WAIT=90\n"
    assert assigned(text, "LOCK_WAIT") == 2
    assert assigned("see LOCK_WAIT\n", "LOCK_WAIT") == 1
    assert assigned("", "LOCK_WAIT") == 1


def test_a_document_opens_with_its_title() -> None:
    assert opening("---\ntags: [a]\n---\n# Winter feed\n", "Winter feed") == 4
    assert opening("#!/bin/sh\n\n# keeps the time\n", "") == 3
    assert opening("", "x") == 1


def test_long_lines_are_cut_around_what_was_found() -> None:
    line = "a" * 5000 + " needle " + "b" * 5000
    shown = quote(f"x\n{line}\ny", Lines(2, 2), near=Needle("needle").within(line))
    assert "needle" in shown and shown in line and len(shown) == QUOTE
    assert quote("a\nb\nc", Lines(2, 3)) == "b\nc"


def test_a_large_text_is_searched_in_linear_time() -> None:
    text = "oxalic " * 300_000 + "\n" + "--dry-ru " * 200_000
    assert first("oxalic acid", text) is None
    assert not list(takes(text, "--dry-run", path="a.sh"))
