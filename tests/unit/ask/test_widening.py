"""A log's failure is searched for by its words, and only a text that is about it counts."""

from __future__ import annotations

import pytest

from askwell.ask.widening import WORDS, failure_words, is_about
from askwell.types import Observed

LINE = "2026-11-30T03:10:44Z backup[4711]: ERROR unable to create lock: repository is already locked by PID 991 on nas"


def log(text: str) -> Observed:
    return Observed(kind="log", path="/var/log/a", text=text, first=1, age=0)


def test_numbers_dates_ids_levels_and_what_was_redacted_are_dropped() -> None:
    line = "Nov 30 03:10:44 ERROR 7f3a9c21 token [redacted: by its name] refused by db01a2 after 30s code=E12345"
    assert failure_words("why", [log(line)]) == ("token", "refused", "by", "after", "code")


def test_what_the_question_says_is_not_repeated() -> None:
    assert "lock" not in failure_words("why the Lock", [log(LINE)])
    assert "repository" in failure_words("why the Lock", [log(LINE)])


def test_no_more_words_are_added_than_leave_the_question_its_weight() -> None:
    words = " ".join(f"{a}{b}x" for a in "abcdefgh" for b in "abcdefgh")
    assert len(failure_words("why", [log(f"ERROR {words}")])) == WORDS


def test_without_a_failure_nothing_is_added() -> None:
    assert failure_words("why", [log("INFO fine\nINFO also fine\n")]) == ()
    record = Observed(kind="record", path="/r", text="ERROR lock", first=1, age=0)
    assert failure_words("why", [record]) == ()


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("When it says `repository is already locked`, unlock it.", True),
        ("Locked repositories: the PID that holds the lock is told, if nas is unable to create one.", True),
        ("Path for device lock file. Not used on Win32.", False),
        ("The repository of the wiki is open to all.", False),
        ("The backup of the nas is made by the lock keeper.", False),
        ("", False),
    ],
)
def test_a_text_is_about_a_failure_that_it_quotes_or_tells(text: str, about: bool) -> None:
    assert is_about(text, [LINE]) is about


def test_one_word_that_is_shared_is_no_message() -> None:
    assert not is_about("Timeouts are set here.", ["ERROR timeout"])
    assert is_about("A connection that is refused needs the port open.", ["ERROR connection refused"])
