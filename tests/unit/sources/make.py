"""Makes folders and repositories for tests."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING, Any  # Any: names and contents are text or bytes, freely mixed

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_IDENTITY = {
    "GIT_AUTHOR_NAME": "t",
    "GIT_AUTHOR_EMAIL": "t@example.invalid",
    "GIT_COMMITTER_NAME": "t",
    "GIT_COMMITTER_EMAIL": "t@example.invalid",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}


def write(root: Path, files: Mapping[Any, Any]) -> Path:
    """Write files below `root` and return it."""
    for name, content in files.items():
        path = os.path.join(os.fsencode(root), os.fsencode(name))  # noqa: PTH118 - names that are not UTF-8
        os.makedirs(os.path.dirname(path), exist_ok=True)  # noqa: PTH103, PTH120
        with open(path, "wb") as file:  # noqa: PTH123
            file.write(content if isinstance(content, bytes) else content.encode())
    root.mkdir(exist_ok=True)
    return root


def git(root: Path, *arguments: str) -> str:
    """Run git in `root`, cut off from the machine's settings."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    done = subprocess.run(
        ["git", "-C", str(root), *arguments],
        env={**environment, **_IDENTITY},
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout


def repository(root: Path, files: Mapping[Any, Any]) -> Path:
    """Make a repository that tracks `files`."""
    write(root, files)
    git(root, "init", "-q", ".")
    git(root, "add", "-A", "-f")
    git(root, "commit", "-q", "--allow-empty", "-m", "one")
    return root
