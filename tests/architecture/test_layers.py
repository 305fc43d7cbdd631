"""The dependency rules of docs/architecture.md, executed over the source tree."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2] / "src" / "askwell"

NOUNS = {"types", "ids", "errors", "globs", "formats", "terms", "stopwords"}
PORTS = NOUNS | {"ports"}
PURE_PARTS = {"parse", "chunk", "links", "rank", "ask", "privacy"}
PURE = PORTS | PURE_PARTS
CORE_PARTS = {
    "answer", "arms", "asking", "calibrating", "completing", "embedding", "engine", "evidence", "explain", "fallback",
    "indexing", "languages", "listing", "members", "neighbours", "observing", "places", "plain", "planning",
    "prepare", "preview", "recording", "reply", "retrieve", "rules", "shorten", "standing", "surroundings", "sync",
    "veil",
}  # fmt: skip
CORE = PURE | CORE_PARTS
HELD_OPEN = {"sources", "stores", "models", "records", "web"}
SETTINGS = {"settings", "config", "overrides"}

ALLOWED: dict[str, set[str]] = {
    "__init__": set(),
    "idle": set(),
    **dict.fromkeys(NOUNS, NOUNS),
    "ports": PORTS,
    **dict.fromkeys(PURE_PARTS, PURE),
    **dict.fromkeys(CORE_PARTS, CORE),
    **{part: PORTS | {part} for part in HELD_OPEN},
    "testing": PORTS | {"testing", "stores"},
    "settings": NOUNS | {"settings"},
    "overrides": NOUNS | {"settings", "overrides"},
    "config": NOUNS | SETTINGS,
    "compose": CORE | HELD_OPEN | SETTINGS | {"compose"},
    "wire": CORE | {"wire"},
    "checkup": CORE | SETTINGS | {"compose", "checkup"},
    "eval": CORE | {"eval"},
    "cli": CORE
    | SETTINGS
    | {"cli", "idle", "compose", "wire", "checkup", "eval", "sources", "records", "server", "__init__"},
    "server": CORE | SETTINGS | {"server", "compose", "records", "wire", "checkup", "eval", "__init__"},
    "__main__": {"cli", "idle"},
}
"""Module or package directly under `askwell` → what of ours it may import."""

THIRD_PARTY_HOMES = {"server", "sources", "parse", "stores", "models", "testing", "eval", "web"}
NUMBERS = {"embedding": {"numpy"}}
"""The vector pass handles matrices; nothing else of the core touches a third-party name."""

MODULES = sorted(ROOT.rglob("*.py"))


def part_of(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def imports(path: Path, *, at_run_time: bool = False) -> set[str]:
    """Return dotted names that a module imports; without those under `if TYPE_CHECKING:` if asked."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    typing_only: set[ast.AST] = set()
    for node in ast.walk(tree):
        if at_run_time and isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            typing_only |= set(ast.walk(node))
    found: set[str] = set()
    for node in ast.walk(tree):
        if node in typing_only:
            continue
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"askwell.{alias.name}" for alias in node.names} if node.module == "askwell" else {node.module}
    return found


def test_every_part_has_its_rule() -> None:
    assert {part_of(path) for path in MODULES} <= set(ALLOWED)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_down(path: Path) -> None:
    own = {name.split(".")[1] for name in imports(path) if name.startswith("askwell.")}
    own.discard("__version__")
    assert own <= ALLOWED[part_of(path)]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_third_party_names_stay_at_the_edges(path: Path) -> None:
    part = part_of(path)
    if part in THIRD_PARTY_HOMES:
        return
    foreign = {name.split(".")[0] for name in imports(path, at_run_time=True)} - {"askwell"}
    assert foreign - set(sys.stdlib_module_names) <= NUMBERS.get(part, set())


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_modules_stay_small_and_say_what_they_decide(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") <= 400
    assert ast.get_docstring(ast.parse(text)), "a module says what it decides"
    assert path.stem not in {"utils", "util", "helpers", "common", "base", "manager", "misc"}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_only_the_outermost_frame_catches_everything(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    broad = [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.ExceptHandler)
        and (node.type is None or ast.unparse(node.type) in {"Exception", "BaseException"})
    ]
    assert not broad or path in {ROOT / "cli" / "main.py", ROOT / "server" / "mcp" / "protocol.py"}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_sql_stays_in_the_stores(path: Path) -> None:
    if part_of(path) == "stores":
        return
    text = path.read_text(encoding="utf-8")
    assert not any(word in text for word in ("SELECT ", "INSERT INTO", "DELETE FROM", "CREATE TABLE"))
