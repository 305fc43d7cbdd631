"""The shapes of credentials in text, and what only looks like one.

text ─▶ key blocks (PEM, PGP) ─▶ tokens known by their form ─▶ headers, URLs, flags ─▶ `password = value` lines

A token that its issuer marks (`ghp_…`, `AKIA…`) is replaced wherever it stands. A value is replaced only where its
name says what it is, and only if it is neither placeholder, reference nor prose: see `literal.py`.

Every pattern starts at a fixed string or at a bounded look behind and takes bounded or possessive runs, so that
a text of one long line takes time linear in its length.
"""

from __future__ import annotations

import base64
import re
from typing import TYPE_CHECKING

from askwell.sources.literal import is_literal, is_loose_literal, is_placeholder, is_strong
from askwell.sources.words import words

if TYPE_CHECKING:
    from collections.abc import Callable

# ---- tokens known by their form: kind, strings of which one must be in the text, pattern ----------

_ISSUED: tuple[tuple[str, str], ...] = (
    ("aws key", r"(?:AKIA|ASIA|AGPA|AIDA|AROA|ANPA|ANVA)[A-Z0-9]{16}(?![A-Za-z0-9])"),
    ("github token", r"gh[opsur]_[A-Za-z0-9]{20,}+|github_pat_[A-Za-z0-9_]{20,}+"),
    ("gitlab token", r"gl(?:pat|dt|rt|ptt|cbt|soat|agent|oas|ft|imt)-[A-Za-z0-9_.-]{16,}+"),
    ("slack token", r"xox[abeoprs](?:\.xox[bp])?-[A-Za-z0-9-]{10,}+|xapp-\d-[A-Za-z0-9-]{10,}+"),
    ("anthropic key", r"sk-ant-[A-Za-z0-9_-]{16,}+"),
    ("openai key", r"sk-(?:proj-|svcacct-|admin-|or-v1-)?(?=[A-Za-z_-]{0,200}\d)[A-Za-z0-9_-]{20,}+"),
    ("google key", r"AIza[A-Za-z0-9_-]{35}|GOCSPX-[A-Za-z0-9_-]{20,}+|ya29\.[A-Za-z0-9_-]{20,}+"),
    ("stripe key", r"[rs]k_(?:live|test)_[A-Za-z0-9]{10,}+|whsec_[A-Za-z0-9+/=]{20,}+"),
    ("hugging face token", r"hf_[A-Za-z0-9]{30,}+"),
    ("npm token", r"npm_[A-Za-z0-9]{30,}+"),
    ("pypi token", r"pypi-AgE[A-Za-z0-9_-]{20,}+"),
    ("docker token", r"dckr_(?:pat|oat)_[A-Za-z0-9_-]{16,}+"),
    ("digitalocean token", r"do[opr]_v1_[a-f0-9]{40,}+"),
    ("tailscale key", r"tskey-[a-z]{1,16}-[A-Za-z0-9-]{10,}+"),
    ("sendgrid key", r"SG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,}+"),
    ("vault token", r"hv[bsr]\.[A-Za-z0-9_-]{20,}+"),
    ("age key", r"AGE-SECRET-KEY-1[A-Z0-9]{40,}+"),
    ("shopify token", r"shp(?:at|ss|ca|pa)_[a-fA-F0-9]{32}"),
    ("api key", r"(?:lin_api|ntn|gsk|r8|glsa|sq0csp|PMAK|pul|xai|pplx|tvly|dapi|nvapi)[_-][A-Za-z0-9_-]{30,}+"),
    ("atlassian token", r"AT(?:ATT|CTT)3[A-Za-z0-9_=-]{30,}+"),
    ("telegram token", r"\d{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])"),
    ("jwt", r"eyJ[A-Za-z0-9_-]{8,}+\.[A-Za-z0-9_-]{8,}+\.[A-Za-z0-9_-]{8,}+"),
)
_NEEDLES = words(
    "AKIA ASIA AGPA AIDA AROA ANPA ANVA gho_ ghp_ ghs_ ghu_ ghr_ github_pat_ glpat- gldt- glrt- glptt- glcbt- "
    "glsoat- glagent- gloas- glft- glimt- xox xapp- sk- AIza GOCSPX- ya29. k_live_ k_test_ whsec_ hf_ npm_ "
    "pypi-AgE dckr_ _v1_ tskey- SG. hvs. hvb. hvr. AGE-SECRET-KEY shpat_ shpss_ shpca_ shppa_ lin_api ntn_ "
    "gsk r8_ glsa_ sq0csp PMAK pul xai pplx tvly dapi nvapi ATATT3 ATCTT3 :AA eyJ"
)
_KINDS = tuple(kind for kind, _ in _ISSUED)
_TOKEN = re.compile(r"(?<![A-Za-z0-9_-])(?:" + "|".join(f"({pattern})" for _, pattern in _ISSUED) + ")")

