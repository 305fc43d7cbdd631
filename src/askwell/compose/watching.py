"""Settings → a value that differs once a file of a source may have changed. Nothing is read."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from askwell.compose.sources import bind_sources
from askwell.errors import SourceError

if TYPE_CHECKING:
    from collections.abc import Callable

    from askwell.settings import Config


def stamp_of(config: Config) -> Callable[[], object]:
    """Return what looks at every file and folder of the sources: names, sizes and times, none of their content.

    A source that cannot be listed counts as unchanged: the next run tells of it.
    """
    bound = bind_sources(config, embedder=lambda: None, known={})

    def stamp() -> int:
        seen: list[object] = []
        for one in bound:
            try:
                one.source.list()
            except SourceError:
                continue
            for name in one.source.watched():
                seen.append(name)
                try:
                    found = os.lstat(name)
                except OSError:
                    continue
                seen.append((found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino))
        return hash(tuple(seen))

    return stamp
