"""Let a program that speaks the Model Context Protocol search, read and ask your documents, over stdin and stdout.

Such a program starts this command itself; `docs/guides/mcp.md` shows its settings. The protocol over HTTP is at `/mcp`
of `askwell serve`.
"""

from __future__ import annotations

import signal
import sys
from typing import TYPE_CHECKING

from askwell.cli import options
from askwell.cli.output import talk
from askwell.errors import ConfigError

if TYPE_CHECKING:
    import argparse


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    options.where(parser)


def run(args: argparse.Namespace) -> int:
    """Run the command; return its exit code."""
    config = options.config_of(args)
    if options.off(config, as_json=False):
        return 0
    try:
        from askwell.server.mcp import stdio
    except ModuleNotFoundError as error:
        raise ConfigError(
            f"the command `mcp` needs the package `{(error.name or 'mcp').partition('.')[0]}`, which is not installed",
            hint="install it with `pip install 'askwell[mcp]'`",
        ) from error
    if sys.stdin.isatty():
        talk("this command is started by a program that speaks MCP; type Ctrl-D to end it")
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # nothing is lost, and the thread that reads stdin cannot be woken
    stdio.run(config)
    return 0
