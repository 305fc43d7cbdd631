"""Values assigned to a name that says what they are: `password = …`, `api_key: …`, `"token": "…"`."""

from __future__ import annotations

import re

from askwell.sources.literal import is_literal, is_strong
from askwell.sources.occurrences import positions
from askwell.sources.words import words

_BEGINNINGS = words(
    "pass kennwort contrase mot lösenord losenord şifre parola pwd psk secret api access auth account encryption "
    "signing master shared preshared private deploy license token credential"
)
"""What the names below begin with, in lower case: looked for first, far faster than trying the pattern everywhere."""

_NAME = (
    r"(?P<key>passw(?:or)?d|passphrase|passcode|passwort|kennwort|contrase(?:ñ|n)a|mot[ _]de[ _]passe|"
    r"lösenord|losenord|şifre|parola|(?<![a-z])(?:pass|pwd|psk)|secret[_-]?(?:access[_-]?)?key|secret|api[_-]?key|"
    r"(?:access|auth|account|encryption|signing|master|shared|preshared|private|deploy|license)[_-]?key|"
    r"token|credentials?)"
)
_SUFFIX = (
    r"(?:s|[_-]?(?:\d{1,4}|value|prod|production|dev|staging|test|live|old|new|main|primary|secondary|base64|b64|"
    r"default|root|admin|user|db))?"
)
_SEPARATOR = r"(?:\\?[\"'`]\]?|\*\*|__|\*)?[ \t]{0,16}(?P<separator>=>|:=|\?=|:-|={1,3}|:)(?:\*\*|__)?[ \t]{0,32}"
_ASSIGNED = re.compile(
    rf"(?P<keep>{_NAME}{_SUFFIX}{_SEPARATOR})"
    r"(?:(?P<quote>\\?[\"'`])(?P<quoted>(?:(?!(?P=quote))(?:\\.|[^\n\\])){0,4096})(?P=quote)"
    r"|(?P<block>[|>][+-]?[ \t]{0,8}\n[ \t]{1,64})(?P<folded>[^\s]{3,4096}+)(?=[ \t]{0,8}(?:\n|\Z))"
    r"|(?P<bare>(?:(?![;&,][\w-]{1,32}[=:])[^\s\"'`]){1,4096}))",
    re.IGNORECASE,
)

_PASSWORD_NAMES = ("pass", "pwd", "psk", "kennwort", "contrase", "mot", "lösenord", "losenord", "şifre", "parola")
_REREAD = 96  # longer values are not searched for names inside: bounds the work on a line of nothing but names
_LEAD_CHARS = 120
_LINE_LEAD = re.compile(
    r"[\s>#*|+;/\"'`\[({-]*+(?:(?:export|set|setenv|env|arg|local|readonly|declare|const|let|var|private|public|static|"
    r"final|string)\s++(?:-[a-z]\s++)?)*[\w.$\[\"'@:-]*",
    re.IGNORECASE,
)
_WORDS_FOLLOW = re.compile(r" [^\W\d_]")
_PAIR_FOLLOWS = re.compile(r" [\w-]{1,32}[ ]?[:=]")
_NAME_START = re.compile(r"[\w.-]*\Z")


def redact_assigned(text: str) -> str:
    """Return `text` with credentials replaced that are assigned to a credential's name; the name stays."""
    pieces: list[str] = []
    kept = at = 0
    for start in _starts(text):
        if start < at or (match := _ASSIGNED.match(text, start)) is None:
            continue
        group = "quoted" if match["quoted"] is not None else "folded" if match["folded"] is not None else "bare"
        begin, end = match.span(group)
        if group == "bare":
            end = begin + len(_trimmed(match["bare"]))
        if _is_credential(text, match, text[begin:end], bare=group == "bare", quoted=group == "quoted"):
            pieces += (text[kept:begin], f"[redacted: {_kind_of(match['key'])}]")
            kept = at = end
        else:  # another name may stand inside a short value: `token=password=…`
            at = match.end("keep") if end - begin <= _REREAD else max(match.end("keep"), end)
    pieces.append(text[kept:])
    return "".join(pieces)


def _starts(text: str) -> list[int]:
    """Return where a name may begin, ascending."""
    lower = text.lower()
    if len(lower) != len(text):  # `İ` becomes two characters: look letter by letter, so that places stay right
        lower = "".join(c if len(c.lower()) != 1 else c.lower() for c in text)
    return positions(lower, _BEGINNINGS)


def _is_credential(text: str, match: re.Match[str], value: str, *, bare: bool, quoted: bool) -> bool:
    """Return whether the assigned value is a credential, by itself and by what stands around it."""
    at = match.start()
    lead = text[max(text.rfind("\n", max(0, at - _LEAD_CHARS), at) + 1, at - _LEAD_CHARS, 0) : at]
    name_start = _NAME_START.search(lead)
    before = lead[: name_start.start()] if name_start else lead
    if match["separator"] == ":" and before.endswith(("$", "${", ":", "!")):
        return False  # `$PWD:/code`, a field of `user:password:uid`, a cipher in a list
    if "default" in before.lower() and not is_strong(value):
        return False  # a documented default is no secret
    after = text[match.end() : match.end() + _LEAD_CHARS]
    return is_literal(
        value,
        password=match["key"].lower().startswith(_PASSWORD_NAMES),
        quoted=quoted,
        alone=_begins_line(lead, whole=len(lead) < _LEAD_CHARS),
        prose=bare and _WORDS_FOLLOW.match(after) is not None and _PAIR_FOLLOWS.match(after) is None,
    )


def _trimmed(value: str) -> str:
    """Return a bare value without closing punctuation that it did not open."""
    closing = ",;.>|*" + "".join(close for open_, close in ("()", "[]", "{}") if open_ not in value)
    return value.rstrip(closing)


def _begins_line(lead: str, *, whole: bool) -> bool:
    """Return whether only indentation, list marks, keywords and a name's first part stand before the name."""
    return whole and _LINE_LEAD.fullmatch(lead) is not None


def _kind_of(key: str) -> str:
    key = key.lower()
    if key.startswith(_PASSWORD_NAMES):
        return "password"
    if "key" in key:
        return "key"
    return "token" if key == "token" else "secret"
