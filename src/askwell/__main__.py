"""`python -m askwell` and the `askwell` command."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command line and return its exit code."""
    from askwell.cli.main import main as run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
