"""Finds what a script calls and which settings a document names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from askwell.types import Edge, EdgeKind

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

MAX_EDGES = 500
"""A document that names more things than this is a list of everything and says nothing about any of them."""

_SCRIPT = re.compile(
    r"(?<![\w./@:-])(?P<path>[\w./-]{0,300}?\.(?:sh|bash|zsh|ksh|py|php|pl|ps1|rb|awk))(?![\w/-])(?!\.\w)"
)
_PROGRAM = re.compile(
    r"\$\{?\w{0,40}(?:BIN|SCRIPTS?|TOOLS?|bin|scripts?|tools?)\w{0,20}\}?/(?P<path>[A-Za-z][\w/-]{1,200}+)(?![\w.*$])"
)
_VARIABLE = re.compile(r"[$%]\{?\Z")
_SETTING = re.compile(
    r"(?<![\w-])(?:(?P<flag>--[a-z][a-z0-9]*+(?:[-_][a-z0-9]++){0,32})|(?P<name>[A-Za-z]\w*+))(?![\w-])"
)


def calls(text: str, *, path: str) -> tuple[Edge, ...]:
    r"""Return a `CALL` edge for every script that a script names (`foo.sh`, `lib/bar.php`, `$BIN/v-add-user`).

    In order of first naming, one a target, at most `MAX_EDGES`; the script itself is left out. A leading variable is
    not part of the target: `$DIR/lib/foo.sh` is `lib/foo.sh`.

    Args:
        text: The script, every line end `\\n`.
        path: Its own path.
    """
    own = path.rsplit("/", 1)[-1]
    found: dict[str, int] = {}
    for target, start in _called(text):
        if target.rsplit("/", 1)[-1] != own:
            found.setdefault(target, start)
    return _edges(EdgeKind.CALL, found, text)


def mentions(text: str, names: Collection[str] | None = None, *, defined: Collection[str] = ()) -> tuple[Edge, ...]:
    r"""Return a `MENTION` edge for every setting that a document names, in order of first naming, one a name.

    Candidates are long options (`--dry-run`) and names in capitals with an underscore (`MOVER_STOP_TIMEOUT`); where
    `names` are given, any of these that has an underscore. At most `MAX_EDGES`.

    Args:
        text: The document, every line end `\\n`.
        names: The settings that exist; None where that is not known yet.
        defined: Names that the document itself defines: it needs no pointer to itself.
    """
    found: dict[str, int] = {}
    for match in _SETTING.finditer(text):
        name = match[0]
        if name in found or name in defined or (names is not None and name not in names):
            continue
        if match["flag"] is None and ("_" not in name or (names is None and not name.isupper())):
            continue
        found[name] = match.start()
    return _edges(EdgeKind.MENTION, found, text)


def _called(text: str) -> Iterator[tuple[str, int]]:
    """Yield each script name with where it stands, in order."""
    found = [(match.start("path"), match["path"]) for match in _SCRIPT.finditer(text)]
    found += [(match.start("path"), match["path"]) for match in _PROGRAM.finditer(text) if "-" in match["path"]]
    for start, target in sorted(found):
        before = text[max(0, start - 2) : start]
        if _VARIABLE.search(before):
            _, _, target = target.partition("/")
        elif before.endswith(("}", ")", '"', "'", "~")):
            target = target.removeprefix("/")
        name = target.rsplit("/", 1)[-1]
        if name and not name.startswith("."):
            yield target, start


def _edges(kind: EdgeKind, found: dict[str, int], text: str) -> tuple[Edge, ...]:
    edges: list[Edge] = []
    line, at = 1, 0
    for target, start in list(found.items())[:MAX_EDGES]:
        line += text.count("\n", at, start)
        at = start
        edges.append(Edge(kind=kind, target=target, line=line))
    return tuple(edges)
