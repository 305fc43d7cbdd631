"""Decides by name, size and first bytes which files of a source are documents; the same for git and folders."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from askwell.errors import UnreadableFile
from askwell.formats import format_of
from askwell.sources.reading import head_of, over_limit
from askwell.sources.secrets import secret_name
from askwell.sources.words import words

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

MAX_BYTES = 5_000_000
"""Larger files are data or dumps; reading one must not stop a run on a small machine."""

HEAD_BYTES = 8192
"""First bytes that tell what a file without a known extension is."""

EXCLUDED_FOLDERS = frozenset(
    {
        "node_modules",
        "__pycache__",
        ".pytest_cache",
        "dist",
        "build",
        "target",
        "vendor",
        ".venv",
        ".git",
        ".obsidian",
        ".trash",
    }
)
"""Folders of generated, foreign or discarded files, at any depth."""

_NEVER = frozenset({".git", ".obsidian", ".trash"})
_LOCK_FILES = frozenset(
    {
        "package-lock.json",
        "npm-shrinkwrap.json",
        "pnpm-lock.yaml",
        "bun.lockb",
        "packages.lock.json",
        "go.sum",
        ".terraform.lock.hcl",
        "gradle.lockfile",
    }
)
_LITTER = frozenset({".ds_store", "thumbs.db", "desktop.ini"})

# Never opened to look for a shebang, unless they may be executed: a listing must not read every picture.
_ASSETS = words(
    "png jpg jpeg gif svg ico webp avif bmp tif tiff heic psd ai eps mp3 mp4 m4a m4v mov avi mkv webm ogg oga "
    "ogv opus wav flac woff woff2 ttf otf eot zip gz tgz bz2 xz zst 7z rar tar jar war whl deb rpm iso img "
    "dmg exe dll so dylib o a class pyc pyo wasm bin dat db sqlite sqlite3 mo po pot pdf doc docx xls xlsx "
    "ppt pptx odt ods odp epub html htm xhtml css scss less js mjs cjs ts tsx jsx vue xml map min csv tsv "
    "parquet"
)


LFS_POINTER = b"version https://git-lfs.github.com/spec/"
_LFS_SIZES = range(len(LFS_POINTER) + 80, 201)  # of a pointer without extension lines: only such files are looked at


@dataclass(frozen=True, slots=True)
class Held:
    """A file that is named in the listing and not read, with the reason."""

    reason: str


Judgement: TypeAlias = Literal["take", "look", "leave"] | Held
"""`look`: only the first bytes can tell. `leave`: not a kind of file that is taken; nothing is said about it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """What of a source's files becomes documents.

    Attributes:
        include: Globs; where any are given, only matching paths are taken. Naming a folder that is excluded by
            default, such as `build/**`, lifts that exclusion.
        exclude: Globs of paths that are left out, with all that is below them; stronger than `include`.
        extra_extensions: Taken besides the known ones, lower case, without the dot.
        max_bytes: Larger files are held back.
        allow_secrets: Globs of files that are taken although their names say that they hold credentials.
    """

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    extra_extensions: frozenset[str] = frozenset()
    max_bytes: int = MAX_BYTES
    allow_secrets: tuple[str, ...] = ()

    def excluded_folders(self) -> frozenset[str]:
        """Return the folder names whose contents are left out."""
        named = {part for pattern in self.include for part in pattern.split("/")}
        return EXCLUDED_FOLDERS - (named - _NEVER)

    def prunes(self, folder: str) -> bool:
        """Return whether `exclude` leaves out a folder with all that is below it."""
        return bool(self.exclude) and _any_matches(self.exclude, folder)

    def judge_name(self, path: str, *, executable: bool = False) -> Judgement:
        """Return what becomes of the file at `path` (an identity path), as far as its name tells.

        Excluded folders are the caller's to check: it knows them without splitting every path.
        """
        name = path.rsplit("/", 1)[-1].lower()
        if name in _LITTER or name in _LOCK_FILES or name.endswith(".lock") or name.startswith("._"):
            return "leave"
        if self.include and not any(_any_matches(self.include, part) for part in _ancestry(path)):
            return "leave"
        if self.exclude and any(_any_matches(self.exclude, part) for part in _ancestry(path)):
            return "leave"
        secret = secret_name(path)
        if secret is not None:
            allowed = bool(self.allow_secrets) and _any_matches(self.allow_secrets, path)
            return "take" if allowed else Held(secret)
        if format_of(path) is not None:
            return "take"
        stem, dot, extension = name.rpartition(".")
        if not dot or not stem:
            return "look"
        if extension in self.extra_extensions:
            return "take"
        return "look" if executable or extension not in _ASSETS else "leave"


def judge_file(
    root: bytes,
    raw: bytes,
    path: str,
    found: os.stat_result,
    selection: Selection,
    *,
    by_name: Judgement | None = None,
) -> Judgement:
    """Return "take", "leave" or why it is held back, for a regular file; opened only if its name cannot tell.

    Args:
        root: The source's root.
        raw: The file's path on disk, relative to `root`.
        path: The same path as it is shown.
        found: Its stat.
        selection: The source's rules.
        by_name: What `judge_name` says of it, if it was asked already.
    """
    verdict = by_name or selection.judge_name(path, executable=bool(found.st_mode & 0o111))
    if isinstance(verdict, Held) or verdict == "leave":
        return verdict
    pointer_sized = found.st_size in _LFS_SIZES
    if verdict == "look" or pointer_sized:
        try:
            head = head_of(root, raw, limit=HEAD_BYTES)
        except UnreadableFile as error:
            return Held(str(error))
        if pointer_sized and head.startswith(LFS_POINTER):
            return Held("a git LFS pointer: its content is not here; run `git lfs pull`")
        verdict = verdict if verdict == "take" else _judge_head(path, head)
    if verdict == "take" and found.st_size > selection.max_bytes:
        return Held(over_limit(found.st_size, selection.max_bytes))
    return verdict


def _judge_head(path: str, head: bytes) -> Judgement:
    if format_of(path, head) is not None:
        return "take"
    extensionless = "." not in path.rsplit("/", 1)[-1].lstrip(".")
    if extensionless and b"\0" in head and not head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return Held("binary content")
    return "leave"


def _ancestry(path: str) -> Iterator[str]:
    """Yield a path and every folder above it."""
    yield path
    while (cut := path.rfind("/")) > 0:
        path = path[:cut]
        yield path


def _any_matches(patterns: tuple[str, ...], path: str) -> bool:
    from askwell.globs import matches

    return any(matches(path, pattern) for pattern in patterns)
