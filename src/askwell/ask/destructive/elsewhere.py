"""Shell within other files: Dockerfiles, YAML, units, cron tables; and calls that delete from Python and the like."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from askwell.ask.destructive.commands import scan
from askwell.ask.destructive.sql import scan_sql
from askwell.types import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

_LINES = re.compile(
    r"^[ \t]*(?:-[ \t]+)?(?:(?:RUN|CMD|ENTRYPOINT)[ \t]+"
    r"|(?:run|shell|command|cmd|script|entrypoint|ansible\.builtin\.(?:shell|command)|raw|args|exec|test)[ \t]*:[ \t]*"
    r"[|>]?[-+]?[ \t]*"
    r"|Exec(?:Start|Stop|StartPre|StartPost|Reload|StopPost)[ \t]*=[ \t]*[-@:+!]*"
    r"|(?:@(?:reboot|hourly|daily|weekly|monthly|yearly)|(?:[\d*/,-]+[ \t]+){5})[ \t]*(?:root[ \t]+)?)",
    re.MULTILINE,
)
_CALLS = re.compile(
    r"\b(?:os\.system|os\.popen|subprocess\.\w+|check_call|check_output|Popen|exec|execSync|spawn|spawnSync|system|"
    r"shell_exec|passthru|sh|run)\s*\(?\s*[rbf]?(?P<mark>[\"'`]{1,3})(?P<code>(?:\\.|(?!(?P=mark)).)*)(?P=mark)",
    re.DOTALL,
)
_LIST = re.compile(r"\[\s*((?:[rbf]?(?:\"[^\"\n]*\"|'[^'\n]*')\s*,?\s*)+)\]")
_REMOVERS = re.compile(
    r"\b(?:shutil\.rmtree|FileUtils\.rm_rf?|File::Path::remove_tree|os\.RemoveAll|fs\.rm(?:Sync|dirSync)?|remove_dir_all"
    r"|rimraf)\s*[(\s]|\bunlink\b[^;\n]{0,20}\bglob\b"
)
_ITEM = re.compile(r"\"([^\"\n]*)\"|'([^'\n]*)'")
_POWERSHELL = re.compile(r"\b(?:Remove-Item|Format-Volume|Clear-Disk|ri)\b[^\n|;]*", re.IGNORECASE)


def scan_code(code: str, *, line: int = 1) -> Iterator[Finding]:
    """Yield what the shell commands and deleting calls within other code would destroy."""
    for start, command in _commands(code):
        yield from scan(command, line=line + code.count("\n", 0, start))
    for match in _CALLS.finditer(code):
        yield from scan(match["code"], line=line + code.count("\n", 0, match.start()))
    for match in _LIST.finditer(code):
        words = [one or other for one, other in _ITEM.findall(match[1])]
        if words:
            quoted = " ".join("'" + word.replace("'", "'\\''") + "'" for word in words)
            yield from scan(quoted, line=line + code.count("\n", 0, match.start()))
    for match in _POWERSHELL.finditer(code):
        yield from scan(match[0], line=line + code.count("\n", 0, match.start()))
    for match in _REMOVERS.finditer(code):
        yield Finding(
            what="recursive delete",
            why="deletes a folder with all below it",
            line=line + code.count("\n", 0, match.start()),
            command=code[match.start() : match.end() + 40].split("\n")[0],
        )
    yield from scan_sql(code, line=line) if re.search(r"\b(?:DROP|TRUNCATE|DELETE\s+FROM)\b", code) else ()


def _commands(code: str) -> Iterator[tuple[int, str]]:
    """Yield where a command begins and its text: a line, its continuations, or the block indented below it."""
    for match in _LINES.finditer(code):
        end = code.find("\n", match.end())
        end = len(code) if end < 0 else end
        text = code[match.end() : end]
        while text.rstrip().endswith("\\") and end < len(code):
            following = code.find("\n", end + 1)
            following = len(code) if following < 0 else following
            text, end = text.rstrip()[:-1] + " " + code[end + 1 : following], following
        if text.lstrip().startswith("["):
            continue  # a list of words, which is read as one
        if not text.strip():
            indent = len(match[0]) - len(match[0].lstrip())
            rows = []
            for row in code[end + 1 :].split("\n"):
                if row.strip() and len(row) - len(row.lstrip()) <= indent:
                    break
                rows.append(row.strip().removeprefix("- "))
            yield end + 1, "\n".join(rows)
        else:
            quoted = text.strip()[:1] in "\"'"
            yield match.end(), text.strip().strip("\"'") if quoted else text
