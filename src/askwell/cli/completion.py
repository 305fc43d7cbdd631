"""Print a completion script: `askwell completion bash > ~/.local/share/bash-completion/completions/askwell`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from askwell.cli.output import say

if TYPE_CHECKING:
    import argparse

SHELLS = ("bash", "zsh", "fish")


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("shell", choices=SHELLS, help="bash, zsh or fish")


def run(args: argparse.Namespace) -> int:
    """Run the command; return its exit code."""
    say({"bash": _bash, "zsh": _zsh, "fish": _fish}[args.shell]())
    return 0


def flags() -> dict[str, list[str]]:
    """Return each command's long options, read from its parser."""
    from askwell.cli.main import COMMANDS, command_parser

    return {
        name: sorted(
            option
            for action in command_parser(name)._actions
            for option in action.option_strings
            if option.startswith("--")
        )
        for name in COMMANDS
    }


def _bash() -> str:
    cases = "\n".join(f"    {name}) words='{' '.join(options)}' ;;" for name, options in flags().items())
    return f"""_askwell() {{
  local words cur=${{COMP_WORDS[COMP_CWORD]}}
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '{" ".join(flags())}' -- "$cur"))
    return
  fi
  case ${{COMP_WORDS[1]}} in
{cases}
  esac
  case $cur in
    -*) COMPREPLY=($(compgen -W "$words" -- "$cur")) ;;
    *) COMPREPLY=($(compgen -f -- "$cur")) ;;
  esac
}}
complete -o filenames -F _askwell askwell"""


def _zsh() -> str:
    cases = "\n".join(f"    {name}) compadd -- {' '.join(options)} ;;" for name, options in flags().items())
    return f"""#compdef askwell
_askwell() {{
  if (( CURRENT == 2 )); then compadd -- {" ".join(flags())}; return; fi
  if [[ $words[CURRENT] != -* ]]; then _files; return; fi
  case $words[2] in
{cases}
  esac
}}
compdef _askwell askwell"""


def _fish() -> str:
    lines = [f"complete -c askwell -n __fish_use_subcommand -a '{' '.join(flags())}'"]
    for name, options in flags().items():
        lines += [
            f"complete -c askwell -n '__fish_seen_subcommand_from {name}' -l {option.removeprefix('--')}"
            for option in options
        ]
    return "\n".join(lines)
