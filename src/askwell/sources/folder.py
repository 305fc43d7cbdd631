"""Lists a folder: files of known kinds, hidden and excluded folders left out, ignore files honoured."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from askwell.errors import SourceError, UnreadableFile
from askwell.sources.identity import identify, nfc, shown
from askwell.sources.ignores import IGNORE_FILES, Ignores, deeper, unlisted
from askwell.sources.reading import look_at, read_file, stat_of
from askwell.sources.selection import MAX_BYTES, Held, Selection, judge_file
from askwell.types import Entry, Listing, Skipped, SourceType

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from askwell.types import FileStat, RawFile


class FolderSource:
    """A folder on disk. Symbolic links are not followed; what is neither file nor folder is never opened."""

    def __init__(
        self,
        name: str,
        root: Path,
        *,
        include: tuple[str, ...] = (),
        exclude: tuple[str, ...] = (),
        extra_extensions: frozenset[str] = frozenset(),
        max_bytes: int = MAX_BYTES,
        allow_secrets: tuple[str, ...] = (),
    ) -> None:
        self._name = name
        self._root = root
        self._selection = Selection(
            include=include,
            exclude=exclude,
            extra_extensions=extra_extensions,
            max_bytes=max_bytes,
            allow_secrets=allow_secrets,
        )
        self._on_disk: dict[str, bytes] | None = None
        self._watched: tuple[bytes, ...] = ()

    @property
    def name(self) -> str:
        """Its name in citations, filters and document identities."""
        return self._name

    @property
    def type(self) -> SourceType:
        """How it is listed."""
        return SourceType.FOLDER

    def list(self) -> Listing:
        """List every document, in path order.

        Raises:
            SourceError: the root is gone, is no folder or may not be listed.
        """
        root = checked_root(self._root)
        walk = _Walk(root=root, selection=self._selection)
        walk.run()
        listing, self._on_disk = listed(walk.taken, walk.held, walk.problems)
        self._watched = tuple(root + b"/" + raw for raw in walk.seen)
        return listing

    def watched(self) -> tuple[bytes, ...]:
        """Return every folder that was entered and every file met in it, taken or not."""
        return self._watched

    def read(self, path: str) -> RawFile:
        """Read one listed document by its identity path; bytes and stat come from one open file.

        Raises:
            UnreadableFile: it is not listed, gone, refused, grew past the size limit or is no regular file.
        """
        if self._on_disk is None:
            self.list()
        on_disk = self._on_disk or {}
        raw = on_disk.get(path) or on_disk.get(nfc(path))
        if raw is None:
            raise UnreadableFile("not a document of this source")
        return read_file(os.fsencode(self._root), raw, max_bytes=self._selection.max_bytes)

    def look(self, path: str) -> FileStat | None:
        """Return the stat of one document's file as it is now, None if there is none.

        The source is listed only for a name that may be another on disk than it is shown by.
        """
        root = os.fsencode(self._root)
        plain = look_at(root, path.encode())
        if plain is not None or (path.isascii() and "\\" not in path):
            return plain
        try:
            if self._on_disk is None:
                self.list()
        except SourceError:
            return None
        raw = (self._on_disk or {}).get(path)
        return look_at(root, raw) if raw is not None else None


def listed(
    taken: Mapping[bytes, os.stat_result], held: Mapping[bytes, str], problems: Sequence[str]
) -> tuple[Listing, dict[str, bytes]]:
    """Return a listing in path order, and where on disk each of its documents is.

    Args:
        taken: On-disk path → stat of what is a document.
        held: On-disk path → reason of what is held back.
        problems: What could not be seen, in words.
    """
    names = identify([*taken, *held])
    entries: list[Entry] = []
    skipped: list[Skipped] = []
    for path in sorted(names):
        raw = names[path]
        if (found := taken.get(raw)) is not None:
            entries.append(Entry(path=path, stat=stat_of(found)))
        else:
            skipped.append(Skipped(path=path, reason=held[raw]))
    more = f" and {len(problems) - 3} more" if len(problems) > 3 else ""
    listing = Listing(entries=tuple(entries), skipped=tuple(skipped), incomplete="; ".join(problems[:3]) + more)
    return listing, {entry.path: names[entry.path] for entry in entries}


def checked_root(root: Path) -> bytes:
    """Return the root as bytes.

    Raises:
        SourceError: there is no folder at `root`.
    """
    try:
        found = root.stat()
    except OSError as error:
        if isinstance(error, FileNotFoundError):
            raise SourceError(f"no folder at {str(root)!r}", hint="check the path of the source") from error
        raise SourceError(
            f"{str(root)!r} cannot be opened: {unlisted(error)}", hint="check the path and its permissions"
        ) from error
    if not stat.S_ISDIR(found.st_mode):
        raise SourceError(f"{str(root)!r} is not a folder", hint="name the folder that it lies in")
    return os.fsencode(root)


@dataclass(slots=True, kw_only=True)
class _Walk:
    """One pass over the folders, without recursion: what it found, held back and could not see."""

    root: bytes
    selection: Selection
    taken: dict[bytes, os.stat_result] = field(default_factory=dict)
    held: dict[bytes, str] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    seen: list[bytes] = field(default_factory=list)

    def run(self) -> None:
        """Visit every folder that is not left out.

        Raises:
            SourceError: the root itself may not be listed.
        """
        excluded = frozenset(os.fsencode(name) for name in self.selection.excluded_folders())
        waiting: list[tuple[bytes, tuple[Ignores, ...]]] = [(b"", ())]
        while waiting:
            folder, above = waiting.pop()
            try:
                with os.scandir(self.root + b"/" + folder) as scan:
                    members = tuple(scan)
                ignoring = [m.name for m in members if m.name in IGNORE_FILES]
                rules = deeper(above, self.root, folder, ignoring)
            except (OSError, UnreadableFile) as error:
                reason = unlisted(error) if isinstance(error, OSError) else f"an ignore file: {error}"
                if not folder:
                    raise SourceError(
                        f"{os.fsdecode(self.root)!r} cannot be listed: {reason}", hint="check its permissions"
                    ) from error
                self.problems.append(f"{shown(folder)!r} could not be listed: {reason}")
                continue
            self.seen += [folder, *(folder + name for name in ignoring)]
            for member in members:
                raw = folder + member.name
                try:
                    if self._visit(raw, member, rules, excluded):
                        waiting.append((raw + b"/", rules))
                except FileNotFoundError:  # gone since the folder was read
                    continue
                except OSError as error:
                    self.problems.append(f"{shown(raw)!r} could not be seen: {unlisted(error)}")

    def _visit(
        self, raw: bytes, member: os.DirEntry[bytes], rules: tuple[Ignores, ...], excluded: frozenset[bytes]
    ) -> bool:
        """Judge one member of a folder; return whether it is a folder to go on with."""
        is_folder = member.is_dir(follow_symlinks=False)
        if is_folder and (member.name.startswith(b".") or member.name in excluded):
            return False
        path = shown(raw)
        if any(rule.ignore(path, folder=is_folder) for rule in rules if rule.chain):
            return False
        if is_folder:
            return not self.selection.prunes(path)
        self.seen.append(raw)
        found = member.stat(follow_symlinks=False)
        by_name = self.selection.judge_name(path, executable=bool(found.st_mode & 0o111))
        if by_name == "leave":
            return False
        if stat.S_ISLNK(found.st_mode):
            self.held[raw] = "a symbolic link: not followed"
        elif not stat.S_ISREG(found.st_mode):
            self.held[raw] = "not a regular file"
        elif isinstance(verdict := judge_file(self.root, raw, path, found, self.selection, by_name=by_name), Held):
            self.held[raw] = verdict.reason
        elif verdict == "take":
            self.taken[raw] = found
        return False
