"""Lists exactly what git tracks, as it stands in the work tree. That rule is the safety boundary of a repository."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from askwell.errors import SourceError
from askwell.sources.folder import FolderSource, checked_root, listed
from askwell.sources.identity import shown
from askwell.sources.ignores import unlisted
from askwell.sources.selection import Held, judge_file
from askwell.types import SourceType

if TYPE_CHECKING:
    from askwell.types import Listing

_SYMLINK, _SUBMODULE = b"120000", b"160000"

# What a repository's own configuration could make git run or fetch while it lists is turned off.
_OPTIONS = ("--no-pager", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.quotePath=false")
_ENVIRONMENT = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "",
    "LC_ALL": "C",
}
_KEPT = ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_CEILING_DIRECTORIES")
_TIMEOUT = 120.0  # seconds; a listing takes milliseconds, so this is a dead network disk


class GitSource(FolderSource):
    """A git work tree, or a folder inside of one: then only what git tracks below it."""

    @property
    def type(self) -> SourceType:
        """How it is listed."""
        return SourceType.GIT

    def list(self) -> Listing:
        """List every document, in path order: tracked regular files that are there.

        Raises:
            SourceError: not a work tree, git is missing, or git refuses the repository.
        """
        root = checked_root(self._root)
        excluded = self._selection.excluded_folders()
        taken: dict[bytes, os.stat_result] = {}
        held: dict[bytes, str] = {}
        problems: list[str] = []
        folders: dict[bytes, bool] = {b"": True}
        tracked = _tracked(root)
        for raw, mode in tracked.items():
            if mode == _SUBMODULE:
                held[raw] = "a submodule: add it as a source of its own"
                continue
            path = shown(raw)
            if "/" in path and not excluded.isdisjoint(path.split("/")[:-1]):
                continue
            try:
                found = os.lstat(root + b"/" + raw)
                if not _is_real(root, raw.rpartition(b"/")[0], folders):
                    held[raw] = "below a symbolic link: not followed"
                    continue
            except (FileNotFoundError, NotADirectoryError):  # tracked, and not in the work tree
                continue
            except OSError as error:
                problems.append(f"{path!r} could not be seen: {unlisted(error)}")
                continue
            if mode == _SYMLINK or stat.S_ISLNK(found.st_mode):
                held[raw] = "a symbolic link: not followed"
            elif not stat.S_ISREG(found.st_mode):
                held[raw] = "not a regular file"
            elif isinstance(verdict := judge_file(root, raw, path, found, self._selection), Held):
                held[raw] = verdict.reason
            elif verdict == "take":
                taken[raw] = found
        listing, self._on_disk = listed(taken, held, problems)
        self._watched = tuple(root + b"/" + raw for raw in tracked)
        return listing

    def watched(self) -> tuple[bytes, ...]:
        """Return git's index, which says what is tracked, and every tracked file, there or not."""
        root = checked_root(self._root)
        code, output, _ = run_git(root, "rev-parse", "--git-path", "index")
        if code != 0:
            return ()
        index = os.path.join(os.path.realpath(root), output.removesuffix(b"\n"))  # noqa: PTH118 - names are bytes
        return (index, *self._watched)


def run_git(root: bytes, *arguments: str) -> tuple[int, bytes, str]:
    """Run git in `root` and return its exit code, output and messages. Nothing of the repository is executed.

    Raises:
        SourceError: git is not installed or does not answer.
    """
    import subprocess

    program = _git_program()
    if program is None:
        raise SourceError("`git` is not installed", hint='install git, or set `type = "folder"` for this source')
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_") or name in _KEPT}
    try:
        done = subprocess.run(  # noqa: S603 - the program is looked up outside of the source, arguments are ours
            [program, *_OPTIONS, "-C", os.fsdecode(root), *arguments],
            env={**environment, **_ENVIRONMENT},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_TIMEOUT,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise SourceError(
            f"git does not answer in {os.fsdecode(root)!r}", hint="check whether the disk responds"
        ) from error
    except OSError as error:
        raise SourceError(f"git cannot be run: {unlisted(error)}", hint="check your installation of git") from error
    return done.returncode, done.stdout, done.stderr.decode("utf-8", "replace")


def _tracked(root: bytes) -> dict[bytes, bytes]:
    """Return path → mode of everything in git's index below `root`, relative to it."""
    code, output, messages = run_git(root, "ls-files", "-z", "--stage", "--cached")
    if code == 0 and not output:  # a bare repository lists nothing, and says nothing of it
        code, answer, messages = run_git(root, "rev-parse", "--is-inside-work-tree")
        if code == 0 and answer.strip() != b"true":
            code, messages = 1, "must be run in a work tree"
    if code != 0:
        raise _refusal(root, messages)
    found: dict[bytes, bytes] = {}
    for record in output.split(b"\0"):  # `mode object stage<TAB>path`; a path in conflict comes up to three times
        if record:
            fields, _, path = record.partition(b"\t")
            found[path] = fields[:6]
    return found


def _refusal(root: bytes, messages: str) -> SourceError:
    shown_root = os.fsdecode(root)
    if "dubious ownership" in messages:
        return SourceError(
            f"git refuses {shown_root!r}: it belongs to another user",
            hint=f"if you trust it, run `git config --global --add safe.directory {shown_root}`",
        )
    if "not a git repository" in messages:
        return SourceError(
            f"{shown_root!r} is not in a git repository",
            hint='set `type = "folder"` for this source, or run `git init` and `git add` there',
        )
    if "must be run in a work tree" in messages:
        return SourceError(
            f"{shown_root!r} is a bare repository: it has no files to read",
            hint="name a clone or a work tree of it (`git worktree add`)",
        )
    first = next((line.strip() for line in messages.splitlines() if line.strip()), "no reason given")
    return SourceError(
        f"git cannot list {shown_root!r}: {first.removeprefix('fatal: ')}", hint="run `git status` there to see more"
    )


def _git_program() -> str | None:
    """Return git's path, from absolute folders of `PATH` only: a relative one could lie inside of a source."""
    name = "git.exe" if os.name == "nt" else "git"
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        program = Path(folder, name)
        if program.is_absolute() and program.is_file() and os.access(program, os.X_OK):
            return str(program)
    return None


def _is_real(root: bytes, folder: bytes, known: dict[bytes, bool]) -> bool:
    """Return whether no part of `folder` is a symbolic link; `known` remembers answers."""
    unknown: list[bytes] = []
    while folder not in known:
        unknown.append(folder)
        folder = folder.rpartition(b"/")[0]
    real = known[folder]
    for inner in reversed(unknown):
        real = real and not stat.S_ISLNK(os.lstat(root + b"/" + inner).st_mode)
        known[inner] = real
    return real
