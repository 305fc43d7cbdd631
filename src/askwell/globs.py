"""Path globs, as settings and filters use them: `*` stays within a folder, `**` crosses folders."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache


@lru_cache(maxsize=1024)
def glob_regex(pattern: str, *, ignore_case: bool = False) -> re.Pattern[str]:
    """Return the compiled form of a glob over an identity path.

    `*` and `?` do not match `/`; `**` matches any number of folders; `[abc]` is a set; a pattern that ends
    in `/` means everything below; one without any `/` matches the name in every folder, as ignore files do.
    A leading `/` anchors such a pattern at the root. Compared in NFC.
    """
    glob = unicodedata.normalize("NFC", pattern)
    anchored = glob.startswith("/")
    glob = glob.lstrip("/")
    if glob.endswith("/"):
        glob += "**"
    if "/" not in glob and not anchored:
        glob = "**/" + glob
    out: list[str] = []
    at = 0
    while at < len(glob):
        if glob.startswith("**/", at):
            out.append("(?:[^/]+/)*")
            at += 3
        elif glob.startswith("**", at):
            out.append(".*")
            at += 2
        elif glob[at] == "*":
            out.append("[^/]*")
            at += 1
        elif glob[at] == "?":
            out.append("[^/]")
            at += 1
        elif glob[at] == "[" and (close := glob.find("]", at + 2)) > 0:
            out.append(_one_of(glob[at + 1 : close]))
            at = close + 1
        else:
            out.append(re.escape(glob[at]))
            at += 1
    flags = re.DOTALL | (re.IGNORECASE if ignore_case else 0)
    return re.compile("".join(out), flags)


def literal_start(pattern: str) -> str:
    """Return what every path that a glob admits begins with, in NFC; empty if that is nothing."""
    glob = unicodedata.normalize("NFC", pattern)
    anchored = glob.startswith("/")
    glob = glob.lstrip("/")
    if "/" not in glob and not anchored:
        return ""
    return re.split(r"[*?\[]", glob, maxsplit=1)[0]


def _one_of(body: str) -> str:
    """Return a glob's set as a regex; one that makes no sense, such as `[z-a]`, means its own letters."""
    plain = body.replace("\\", "\\\\").replace("[", "\\[")
    made = f"[{'^' + plain[1:] if plain[0] in '!^' else plain}]"
    try:
        re.compile(made)
    except re.error:
        return re.escape(f"[{body}]")
    return made


def matches(path: str, pattern: str, *, ignore_case: bool = False) -> bool:
    """Return whether a glob admits an identity path (see `glob_regex`)."""
    return glob_regex(pattern, ignore_case=ignore_case).fullmatch(unicodedata.normalize("NFC", path)) is not None
