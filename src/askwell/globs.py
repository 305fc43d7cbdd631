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
            body = glob[at + 1 : close].replace("\\", "\\\\").replace("[", "\\[")
            out.append(f"[{'^' + body[1:] if body[0] in '!^' else body}]")
            at = close + 1
        else:
            out.append(re.escape(glob[at]))
            at += 1
    flags = re.DOTALL | (re.IGNORECASE if ignore_case else 0)
    try:
        return re.compile("".join(out), flags)
    except re.error:  # a set such as `[z-a]`: read the pattern letter by letter instead
        return re.compile(re.escape(glob), flags)


def matches(path: str, pattern: str, *, ignore_case: bool = False) -> bool:
    """Return whether a glob admits an identity path (see `glob_regex`)."""
    return glob_regex(pattern, ignore_case=ignore_case).fullmatch(unicodedata.normalize("NFC", path)) is not None
