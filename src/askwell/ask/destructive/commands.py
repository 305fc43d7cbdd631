"""Shell text → findings: wrappers are taken off, scripts within strings and pipes are read as scripts."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from askwell.ask.destructive.rules import overwrites
from askwell.ask.destructive.sql import scan_sql
from askwell.ask.destructive.table import destroys
from askwell.ask.destructive.wrappers import INTERPRETERS, SHELLS, contained, script_in, unwrapped
from askwell.parse.shell import printed, shell
from askwell.types import Finding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from askwell.parse.shell import Command

_DOWNLOADS = frozenset(
    {"curl", "wget", "fetch", "aria2c", "http", "https", "xh", "lynx", "iwr", "irm", "invoke-webrequest"}
)
_DECODERS = frozenset(
    {"base64", "base32", "xxd", "gunzip", "zcat", "gzip", "openssl", "uudecode", "rev", "tr", "gpg", "unxz", "bunzip2"}
)
_SQL_CLIENTS = frozenset(
    {
        "psql",
        "mysql",
        "mariadb",
        "sqlite3",
        "sqlite",
        "sqlcmd",
        "clickhouse-client",
        "clickhouse",
        "duckdb",
        "sqlplus",
        "cockroach",
        "cqlsh",
        "pgcli",
        "mycli",
    }
)
_DROPS = re.compile(r"\b(?:dropDatabase|drop|remove|deleteMany)\s*\(", re.IGNORECASE)
_FORK_BOMB = re.compile(r"(?<![\w:.])([\w:.]{1,40})\(\)\{\1\|\1&\};?\1?")
_DEEPEST = 8

RAW = re.compile(
    r"\brm\s+(?:-\w*\s+)*-\w*[rR]|\bdd\s[^\n]*\bof=/dev/|\bmkfs|(?:curl|wget)\b[^\n|]*\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b"
    r"|\bgit\s+push\b[^\n]*(?:--force|\s-f\b)|\bDROP\s+(?:TABLE|DATABASE)\b|\bchmod\s+-R\s+777\b|\bprune\b[^\n]*-\w*[af]"
)
"""What is looked for where the grammar does not hold."""


@dataclass(slots=True)
class _Scan:
    """What the commands so far did that later ones build on."""

    downloaded: set[str] = field(default_factory=set)
    written: dict[str, str] = field(default_factory=dict)  # file → the script that a here-document put there


def scan(text: str, *, line: int = 1) -> Iterator[Finding]:
    """Yield what a shell text would destroy, in order.

    Args:
        text: A script, or commands as typed.
        line: The number of its first line.
    """
    yield from _scanned(text, line, _Scan(), 0)


def _scanned(text: str, line: int, so_far: _Scan, depth: int) -> Iterator[Finding]:
    if depth > _DEEPEST:
        return
    found = shell(text, line=line)
    told = [one for command in found.commands for one in _judged(command, so_far, depth)]
    yield from told
    if _FORK_BOMB.search("".join(text.split())):
        yield Finding(what="fork bomb", why="starts processes without end", line=line, command=text.strip()[:60])
    if not found.whole:
        lines = {one.line for one in told}
        for match in RAW.finditer(text):
            at = line + text.count("\n", 0, match.start())
            if at in lines:
                continue
            said = text[match.start() : match.end() + 40].split("\n")[0]
            yield Finding(
                what="cannot be parsed", why="looks destructive, in code that cannot be parsed", line=at, command=said
            )


def _judged(command: Command, so_far: _Scan, depth: int) -> Iterator[Finding]:
    if depth > _DEEPEST:
        return
    words = unwrapped(command.words)
    shown = " ".join(words) or " ".join(f"> {target}" for target in command.writes)

    def finding(what: str, why: str) -> Finding:
        return Finding(what=what, why=why, line=command.line, command=shown)

    for target in command.writes:
        empties = not words or words[0] in (":", "true", "cat", "echo", "printf", "dd")
        if (over := overwrites(target)) and (over[0] == "disk write" or empties or "sysrq" in target):
            yield finding(*over)
    if not words:
        return
    name = words[0].rpartition("/")[2].removeprefix("\\")
    if found := destroys(words):
        yield finding(*found)
    _remember(command, words, name, so_far)
    yield from _nested(command, words, name, so_far, depth)
    if name in SHELLS or name in INTERPRETERS or name in ("source", ".", "eval", "at", "batch", "crontab", "ssh"):
        yield from _run(command, words, name, so_far, depth, finding)
    elif "/" in words[0] or words[0] in so_far.downloaded:
        if _file(words[0]) in so_far.downloaded:
            yield finding("runs a download", "runs what was downloaded, unread")
        elif script := so_far.written.get(_file(words[0])):
            yield from _scanned(script, command.line, so_far, depth + 1)
    if name in _SQL_CLIENTS or name in ("mongo", "mongosh"):
        yield from _queried(command, words, name)


def _nested(command: Command, words: Sequence[str], name: str, so_far: _Scan, depth: int) -> Iterator[Finding]:
    """Yield what is destroyed by the script or command that a command was given."""
    if (script := script_in(words)) is not None and not script.startswith("$("):
        yield from _scanned(script, command.line, so_far, depth + 1)
    inner: list[Sequence[str]] = []
    if within := contained(words):
        inner.append(within)
    if name in ("find", "fd"):
        inner += list(_executed(words))
    for one in inner:
        again = unwrapped(one)
        if found := _plain_remove(again, name):
            yield Finding(what=found[0], why=found[1], line=command.line, command=" ".join(words))
        else:
            yield from _judged(replace(command, words=again, writes=()), so_far, depth + 1)


def _plain_remove(words: Sequence[str], by: str) -> tuple[str, str] | None:
    if by in ("find", "fd") and words and words[0].rpartition("/")[2] in ("rm", "unlink", "shred"):
        return "recursive delete", "deletes every file that is found"
    return None


def _executed(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for n, word in enumerate(words):
        if word in ("-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch"):
            end = next((m for m in range(n + 1, len(words)) if words[m] in (";", "+")), len(words))
            yield tuple(words[n + 1 : end])


def _run(
    command: Command, words: Sequence[str], name: str, so_far: _Scan, depth: int, finding: Callable[[str, str], Finding]
) -> Iterator[Finding]:
    """Yield what a shell or interpreter would run: from a pipe, a here-document, a substitution or a file."""
    reads = name not in ("eval", "source", ".")
    before = command.before[-1] if command.before else None
    if any(_base(one) in _DOWNLOADS for one in command.inner):
        yield finding("runs a download", "runs what it downloads, unread")
    if before is not None and reads:
        earlier = {_base(one) for one in command.before}
        said = printed(before)
        if earlier & _DOWNLOADS:
            yield finding("runs a download", "runs what it downloads, unread")
        elif said and name in (*SHELLS, "at", "batch"):
            yield from _scanned(said, command.line, so_far, depth + 1)
        elif earlier & _DECODERS and name in SHELLS:
            yield finding("runs decoded text", "runs what it decodes, unread")
    if command.stdin and (name in (*SHELLS, "ssh", "at", "batch")):
        yield from _scanned(command.stdin, command.line, so_far, depth + 1)
    if name in INTERPRETERS:
        from askwell.ask.destructive.elsewhere import scan_code

        yield from scan_code(_code_of(words) or command.stdin, line=command.line)
    yield from _run_files(command, words, name, so_far, depth, finding)


def _run_files(
    command: Command, words: Sequence[str], name: str, so_far: _Scan, depth: int, finding: Callable[[str, str], Finding]
) -> Iterator[Finding]:
    """Yield what is destroyed by a script that was downloaded or written before, or by a table of jobs."""
    given = [word for word in words[1:] if not word.startswith("-")]
    if name in (*SHELLS, "source", "."):
        for file in map(_file, given[:1]):
            if file in so_far.downloaded:
                yield finding("runs a download", "runs what was downloaded, unread")
            elif script := so_far.written.get(file):
                yield from _scanned(script, command.line, so_far, depth + 1)
    if name in ("crontab", "at", "batch"):
        content = command.stdin or (printed(command.before[-1]) if command.before else "")
        for row in content.split("\n"):
            yield from _scanned(
                re.sub(r"\A\s*(?:[\d*/,-]+\s+){5}|\A\s*@\w+\s+", "", row), command.line, so_far, depth + 1
            )


def _code_of(words: Sequence[str]) -> str:
    return next(
        (words[n + 1] for n, word in enumerate(words[:-1]) if word in ("-c", "-e", "-E", "-r", "--eval", "-Command")),
        "",
    )


def _queried(command: Command, words: Sequence[str], name: str) -> Iterator[Finding]:
    texts = [word for word in words[1:] if " " in word or "(" in word]
    texts += [word.partition("=")[2] for word in words[1:] if word.startswith("--") and "=" in word]
    texts += [command.stdin] if command.stdin else []
    texts += [printed(command.before[-1])] if command.before else []
    for text in texts:
        if name in ("mongo", "mongosh"):
            if _DROPS.search(text):
                yield Finding(what="data-dropping SQL", why="drops data", line=command.line, command=" ".join(words))
            continue
        for one in scan_sql(text):
            yield Finding(what=one.what, why=one.why, line=command.line, command=f"{name}: {one.command}")


def _remember(command: Command, words: Sequence[str], name: str, so_far: _Scan) -> None:
    """Note files that were downloaded, and scripts that a here-document wrote."""
    if name in _DOWNLOADS:
        outputs = [
            words[n + 1] for n, word in enumerate(words[:-1]) if word in ("-o", "-O", "--output", "--output-document")
        ]
        urls = [word for word in words[1:] if "://" in word]
        fetched = [*outputs, *command.writes]
        if name == "wget" or "-O" in words or "-LO" in words or "-OL" in words or "--remote-name" in words:
            fetched += [url.split("?")[0].rpartition("/")[2] for url in urls]
        so_far.downloaded |= {_file(one) for one in fetched if one and one != "-"}
    for target in (*command.writes, *(words[1:2] if name == "tee" else ())):
        if command.stdin or (text := printed(command)):
            so_far.written[_file(target)] = command.stdin or text
    if name in ("cp", "mv", "install") and len(words) > 2 and _file(words[-2]) in so_far.downloaded:
        so_far.downloaded.add(_file(words[-1]))


def _base(command: Command) -> str:
    words = unwrapped(command.words)
    return words[0].rpartition("/")[2].lower() if words else ""


def _file(path: str) -> str:
    return path.removeprefix("./").rpartition("/")[2]
