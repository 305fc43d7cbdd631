"""Tokens that their issuer marks (`ghp_…`, `AKIA…`): replaced wherever they stand."""

from __future__ import annotations

import re

from askwell.sources.literal import is_placeholder
from askwell.sources.occurrences import positions
from askwell.sources.words import words

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
    ("jwt", r"eyJ[A-Za-z0-9_-]{8,}+\.[A-Za-z0-9_-]{8,}+\.[A-Za-z0-9_-]{8,}+"),
)
_NEEDLES = words(
    "AKIA ASIA AGPA AIDA AROA ANPA ANVA gho_ ghp_ ghs_ ghu_ ghr_ github_pat_ glpat- gldt- glrt- glptt- glcbt- glsoat- "
    "glagent- gloas- glft- glimt- xoxa xoxb xoxe xoxo xoxp xoxr xoxs xapp- sk- AIza GOCSPX- ya29. sk_live_ sk_test_ "
    "rk_live_ rk_test_ whsec_ hf_ npm_ pypi-AgE dckr_ dop_v1_ doo_v1_ dor_v1_ tskey- SG. hvs. hvb. hvr. "
    "AGE-SECRET-KEY shpat_ shpss_ shpca_ shppa_ lin_api ntn_ gsk_ r8_ glsa_ sq0csp PMAK pul- xai- pplx- tvly- dapi "
    "nvapi ATATT3 ATCTT3 eyJ"
)
"""What each pattern begins with; looked for first, as that is far faster than trying patterns everywhere."""

_KINDS = tuple(kind for kind, _ in _ISSUED)
_TOKEN = re.compile(r"(?<![A-Za-z0-9_-])(?:" + "|".join(f"({pattern})" for _, pattern in _ISSUED) + ")")
_TELEGRAM = re.compile(r"(?<![A-Za-z0-9_-])\d{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])")


def redact_issued(text: str) -> str:
    """Return `text` with marked tokens replaced; ones that are all one letter or say that they are examples stay."""
    pieces: list[str] = []
    kept = 0
    for at in positions(text, _NEEDLES):
        if at < kept or (match := _TOKEN.match(text, at)) is None:
            continue
        body = match[0][4:]
        if len(set(body)) > 3 and not is_placeholder(body):
            pieces += (text[kept:at], f"[redacted: {_KINDS[(match.lastindex or 1) - 1]}]")
            kept = match.end()
    pieces.append(text[kept:])
    text = "".join(pieces)
    return _TELEGRAM.sub("[redacted: telegram token]", text) if ":AA" in text else text
