"""Values announced by a command, by a pair of keys or by a sentence: `mysql -p…`, `name: DB_PASSWORD`, "… is …"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from askwell.sources.literal import is_literal, is_mixed, is_placeholder, is_strong
from askwell.sources.words import words

if TYPE_CHECKING:
    from collections.abc import Callable

# The value is the last group that matches: what stands in quotes may hold the other quote.
_QUOTED = r"\"(?P<double>[^\"\r\n]{3,4096}+)\"|'(?P<single>[^'\r\n]{3,4096}+)'"
_VALUE = rf"(?:{_QUOTED}|(?P<bare>[^\s\"'`,;|<>}}\])]{{3,4096}}+))"

_MYSQL = re.compile(rf"(?<=[ \t])-p{_VALUE}")
_MYSQL_COMMAND = re.compile(
    r"(?<![\w.-])(?:mysql(?:dump|admin|import|check|pump|show|slap|sh|binlog|_\w{1,20})?|mariadb(?:-\w{1,10})?)[ \t]"
)
_COMMAND_END = re.compile(r"[\n|;&]")
_PORTS = re.compile(r"[\d.]*:[\d.:]*(?:/\w+)?")  # `-p3306:3306` of a container
_SSHPASS = re.compile(rf"\bsshpass[ \t]{{1,4}}(?:-v[ \t]{{1,4}})?-p[ \t]{{0,4}}{_VALUE}")
_CURL = re.compile(rf"\bcurl[ \t](?:-[a-zA-Z]{{1,8}}[ \t]{{1,4}}){{0,4}}-u[\"']?[\w.@+-]{{1,64}}:{_VALUE}")

_NAME = r"(?P<key>passw(?:or)?d|passphrase|passwort|pass|pwd|secret|token|(?:api|access|secret|private|auth)[_-]?key)"
_NESTED = re.compile(
    rf"{_NAME}[\"']?:[ \t]{{0,4}}(?:\{{[ \t]{{0,4}})?(?:\r?\n[ \t]{{1,64}})?[\"']?value[\"']?:[ \t]{{1,8}}{_VALUE}",
    re.IGNORECASE,
)
_PAIR = re.compile(
    rf"\b(?:name|key)[\"']?:[ \t]{{0,8}}[\"']?[\w.-]{{0,64}}{_NAME}[\"']?[ \t]{{0,8}},?(?:\r?\n)?[ \t]{{0,64}}"
    rf"[\"']?value[\"']?:[ \t]{{1,8}}{_VALUE}",
    re.IGNORECASE,
)
_AUTH = re.compile(
    rf"\bauth[\"']?[ \t]{{0,4}}[:=][ \t]{{0,4}}[\[(]\s{{0,64}}(?:\"[^\"\r\n]{{1,64}}\"|'[^'\r\n]{{1,64}}'),\s{{0,64}}"
    rf"(?:{_QUOTED})(?=\s{{0,64}}[\])])",
    re.IGNORECASE,
)

_SAID = re.compile(
    r"\b(?:pass(?:word|phrase|code|wort)|kennwort|wi-?fi key)"
    r"(?:[ \t](?:for|of|für)[ \t](?:[\w.-]{1,32}[ \t]){0,2}[\w.-]{1,32})?"
    r"[ \t]{1,2}(?:is|was|ist|war|lautet)(?:[ \t](?:now|jetzt))?:?[ \t]{1,2}[*_]{0,3}"
    r"(?P<bare>[^\s\"'`<>]{4,256})",
    re.IGNORECASE,
)
_SPOKEN = re.compile(
    r"\b(?P<key>pass(?:word|wort)?|pwd?)[ \t]{1,2}(?:\"(?P<double>[^\"\s]{4,256})\"|'(?P<single>[^'\s]{4,256})')",
    re.IGNORECASE,
)
_LAST_WORD = re.compile(r"(\w{1,12})[ \t]{1,2}\Z")
_BEFORE_A_VERB = words(
    "to must can should will you we i or and may could might just please then not always either instead simply "
    "don't cannot would only also they it that"
)
_AWS_SECRET = re.compile(
    r"\bsecret(?:[ \t]access)?(?:[ \t]key)?[ \t]{0,4}[:=|]?[ \t]{0,4}[\"'`]?"
    r"(?P<bare>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])",
    re.IGNORECASE,
)
_AWS_ID = "[redacted: aws key]"
_LEAD_CHARS = 120
_CLOSING = ".,;:?)*_"


def redact_announced(text: str) -> str:
    """Return `text` with values replaced that a command's option, a pair of keys or a sentence announces.

    Takes text in which marked tokens are replaced already. Linear in the text.
    """
    lower = text.lower()
    if "mysql" in lower or "mariadb" in lower:
        text = _MYSQL.sub(_replacing("password", _of_mysql), text)
    if "sshpass" in lower:
        text = _SSHPASS.sub(_replacing("password", _real), text)
    if "curl" in lower:
        text = _CURL.sub(_replacing("password", _real), text)
    if any(end in lower for end in ("value:", 'value":', "value':")):
        text = _PAIR.sub(_replacing("secret", _of_key), _NESTED.sub(_replacing("secret", _of_key), text))
    if "auth" in lower:
        text = _AUTH.sub(_replacing("password", _mixed), text)
    if any(name in lower for name in ("pass", "kennwort", "fi key")):
        text = _SAID.sub(_replacing("password", _mixed), text)
    if any(name in lower for name in ("pass", "pw")):
        text = _SPOKEN.sub(_replacing("password", _spoken), text)
    if _AWS_ID in text:
        replace = _replacing("aws key", _strong)
        lines = text.split("\n")
        text = "\n".join(_AWS_SECRET.sub(replace, line) if _AWS_ID in line else line for line in lines)
    return text


def _replacing(kind: str, admit: Callable[[re.Match[str], str], bool]) -> Callable[[re.Match[str]], str]:
    """Return a replacement of the last group, where `admit` takes it; what stands around it stays."""

    def replacement(match: re.Match[str]) -> str:
        group = match.lastgroup or "bare"
        value = match[group].rstrip(_CLOSING) if group == "bare" else match[group]
        if "[redacted" in value or not admit(match, value):
            return match[0]
        begin = match.start(group) - match.start()
        return f"{match[0][:begin]}[redacted: {kind}]{match[0][begin + len(value) :]}"

    return replacement


def _real(_match: re.Match[str], value: str) -> bool:
    return not is_placeholder(value)


def _mixed(_match: re.Match[str], value: str) -> bool:
    return is_mixed(value) or (is_strong(value) and not is_placeholder(value))


def _strong(_match: re.Match[str], value: str) -> bool:
    return is_strong(value)


def _of_mysql(match: re.Match[str], value: str) -> bool:
    """Return whether the option belongs to a client of MySQL in the same command, and is no pair of ports."""
    lead = match.string[max(0, match.start() - _LEAD_CHARS) : match.start()]
    command = _COMMAND_END.split(lead)[-1]
    if _MYSQL_COMMAND.search(command) is None or _PORTS.fullmatch(value):
        return False
    return not is_placeholder(value)


def _of_key(match: re.Match[str], value: str) -> bool:
    key = match["key"].lower()
    quoted = match.lastgroup != "bare"
    rest = match.string[match.end() : match.end() + 2]
    prose = not quoted and rest[:1] == " " and rest[1:].isalpha()
    return is_literal(value, password=key.startswith(("pass", "pwd")), quoted=quoted, alone=True, prose=prose)


def _spoken(match: re.Match[str], value: str) -> bool:
    """Return whether a value in quotes after `pass` is a credential and not what one passes to a function."""
    if not is_mixed(value, run=6) or value.startswith("-") or any(c in value for c in "/=("):
        return False
    if match["key"].lower() != "pass" or is_strong(value):
        return True
    word = _LAST_WORD.search(match.string[max(0, match.start() - 16) : match.start()])
    return match["key"] != "Pass" if word is None else word[1].lower() not in _BEFORE_A_VERB
