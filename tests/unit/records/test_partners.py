"""A partner's ledger counts its own rows alone, and nothing that a partner does costs more than a moment."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.unit.records.server import CLOSE, Scripted
from tests.unit.records.test_ledger import BROKEN, ROW

from askwell.errors import ConfigError
from askwell.records.download import download
from askwell.records.files import Failed
from askwell.records.ledger import document, line
from askwell.records.partners import Address, Partners, addresses

if TYPE_CHECKING:
    from pathlib import Path

    from askwell.types import Outgoing

NAS = replace(ROW, host="nas")


def test_only_rows_of_its_own_host_count(tmp_path: Path) -> None:
    theirs = tmp_path / "theirs.txt"
    theirs.write_bytes(document([NAS, ROW, replace(NAS, host="nas2"), NAS]) + b"\n".join(BROKEN))
    partners = Partners(tmp_path / "copies", [Address("nas", str(theirs))])
    (pulled,) = partners.pull()
    assert (pulled.rows, pulled.error) == (2, "")
    assert pulled.skipped == 2 + len(BROKEN) - 1
    assert partners.read()[0].rows == (NAS, NAS)
    assert partners.read()[1][0].pulled


def test_a_copy_in_the_wrong_place_counts_nothing(tmp_path: Path) -> None:
    (tmp_path / "nas.ledger").write_bytes(document([ROW, NAS]))
    rows, _ = Partners(tmp_path, [Address("nas", "/nowhere")]).read()
    assert (rows.rows, rows.skipped) == ((NAS,), 1)


def test_what_cannot_be_fetched_leaves_the_copy(tmp_path: Path) -> None:
    theirs = tmp_path / "theirs.txt"
    theirs.write_bytes(document([NAS]))
    partners = Partners(tmp_path / "copies", [Address("nas", str(theirs))])
    partners.pull()
    for damage in (b"", b"<html>please log in</html>", b"\0" * 1000, b"x" * 9_000_000, None):
        theirs.unlink(missing_ok=True)
        if damage is not None:
            theirs.write_bytes(damage)
        (pulled,) = partners.pull()
        assert pulled.error
        assert (pulled.rows, partners.read()[0].rows) == (1, (NAS,))
    os.mkfifo(theirs)
    assert "regular" in partners.pull()[0].error
    (empty,) = Partners(tmp_path / "none", [Address("nas", str(tmp_path / "no"))]).pull()
    assert (empty.rows, empty.pulled) == (0, "")


@pytest.mark.parametrize(
    "setting",
    [
        "",
        "nas",
        "=x",
        "nas=",
        "../nas=/x",
        "a/b=/x",
        ".x=/y",
        "nas=ftp://x/y",
        "here=/x",
        "n\u0131s=/x",
        "x" * 65 + "=/y",
    ],
)
def test_an_address_of_another_form_is_refused(setting: str) -> None:
    with pytest.raises(ConfigError):
        addresses([setting], own="here")


def test_a_host_has_one_address() -> None:
    with pytest.raises(ConfigError):
        addresses(["nas=/a", "nas=/b"], own="here")
    assert addresses(["nas = https://nas/ledger", "pi=~/x=y"], own="here") == (
        Address("nas", "https://nas/ledger"),
        Address("pi", "~/x=y"),
    )


def test_a_ledger_comes_over_http_with_the_key_and_is_no_egress_on_this_machine(tmp_path: Path) -> None:
    told: list[Outgoing] = []
    body = document([NAS])
    with Scripted([b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body), body]) as server:
        partners = Partners(tmp_path, [Address("nas", f"{server.url}/ledger?all=1")], key="k3y")
        (pulled,) = partners.pull(leaving=told.append)
        assert (pulled.rows, pulled.error) == (1, "")
        assert server.heard[0].startswith(b"GET /ledger?all=1 HTTP/1.1\r\n")
        assert b"Authorization: Bearer k3y\r\n" in server.heard[0]
    assert told == []


PATIENCE = 2.0
"""Seconds; less is not enough to connect in on a busy machine."""

OK = b"HTTP/1.1 200 OK\r\n"
REPLIES: dict[str, tuple[list[bytes], str]] = {
    "redirect": ([b"HTTP/1.1 302 Found\r\nLocation: http://10.0.0.1/\r\nContent-Length: 0\r\n\r\n"], "redirects"),
    "refused": ([b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n"], "403"),
    "too many": ([b"HTTP/1.1 429 Too Many\r\nContent-Length: 0\r\n\r\n"], "429"),
    "no http": ([b"SSH-2.0-OpenSSH\r\n\r\n", CLOSE], "no HTTP"),
    "nothing": ([CLOSE], "no"),
    "broken off": ([OK + b"Content-Length: 500\r\n\r\n", b"half", CLOSE], "broke off"),
    "too large": ([OK + b"Content-Length: 5000\r\n\r\n", b"x" * 5000], "larger than 1000"),
    "too large without length": ([OK + b"\r\n", b"x" * 5000, CLOSE], "larger than 1000"),
    "silent": ([OK], f"{PATIENCE:g} seconds"),
    "endless headers": ([OK, *[b"X-A: b\r\n"] * 5000], "no HTTP"),
}


@pytest.mark.parametrize("name", REPLIES)
def test_a_server_that_misbehaves_is_told_in_words(name: str) -> None:
    steps, expected = REPLIES[name]
    with Scripted(steps) as server, pytest.raises(Failed, match=expected):
        download(server.url, most=1000, seconds=PATIENCE)


def test_a_server_that_trickles_is_given_up_in_time() -> None:
    steps = [OK + b"Content-Length: 500\r\n\r\n", *[b"x"] * 400]
    with Scripted(steps, pause=0.05) as server, pytest.raises(Failed, match=f"{PATIENCE:g} seconds"):
        download(server.url, most=1000, seconds=PATIENCE)


def test_nobody_there_is_told(tmp_path: Path) -> None:
    with Scripted([]) as server:
        url = server.url
    with pytest.raises(Failed, match="no connection"):
        download(url, most=1000, seconds=PATIENCE)
    for wrong in ("http://", "http://u:p@127.0.0.1/", "http://127.0.0.1:99999/", "http://[::1/"):
        with pytest.raises(Failed):
            download(wrong, most=1000, seconds=PATIENCE)


def test_rows_of_a_partner_in_the_own_ledger_count_once(tmp_path: Path) -> None:
    from tests.contract.test_records import ticking

    from askwell.records.keeping import LEDGER, FileRecords, RecordSettings

    (tmp_path / LEDGER).write_text(f"{line(ROW)}\n{line(NAS)}\n")
    theirs = tmp_path / "theirs.txt"
    theirs.write_bytes(document([NAS]))
    settings = RecordSettings(folder=tmp_path, host="here", partners=(Address("nas", str(theirs)),))
    records = FileRecords(settings, now=ticking())
    records.pull()
    assert (records.ledger().rows, records.ledger().skipped) == ((ROW, NAS), 1)
