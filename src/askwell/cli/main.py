"""The commands, what starts them, and the outermost frame that turns every error into a sentence."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from importlib import import_module
from itertools import takewhile
from typing import TYPE_CHECKING, NoReturn

from askwell.errors import AskwellError, ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence

COMMANDS: dict[str, str] = {
    "init": "write an askwell.toml for this folder",
    "add": "add a source to askwell.toml",
    "index": "make the index match the sources",
    "search": "find passages: verbatim text, nothing generated",
    "ask": "answer a question, each claim with its lines",
    "chat": "ask one question after another; each knows the ones before",
    "serve": "serve pages, REST, the OpenAI protocol and MCP on one port",
    "mcp": "let agents search, read and ask, over stdin and stdout",
    "status": "what is indexed, what failed",
    "usage": "what answers cost in tokens; `usage pull` collects other machines' ledgers",
    "doctor": "check everything that can go wrong",
    "config": "show every setting and where its value came from",
    "eval": "score retrieval on your own questions",
    "calibrate": "fit the decision whether your documents cover a question",
    "completion": "print a completion script for your shell",
}
"""Command → what it does, in a line. The module of the same name in this package has `configure` and `run`."""

USAGE = "askwell COMMAND [options]"


class Parser(argparse.ArgumentParser):
    """An argument parser whose faults are ConfigErrors, told like every other error."""

    def error(self, message: str) -> NoReturn:
        """Raise instead of exiting.

        Raises:
            ConfigError: always.
        """
        raise ConfigError(message, hint=f"`{self.prog} --help` lists the options")


def main(argv: Sequence[str]) -> int:
    """Run one command; return its exit code. No exception leaves here."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    from askwell.cli import exit as codes

    try:
        try:
            code = _dispatch(list(argv))
            sys.stdout.flush()
            return code
        except AskwellError as error:
            return codes.report(error, stream=sys.stderr, as_json="--json" in takewhile("--".__ne__, argv))
    except KeyboardInterrupt:
        sys.stderr.write("\ninterrupted; what was finished is kept\n")
        return codes.INTERRUPTED
    except BrokenPipeError:
        _drop_output()  # its reader has gone (`| head`): nothing is left to be said
        return codes.OK
    except OSError as error:
        _drop_output()
        sys.stderr.write(f"error: {error.strerror or type(error).__name__}\n")
        sys.stderr.write("  hint: check the disk and the permissions; ASKWELL_TRACEBACK=1 shows where it happened\n")
        if os.environ.get("ASKWELL_TRACEBACK"):
            raise
        return codes.FAILED
    except Exception as error:
        if os.environ.get("ASKWELL_TRACEBACK"):
            raise
        sys.stderr.write(f"error: {type(error).__name__}\n")  # its words may quote what a request must not see
        sys.stderr.write(
            "  hint: this is a fault in Askwell; run again with ASKWELL_TRACEBACK=1 and report what it prints\n"
        )
        return codes.FAILED


def _drop_output() -> None:
    """Send what is still to be written to stdout nowhere, so that the interpreter does not try again at exit."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def command_parser(name: str) -> Parser:
    """Return the parser of one command."""
    module = import_module(f"askwell.cli.{name}")
    parser = Parser(
        prog=f"askwell {name}",
        description=module.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    module.configure(parser)
    return parser


def _dispatch(argv: list[str]) -> int:
    if not argv or argv[0] in ("-h", "--help", "help"):
        if len(argv) > 1 and argv[1] in COMMANDS:
            argv = [argv[1], "--help"]
        else:
            sys.stdout.write(top_help())
            return 0
    if argv[0] in ("-V", "--version"):
        from askwell import __version__

        sys.stdout.write(f"askwell {__version__}\n")
        return 0
    name = argv[0]
    if name not in COMMANDS:
        import difflib

        near = difflib.get_close_matches(name, COMMANDS, n=1)
        hint = f"did you mean `askwell {near[0]}`?" if near else "`askwell --help` lists the commands"
        raise ConfigError(f"unknown command {name!r}", hint=hint)
    try:
        args = command_parser(name).parse_args(argv[1:])
    except SystemExit as leave:  # `--help` has printed and is done
        return int(leave.code or 0)
    result = import_module(f"askwell.cli.{name}").run(args)
    return int(result)


def top_help() -> str:
    """Return what `askwell --help` prints."""
    lines = [f"usage: {USAGE}", "", "Ask your own documents; every claim opens at the lines it came from.", ""]
    lines += [f"  {name:<12}{text}" for name, text in COMMANDS.items()]
    lines += [
        "",
        "`askwell COMMAND --help` explains a command. No configuration is needed: name a folder with --source.",
        "",
    ]
    return "\n".join(lines)
