"""Shell text → the commands in it, as a shell would run them: quotes removed, constants put in, pipelines kept.

The grammar is tree-sitter's for bash. What only a run could tell (a variable that is read in, what a program prints)
stays as it is written; what `echo` and `base64 -d` print is known.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST = 40_000
"""Characters that are read: longer than any script that a model writes."""

LONGEST_LINE = 2_000
"""Characters of a line that are read: the grammar takes time by the square of what is strung together."""

_DEEPEST = 60
_LONGEST_VALUE = 2_000  # characters of a variable: `x=$x$x` doubles
_MOST_WORDS = 2_000
_BRACES = re.compile(r"\{([^{}]*,[^{}]*)\}")
_BACKSLASH = re.compile(r"\\(\n)?(.?)", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One simple command.

    Attributes:
        words: Its name and arguments, without quotes.
        line: Where it begins, 1-based in the text.
        before: The earlier commands of its pipeline, first to last.
        inner: Commands in its substitutions, whose output is put into it or read by it.
        stdin: A here-document or here-string that it reads; empty if none.
        writes: What its output is written over (`>`), not appended to.
    """

    words: tuple[str, ...]
    line: int
    before: tuple[Command, ...] = ()
    inner: tuple[Command, ...] = ()
    stdin: str = ""
    writes: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Its name without the folder."""
        return self.words[0].rpartition("/")[2] if self.words else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shell:
    """What was found in a text."""

    commands: tuple[Command, ...]
    whole: bool  # whether all of it follows the grammar


def shell(text: str, *, line: int = 1) -> Shell:
    """Return the commands of a text, in order; those within functions, loops and substitutions too.

    Args:
        text: Of a script or a terminal; only its first `LONGEST` characters are read, and `LONGEST_LINE` of a line.
        line: The number of its first line.
    """
    read = "\n".join(row[:LONGEST_LINE] for row in text[:LONGEST].split("\n"))
    tree = _parser().parse(read.encode("utf-8", "surrogatepass"))
    reader = _Reader(line=line)
    reader.read(tree.root_node, 0)
    return Shell(commands=tuple(reader.found), whole=not tree.root_node.has_error and read == text)


_PARSERS: list[Any] = []  # Any: tree-sitter's


def _parser() -> Any:  # Any: tree-sitter's
    if not _PARSERS:
        import tree_sitter
        import tree_sitter_bash

        _PARSERS.append(tree_sitter.Parser(tree_sitter.Language(tree_sitter_bash.language())))
    return _PARSERS[0]


@dataclass(slots=True)
class _Reader:
    """Walks the tree in order, and knows what was assigned so far."""

    line: int
    found: list[Command] = field(default_factory=list)
    values: dict[str, list[str]] = field(default_factory=dict)
    _inner: list[Command] = field(default_factory=list)  # of the command that is being read
    _nesting: int = 0  # substitutions within substitutions

    def read(self, node: Any, depth: int) -> list[Command]:  # Any: a node
        """Add the commands below a node; return those that are its own pipeline's."""
        if depth > _DEEPEST:
            return []
        match node.type:
            case "command":
                return [self._command(node)]
            case "variable_assignment":
                self._assign(node)
                return []
            case "pipeline":
                return self._pipeline(node, depth)
            case "redirected_statement":
                return self._redirected(node, depth)
            case "declaration_command":
                return self._declared(node)
            case "comment" | "heredoc_body":
                return []
            case _:
                own: list[Command] = []
                for child in node.named_children:
                    own += self.read(child, depth + 1)
                return own

    def _pipeline(self, node: Any, depth: int) -> list[Command]:
        stages: list[Command] = []
        for child in node.named_children:
            at = len(self.found)
            own = self.read(child, depth + 1)
            for n in range(at, len(self.found)):
                if self.found[n] in own:
                    self.found[n] = replace(self.found[n], before=tuple(stages))
                    own = [self.found[n] if one.line == self.found[n].line and one.words == self.found[n].words
                           else one for one in own]  # fmt: skip
            stages += own
        return stages

    def _redirected(self, node: Any, depth: int) -> list[Command]:
        bodies = [child for child in node.named_children if not child.type.endswith("_redirect")]
        redirects = [child for child in node.named_children if child.type.endswith("_redirect")]
        own = [command for body in bodies for command in self.read(body, depth + 1)]
        stdin, writes = "", []
        for redirect in redirects:
            match redirect.type:
                case "heredoc_redirect":
                    stdin += self._heredoc(redirect)
                    # What is piped onwards stands behind the marker, inside of it.
                    later = [one for one in redirect.named_children if one.type in ("pipeline", "command", "list")]
                    onwards = [command for one in later for command in self._piped(one, own, stdin, depth)]
                    own = own + onwards
                case "herestring_redirect":
                    stdin += " ".join(word for child in redirect.named_children for word in self._words(child))
                case "file_redirect":
                    operator = next((child.type for child in redirect.children if not child.is_named), ">")
                    if operator == "<":
                        read = [child for child in redirect.named_children if child.type == "process_substitution"]
                        stdin += " ".join(word for child in read for word in self._words(child))
                    if operator in (">", ">|", "&>", ">&"):
                        writes += [word for child in redirect.named_children if child.type != "file_descriptor"
                                   for word in self._words(child)]  # fmt: skip
                case _:
                    pass
        if not own:
            own = [self._add(Command(words=(), line=self._line(node)))]
        last = own[-1]
        changed = replace(
            last, stdin=last.stdin + stdin, writes=(*last.writes, *writes), inner=(*last.inner, *self._taken())
        )
        self._put(last, changed)
        return [*own[:-1], changed]

    def _piped(self, node: Any, before: list[Command], stdin: str, depth: int) -> list[Command]:
        fed = [replace(one, stdin=stdin) for one in before]
        at = len(self.found)
        own = self.read(node, depth + 1)
        for n in range(at, len(self.found)):
            self.found[n] = replace(self.found[n], before=(*fed, *self.found[n].before))
        return [self.found[n] for n in range(at, len(self.found))] or own

    def _heredoc(self, node: Any) -> str:
        quoted = any(child.type == "heredoc_start" and child.text[:1] in b"'\"\\" for child in node.named_children)
        body = next((child for child in node.named_children if child.type == "heredoc_body"), None)
        if body is None:
            return ""
        text = _text(body)
        if quoted:
            return text
        return re.sub(r"\$\{?(\w+)\}?", lambda found: " ".join(self.values.get(found[1], [found[0]])), text)

    def _command(self, node: Any) -> Command:
        kept, self._inner = self._inner, []
        words: list[str] = []
        stdin: list[str] = []
        for child in node.named_children:
            match child.type:
                case "variable_assignment":
                    self._assign(child)
                case "command_name":
                    words += [word for inner in child.named_children for word in self._words(inner)]
                case "herestring_redirect":
                    stdin += [word for inner in child.named_children for word in self._words(inner)]
                case "file_redirect" | "heredoc_redirect":
                    pass
                case _:
                    words += self._words(child)
        made = Command(
            words=tuple(words[:_MOST_WORDS]), line=self._line(node), inner=tuple(self._inner), stdin=" ".join(stdin)
        )
        self._inner = kept
        return self._add(made)

    def _declared(self, node: Any) -> list[Command]:
        words = [node.children[0].type if node.children else "declare"]
        for child in node.named_children:
            if child.type == "variable_assignment":
                self._assign(child)
            else:
                words += self._words(child)
        return [self._add(Command(words=tuple(words), line=self._line(node), inner=tuple(self._taken())))]

    def _assign(self, node: Any) -> None:
        name, *values = [child for child in node.named_children if child.type != "subscript"] or [None]
        if name is None or name.type != "variable_name":
            return
        words = [word for value in values for word in self._words(value)]
        before = self.values.get(_text(name), []) if b"+=" in node.text[:200] else []
        value = [*before, *words]
        if sum(map(len, value)) <= _LONGEST_VALUE:
            self.values[_text(name)] = value

    def _words(self, node: Any) -> list[str]:
        """Return the words that a node becomes: several where an array or an unquoted value is put in."""
        match node.type:
            case "word" | "extglob_pattern" | "test_operator":
                return _braced(_BACKSLASH.sub(lambda found: "" if found[1] else found[2], _text(node)))
            case "raw_string":
                return [_text(node)[1:-1]]
            case "ansi_c_string":
                return [_ansi(_text(node)[2:-1])]
            case "string" | "translated_string":
                if len(node.named_children) == 1 and _is_array(node.named_children[0]):
                    return self._words(node.named_children[0])
                return ["".join(self._quoted(node))]
            case "concatenation":
                pieces = [" ".join(self._words(child)) for child in node.named_children]
                return _braced("".join(pieces))
            case "array":
                return [word for child in node.named_children for word in self._words(child)]
            case "simple_expansion" | "expansion":
                return self._expanded(node)
            case "command_substitution" | "process_substitution":
                return self._substituted(node)
            case _:
                return [_text(node)]

    def _quoted(self, node: Any) -> Iterator[str]:
        for child in node.children:
            if child.type == "string_content":
                yield re.sub(r'\\([$`"\\\n])', r"\1", _text(child))
            elif child.is_named:
                yield " ".join(self._words(child))

    def _expanded(self, node: Any) -> list[str]:
        name = next((child for child in node.named_children if child.type in ("variable_name", "subscript")), None)
        if name is None:
            return [_text(node)]
        if name.type == "subscript":
            name = name.named_children[0]
        if _text(name) in self.values:
            return [part for value in self.values[_text(name)] for part in (value.split() or [""])]
        if any(child.type in (":-", "-", ":=", "=") for child in node.children):
            return [word for child in node.named_children[1:] for word in self._words(child)]
        return [_text(node)]

    def _substituted(self, node: Any) -> list[str]:
        if self._nesting > _DEEPEST:
            return [_text(node)]
        at = len(self.found)
        self._nesting += 1
        for child in node.named_children:
            self.read(child, 0)
        self._nesting -= 1
        commands = self.found[at:]
        self._inner += commands
        said = printed(commands[-1]) if commands else ""
        return said.split() if said else [_text(node)]

    def _add(self, command: Command) -> Command:
        self.found.append(command)
        return command

    def _put(self, old: Command, new: Command) -> None:
        for n in range(len(self.found) - 1, -1, -1):
            if self.found[n] is old or self.found[n] == old:
                self.found[n] = new
                return

    def _taken(self) -> list[Command]:
        taken, self._inner = self._inner, []
        return taken

    def _line(self, node: Any) -> int:
        row: int = node.start_point[0]
        return self.line + row


