"""Write the reference pages from the code: commands, settings, exit codes. `--check` fails if one is stale."""

from __future__ import annotations

import os
import sys
from dataclasses import fields
from pathlib import Path

os.environ["COLUMNS"] = "100"  # argparse wraps help by the terminal; a page must not depend on it

HERE = Path(__file__).parent / "reference"


def commands() -> str:
    """Return the page of commands."""
    from askwell.cli.main import COMMANDS, command_parser, top_help

    parts = ["# Commands", "", "```", top_help().rstrip(), "```"]
    for name in COMMANDS:
        parts += ["", f"## askwell {name}", "", "```", command_parser(name).format_help().rstrip(), "```"]
    return "\n".join(parts) + "\n"


def settings() -> str:
    """Return the page of settings."""
    from askwell.settings import SECTIONS, SourceConfig

    parts = [
        "# Settings",
        "",
        "`askwell.toml` in the folder the command is run in, the file that `--config` or `ASKWELL_CONFIG` names, or",
        "`askwell/askwell.toml` in the user's config folder. What `askwell config set` or the admin page keeps in",
        "`overrides.json` goes before the file, an environment variable `ASKWELL_SECTION__KEY` before both, a",
        "command-line flag before all. `askwell config` shows every value and its origin.",
        "",
        "`enabled = false` turns everything off.",
    ]
    for section, owner in {"source": SourceConfig, **SECTIONS}.items():
        title = "[[source]]" if section == "source" else f"[{section}]"
        parts += ["", f"## {title}", "", "| key | default | what |", "|---|---|---|"]
        for item in fields(owner):
            default = list(item.default) if isinstance(item.default, tuple) else item.default
            parts.append(f"| `{item.name}` | `{default!r}` | {item.metadata['help'].replace('|', chr(92) + '|')} |")
    return "\n".join(parts) + "\n"


def exit_codes() -> str:
    """Return the page of exit codes."""
    from askwell.cli.exit import EXIT_CODES, FAILED, INTERRUPTED, REFUSED

    parts = [
        "# Exit codes",
        "",
        "| code | when |",
        "|---|---|",
        "| 0 | done; also when nothing was found and when Askwell abstains |",
        f"| {FAILED} | a check of `doctor` failed, the output could not be written, or a fault in Askwell itself |",
    ]
    for code in sorted(set(EXIT_CODES.values())):
        kinds = [kind for kind, of in EXIT_CODES.items() if of == code]
        told = "; ".join((kind.__doc__ or "").strip().split("\n")[0].rstrip(".") for kind in kinds)
        if code == REFUSED:
            told = f"a source seems to have lost most of its documents, and `index` removed none of them; {told}"
        parts.append(f"| {code} | {told} ({', '.join(f'`{kind.__name__}`' for kind in kinds)}) |")
    parts.append(f"| {INTERRUPTED} | interrupted with Ctrl-C; what was finished is kept |")
    parts += [
        "",
        "An error is told on stderr, with the next step. With `--json` stdout holds it too, as the only object there:",
        '`{"error": {"message": "…", "hint": "…"}}`.',
    ]
    return "\n".join(parts) + "\n"


PAGES = {"commands.md": commands, "settings.md": settings, "exit-codes.md": exit_codes}


def main(argv: list[str]) -> int:
    """Write the pages, or with `--check` say which ones are stale."""
    stale = []
    for name, make in PAGES.items():
        path = HERE / name
        text = make()
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(name)
            if "--check" not in argv:
                path.write_text(text, encoding="utf-8")
    if "--check" in argv and stale:
        sys.stderr.write(f"stale: {', '.join(stale)}; run `make docs`\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
