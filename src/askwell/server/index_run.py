"""An index run in a process of its own, which tells its progress and its report as JSON lines on stdout.

The server starts it: what an index run computes then neither holds the server's interpreter nor its memory, a
low priority keeps it behind questions, and whatever ends it leaves an index that answers.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import sys
import time
from typing import TYPE_CHECKING, NoReturn

from askwell.errors import AskwellError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType

NICENESS = 10
_EVERY = 0.2  # seconds between two lines of progress


def main(argv: Sequence[str]) -> int:
    """Run once; return 0 if the report was told, 1 if an error was."""
    parser = argparse.ArgumentParser(prog="askwell index", add_help=False)
    parser.add_argument("--config")
    parser.add_argument("--index")
    parser.add_argument("--source", action="append", default=[])
    parser.add_argument("--allow-mass-delete", action="store_true")
    args = parser.parse_args(argv)
    with contextlib.suppress(OSError, AttributeError):
        os.nice(NICENESS)
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        _run(args)
    except AskwellError as error:
        _tell({"error": {"message": str(error), "hint": error.hint}})
        return 1
    except KeyboardInterrupt:
        _tell({"error": {"message": "the run was ended before it was done", "hint": "the next run goes on from there"}})
        return 1
    return 0


def _run(args: argparse.Namespace) -> None:
    from askwell import compose, wire
    from askwell.config import find_file, load
    from askwell.indexing import RunOptions

    config = load(
        file=find_file(explicit=args.config, environ=os.environ),
        environ=os.environ,
        sources=args.source,
        flags={"store.url": args.index} if args.index else {},
    )
    told = 0.0

    def progress(phase: str, done: int, total: int) -> None:
        nonlocal told
        now = time.monotonic()
        if now - told >= _EVERY or done == total:
            told = now
            _tell({"progress": {"phase": phase, "done": done, "total": total}})

    options = RunOptions(
        allow_mass_delete=args.allow_mass_delete, wait=config.index.wait, allow_cloud=config.privacy.allow_cloud
    )
    report, _ = compose.index(config, options, progress=progress)
    _tell({"report": wire.index(report)})


def _tell(value: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


def _interrupt(_number: int, _frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
