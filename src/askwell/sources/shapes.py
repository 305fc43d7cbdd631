"""The shapes of credentials in text, and what only looks like one.

text ─▶ key blocks (PEM, PGP) ─▶ tokens known by their form ─▶ headers, URLs, flags ─▶ commands, pairs, sentences
     ─▶ table columns ─▶ `password = value` lines

A token that its issuer marks (`ghp_…`, `AKIA…`) is replaced wherever it stands. A value is replaced only where its
name says what it is, and only if it is neither placeholder, reference nor prose (`literal.py`).

Every pattern starts at a fixed string or at a bounded look behind and takes bounded or possessive runs, so that
a text of one long line takes time linear in its length.
"""

from __future__ import annotations

import base64
import re
from typing import TYPE_CHECKING

from askwell.sources.announced import redact_announced
from askwell.sources.assigned import redact_assigned
from askwell.sources.issued import redact_issued
from askwell.sources.keyblocks import redact_key_blocks
from askwell.sources.literal import is_loose_literal, is_placeholder, is_strong
from askwell.sources.tables import redact_tables

if TYPE_CHECKING:
    from collections.abc import Callable

_HASH = re.compile(
    r"\$(?:1|apr1)\$[./A-Za-z0-9]{2,8}\$[./A-Za-z0-9]{22}|\$[56]\$(?:rounds=\d{1,9}\$)?[./A-Za-z0-9]{2,16}\$[./A-Za-z0-9]{20,}+|"
    r"\$y\$[./A-Za-z0-9]{1,8}\$[./A-Za-z0-9]{2,90}\$[./A-Za-z0-9]{20,}+|\$2[abxy]\$\d\d\$[./A-Za-z0-9]{50,}+|"
    r"\$argon2(?:id|i|d)\$[A-Za-z0-9$=,+/]{20,}+"
)
_WEBHOOK = re.compile(
    r"(?P<keep>hooks\.slack\.com/(?:services|workflows)/|discord(?:app)?\.com/api/webhooks/)(?P<value>[\w/-]{16,}+)"
)
_SIGNATURE = re.compile(r"(?P<keep>[?&](?:sig|X-Amz-Signature)=)(?P<value>[A-Za-z0-9%/+=_-]{30,}+)")

# ---- values known by what stands before them ----------------------------------------------------

_BEARER = re.compile(
    r"(?P<keep>\b(?:bearer|basic|authorization:[ \t]{0,4}(?:token|apikey|digest))[ \t]{1,4})"
    r"(?P<value>[A-Za-z0-9._~+/=-]{8,8192}+)",
    re.IGNORECASE,
)
_URL = re.compile(r"(?P<keep>://[\w.%+~${}\\-]{0,128}:)(?P<value>[^\s/@\"'<>`]{1,256})(?=@)")
_FLAG = re.compile(
    r"(?P<keep>(?<![\w-])--?(?:[a-z]{1,20}-){0,3}(?:password|passwd|passphrase|pass|token|secret|api-?key)"
    r"[ \t]{1,4}[\"']?)(?P<value>[^\s\"'`<>]{4,512})"
)
_USER = re.compile(
    r"(?P<keep>(?<![\w-])(?:-u|--user|--proxy-user)[ \t=]{1,4}[\"']?[\w.@+-]{1,64}:)(?P<value>[^\s\"'`<>]{3,256})"
)
_ELEMENT = re.compile(
    r"(?P<keep><[\w:.-]{0,32}(?P<key>password|passwd|passphrase|secret|token|api[_-]?key)[\w-]{0,16}>)"
    r"(?P<value>[^<>\s]{3,512})(?=</)",
    re.IGNORECASE,
)
_DEFINE = re.compile(
    r"(?P<keep>\bdefine\([ \t]{0,4}[\"'][A-Z_]{0,32}(?:PASSWORD|KEY|SALT|SECRET|TOKEN)[\"'],[ \t]{0,4})"
    r"(?P<quote>[\"'])(?P<value>[^\"'\n]{3,512})(?P=quote)"
)
_IS = re.compile(
    r"(?P<keep>\b(?:password|passphrase|passcode|passwort|kennwort)[ \t]{1,2}(?:is|was|ist|lautet)[ \t]{1,2})"
    r"(?P<quote>[\"'`])(?P<value>[^\s\"'`]{4,256})(?P=quote)",
    re.IGNORECASE,
)


def redact(text: str) -> str:
    """Return `text` with credential-shaped strings replaced; see `askwell.sources.secrets.redact`."""
    text = redact_issued(redact_key_blocks(text))
    if "$" in text:
        text = _HASH.sub("[redacted: password hash]", text)
    for pattern, needle in ((_WEBHOOK, "hooks"), (_SIGNATURE, "ig")):
        if needle in text:
            text = pattern.sub(_replacing("token", _is_real), text)
    text = _BEARER.sub(_replacing("token", _is_header_value), text)
    if "://" in text:
        text = _URL.sub(_replacing("password", _is_real), text)
    text = _FLAG.sub(_replacing("password", is_loose_literal), text)
    text = _USER.sub(_replacing("password", _is_real), text)
    text = _ELEMENT.sub(_replacing("password", _is_real), text)
    text = _DEFINE.sub(_replacing("secret", _is_real), text)
    text = _IS.sub(_replacing("password", is_loose_literal), text)
    return redact_assigned(redact_tables(redact_announced(text)))


def _replacing(kind: str, admit: Callable[[str], bool]) -> Callable[[re.Match[str]], str]:
    """Return a replacement that keeps what stands before the value, and values that `admit` does not take."""

    def replacement(match: re.Match[str]) -> str:
        value = match["value"]
        if not admit(value):
            return match[0]
        tail = match[0][match.end("value") - match.start() :]
        lead = match[0][: match.start("value") - match.start()]
        return f"{lead}[redacted: {kind}]{tail}"

    return replacement


def _is_real(value: str) -> bool:
    return not is_placeholder(value)


def _is_header_value(value: str) -> bool:
    """Return whether a word after `Bearer` or `Basic` is a token: long and mixed, or base64 of `name:password`."""
    if is_placeholder(value):
        return False
    if is_strong(value) and len(value) >= 12:
        return True
    try:
        return b":" in base64.b64decode(value[:4096], validate=True)
    except ValueError:
        return False