_HASH = re.compile(r"\$(?:1|5|6|y|2[abxy]|apr1|argon2(?:id|i|d)|scrypt)\$[./A-Za-z0-9$=,+-]{16,}+")
_WEBHOOK = re.compile(
    r"(?P<keep>hooks\.slack\.com/(?:services|workflows)/|discord(?:app)?\.com/api/webhooks/)[\w/-]{16,}+"
)
_SIGNATURE = re.compile(r"(?P<keep>[?&](?:sig|X-Amz-Signature)=)[A-Za-z0-9%/+=_-]{30,}+")

# ---- values known by what stands before them ----------------------------------------------------

_BEARER = re.compile(
    r"(?P<keep>\b(?:bearer|basic|authorization:[ \t]{0,4}(?:token|apikey|digest))[ \t]{1,4})"
    r"(?P<value>[A-Za-z0-9._~+/=-]{8,8192}+)",
    re.IGNORECASE,
)
_URL = re.compile(r"(?P<keep>://[^\s/:@\"'<>`]{0,128}:)(?P<value>[^\s/@\"'<>`]{1,256})(?=@)")
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

_NAME = (
    r"(?P<key>passw(?:or)?d|passphrase|passcode|passwort|kennwort|contrase(?:ñ|n)a|mot[ _]de[ _]passe|"
    r"lösenord|losenord|şifre|parola|"
    r"(?<![a-z])(?:pass|pwd|psk)|secret[_-]?(?:access[_-]?)?key|client[_-]?secret|secret|"
    r"api[_-]?key|(?:access|auth|account|encryption|signing|master|shared|preshared|private|deploy|license)[_-]?key|"
    r"token|credentials?)"
)
_SUFFIX = (
    r"(?:s|[_-]?(?:\d{1,4}|value|prod|production|dev|staging|test|live|old|new|main|primary|secondary|base64|b64|"
    r"default|root|admin|user|db))?"
)
_LEAD = r"(?:\\?[\"'`]\]?|\*\*|__|\*)?[ \t]{0,16}(?:=>|:=|\?=|[:=])(?:\*\*|__)?[ \t]{0,32}"
_ASSIGNED = re.compile(
    rf"(?P<keep>{_NAME}{_SUFFIX}{_LEAD})"
    r"(?:(?P<quote>\\?[\"'`])(?P<quoted>(?:(?!(?P=quote))(?:\\.|[^\n\\])){0,4096}+)(?P=quote)"
    r"|(?P<block>[|>][+-]?[ \t]{0,8}\n[ \t]{1,64})(?P<folded>[^\s]{3,4096}+)(?=[ \t]{0,8}(?:\n|\Z))"
    r"|(?P<bare>[^\s\"'`]{1,4096}+))",
    re.IGNORECASE,
)

_PASSWORD_NAMES = ("pass", "pwd", "psk", "kennwort", "contrase", "mot", "lösenord", "losenord", "şifre", "parola")
_NEXT_PAIR = re.compile(r"[;&,](?=[\w-]{1,32}[=:])")
_REREAD = 96  # longer values are not searched for names inside: bounds the work on a line of nothing but names
_LEAD_CHARS = 120
_LINE_LEAD = re.compile(
    r"[\s>#*|+;/\"'`\[({-]*+(?:(?:export|set|setenv|env|arg|local|readonly|declare|const|let|var|private|public|static|"
    r"final|string)\s++(?:-[a-z]\s++)?)*+[\w.$\[\"'@:-]*",
    re.IGNORECASE,
)

# ---- key blocks ---------------------------------------------------------------------------------

_BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_END = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_KEY_LINE = re.compile(r"[\s>#*|\"'+,-]*(?:[A-Z][\w-]{2,20}: [^\n]{0,200}|[^\s]*)[ \t\r]*")
_KEY_LINES = 2000  # far over the longest private key: a bound for reading on after a marker that never ends
_KEY_CHARS = 8  # fewer, and the markers are quoted without a key between them
_AHEAD = 20_000
_BREAKS = re.compile(r"\r\n|\r|\n")


