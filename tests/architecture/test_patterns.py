"""Patterns mean the same under every supported interpreter."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import askwell

_ROOT = Path(askwell.__file__).parent
_POSSESSIVE_GROUP = re.compile(r"(?<!\\)\)(?:[*+?]|\{[0-9,]+\})\+")
_ATOMIC = "(?>"


def _faults(source: str) -> list[str]:
    """Return the string literals of a module (the fixed parts of f-strings too) that hold such a group."""
    literals = [
        node.value
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    return [text for text in literals if _POSSESSIVE_GROUP.search(text) or _ATOMIC in text]


@pytest.mark.parametrize("path", sorted(_ROOT.rglob("*.py")), ids=lambda path: path.relative_to(_ROOT).as_posix())
def test_no_group_is_possessive_or_atomic(path: Path) -> None:
    """A possessive quantifier stands after a character or a set only, never after a group.

    Before CPython 3.11.5, `(?:…)*+` matches wrongly where the group itself backtracks, and before 3.11.2 so does the
    atomic `(?>…)` around a look ahead. Nothing fails there: text just does not match, and a credential stays.
    """
    assert _faults(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("pattern", ["(?:ab)*+", "(a|b)++c", "(?:a)?+", "(a){0,4096}+", "(?:a){2}+", "(?>a)"])
def test_such_a_group_is_seen(pattern: str) -> None:
    assert _faults(f"X = r{pattern!r}\n") == [pattern]
    escaped = pattern.replace("{", "{{").replace("}", "}}")
    assert _faults(f"X = rf'{{Y}}{escaped}'\n") == [pattern]


@pytest.mark.parametrize("pattern", ["[ab]*+", "a{3,}+", "(?:a)*", r"\)*+", "(?:a)+b"])
def test_possessive_characters_are_fine(pattern: str) -> None:
    assert _faults(f"X = r'{pattern}'\n") == []
