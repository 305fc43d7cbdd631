"""Recognises the headings people draw inside comments: ruled, boxed, underlined, in capitals or ended by a colon."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

DEFAULT_SECTIONS: tuple[str, ...] = (
    "PURPOSE",
    "OPERATIONAL MODEL",
    "DESIGN PRINCIPLES",
    "OPERATIONAL SAFEGUARDS",
    "CONFIGURATION",
    "RUNTIME MODES",
)
"""The six sections of the header convention."""

_KNOWN = frozenset(
    {
        *("usage", "options", "option", "example", "examples", "notes", "note", "description", "synopsis", "name"),
        *("summary", "overview", "parameters", "parameter", "arguments", "args", "requirements", "dependencies"),
        *("prerequisites", "environment", "environment variables", "variables", "settings", "flags", "commands"),
        *("exit codes", "exit status", "return codes", "returns", "files", "see also", "bugs", "caveats", "info"),
        *("limitations", "warning", "warnings", "security", "installation", "install", "setup", "history", "todo"),
        *(
            "changelog",
            "output",
            "input",
            "outputs",
            "inputs",
            "logging",
            "schedule",
            "cron",
            "how it works",
            "what it does",
            "why",
            "features",
        ),
        *("functionality", "component", "role", "link", "labels", "tested on", "supported", "configuration"),
    }
)

_LEGAL = frozenset({"author", "authors", "license", "licence", "copyright", "version", "date", "maintainer"})

_RULING = "-=_*#~+─━═—–•·┄┅┈┉╌╍▬■□▪▫●○◆◇★☆░▒▓█▀▄/\\<>^"
_RULE_ONLY = frozenset(_RULING + "│┃║|┌┐└┘├┤┬┴┼╔╗╚╝╠╣╦╩╬ \t")
_EDGE = _RULING + "│┃║|"
_COLON = re.compile(r"\s*(?P<key>[^\W\d_][\w /&()'-]{0,40}?)[ \t]*:(?=\s|$)")
_HELP = re.compile(r"\s*\.(?P<key>[A-Z]{4,20}(?:[ \t]+[\w-]{1,40})?)\s*$")
_POD = re.compile(r"=head[1-4][ \t]+(?P<key>\S.{0,70})$")
_LICENCE = re.compile(
    r"(?:SPDX-|\$Id\b|(?:author|authors|maintainer|date|created|copyright|licen[cs]e|version)\b\s*[:©(\d]|\(c\)|©"
    r"|copyright\b)"
    r"|.{0,200}?\b(?:all rights reserved|free software|without any warranty|implied warranty|permission is hereby"
    r"|general public license|apache license|mit licen[cs]e|bsd licen[cs]e|licensed under|redistribute)\b",
    re.IGNORECASE,
)
_SENTENCE_ENDS = (".", ",", ";", "!", "?")
_TITLE_LENGTH = 72
_TITLE_WORDS = 10


Reach: TypeAlias = Literal["ruled", "section", "paragraph"]
"""How far a heading goes: a ruled one sets the style of the header, a word with a colon ends with its paragraph."""


class Heading(NamedTuple):
    """A heading found among comment lines."""

    title: str
    reach: Reach
    stop: int  # index of the first line of its text; the heading's own line where the text starts on it


def is_rule(content: str) -> bool:
    """Return whether a comment line is drawn, not written: three or more ruling characters and nothing else."""
    stripped = content.strip()
    return len(stripped) >= 3 and all(char in _RULE_ONLY for char in stripped)


def is_licence(content: str) -> bool:
    """Return whether a paragraph that starts with this text speaks of author, date or licence."""
    return _LICENCE.match(content.strip()) is not None


def drawn_heading(contents: Sequence[str], index: int, *, sections: Collection[str] = ()) -> Heading | None:
    """Return the ruled, boxed or underlined heading that starts at ``contents[index]``, or None."""
    content = contents[index]
    stripped = content.strip()
    if not stripped or len(content) > 240 or is_rule(content):
        return None
    after = index + 1
    underlined = after < len(contents) and is_rule(contents[after])
    drawn = _drawn_title(stripped, sections)
    if drawn is not None:
        return Heading(_canonical(drawn, sections), _drawn_reach(drawn, sections), after + underlined)
    bare = stripped.strip(_EDGE + " \t")
    opens = index == 0 or not contents[index - 1].strip() or is_rule(contents[index - 1])
    if underlined and _titled(bare) and (opens or _known(bare, sections)) and not is_licence(bare):
        return Heading(_canonical(bare, sections), _drawn_reach(bare, sections), after + 1)
    return None


def find_heading(contents: Sequence[str], index: int, *, sections: Collection[str], ruled: bool) -> Heading | None:
    """Return the heading that starts at ``contents[index]``, or None.

    Args:
        contents: Comment lines without markers.
        index: Which line to look at.
        sections: Configured names, upper case.
        ruled: Whether a ruled section is open. In such a section a bare title in capitals, or a word with a
            colon, belongs to the section's text unless it is a configured or a well-known name in capitals.
    """
    content = contents[index]
    stripped = content.strip()
    if not stripped or len(content) > 240 or is_rule(content):
        return None
    drawn = drawn_heading(contents, index, sections=sections)
    if drawn is not None:
        return drawn
    for pattern in (_HELP, _POD):
        if (found := pattern.match(content)) is not None:
            return Heading(_canonical(found["key"], sections), "section", index + 1)
    opens = index == 0 or not contents[index - 1].strip() or is_rule(contents[index - 1])
    return _colon_heading(content, index, sections, ruled) or _bare_heading(stripped, index, sections, ruled, opens)


def _drawn_title(stripped: str, sections: Collection[str]) -> str | None:
    """Return the title of a line such as `━━━ PURPOSE ━━━`, `--- PURPOSE` or `[ PURPOSE ]`, else None."""
    if stripped.startswith("[") and stripped.endswith("]"):
        core = stripped[1:-1].strip()
        return core if _titled(core) and core == core.upper() and _letters(core) >= 3 and "|" not in core else None
    inner = stripped.lstrip(_RULING + " \t")
    drawn = stripped[: len(stripped) - len(inner)]
    lead = sum(1 for char in drawn if not char.isspace())
    if not lead or not inner:
        return None
    core = inner.rstrip(_RULING + " \t")
    trail = sum(1 for char in inner[len(core) :] if not char.isspace())
    if not _titled(core):
        return None
    spaced = drawn[-1].isspace()
    if lead == 1:  # `# PURPOSE` in a docstring, as in Markdown
        return core if drawn[0] == "#" and spaced and not trail and _capitals(core) else None
    if trail >= 2 and (lead >= 3 or spaced or _capitals(core)):
        return core if "_" not in drawn or lead >= 3 else None
    return core if spaced and (_capitals(core) or _known(core, sections)) else None


def _colon_heading(content: str, index: int, sections: Collection[str], ruled: bool) -> Heading | None:
    found = _COLON.match(content)
    if found is None:
        return None
    key = found["key"].strip()
    inline = bool(content[found.end() :].strip())
    stop = index if inline else index + 1
    if key.upper() in sections and (key == key.upper() or not inline):
        return Heading(key.upper(), "ruled", stop)
    if key.casefold() not in _KNOWN:
        return None
    if _capitals(key) and not inline:
        return Heading(key, "section", stop)
    return None if ruled else Heading(key, "paragraph", stop)


def _drawn_reach(title: str, sections: Collection[str]) -> Reach:
    return "ruled" if _known(title, sections) or _capitals(title) else "section"


def _bare_heading(stripped: str, index: int, sections: Collection[str], ruled: bool, opens: bool) -> Heading | None:
    title = stripped.rstrip(":").rstrip()
    if not (opens and _capitals(title) and _titled(title)):
        return None
    known = _known(title, sections)
    if not known and (ruled or "_" in title or len(title.split()) > 6):
        return None
    reach: Reach = "ruled" if title.upper() in sections else "section"
    return Heading(_canonical(title, sections), reach, index + 1)


def _canonical(title: str, sections: Collection[str]) -> str:
    title = title.strip().rstrip(":").rstrip()
    return title.upper() if title.upper() in sections else title


def _known(title: str, sections: Collection[str]) -> bool:
    name = title.strip().rstrip(":").rstrip()
    return name.upper() in sections or name.casefold() in _KNOWN or name.casefold() in _LEGAL


def _titled(title: str) -> bool:
    return (
        2 <= len(title) <= _TITLE_LENGTH
        and title[0].isalnum()
        and not title.endswith(_SENTENCE_ENDS)
        and len(title.split()) <= _TITLE_WORDS
    )


def _capitals(title: str) -> bool:
    return _letters(title) >= 3 and title == title.upper() and not set(title) & set("\"'`=<>{}$,;!?.")


def _letters(title: str) -> int:
    return sum(1 for char in title if char.isalpha())
