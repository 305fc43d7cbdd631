"""A source without files: documents are what a test says, stamps move when it says so."""

from __future__ import annotations

from askwell.errors import SourceError, UnreadableFile
from askwell.types import Entry, FileStat, Listing, RawFile, Skipped, SourceType


class MemorySource:
    """Documents by path. `put` changes one and its stamp; `touch` changes the stamp alone."""

    def __init__(self, name: str = "notes", *, type: SourceType = SourceType.FOLDER) -> None:
        """Take its name; there is nothing in it."""
        self._name = name
        self._type = type
        self._files: dict[str, tuple[bytes, FileStat]] = {}
        self._clock = 0
        self.skipped: dict[str, str] = {}  # path → reason
        self.unreadable: set[str] = set()
        self.incomplete = ""
        self.down = ""  # why it cannot be listed at all
        self.reads: list[str] = []

    @property
    def name(self) -> str:
        """As it was made."""
        return self._name

    @property
    def type(self) -> SourceType:
        """As it was made."""
        return self._type

    def put(self, path: str, text: str | bytes) -> None:
        """Write a document."""
        raw = text.encode() if isinstance(text, str) else text
        self._files[path] = (raw, self._stamp(len(raw)))

    def touch(self, path: str) -> None:
        """Give a document a new stamp over the same bytes."""
        raw, _ = self._files[path]
        self._files[path] = (raw, self._stamp(len(raw)))

    def move(self, old: str, new: str) -> None:
        """Rename a document."""
        self._files[new] = self._files.pop(old)

    def drop(self, *paths: str) -> None:
        """Delete documents."""
        for path in paths:
            del self._files[path]

    def list(self) -> Listing:
        """List every document.

        Raises:
            SourceError: it is down.
        """
        if self.down:
            raise SourceError(self.down)
        return Listing(
            entries=tuple(Entry(path=path, stat=stat) for path, (_, stat) in sorted(self._files.items())),
            skipped=tuple(Skipped(path=path, reason=why) for path, why in sorted(self.skipped.items())),
            incomplete=self.incomplete,
        )

    def look(self, path: str) -> FileStat | None:
        """Return a document's stamp."""
        return self._files[path][1] if path in self._files else None

    def watched(self) -> tuple[bytes, ...]:
        """Return nothing: there are no files whose stats could be compared."""
        return ()

    def read(self, path: str) -> RawFile:
        """Read one document.

        Raises:
            UnreadableFile: it is not there, or is among `unreadable`.
        """
        self.reads.append(path)
        if path in self.unreadable or path not in self._files:
            raise UnreadableFile("permission denied" if path in self.unreadable else "it is gone")
        raw, stat = self._files[path]
        return RawFile(raw=raw, stat=stat)

    def _stamp(self, size: int) -> FileStat:
        self._clock += 1
        return FileStat(size=size, mtime_ns=self._clock, ctime_ns=self._clock, inode=1)
