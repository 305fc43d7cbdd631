"""Python by top-level definitions from `ast`: the module docstring first, then signatures, docstrings or all.

headers      the comment at the top and the module docstring
docstrings   these, and every class and function as decorators, signature and docstring
full         these, and every statement; a class is cut at its methods
"""

from __future__ import annotations

import ast
import re
import warnings
from typing import TYPE_CHECKING, TypeAlias

from askwell.parse.comments import Said, syntax_for
from askwell.parse.header import find_header
from askwell.parse.header_sections import split_header
from askwell.parse.headings import DEFAULT_SECTIONS
from askwell.parse.rows import rows_of, span_of
from askwell.types import Block, CodeMode, Parsed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from askwell.parse.rows import Row

_Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
_LARGE_CLASS = 40  # rows; a smaller class is one unit
_ATTRIBUTES = 30  # rows of attributes that belong to a class's outline
_QUOTES = re.compile(r"[rRuUbB]{0,2}(?:\"\"\"|'''|\"|')")


def parse(
    text: str, *, path: str, code: CodeMode = CodeMode.FULL, header_sections: Sequence[str] = DEFAULT_SECTIONS
) -> Parsed:
    """Return a module's blocks; plain text with a note where the file does not parse."""
    from askwell.parse import text as plain

    try:
        tree = _tree(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as fault:
        reason = fault.msg if isinstance(fault, SyntaxError) else type(fault).__name__
        return plain.parse(text, path=path, note=f"not valid Python: {reason}")
    rows = rows_of(text)
    blocks, start = _module_head(rows, tree, header_sections)
    if code is CodeMode.FULL:
        blocks.extend(_statements(rows, tree.body, start, len(rows)))
    elif code is CodeMode.DOCSTRINGS:
        blocks.extend(_outline(rows, tree.body, (), start))
    if not blocks and (whole := span_of(rows, 0, min(len(rows), _LARGE_CLASS))) is not None:
        blocks.append(Block(span=whole, role="code"))
    return Parsed(format="python", title=path.rsplit("/", 1)[-1], blocks=tuple(blocks), defines=_constants(tree))


def _tree(text: str) -> ast.Module:
    """Parse without printing warnings on the file's escapes.

    Raises:
        SyntaxError, ValueError, RecursionError, MemoryError: the file is no Python, or nests too deep.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text.replace("\r", " "))  # the tokenizer would count a carriage return as a line


def _module_head(rows: Sequence[Row], tree: ast.Module, sections: Sequence[str]) -> tuple[list[Block], int]:
    """Return the blocks of the header comment and the module docstring, and the first row after them."""
    header = find_header(rows, syntax_for("x.sh"), sections)
    said, start = header.said, header.stop
    blocks = list(split_header(said, rows, sections=sections)) if said else []
    docstring = _docstring(tree)
    if docstring is not None:
        first, stop = max(docstring.lineno - 1, start), docstring.end_lineno or docstring.lineno
        lines = [Said(at, rows[at].text) for at in range(first, min(stop, len(rows)))]
        if lines:
            lines[0] = Said(first, _QUOTES.sub("", lines[0].content, count=1))
            lines[-1] = Said(lines[-1].row, lines[-1].content.rstrip().rstrip("\"'"))
            blocks.extend(split_header(lines, rows, sections=sections))
        start = max(start, stop)
    return blocks, start


def _docstring(node: ast.Module | ast.ClassDef | _Function) -> ast.Expr | None:
    first = node.body[0] if node.body else None
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        return first
    return None


def _statements(rows: Sequence[Row], body: Sequence[ast.stmt], start: int, stop: int) -> Iterator[Block]:
    """Yield the rows ``[start, stop)`` as blocks: one a definition, one a paragraph of other statements."""
    first = done = start
    for node in body:
        begins, ends = _range(node)
        if ends <= done:
            continue
        begins = _with_comment(rows, max(begins, done), done)
        definition = isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        if definition or (begins > done and begins > first):
            yield from _code(rows, first, begins, ())
            first = begins
        if isinstance(node, ast.ClassDef) and ends - begins > _LARGE_CLASS:
            yield from _class(rows, node, begins, ends)
            first = ends
        elif isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _code(rows, begins, ends, (node.name,))
            first = ends
        done = ends
    yield from _code(rows, first, stop, ())


def _class(rows: Sequence[Row], node: ast.ClassDef, begins: int, ends: int) -> Iterator[Block]:
    """Yield a large class as its head, up to the first method, and its methods."""
    first = begins
    done = begins
    name: tuple[str, ...] = (node.name,)
    for inner in node.body:
        if not isinstance(inner, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        starts, stops = _range(inner)
        starts = _with_comment(rows, max(starts, done), done)
        if stops <= done:
            continue
        yield from _code(rows, first, starts, name)
        yield from _code(rows, starts, stops, (node.name, inner.name))
        first = done = stops
    yield from _code(rows, first, ends, name)


def _outline(rows: Sequence[Row], body: Sequence[ast.stmt], outer: tuple[str, ...], done: int) -> Iterator[Block]:
    """Yield each definition's decorators, signature and docstring, a class with its leading attributes."""
    for node in _definitions(body):
        begins = _range(node)[0]
        if begins < done:
            continue
        begins = _with_comment(rows, begins, done)
        done = _intent_stop(node)
        names = (*outer, node.name)
        yield from _code(rows, begins, done, names)
        if isinstance(node, ast.ClassDef) and not outer:
            yield from _outline(rows, node.body, names, done)
            done = _range(node)[1]


def _definitions(body: Sequence[ast.stmt]) -> Iterator[ast.ClassDef | _Function]:
    """Yield the definitions of a body, those under one `if` or `try` included, in order."""
    for node in body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node
        elif isinstance(node, ast.If | ast.Try):
            for inner in (*node.body, *node.orelse):
                if isinstance(inner, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                    yield inner


def _intent_stop(node: ast.ClassDef | _Function) -> int:
    """Return the row after a definition's docstring, or after its signature if it has none."""
    docstring = _docstring(node)
    if not isinstance(node, ast.ClassDef):
        if docstring is not None:
            return docstring.end_lineno or docstring.lineno
        return max(node.body[0].lineno - 1, node.lineno)
    stop = docstring.end_lineno if docstring is not None else None
    stop = stop or max(_range(node.body[0])[0], node.lineno)
    limit = stop + _ATTRIBUTES
    for inner in node.body[1 if docstring is not None else 0 :]:
        if not isinstance(inner, ast.Assign | ast.AnnAssign | ast.Expr) or (inner.end_lineno or 0) > limit:
            break
        stop = inner.end_lineno or stop
    return stop


def _code(rows: Sequence[Row], first: int, stop: int, names: tuple[str, ...]) -> Iterator[Block]:
    span = span_of(rows, first, min(stop, len(rows)))
    if span is not None:
        yield Block(span=span, headings=names, section=names[-1] if names else "", role="code")


def _range(node: ast.stmt) -> tuple[int, int]:
    """Return the rows ``[first, stop)`` of a statement, its decorators included."""
    decorators = getattr(node, "decorator_list", [])
    first = min([node.lineno, *(item.lineno for item in decorators)])
    return first - 1, node.end_lineno or node.lineno


def _with_comment(rows: Sequence[Row], first: int, done: int) -> int:
    """Return the first row of the comment right above a statement, not above row `done`."""
    while first > done and rows[first - 1].text.lstrip().startswith("#"):
        first -= 1
    return first


def _constants(tree: ast.Module) -> tuple[str, ...]:
    """Return names in capitals that the module assigns, and environment variables that it reads."""
    found: dict[str, None] = {}
    for node in tree.body:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        for target in targets:
            if isinstance(target, ast.Name) and target.id.isupper() and len(target.id) > 2:
                found.setdefault(target.id)
    for inner in ast.walk(tree):
        if not (isinstance(inner, ast.Call) and inner.args and isinstance(inner.func, ast.Attribute | ast.Name)):
            continue
        called = inner.func.attr if isinstance(inner.func, ast.Attribute) else inner.func.id
        owner = inner.func.value if isinstance(inner.func, ast.Attribute) else None
        environ = called == "getenv" or (
            called == "get" and isinstance(owner, ast.Attribute) and owner.attr == "environ"
        )
        name = inner.args[0]
        if environ and isinstance(name, ast.Constant) and isinstance(name.value, str) and name.value.isidentifier():
            found.setdefault(name.value)
    return tuple(found)
