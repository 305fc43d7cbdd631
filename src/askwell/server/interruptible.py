"""Ends an answer from another thread: whoever asked has gone, and a model must not write for nobody."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING

from askwell.errors import ModelUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from askwell.engine import Engine
    from askwell.ports import Generation, Generator, Message
    from askwell.ports.models import Trust


class Interruptible:
    """A chat model for one answer, whose running completion any thread can end."""

    def __init__(self, generator: Generator, *, before: Callable[[], None] = lambda: None) -> None:
        self._generator = generator
        self._before = before  # called when a model is asked: from then on this machine only waits
        self._lock = threading.Lock()
        self._running: Generation | None = None
        self._over = False

    @property
    def name(self) -> str:
        """The model's id, for records."""
        return self._generator.name

    @property
    def trust(self) -> Trust:
        """Whether prompts stay with the user."""
        return self._generator.trust

    def stream(self, messages: Sequence[Message]) -> Generation:
        """Start one completion.

        Raises:
            ModelUnavailable: it was ended before. And whatever the model raises.
        """
        self._refuse_if_over()
        self._before()
        running = self._generator.stream(messages)
        with self._lock:
            self._running = running
            over = self._over
        if over:
            running.close()
            self._refuse_if_over()
        return running

    def stop(self) -> None:
        """End the running completion and refuse further ones. Idempotent, from any thread."""
        with self._lock:
            self._over = True
            running = self._running
        if running is not None:
            running.close()

    def _refuse_if_over(self) -> None:
        if self._over:
            raise ModelUnavailable("nobody waits for this answer any more")


def interruptible(engine: Engine, *, before: Callable[[], None] = lambda: None) -> tuple[Engine, Interruptible | None]:
    """Return an engine for one answer, over the same open index and models, and what ends its model's work.

    The engine is not closed: its index is that of `engine`. Without a chat model there is nothing to end.

    Raises:
        IndexMissing, StoreError: the index cannot be opened.
    """
    generator = engine.generator()
    if generator is None:
        return engine, None
    _ = engine.store  # opened by the engine that is closed one day
    stopper = Interruptible(generator, before=before)
    return replace(engine, _generator=[stopper]), stopper


class Waiting:
    """Whether somebody still waits for an answer. Every method may be called from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._over = False
        self._stop: Callable[[], None] | None = None

    @property
    def over(self) -> bool:
        """Whether nobody waits any more."""
        return self._over

    def stops(self, stop: Callable[[], None]) -> None:
        """Have `stop` called when nobody waits any more: at once if that is so already."""
        with self._lock:
            self._stop = stop
            over = self._over
        if over:
            stop()

    def end(self) -> None:
        """Nobody waits any more. Idempotent."""
        with self._lock:
            self._over = True
            stop, self._stop = self._stop, None
        if stop is not None:
            stop()
