"""Redacting twice changes nothing more, no line is lost, and no text makes it hang."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from askwell.sources.secrets import redact

PIECES = [
    "password", "token", "api_key", "secret", "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", "ghp_",
    "sk-", "AKIA", "eyJ", "Bearer ", "Basic ", "://u:", "@", "--token ", "-u a:", "<password>", "</password>",
    "$6$", ":AA", "[redacted: token]", "[redacted: ", "]", "a1B2c3D4e5F6g7H8i9J0", "hunter2", "dXNlcjpwYXNz",
    "changeme", "default ", " ", "\n", "\r\n", "\t", "=", ":", "=>", ":=", ": ", " = ", '"', "'", "`", "\\",
    "\\\"", "|", ">-", "{{", "}}", "${", "}", "(", ")", ",", ";", "&", ".", "-", "_", "x", "1", "İ", "ß", "🔑",
    "mysql -p", "sshpass -p ", "curl -u", "name: ", "value: ", "auth: [", "[", "| Password |\n|---|\n| ", "pass ",
    "AKIAY34FZKBOKMUTVV7A", "secret a1B2c3D4e5F6g7H8i9J0a1B2c3D4e5F6g7H8i9J0", "password is ", "S3cretX",
    "the ", "is ", "export ", "define('PASSWORD', '",
]  # fmt: skip

texts = st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=25).map("".join)


@given(texts)
@settings(max_examples=400, deadline=None)
def test_redacting_twice_is_redacting_once(text: str) -> None:
    once = redact(text)
    assert redact(once) == once


@given(texts)
@example("| Password |\n|---|\n| 0\rpassword")
@example('mysql -p"a1b2\rc3"')
@settings(max_examples=200, deadline=None)
def test_every_line_break_stays(text: str) -> None:
    redacted = redact(text)
    assert [c for c in redacted if c in "\r\n"] == [c for c in text if c in "\r\n"]


UNITS = [
    "token", "token=", 'token="', "token='token=\"", "password: ", "password=a1b2;", "eyJ", "eyJaaaaaaaa.", "sk-",
    "-----BEGIN PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----\n\n", "://", "://a:b", "<password>",
    "basic AAAAAAAAAA", "--a-", "-", "$6$aa$", "123456789:AA", "İtoken=a1b2 ", 'password=\\"', "a:b@",
    "define('PASSWORD','", "-u a:", "a", " ", "mysql -p", "mysql -pa1 ", "sshpass -p ", "curl -s ", "curl -ua:b ",
    "name: ", "name:a", "name: password value: ", "password:{", "auth=['a',", "auth=[", "password is ",
    "password for a ",
    "pass 'a", "AKIAY34FZKBOKMUTVV7A secret ", "|", "|Password", "\n|Password|\n|-|\n|", "|-", "--a-a", "password='a\\",
]  # fmt: skip


@pytest.mark.timeout(30)  # tenths of a second; minutes if the time grew with the square of the text
@pytest.mark.parametrize("unit", UNITS)
def test_a_long_line_of_anything_is_read_once(unit: str) -> None:
    text = unit * (200_000 // len(unit))
    assert redact(text).count("\n") == text.count("\n")