def printed(command: Command) -> str:
    """Return what a command prints, where its text alone says so; empty if it does not."""
    name, *rest = command.words or ("",)
    name = name.rpartition("/")[2]
    if name in ("echo", "printf"):
        said = " ".join(word for word in rest if word not in ("-n", "-e", "-E", "-ne", "-en", "--", "%s", "%b"))
        return _ansi(said) if "\\x" in said or "\\0" in said else said
    if name == "cat" and not rest:
        return command.stdin
    if name in ("base64", "openssl") and set(rest) & {"-d", "--decode", "-D"}:
        given = command.stdin or (printed(command.before[-1]) if command.before else "")
        with_padding = given.strip() + "=" * (-len(given.strip()) % 4)
        try:
            return base64.b64decode(with_padding, validate=True).decode("utf-8", "replace")
        except (binascii.Error, ValueError):
            return ""
    if name == "rev":
        given = command.stdin or (printed(command.before[-1]) if command.before else "")
        return "\n".join(line[::-1] for line in given.split("\n"))
    return ""


def _is_array(node: Any) -> bool:
    return node.type == "expansion" and any(child.type == "subscript" for child in node.named_children)


def _text(node: Any) -> str:
    raw: bytes = node.text
    return raw.decode("utf-8", "replace")


def _ansi(text: str) -> str:
    try:
        return codecs.decode(text.encode("latin-1", "backslashreplace"), "unicode_escape")
    except (UnicodeDecodeError, ValueError):
        return text


def _braced(text: str) -> list[str]:
    """Return the words of a brace list: `-{r,f}` is `-r` and `-f`."""
    found = [text]
    for _ in range(3):
        if not any(_BRACES.search(word) for word in found) or len(found) > 50:
            break
        opened: list[str] = []
        for word in found:
            match = _BRACES.search(word)
            if match is None:
                opened.append(word)
            else:
                opened += [word[: match.start()] + part + word[match.end() :] for part in match[1].split(",")]
        found = opened
    return found
