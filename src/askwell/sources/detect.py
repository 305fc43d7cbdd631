"""Decides what kind of source a folder is when nobody has said so."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from askwell.sources.folder import checked_root
from askwell.sources.vault import SETTINGS_FOLDER
from askwell.types import SourceType

if TYPE_CHECKING:
    from pathlib import Path


def detect(root: Path) -> SourceType:
    """Return the type of the source at `root`: a vault, a git work tree, else a folder.

    A folder inside a work tree is listed by git, unless git neither tracks nor ignores anything of it: notes that
    were never added are still notes.

    Raises:
        SourceError: there is no folder at `root`, or git is needed to tell and refuses.
    """
    raw = checked_root(root)
    if os.path.isdir(root / SETTINGS_FOLDER):  # noqa: PTH112 - `Path.is_dir` raises where the folder is locked
        return SourceType.VAULT
    top = root.resolve()
    if os.path.lexists(top / ".git"):
        return SourceType.GIT
    if any(os.path.lexists(above / ".git") for above in top.parents) and _belongs(raw):
        return SourceType.GIT
    return SourceType.FOLDER


def _belongs(root: bytes) -> bool:
    """Return whether the repository around `root` tracks a file below it or ignores it as a whole."""
    from askwell.sources.git import run_git

    code, output, _ = run_git(root, "ls-files", "-z", "--cached")
    if code != 0:  # not a repository after all, or one that cannot be listed: `GitSource.list` says why
        return True
    return bool(output) or run_git(root, "check-ignore", "-q", ".")[0] == 0
