"""What is read at query time: only what the settings name, in any state that logs are found in, without credentials."""

from __future__ import annotations

import gzip
import os
import socket
from typing import TYPE_CHECKING, Literal

import pytest

from askwell.errors import BadRequest
from askwell.sources.live import read_log, read_named

if TYPE_CHECKING:
    from pathlib import Path

    from askwell.types import Observed

LIMIT = 4096


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    folder = tmp_path / "logs"
    folder.mkdir()
    return folder


def read(path: Path, *allowed: Path | str, now: float = 2e9) -> Observed:
    return read_log(str(path), allowed=[str(one) for one in allowed or (path.parent,)], limit=LIMIT, now=now)


def made(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def test_a_log_in_an_allowed_folder_is_read(logs: Path) -> None:
    log = made(logs / "a.log", b"one\ntwo\n")
    os.utime(log, (1e9, 1e9))
    found = read(log, now=1e9 + 60)
    assert (found.text, found.first, found.age, found.note) == ("one\ntwo\n", 1, 60.0, "")


def test_none_may_be_read_where_none_is_allowed(logs: Path) -> None:
    with pytest.raises(BadRequest) as refused:
        read_log(str(made(logs / "a.log", b"x")), allowed=(), limit=LIMIT, now=0)
    assert "troubleshoot.logs" in refused.value.hint


@pytest.mark.parametrize("name", ["../secret.log", "link.log", "inner/../../secret.log", "folder/secret.log", "none"])
def test_what_lies_outside_is_refused_whether_it_exists_or_not(logs: Path, name: str) -> None:
    outside = made(logs.parent / "secret.log", b"x")
    (logs / "inner").mkdir()
    (logs / "link.log").symlink_to(outside)
    (logs / "folder").symlink_to(logs.parent)
    named = logs / name if name != "none" else logs.parent / "absent.log"
    with pytest.raises(BadRequest, match="not among the logs that may be read"):
        read(named, logs)


def test_a_folder_whose_name_only_begins_alike_is_outside(logs: Path) -> None:
    other = logs.parent / "logs-private"
    other.mkdir()
    with pytest.raises(BadRequest, match="not among"):
        read(made(other / "a.log", b"x"), logs)


@pytest.mark.parametrize(
    ("pattern", "held"), [("*.log", True), ("**/*.log", True), ("*.txt", False), ("b*.log", False)]
)
def test_a_glob_allows_what_it_matches(logs: Path, pattern: str, held: bool) -> None:
    log = made(logs / "a.log", b"x\n")
    if held:
        assert read(log, f"{logs}/{pattern}").text == "x\n"
    else:
        with pytest.raises(BadRequest, match="not among"):
            read(log, f"{logs}/{pattern}")


def test_a_glob_does_not_cross_folders_on_its_own(logs: Path) -> None:
    (logs / "deep").mkdir()
    with pytest.raises(BadRequest, match="not among"):
        read(made(logs / "deep" / "a.log", b"x"), f"{logs}/*.log")


def test_a_file_of_credentials_is_no_log(logs: Path) -> None:
    with pytest.raises(BadRequest, match="not among"):
        read(made(logs / ".env", b"A=1\n"), logs)


def test_devices_pipes_sockets_and_folders_are_told_from_logs(logs: Path) -> None:
    os.mkfifo(logs / "pipe")
    with socket.socket(socket.AF_UNIX) as listening:
        os.chdir(logs)
        listening.bind(str(logs / "socket"))
        for name in ("pipe", "socket", ""):
            with pytest.raises(BadRequest, match="cannot be read"):
                read(logs / name, logs)
    with pytest.raises(BadRequest, match="regular"):
        read_log("/dev/null", allowed=["/dev"], limit=LIMIT, now=0)


def test_what_is_packed_binary_gone_or_a_journal_is_said_to_be(logs: Path) -> None:
    cases = {
        "a.gz": (gzip.compress(b"x"), "gzip"),
        "b.bin": (bytes(range(256)) * 20, "binary"),
        "c.journal": (b"LPKSHHRH" + b"\0" * 100, "journal"),
    }
    for name, (content, said) in cases.items():
        with pytest.raises(BadRequest, match=said):
            read(made(logs / name, content), logs)
    with pytest.raises(BadRequest, match="gone"):
        read(logs / "absent.log")


def test_of_a_long_log_the_last_whole_lines_are_read_with_their_numbers(logs: Path) -> None:
    found = read(made(logs / "a.log", b"".join(b"line %d\n" % n for n in range(1, 5001))))
    assert found.text.endswith("line 5000\n")
    assert found.text.split("\n")[0] == f"line {found.first}"
    assert "4 KiB" in found.note


def test_a_log_of_two_gigabytes_is_read_from_its_end(logs: Path) -> None:
    log = logs / "big.log"
    with log.open("wb") as stream:
        stream.truncate(2 << 30)
        stream.seek(0, os.SEEK_END)
        stream.write(b"\nERROR at the end\n")
    found = read(log)
    assert found.text == "ERROR at the end\n"
    assert "lines are counted from there" in found.note


def test_of_a_log_in_one_line_the_cut_word_is_left_out(logs: Path) -> None:
    found = read(made(logs / "a.log", b"password=" + b"s" * LIMIT + b" " + b"w " * 100 + b"the end"))
    assert found.text.endswith("the end")
    assert "sss" not in found.text


def test_a_cut_key_is_left_out(logs: Path) -> None:
    key = b"-----BEGIN PRIVATE KEY-----\n" + b"MIIEabcdefghij0123456789\n" * 400 + b"-----END PRIVATE KEY-----\nafter\n"
    found = read(made(logs / "a.log", key))
    assert found.text.strip() == "after"
    assert found.first in (402, 403)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_logs_are_decoded(logs: Path, encoding: str) -> None:
    log = made(logs / "a.log", "größer: Fehler überall, öfter, ältere\nzwei\n".encode(encoding))
    assert read(log).text == "größer: Fehler überall, öfter, ältere\nzwei\n"


def test_terminal_codes_and_runs_of_nul_are_taken_out(logs: Path) -> None:
    log = made(logs / "a.log", b"\0" * 500 + b"\x1b[31mERROR\x1b[0m bad\n\x1b]0;title\x07two\r\n")
    assert read(log).text == "ERROR bad\ntwo\n"


@pytest.mark.parametrize(
    "line",
    [
        "login password=hunter2 ok",
        'level=error db_password="hunter2" host=a',
        "Authorization: Bearer hunter2abc",
        "connect postgres://app:hunter2@db/x refused",
        "GET /a?token=hunter2&b=1 403",
        '{"api_key": "hunter2", "level": "error"}',
    ],
)
def test_credentials_of_a_log_are_not_read(logs: Path, line: str) -> None:
    found = read(made(logs / "a.log", f"{line}\n".encode()))
    assert "hunter2" not in found.text


def test_settings_lose_what_their_names_call_a_credential(logs: Path) -> None:
    path = made(logs / "s.env", b"DB_PASSWORD=tiger\nLOCK_WAIT=600\napiKey: abc\nmax_tokens = 5\n")
    ((found,), faults) = read_named("setting", [str(path)], now=2e9)
    lines = found.text.split("\n")
    assert (lines[1], lines[3], faults) == ("LOCK_WAIT=600", "max_tokens = 5", ())
    assert "tiger" not in lines[0]
    assert "abc" not in lines[2]


def test_files_that_cannot_be_read_are_told_and_stop_nothing(logs: Path) -> None:
    made(logs / "good.json", b"{}\n")
    os.mkfifo(logs / "pipe.json")
    found, faults = read_named("record", [f"{logs}/*.json", f"{logs}/absent.yaml"], now=2e9)
    assert [one.path for one in found] == [str(logs / "good.json")]
    assert len(faults) == 2
    assert "absent.yaml" in faults[1]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.yaml", "secrets:\n  db: hunter2\nother: kept\n"),
        ("a.yaml", "db:\n  password: |\n    hunter2\n    hunter2\nother: kept\n"),
        ("a.yaml", "db:\n  password:\n    - hunter2\nother: kept\n"),
        ("a.yaml", "env:\n  - name: DB_PASSWORD\n    value: hunter2\n  - name: MODE\n    value: kept\n"),
        ("a.yaml", "env:\n  - name: SMTP_AUTH\n    value: hunter2\n  - name: MODE\n    value: kept\n"),
        ("a.toml", '[credentials]\nname = "hunter2"\n[other]\nx = "kept"\n'),
        ("a.toml", 'password = """\nhunter2\n"""\nother = "kept"\n'),
        ("a.json", '{\n  "credentials": {\n    "value": "hunter2"\n  },\n  "other": "kept"\n}\n'),
        ("a.json", '{\n  "tokens": [\n    "hunter2"\n  ],\n  "other": "kept"\n}\n'),
    ],
)
@pytest.mark.parametrize("kind", ["setting", "record"])
def test_what_stands_below_the_name_of_a_credential_is_one(
    logs: Path, name: str, text: str, kind: Literal["setting", "record"]
) -> None:
    path = made(logs / name, text.encode())
    ((found,), _) = read_named(kind, [str(path)], now=2e9)
    assert "hunter2" not in found.text
    assert "kept" in found.text
    assert found.text.count("\n") == text.count("\n")


def test_a_log_that_was_rotated_away_names_what_is_there(logs: Path) -> None:
    made(logs / "a.log.1", b"ERROR x\n")
    with pytest.raises(BadRequest, match="gone") as raised:
        read_log(str(logs / "a.log"), allowed=[str(logs)], limit=LIMIT, now=2e9)
    assert "`a.log.1`" in raised.value.hint
