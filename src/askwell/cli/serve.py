"""Serve your documents: pages for people, REST, the OpenAI protocol and MCP for programs, all on one port.

It listens on this machine only, unless told otherwise; from elsewhere a token is needed (`--add-token NAME`).
Index runs are made beside it: at the start, when a file changes, and every hour.
"""

from __future__ import annotations

import logging
import os
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from askwell.cli import options
from askwell.cli.output import say, talk
from askwell.errors import ConfigError

if TYPE_CHECKING:
    import argparse

    from askwell.server.tokens import TokenFile
    from askwell.settings import Config, ServerConfig


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    options.where(parser)
    parser.add_argument("--host", metavar="ADDRESS", help="address to listen on instead of `server.host`")
    parser.add_argument("--port", type=int, metavar="N", help="port to listen on instead of `server.port`")
    parser.add_argument("--no-index", action="store_true", help="make no index runs")
    tokens = parser.add_argument_group("tokens (these serve nothing)")
    tokens.add_argument("--add-token", metavar="NAME", help="make a token and print it; it cannot be shown again")
    tokens.add_argument("--open-only", action="store_true", help="with --add-token: for open documents only")
    tokens.add_argument("--remove-token", metavar="NAME", help="make a token useless")
    tokens.add_argument("--tokens", action="store_true", help="list the tokens' names")


def run(args: argparse.Namespace) -> int:
    """Run the command; return its exit code."""
    config = options.config_of(args)
    if options.off(config, as_json=False):
        return 0
    config = replace(config, server=_server(args, config))
    from askwell.server.services import token_file

    tokens = token_file(config, environ=os.environ)
    if args.add_token or args.remove_token or args.tokens:
        return _tokens(args, tokens)
    _plausible(config, tokens)
    _serve(config, args)
    return 0


def _server(args: argparse.Namespace, config: Config) -> ServerConfig:
    host = config.server.host if args.host is None else args.host
    port = config.server.port if args.port is None else args.port
    if not 0 <= port <= 65_535:
        raise ConfigError(f"`--port` is {port}", hint="choose one from 1 to 65535, or 0 for a free one")
    return replace(config.server, host=host, port=port)


def _tokens(args: argparse.Namespace, tokens: TokenFile) -> int:
    if args.add_token:
        say(tokens.add(args.add_token, open_only=args.open_only))
        talk("this is the only time that it can be read; send it as `Authorization: Bearer …`")
    if args.remove_token:
        tokens.remove(args.remove_token)
    if args.tokens:
        for token in tokens.all():
            say(f"{token.name}{'  (open documents only)' if token.open_only else ''}")
    return 0


def _plausible(config: Config, tokens: TokenFile) -> None:
    """Return if the server may listen where it is told to.

    Raises:
        ConfigError: others could reach it, and nobody has a token.
    """
    from askwell.server.guard import is_loopback_name

    if not is_loopback_name(config.server.host) and not tokens.all():
        raise ConfigError(
            f"{config.server.host!r} can be reached from elsewhere, and there is no token",
            hint="make one with `askwell serve --add-token NAME`, or listen on 127.0.0.1",
        )


def _serve(config: Config, args: argparse.Namespace) -> None:
    from askwell.server.run import serve

    given = [word for path in args.source for word in ("--source", path)]
    given += ["--index", args.index] if args.index else []
    given += ["--config", args.config] if args.config else []
    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(message)s")
    serve(config, given, indexing=not args.no_index, told=lambda url: talk(f"Askwell answers at {url}"))
