"""Keeps the index up to date while the server runs: at start, when a file changes, every hour, and when asked to.

trigger ─▶ one child process at a time ─▶ progress … report | error ─▶ `state`, which pages and `/api/status` show
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

Reason = Literal["start", "change", "hourly", "asked"]

_STOP_SECONDS = 10.0
"""A run that was asked to end finishes the document it is at; after that it is killed, which is safe too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunState:
    """What the indexer does now and what its last run did."""

    running: bool = False
    reason: Reason | None = None
    phase: str = ""
    done: int = 0
    total: int = 0
    report: Mapping[str, object] = field(default_factory=dict)  # of the last run that ended well, as `askwell index`
    error: str = ""  # why the last run did not
    hint: str = ""
    ended: float = 0.0  # seconds since the epoch; 0 before the first run has ended


class Indexer:
    """Runs index runs one after the other in child processes. Start it, trigger it, stop it; from any thread."""

    def __init__(
        self,
        arguments: Sequence[str],
        *,
        every: float = 3600.0,
        watch: float = 5.0,
        stamp: Callable[[], object] | None = None,
        done: Callable[[RunState], None] | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Start nothing yet.

        Args:
            arguments: Of `askwell.server.index_run`: which sources, which index.
            every: Seconds between runs without a cause; 0 for none.
            watch: Seconds between two looks at the sources' files; 0 for none.
            stamp: Returns a value that differs once a file of a source has changed; called every `watch` seconds.
            done: Called after each run.
            clock: Seconds since the epoch.
        """
        self._command = [sys.executable, "-m", "askwell.server.index_run", *arguments]
        self._every = every
        self._watch = watch
        self._stamp = stamp
        self._done = done
        self._clock = clock
        self._state = RunState()
        self._wanted: Reason | None = None
        self._wake = threading.Condition()
        self._stopping = False
        self._child: subprocess.Popen[str] | None = None
        self._thread = threading.Thread(target=self._work, name="indexer", daemon=True)

    @property
    def state(self) -> RunState:
        """What it does now."""
        return self._state

    def start(self, *, first: bool = True) -> None:
        """Begin; with a run at once if `first`."""
        self._wanted = "start" if first else None
        self._thread.start()

    def trigger(self, reason: Reason = "asked") -> bool:
        """Ask for a run; return False if one is running or waiting already."""
        with self._wake:
            if self._state.running or self._wanted:
                return False
            self._wanted = reason
            self._wake.notify_all()
            return True

    def stop(self) -> None:
        """End the run that is on, leaving a good index, and the indexer. Idempotent."""
        with self._wake:
            self._stopping = True
            child = self._child
            self._wake.notify_all()
        if child is not None and child.poll() is None:
            child.terminate()
            try:
                child.wait(_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                child.kill()
        if self._thread.is_alive():
            self._thread.join(_STOP_SECONDS)

    def _work(self) -> None:
        seen = self._look()
        due = self._clock() + self._every if self._every else float("inf")
        while reason := self._next(due, seen):
            seen = self._look()  # before the run: what changes during it is seen by the next look
            self._run(reason)
            due = self._clock() + self._every if self._every else float("inf")

    def _next(self, due: float, seen: object) -> Reason | None:
        """Wait for a cause to run; None to end."""
        pending = seen
        while True:
            with self._wake:
                if self._stopping:
                    return None
                if self._wanted:
                    reason, self._wanted = self._wanted, None
                    return reason
                now = self._clock()
                if now >= due:
                    return "hourly"
                left = due - now
                self._wake.wait(min(left, self._watch) if self._watch and self._stamp else min(left, 3600.0))
                if self._stopping or self._wanted:
                    continue
            current = self._look()
            if current not in (seen, pending):
                pending = current  # something is being written: wait until two looks agree
            elif current != seen:
                return "change"

    def _look(self) -> object:
        return self._stamp() if self._stamp and self._watch else None

    def _run(self, reason: Reason) -> None:
        self._state = replace(self._state, running=True, reason=reason, phase="", done=0, total=0)
        with self._wake:
            if self._stopping:
                return
            self._child = subprocess.Popen(  # noqa: S603 - our own module with our own arguments
                self._command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8"
            )
            child = self._child
        errors: list[str] = []
        drain = threading.Thread(target=lambda: errors.extend(child.stderr or ()), daemon=True)
        drain.start()
        report: Mapping[str, object] = {}
        error = hint = ""
        for line in child.stdout or ():
            told = _parsed(line)
            if "progress" in told:
                now = told["progress"]
                self._state = replace(
                    self._state, phase=str(now["phase"]), done=int(now["done"]), total=int(now["total"])
                )
            elif "report" in told:
                report = told["report"]
            elif "error" in told:
                error, hint = str(told["error"]["message"]), str(told["error"]["hint"])
        code = child.wait()
        drain.join(1.0)
        for pipe in (child.stdout, child.stderr):
            if pipe is not None:
                pipe.close()
        if code and not error:
            error = f"the index run ended with code {code}"
            hint = "run `askwell index` in a terminal to see why; the index answers from what it holds"
        self._child = None
        self._state = RunState(
            report=report or self._state.report, error=error, hint=hint, ended=self._clock(), reason=reason
        )
        if self._done is not None:
            self._done(self._state)


def _parsed(line: str) -> dict[str, dict[str, str]]:
    """Return one line that the child told; an empty one for whatever else a library may print."""
    try:
        value = json.loads(line)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
