"""`python -m askwell` and the `askwell` command."""

import os
import sys

from askwell import idle


def main() -> int:
    """Run the command line and return its exit code.

    An index run that has nothing to do is recognised before anything else is imported: it is the most frequent
    one, run from hooks and timers, and the imports alone would take ten times as long.
    """
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by whoever started us (`>&-`)
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115 - it is for ever
    argv = sys.argv[1:]
    if argv[:1] == ["index"] and (said := idle.recall(argv, os.environ)) is not None:
        sys.stdout.buffer.write(said[0].encode())
        sys.stderr.write(said[1])
        return 0
    # numpy's threads make a product over some thousand vectors slower, on a busy machine thirtyfold, and cost a third
    # of its import. To be said before it is imported; whoever wants them says so in the environment.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from askwell.cli.main import main as run

    return run(argv)


if __name__ == "__main__":
    sys.exit(main())
