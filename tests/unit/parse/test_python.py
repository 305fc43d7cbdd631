from __future__ import annotations

import pytest

from askwell.parse.python import parse
from askwell.types import Block, CodeMode

MODULE = '''#!/usr/bin/env python3
"""Counts sheep.

# ━━━ PURPOSE ━━━
Sleep.

# ━━━ CONFIGURATION ━━━
SHEEP_MAX   how many (default: 100)
"""

import os

SHEEP_MAX = int(os.environ.get("SHEEP_LIMIT", "100"))


# Kept in order.
@dataclass
class Flock:
    """A number of sheep."""

    size: int = 0

    def count(self) -> int:
        """Count them, once."""
        secret_count = 1
        return secret_count


def main() -> None:
    # No docstring here.
    print(Flock())
'''


def shown(text: str, blocks: tuple[Block, ...]) -> list[tuple[tuple[str, ...], str]]:
    return [(block.headings, block.span.slice(text)) for block in blocks]


def test_headers_are_the_module_docstring_by_its_sections() -> None:
    assert shown(MODULE, parse(MODULE, path="sheep.py", code=CodeMode.HEADERS).blocks) == [
        ((), '"""Counts sheep.'),
        (("PURPOSE",), "Sleep."),
        (("CONFIGURATION",), "SHEEP_MAX   how many (default: 100)"),
    ]


def test_docstrings_are_signatures_with_what_they_promise() -> None:
    parsed = parse(MODULE, path="sheep.py", code=CodeMode.DOCSTRINGS)
    assert shown(MODULE, parsed.blocks)[3:] == [
        (("Flock",), '# Kept in order.\n@dataclass\nclass Flock:\n    """A number of sheep."""\n\n    size: int = 0'),
        (
            ("Flock", "count"),
            '    def count(self) -> int:\n        """Count them, once."""',
        ),
        (("main",), "def main() -> None:\n    # No docstring here."),
    ]


def test_everything_written_is_in_full() -> None:
    blocks = parse(MODULE, path="sheep.py", code=CodeMode.FULL).blocks
    kept = "".join(block.span.slice(MODULE) for block in blocks)
    assert [block.headings for block in blocks[3:]] == [(), (), ("Flock",), ("main",)]
    for piece in ("import os", "SHEEP_MAX = int", "secret_count = 1", "print(Flock())"):
        assert piece in kept


def test_a_large_class_is_cut_at_its_methods() -> None:
    methods = "".join(f"    def m{n}(self):\n        return {n}\n\n" for n in range(20))
    text = f"class Big:\n    limit = 1\n\n{methods}"
    blocks = parse(text, path="big.py").blocks
    assert blocks[0].headings == ("Big",)
    assert [block.headings for block in blocks[1:]] == [("Big", f"m{n}") for n in range(20)]


def test_settings_are_constants_and_environment_variables() -> None:
    assert parse(MODULE, path="sheep.py").defines == ("SHEEP_MAX", "SHEEP_LIMIT")


@pytest.mark.parametrize(
    "text",
    ["def f(:\n", "print 'old'\n", "x = " + "(" * 5_000, "x = " + "-" * 50_000 + "1", "x = 1\0", "if a:\n"],
)
def test_what_does_not_parse_is_text(text: str) -> None:
    parsed = parse(text, path="old.py")
    assert parsed.format == "text"
    assert parsed.note.startswith("not valid Python: ")
    assert parsed.blocks


def test_a_module_without_a_docstring_is_found_by_its_first_lines() -> None:
    text = "import a\n" + "x = 1\n" * 100
    blocks = parse(text, path="a.py", code=CodeMode.HEADERS).blocks
    assert [block.span.start for block in blocks] == [0]
    assert len(blocks[0].span.slice(text)) < len(text)


def test_invalid_escapes_and_carriage_returns_are_quiet() -> None:
    text = 'x = "\\d"\r\ny = 2\rz = 3\n\n\ndef f():\n    pass\n'
    blocks = parse(text, path="a.py").blocks
    assert blocks[-1].span.slice(text) in ("def f():\n    pass", text.strip())
