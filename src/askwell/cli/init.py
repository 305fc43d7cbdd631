"""Write an `askwell.toml` that names a folder as the first source. An existing file is left as it is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from askwell.cli.output import emit, say
from askwell.config import FILE_NAME
from askwell.errors import ConfigError

if TYPE_CHECKING:
    import argparse

_TEMPLATE = """\
# Settings of Askwell. `askwell config` shows every one with its default and what it is for.

{source}
[privacy]
# Paths that are personal: never shown to a request for open documents, never sent to a model that is not local.
# personal = ["journal/", "people/**"]

[models]
# Any server that speaks the OpenAI protocol, such as Ollama or llama.cpp:
# generation = "openai:llama3.2"
# generation_url = "http://127.0.0.1:11434/v1"
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("folder", nargs="?", default=".", help="folder of the first source (default: here)")
    parser.add_argument("--config", metavar="FILE", default=FILE_NAME, help=f"file to write (default: {FILE_NAME})")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Run the command; return its exit code."""
    root = Path(args.folder).expanduser().resolve()
    block = source_table(root)
    target = Path(args.config).expanduser()
    try:
        with target.open("x", encoding="utf-8") as file:
            file.write(_TEMPLATE.format(source=block))
    except FileExistsError as error:
        raise ConfigError(f"{target} exists", hint="`askwell add FOLDER` adds a source to it") from error
    except OSError as error:
        raise ConfigError(f"cannot write {target}: {error.strerror}") from error
    if args.json:
        emit({"file": str(target), "source": str(root)})
    else:
        say(f"wrote {target}")
        say('next: `askwell index`, then `askwell ask "…"`')
    return 0


def source_table(root: Path, *, name: str = "") -> str:
    """Return the `[[source]]` table for a folder, its type detected.

    Raises:
        SourceError: there is no such folder.
    """
    import json

    from askwell.sources.detect import detect

    # JSON's escapes are a subset of TOML's basic strings
    lines = ["[[source]]", f"path = {json.dumps(str(root), ensure_ascii=False)}", f'type = "{detect(root).value}"']
    if name:
        lines.insert(1, f"name = {json.dumps(name, ensure_ascii=False)}")
    return "\n".join(lines) + "\n"
