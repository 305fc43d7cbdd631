"""Lends engines to threads: each engine serves one thread at a time, and all of them share their models."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from askwell.errors import ModelUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from askwell.engine import Engine


class EnginePool:
    """Engines over one index. The one that was given back last is lent first, so that few are ever opened."""

    def __init__(self, make: Callable[[], Engine], *, most: int, patience: float = 30.0) -> None:
        """Make no engine yet.

        Args:
            make: Returns a new engine; engines share what is heavy.
            most: Engines at a time.
            patience: Seconds that a thread waits for one.
        """
        self._make = make
        self._free: list[Engine] = []
        self._left = most
        self._patience = patience
        self._changed = threading.Condition()
        self._closed = False

    @contextmanager
    def lend(self) -> Iterator[Engine]:
        """Lend an engine for as long as the context is open.

        Raises:
            ModelUnavailable: all of them stayed lent, or the server is stopping.
        """
        engine = self._take()
        try:
            yield engine
        finally:
            self._give_back(engine)

    def close(self) -> None:
        """Close the engines that are free now, and the others as they come back. Idempotent."""
        with self._changed:
            self._closed = True
            free, self._free = self._free, []
            self._changed.notify_all()
        for engine in free:
            engine.close()

    def reopen(self) -> None:
        """Have engines open the index again when they are lent next: it is another file now."""
        with self._changed:
            free = list(self._free)
            for engine in free:
                engine.close()

    def _take(self) -> Engine:
        with self._changed:
            if not self._changed.wait_for(lambda: self._closed or self._free or self._left, self._patience):
                raise ModelUnavailable(
                    "too many questions are being answered at the same time", hint="try again in a moment"
                )
            if self._closed:
                raise ModelUnavailable("the server is stopping", hint="try again when it is back")
            if self._free:
                return self._free.pop()
            self._left -= 1
        made = None
        try:
            made = self._make()
        finally:
            if made is None:
                with self._changed:
                    self._left += 1
                    self._changed.notify()
        return made

    def _give_back(self, engine: Engine) -> None:
        with self._changed:
            closed = self._closed
            if not closed:
                self._free.append(engine)
                self._changed.notify()
        if closed:
            engine.close()


class OneIndex:
    """Lends engines over an index file, also after another file took its place."""

    def __init__(self, pool: EnginePool, path: Path) -> None:
        self._pool = pool
        self._path = path
        self._seen = self._stamp()

    @contextmanager
    def lend(self) -> Iterator[Engine]:
        """Lend an engine that reads the file which is there now.

        Raises:
            ModelUnavailable: all of them stayed lent.
        """
        now = self._stamp()
        if now != self._seen:
            self._seen = now
            self._pool.reopen()
        with self._pool.lend() as engine:
            yield engine

    def _stamp(self) -> tuple[int, int] | None:
        try:
            found = self._path.stat()
        except OSError:
            return None
        return found.st_dev, found.st_ino
