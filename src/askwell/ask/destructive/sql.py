"""SQL that drops data: whole tables and databases, or every row of one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from askwell.types import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

_ASIDE = re.compile(r"--[^\n]*|#[^\n]*|/\*.*?\*/|'(?:[^']|'')*'", re.DOTALL)
_RULES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE | re.DOTALL), why)
    for pattern, why in (
        (r"\bDROP\s+(?:TEMPORARY\s+)?TABLE\b", "drops a table with its rows"),
        (r"\bDROP\s+(?:DATABASE|SCHEMA|TABLESPACE|KEYSPACE|COLLECTION)\b", "drops a whole database"),
        (r"\bDROP\s+OWNED\b", "drops all that a role owns"),
        (r"\bTRUNCATE\s+(?:TABLE\s+)?[\w\"`\[.]", "empties a table"),
        (r"\bALTER\s+TABLE\b.*\bDROP\s+(?:COLUMN\b|PARTITION\b)", "drops a column with its values"),
        (
            r"\bDELETE\s+FROM\s+(?:ONLY\s+)?[\w\"`.\[\]]+(?:\s+(?:AS\s+)?\w+)?\s*(?:\Z|RETURNING\b|LIMIT\b)",
            "deletes every row",
        ),
        (r"\bDELETE\s+FROM\b.*\bWHERE\s+(?:1\s*=\s*1|TRUE|1)\s*\Z", "deletes every row"),
        (r"\A(?:EXPLAIN\s+ANALYZE\s+)?UPDATE\s+(?:(?!\bWHERE\b).)+\bSET\b(?:(?!\bWHERE\b).)*\Z", "changes every row"),
        (r"\bUPDATE\b.*\bSET\b.*\bWHERE\s+(?:1\s*=\s*1|TRUE|1)\s*\Z", "changes every row"),
    )
)


def scan_sql(text: str, *, line: int = 1) -> Iterator[Finding]:
    """Yield the statements that drop data; comments and strings are no statements."""
    plain = _ASIDE.sub(lambda found: "".join("\n" if char == "\n" else " " for char in found[0]), text)
    at = 0
    for statement in plain.split(";"):
        said = " ".join(statement.split())
        why = next((why for pattern, why in _RULES if pattern.search(said)), "")
        if why:
            start = at + len(statement) - len(statement.lstrip())
            yield Finding(what="data-dropping SQL", why=why, line=line + plain.count("\n", 0, start), command=said)
        at += len(statement) + 1
