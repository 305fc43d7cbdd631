"""Decides which document a pointer means, as Obsidian, documentation sites and scripts mean it.

edge ─▶ LINK EMBED TOPIC   the path as written ─▶ the end of a path ─▶ an alias ─▶ a permalink ─▶ a folder's page
     ─▶ CALL               the path as written ─▶ the end of a path ─▶ the script's name
     ─▶ MENTION            the document that defines the name
     ─▶ TAG                nothing: a tag is no document

Never leaves the source of the document that points. Among several that fit: the pointing document's own folder
first, then the fewest folders, then the nearest common folder, then path order.
"""

from __future__ import annotations

import posixpath
import re
import unicodedata
from bisect import bisect_left
from collections import defaultdict
from typing import TYPE_CHECKING

from askwell.types import EdgeKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from askwell.ids import DocumentId
    from askwell.ports import Name
    from askwell.types import Edge

COMMON_DEFINITION = 8
"""A setting that more documents of one sort than this define (`--help`, `LOG_FILE`) points at none of them."""

_CONFIG_FILE = re.compile(
    r"\.(?:conf|cfg|cnf|ini|toml|env|properties|ya?ml|template|example|sample|dist)\Z", re.IGNORECASE
)
_NOTE_EXTENSION = re.compile(r"\.(?:md|markdown|mdx|rst)\Z", re.IGNORECASE)
_PAGE_EXTENSION = re.compile(r"\.html?\Z", re.IGNORECASE)
_ADDRESS = re.compile(r"(?:[a-z][a-z0-9+.-]{1,20}:)?//[^/]|(?:mailto|tel|data|javascript):", re.IGNORECASE)
_DOTS = re.compile(r"(?:\.{1,2}/)+")
_FOLDER_PAGES = frozenset({"index", "_index", "readme"})


class Resolver:
    """Every document's names, indexed once; resolving looks up and never scans."""

    def __init__(self, names: Iterable[Name]) -> None:
        """Index `names`; their order does not matter."""
        by_source: defaultdict[str, list[Name]] = defaultdict(list)
        for name in names:
            by_source[name.source].append(name)
        self._sources = {source: _SourceIndex(found) for source, found in by_source.items()}

    def resolve(self, edge: Edge, *, origin: Name | tuple[str, str]) -> DocumentId | None:
        """Return the document that `edge` points at, or None if its origin's source has none.

        Args:
            edge: Its target decoded, without fragment. An empty target is the origin itself.
            origin: The document it stands in, or that document's source and path.
        """
        source, path = origin if isinstance(origin, tuple) else (origin.source, origin.path)
        index = self._sources.get(source)
        if index is None:
            return None
        match edge.kind:
            case EdgeKind.TAG:
                return None
            case EdgeKind.MENTION:
                return index.definition(edge.target, origin=path)
            case EdgeKind.CALL:
                return index.script(edge.target.strip(), origin=path)
            case EdgeKind.LINK | EdgeKind.EMBED | EdgeKind.TOPIC:
                return index.page(edge.target.strip(), origin=path)


class _Choice:
    """The documents that one key fits, ready to be chosen from."""

    __slots__ = ("_by_folder", "_ids", "_parts")

    def __init__(self, found: Iterable[Name]) -> None:
        ordered = sorted(found, key=lambda name: (name.path.count("/"), name.path.split("/"), name.id))
        fewest = ordered[0].path.count("/")
        nearest = [name for name in ordered if name.path.count("/") == fewest]
        self._ids = [name.id for name in nearest]
        self._parts = [name.path.split("/") for name in nearest]
        self._by_folder: dict[str, DocumentId] = {}
        for name in ordered:
            self._by_folder.setdefault(_folder(name.path), name.id)

    def best(self, folder: str) -> DocumentId:
        """Return the candidate for a pointer from `folder`, by the module's order."""
        if (same := self._by_folder.get(folder)) is not None:
            return same
        if len(self._ids) == 1 or not folder:
            return self._ids[0]
        here = folder.split("/")
        at = bisect_left(self._parts, here)  # who shares most with `here` stands next to where it would stand
        shared = max(_shared(self._parts[i], here) for i in (at - 1, at) if 0 <= i < len(self._parts))
        return self._ids[bisect_left(self._parts, here[:shared])]


class _Table:
    """Key → documents; the choice among them is prepared when a key is first asked for."""

    __slots__ = ("_choices", "_names")

    def __init__(self) -> None:
        self._names: defaultdict[str, list[Name]] = defaultdict(list)
        self._choices: dict[str, _Choice] = {}

    def add(self, key: str, name: Name) -> None:
        """Let `key` mean `name`."""
        self._names[key].append(name)

    def add_ends(self, key: str, name: Name) -> None:
        """Let a path and each of its ends (`a/b/c`, `b/c`, `c`) mean `name`."""
        self._names[key].append(name)
        at = key.find("/")
        while at >= 0:
            self._names[key[at + 1 :]].append(name)
            at = key.find("/", at + 1)

    def count(self, key: str) -> int:
        """Return how many documents `key` fits."""
        return len(self._names.get(key, ()))

    def best(self, key: str, *, folder: str) -> DocumentId | None:
        """Return the best document for `key`, or None."""
        choice = self._choices.get(key)
        if choice is None:
            found = self._names.get(key)
            if not found:
                return None
            choice = self._choices[key] = _Choice(found)
        return choice.best(folder)


