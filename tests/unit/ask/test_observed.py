"""Of what is read at query time, what belongs to the question is shown, at its lines, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import pytest

from askwell.ask.bug_report import name_of
from askwell.ask.observed import failures, observed_passages, shown, written
from askwell.sources.nesting import places
from askwell.types import Observed, PrivacyClass

if TYPE_CHECKING:
    from askwell.types import Passage


def seen(text: str, kind: Literal["log", "record", "setting"] = "log", *, first: int = 1, path: str = "") -> Observed:
    names = tuple(".".join(place) if place and place[-1] else "" for place in places(text.split("\n")))
    return Observed(kind=kind, path=path or f"/var/{kind}", text=text, first=first, age=200_000, names=names)


def chosen(*observed: Observed, question: str = "why does the backup fail", related: str = "") -> tuple[Passage, ...]:
    return observed_passages(question, observed, related=[related])


def test_the_newest_failure_comes_first_with_the_lines_around_it_at_their_numbers() -> None:
    lines = [f"INFO step {n}" for n in range(100)]
    lines[20], lines[80] = "ERROR old trouble", "ERROR new trouble"
    first, second = chosen(seen("\n".join(lines), first=1001))
    assert "new trouble" in first.text
    assert (first.lines.first, first.lines.last) == (1078, 1087)
    assert first.text.split("\n")[first.lines.last - first.lines.first] == "INFO step 86"
    assert "old trouble" in second.text


def test_a_repeated_failure_is_shown_once() -> None:
    text = "".join(f"ERROR cannot reach 10.0.0.{n} after {n} s\n" + "INFO\n" * 20 for n in range(50))
    assert len(chosen(seen(text))) == 1


def test_of_a_log_without_failures_its_end_is_shown() -> None:
    (one,) = chosen(seen("\n".join(f"INFO {n}" for n in range(50))))
    assert one.text.endswith("INFO 49")


def test_an_empty_log_gives_nothing() -> None:
    assert chosen(seen("")) == ()


@pytest.mark.parametrize("line", ["0 errors", "no failures", "errors: 0", '"error": null', "failed=0", "INFO all good"])
def test_a_line_that_denies_a_failure_is_none(line: str) -> None:
    assert failures([line]) == []


@pytest.mark.parametrize(
    "line",
    ["level=error msg=x", "java.lang.NullPointerException", "Killed process 3 (OOM)", "exit code 2", "No space left"],
)
def test_a_line_that_tells_of_a_failure_is_one(line: str) -> None:
    assert failures(["INFO a", line]) == [1]


def test_warnings_count_where_nothing_worse_is() -> None:
    assert failures(["WARN disk at 90 %"]) == [0]
    assert failures(["WARN disk at 90 %", "ERROR disk full"]) == [1]


def test_a_record_belongs_to_a_question_that_it_shares_a_word_with() -> None:
    health = seen('{"job": "backup", "status": "ok"}', "record")
    assert [one.kind for one in chosen(health)] == ["record"]
    assert chosen(health, question="what is the capital of France") == ()


def test_beside_a_log_a_record_of_a_failure_belongs_too() -> None:
    record = seen('{"job": "mirror", "status": "failed"}', "record")
    assert chosen(record, question="what is wrong") == ()
    assert [one.kind for one in chosen(seen("ERROR x"), record, question="what is wrong")] == ["log", "record"]


def test_a_setting_is_shown_alone_if_question_or_log_names_it() -> None:
    settings = seen("# LOCK_WAIT=1\nLOCK_WAIT=600\nKEEP_DAILY=7\n", "setting")
    (asked,) = chosen(settings, question="what is the lock wait")
    assert (asked.text, asked.lines.first) == ("LOCK_WAIT=600", 2)
    (named,) = chosen(seen("ERROR KEEP_DAILY is too small"), settings, question="what is wrong")[1:]
    assert named.text == "KEEP_DAILY=7"
    assert chosen(settings, question="what is wrong") == ()


def test_all_of_it_is_personal_and_no_document() -> None:
    (one,) = chosen(seen("ERROR x"))
    assert (one.class_, one.source, one.kind) == (PrivacyClass.PERSONAL, "", "log")


@pytest.mark.parametrize(
    ("age", "said"),
    [(5, "less than a minute ago"), (60, "1 minute ago"), (7_200, "2 hours ago"), (3 * 86_400, "3 days ago")],
)
def test_an_age_is_told(age: float, said: str) -> None:
    assert written(age) == f"written {said}"


def test_shown_lines_cannot_close_their_block() -> None:
    blocks, citations, _ = shown(chosen(seen("ERROR ``` [7]\n````")))
    assert "`````\nERROR" in blocks[0]
    assert blocks[0].endswith("[1]")
    assert (citations[0].kind, citations[0].quote) == ("log", "ERROR ``` [7]\n````")


def test_a_report_is_named_after_its_question() -> None:
    assert name_of("Why does `../../etc` fail?!") == "why-does-etc-fail"
    assert name_of("…") == "report"


NESTED = "[backup]\ntimeout = 30\n[mirror]\ntimeout = 90\n"


def test_a_setting_that_is_named_with_its_section_is_that_sections_alone() -> None:
    (one,) = chosen(seen(NESTED, "setting"), question="is `mirror.timeout` too low?")
    assert (one.text, one.lines.first) == ("timeout = 90", 4)
    assert "`mirror.timeout`" in one.lead
    both = chosen(seen(NESTED, "setting"), question="what is the timeout")
    assert [passage.lines.first for passage in both] == [2, 4]


def test_a_document_or_a_log_names_a_setting_with_its_section() -> None:
    (one,) = chosen(seen("backup:\n  limits:\n    rate: 5\n", "setting"), question="why", related="See limits.rate.")
    assert one.text == "    rate: 5"
    assert chosen(seen(NESTED, "setting"), question="why", related="no-mirror.timeout-here") == ()


def test_no_more_than_three_records_are_shown() -> None:
    records = [seen(f'{{"job": "backup {n}"}}', "record", path=f"/var/{n}.json") for n in range(9)]
    assert len(chosen(*records)) == 3
