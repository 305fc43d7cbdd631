"""Add a source to `askwell.toml`. The rest of the file stays as it is."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from askwell.cli.init import source_table
from askwell.cli.output import emit, say
from askwell.config import FILE_NAME, find_file, load
from askwell.errors import ConfigError

if TYPE_CHECKING:
    import argparse


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("folder", help="folder, repository or vault")
    parser.add_argument("--name", default="", help="its name in citations (default: the folder's name)")
    parser.add_argument("--config", metavar="FILE", help="settings file to change instead of the one found")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Run the command; return its exit code."""
    root = Path(args.folder).expanduser().resolve()
    block = source_table(root, name=args.name)
    file = find_file(explicit=args.config, environ=os.environ)
    if file is None:
        raise ConfigError(f"no {FILE_NAME} here", hint="`askwell init` writes one")
    config = load(file=file, environ={})
    taken = {os.path.realpath(source.path): source for source in config.sources}
    if str(root) in taken:
        raise ConfigError(f"{str(root)!r} is a source already", hint=f"see {file}")
    if args.name and args.name in {source.name for source in config.sources}:
        raise ConfigError(f"a source is named {args.name!r} already", hint="choose another `--name`")
    try:
        text = file.read_text(encoding="utf-8")
        fresh = file.with_name(file.name + ".new")
        fresh.write_text(text + ("" if text.endswith("\n") else "\n") + "\n" + block, encoding="utf-8")
        load(file=fresh, environ={})
        fresh.replace(file)
    except OSError as error:
        raise ConfigError(f"cannot write {file}: {error.strerror}") from error
    if args.json:
        emit({"file": str(file), "source": str(root)})
    else:
        say(f"added {root} to {file}")
        say("next: `askwell index`")
    return 0