class _SourceIndex:
    """The names of one source."""

    def __init__(self, names: Sequence[Name]) -> None:
        self._exact = {name.path: name.id for name in names}
        self._defined_by = {name.path: frozenset(name.defines) for name in names if name.defines}
        self._whole, self._whole_pages = _Table(), _Table()
        self._ends, self._stem_ends, self._page_ends = _Table(), _Table(), _Table()
        self._aliases, self._permalinks = _Table(), _Table()
        self._settings, self._definitions = _Table(), _Table()
        for name in names:
            key = _key(name.path)
            self._whole.add(key, name)
            self._ends.add_ends(key, name)
            stem = _NOTE_EXTENSION.sub("", key)
            if stem != key:
                self._whole.add(stem, name)
                self._stem_ends.add_ends(stem, name)
                above, _, last = stem.rpartition("/")
                if above and last in _FOLDER_PAGES:
                    self._whole_pages.add(above, name)
                    self._page_ends.add_ends(above, name)
            for alias in set(name.aliases):
                self._aliases.add(_key(alias.strip()), name)
            if permalink := name.permalink.strip().strip("/"):
                self._permalinks.add(_key(permalink), name)
            definitions = self._settings if _CONFIG_FILE.search(name.path) else self._definitions
            for definition in set(name.defines):
                definitions.add(definition, name)

    def page(self, target: str, *, origin: str) -> DocumentId | None:
        """Return the note or page that a link in `origin` means."""
        if not target:
            return self._exact.get(origin)
        if _ADDRESS.match(target):
            return None
        found = self._page(target, origin)
        if found is None and _PAGE_EXTENSION.search(target):
            found = self._page(_PAGE_EXTENSION.sub("", target), origin)
        return found

    def script(self, target: str, *, origin: str) -> DocumentId | None:
        """Return the script that a call in `origin` means: by path where that leads somewhere, else by name."""
        folder = _folder(origin)
        found = self._at(_joined(folder, target)) or self._at(_joined("", target.lstrip("/")))
        if found is not None:
            return found
        key = _key(_DOTS.sub("", target.strip("/"), count=1))
        return self._ends.best(key, folder=folder) or self._ends.best(key.rpartition("/")[2], folder=folder)

    def definition(self, target: str, *, origin: str) -> DocumentId | None:
        """Return the document other than `origin` that defines a setting: a configuration file before a script."""
        if target in self._defined_by.get(origin, ()):
            return None
        table = self._settings if self._settings.count(target) else self._definitions
        return table.best(target, folder=_folder(origin)) if table.count(target) <= COMMON_DEFINITION else None

    def _page(self, target: str, origin: str) -> DocumentId | None:
        folder = _folder(origin)
        plain = target.strip("/")
        if _DOTS.match(target) or target in (".", ".."):
            below = _NOTE_EXTENSION.sub("", origin)  # a page's address is a folder: `../x/` in it starts there
            return self._at(_joined(folder, target)) or self._at(_joined(below, target))
        if target.startswith("/"):
            return self._at(_joined("", plain)) or self._by_end(plain, folder) or self._page_by_end(plain, folder)
        here, root = _joined(folder, plain), _joined("", plain)
        note_from_root = "/" in plain and not _NOTE_EXTENSION.search(
            plain
        )  # written by Obsidian, not by Markdown's rule
        first, second = (root, here) if note_from_root else (here, root)
        found = self._document(first) or (self._document(second) if "/" in plain else None)
        if found is None:
            key = _key(plain)
            found = (
                self._by_end(plain, folder)
                or self._aliases.best(_key(target), folder=folder)
                or self._permalinks.best(key, folder=folder)
                or self._at(here)
                or self._at(root)
            )
        if found is None and "/" in target:
            found = self._page_by_end(plain, folder)
        return found

    def _at(self, path: str | None) -> DocumentId | None:
        """Return the document at a whole path, or the page of the folder at that path."""
        return self._document(path) or (None if path is None else self._whole_pages.best(_key(path), folder=""))

    def _document(self, path: str | None) -> DocumentId | None:
        """Return the document at a whole path, with or without a note's extension; exact spelling first."""
        if path is None:
            return None
        return self._exact.get(path) or self._whole.best(_key(path), folder="")

    def _by_end(self, path: str, folder: str) -> DocumentId | None:
        key = _key(path)
        return self._ends.best(key, folder=folder) or self._stem_ends.best(key, folder=folder)

    def _page_by_end(self, path: str, folder: str) -> DocumentId | None:
        return self._page_ends.best(_key(path), folder=folder)


def _key(text: str) -> str:
    """Return what two spellings of a name have in common: case and composition do not count."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _joined(folder: str, target: str) -> str | None:
    """Return `target` seen from `folder`, or None if it leads out of the source."""
    path = f"{folder}/{target}" if folder else target
    if "./" in path or "//" in path or path.endswith(("/", "/.", "/..")) or path in (".", ".."):
        path = posixpath.normpath(path)
    if path == "." or path == ".." or path.startswith(("../", "/")):
        return None
    return path


def _shared(parts: Sequence[str], here: Sequence[str]) -> int:
    """Return how many leading folders a path has in common with a folder."""
    count = 0
    for part, other in zip(parts[:-1], here, strict=False):
        if part != other:
            break
        count += 1
    return count