def redact(text: str) -> str:
    """Return `text` with credential-shaped strings replaced; see `askwell.sources.secrets.redact`."""
    text = _redact_blocks(text)
    if any(needle in text for needle in _NEEDLES):
        text = _TOKEN.sub(_issued, text)
    if "$" in text:
        text = _HASH.sub("[redacted: password hash]", text)
    for pattern, needle in ((_WEBHOOK, "hooks"), (_SIGNATURE, "ig")):
        if needle in text:
            text = pattern.sub(r"\g<keep>[redacted: token]", text)
    text = _BEARER.sub(_replacing("token", _is_header_value), text)
    if "://" in text:
        text = _URL.sub(_replacing("password", _is_real), text)
    text = _FLAG.sub(_replacing("password", is_loose_literal), text)
    text = _USER.sub(_replacing("password", _is_real), text)
    text = _ELEMENT.sub(_replacing("password", _is_real), text)
    text = _DEFINE.sub(_replacing("secret", _is_real), text)
    text = _IS.sub(_replacing("password", is_loose_literal), text)
    return _redact_assignments(text)


def _issued(match: re.Match[str]) -> str:
    token = match[0]
    body = token[4:]
    if len(set(body)) <= 3 or is_placeholder(body):
        return token
    return f"[redacted: {_KINDS[(match.lastindex or 1) - 1]}]"


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


def _redact_assignments(text: str) -> str:
    pieces: list[str] = []
    kept = at = 0
    while (match := _ASSIGNED.search(text, at)) is not None:
        group = "quoted" if match["quoted"] is not None else "folded" if match["folded"] is not None else "bare"
        start, end = match.span(group)
        if group == "bare":
            end = start + len(_trimmed(match["bare"]))
        value = text[start:end]
        password = match["key"].lower().startswith(_PASSWORD_NAMES)
        quoted = group == "quoted"
        after = text[match.end() : match.end() + 3]
        prose = group == "bare" and len(after) > 1 and after[0] == " " and after[1].isalpha()
        if is_literal(value, password=password, quoted=quoted, alone=_begins_line(text, match.start()), prose=prose):
            pieces += (text[kept:start], f"[redacted: {_kind_of(match['key'])}]")
            kept = at = end
        else:  # another name may stand inside a short value: `token=password=…`
            at = match.end("keep") if end - start <= _REREAD else max(match.end("keep"), end)
    pieces.append(text[kept:])
    return "".join(pieces)


def _trimmed(value: str) -> str:
    """Return a bare value without the next `name=value` of a list and without closing punctuation."""
    if (cut := _NEXT_PAIR.search(value)) is not None:
        value = value[: cut.start()]
    return value.rstrip(",;)]}.>|*")


def _begins_line(text: str, at: int) -> bool:
    """Return whether nothing but indentation, list marks, keywords and a name's first part precede `at`."""
    start = text.rfind("\n", max(0, at - _LEAD_CHARS), at) + 1
    if start == 0 and at > _LEAD_CHARS:
        return False
    return _LINE_LEAD.fullmatch(text, start, at) is not None


def _kind_of(key: str) -> str:
    key = key.lower()
    if key.startswith(_PASSWORD_NAMES):
        return "password"
    if "key" in key:
        return "key"
    return "token" if key == "token" else "secret"


def _redact_blocks(text: str) -> str:
    """Replace private keys between their markers, and what is left of one whose end is cut off."""
    pieces: list[str] = []
    kept = at = 0
    while (begin := _BEGIN.search(text, at)) is not None:
        end = _block_end(text, begin.end())
        body = text[begin.end() : end]
        if sum(c.isalnum() for c in _END.sub("", body)[:4096]) < _KEY_CHARS:
            at = begin.end()
            continue
        breaks = "".join(_BREAKS.findall(text[begin.start() : end]))
        pieces += (text[kept : begin.start()], "[redacted: private key]", breaks)
        kept = at = end
    pieces.append(text[kept:])
    return "".join(pieces)


def _block_end(text: str, start: int) -> int:
    """Return where the key that begins before `start` ends: after its marker, else after its last line of key text."""
    at = start
    last = start
    for _ in range(_KEY_LINES):
        line_end = text.find("\n", at)
        line_end = len(text) if line_end < 0 else line_end
        if (end := _END.search(text, at, line_end)) is not None:
            return end.end()
        line = _KEY_LINE.fullmatch(text, at, line_end)
        if line is None:
            return last
        if text[at:line_end].strip():
            last = line_end
        elif last > start:  # a blank line after key text: only headers end in one, and those hold a colon
            ahead = text.find("-----END", line_end, line_end + _AHEAD)
            if ahead < 0:
                return last
        if line_end == len(text):
            return last
        at = line_end + 1
    return last
