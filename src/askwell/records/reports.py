"""Bug reports as files: each a new one, whole, for its owner alone."""

from __future__ import annotations

import itertools
import os
from typing import TYPE_CHECKING

from askwell.errors import ConfigError
from askwell.records.files import private_folder

if TYPE_CHECKING:
    from pathlib import Path


def write_report(folder: Path, name: str, text: str) -> Path:
    """Write a report under a name that is not taken yet, and return its path; nothing is ever overwritten.

    Raises:
        ConfigError: it cannot be written.
    """
    try:
        private_folder(folder)
        for again in itertools.count(1):
            path = folder / (f"{name}.md" if again == 1 else f"{name}-{again}.md")
            try:
                handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            except FileExistsError:
                continue
            try:
                with os.fdopen(handle, "w", encoding="utf-8", errors="replace") as stream:
                    stream.write(text)
            except OSError:
                path.unlink(missing_ok=True)
                raise
            return path
    except OSError as error:
        raise ConfigError(
            f"the bug report cannot be written: {(error.strerror or 'no access').lower()}: {folder}",
            hint="set `troubleshoot.reports` to a folder that you may write to",
        ) from error
    raise AssertionError("unreachable")
