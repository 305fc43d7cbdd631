"""Commands that run other commands: what is left when `sudo`, `env`, `timeout` and the like are taken off."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

SHELLS = frozenset({"sh", "bash", "zsh", "dash", "ksh", "ash", "fish", "rbash", "mksh"})
INTERPRETERS = frozenset({"python", "python2", "python3", "perl", "ruby", "node", "php", "lua", "deno", "bun", "pwsh"})

_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=.*", re.DOTALL)
_DURATION = re.compile(r"\d+(?:\.\d+)?[smhd]?\Z")

# Wrapper → its options that take a value of their own.
_VALUED: dict[str, frozenset[str]] = {
    "sudo": frozenset(
        {
            "-u",
            "-g",
            "-C",
            "-h",
            "-p",
            "-U",
            "-r",
            "-t",
            "-D",
            "-R",
            "-T",
            "--user",
            "--group",
            "--host",
            "--prompt",
            "--chdir",
            "--chroot",
        }
    ),
    "doas": frozenset({"-u", "-C"}),
    "pkexec": frozenset({"--user"}),
    "env": frozenset({"-u", "--unset", "-C", "--chdir"}),
    "nohup": frozenset(),
    "time": frozenset({"-f", "-o", "--format", "--output"}),
    "command": frozenset(),
    "builtin": frozenset(),
    "exec": frozenset({"-a"}),
    "setsid": frozenset(),
    "stdbuf": frozenset({"-i", "-o", "-e"}),
    "nice": frozenset({"-n", "--adjustment"}),
    "ionice": frozenset({"-c", "-n", "-p", "--class", "--classdata"}),
    "chrt": frozenset({"-T", "-P", "-D"}),
    "timeout": frozenset({"-s", "-k", "--signal", "--kill-after"}),
    "busybox": frozenset(),
    "toybox": frozenset(),
    "xargs": frozenset(
        {
            "-I",
            "-i",
            "-n",
            "-P",
            "-L",
            "-d",
            "-a",
            "-E",
            "-s",
            "--max-args",
            "--max-procs",
            "--replace",
            "--arg-file",
            "--delimiter",
        }
    ),
    "parallel": frozenset({"-j", "--jobs", "-a", "-I", "-n", "-N", "--delay", "--colsep"}),
    "chroot": frozenset({"--userspec", "--groups"}),
    "flock": frozenset({"-w", "-E", "--timeout", "--wait"}),
    "unshare": frozenset(),
    "nsenter": frozenset({"-t", "--target"}),
    "systemd-run": frozenset({"-p", "--property", "--unit", "-u"}),
    "systemd-inhibit": frozenset({"--what", "--who", "--why", "--mode"}),
    "caffeinate": frozenset({"-t", "-w"}),
    "faketime": frozenset(),
    "firejail": frozenset(),
    "strace": frozenset({"-e", "-o", "-p", "-s"}),
    "ltrace": frozenset({"-e", "-o"}),
    "proxychains": frozenset({"-f"}),
    "torsocks": frozenset(),
    "unbuffer": frozenset(),
    "then": frozenset(),
}
_OPERANDS = {"timeout": 1, "chroot": 1, "flock": 1, "faketime": 1, "chrt": 1}
"""Wrapper → its own arguments before the command."""

_IN_CONTAINERS = frozenset(
    {"rm", "dd", "find", "chmod", "chown", "psql", "mysql", "mariadb", "shred", "mkfs.ext4", "redis-cli", "mongosh"}
    | {"mongo", "dropdb", "wipefs", "sqlite3", "sudo", "env"}
)
"""Where a container's own command begins, behind options and the image's name that have no form of their own."""

_SSH_VALUED = frozenset(
    {
        "-b",
        "-c",
        "-D",
        "-E",
        "-e",
        "-F",
        "-I",
        "-i",
        "-J",
        "-L",
        "-l",
        "-m",
        "-O",
        "-o",
        "-p",
        "-Q",
        "-R",
        "-S",
        "-W",
        "-w",
    }
)


def unwrapped(words: Sequence[str]) -> tuple[str, ...]:
    """Return the command that is run in the end, or what was given if it wraps none."""
    words = tuple(words)
    for _ in range(20):
        while words and _ASSIGNMENT.fullmatch(words[0]):
            words = words[1:]
        name = _base(words)
        if name not in _VALUED or (name == "command" and len(words) > 1 and words[1] in ("-v", "-V")):
            return words
        inner = _after(words, name)
        if not inner:
            return words
        words = inner
    return words


def script_in(words: Sequence[str]) -> str | None:
    """Return the script that a command was given as a string: by `sh -c`, `eval`, `ssh`, `su -c`, `watch`; or None."""
    name, rest = _base(words), list(words[1:])
    if name in SHELLS:
        return _option_value(rest, "c")
    match name:
        case "eval" | "watch":
            return " ".join(
                _without_options(rest, frozenset({"-n", "-d", "--interval"}) if name == "watch" else frozenset())
            )
        case "su" | "runuser" | "script" | "flock" | "newgrp":
            return _option_value(rest, "c") or _long_value(rest, "--command")
        case "ssh" | "mosh":
            return " ".join(_without_options(rest, _SSH_VALUED)[1:]) or None
        case "env" if "-S" in rest:
            return " ".join(rest[rest.index("-S") + 1 :])
        case "alias":
            return "\n".join(word.partition("=")[2] for word in rest if "=" in word) or None
        case "trap":
            return next((word for word in rest if not word.startswith("-")), None)
        case "at" | "batch":
            return None
        case _:
            return None


def contained(words: Sequence[str]) -> tuple[str, ...]:
    """Return what is run in a container by `docker run`, `docker exec`, `kubectl exec`; empty if nothing is."""
    name = _base(words)
    if name not in ("docker", "podman", "nerdctl", "kubectl", "oc", "docker-compose", "lxc", "incus", "pct", "vagrant"):
        return ()
    if not {"run", "exec", "ssh"} & set(words[1:4]):
        return ()
    if "--" in words:
        return tuple(words[words.index("--") + 1 :])
    starts = [n for n, word in enumerate(words) if n > 2 and _starts_a_command(word)]
    return tuple(words[starts[0] :]) if starts else ()


def _starts_a_command(word: str) -> bool:
    name = word.rpartition("/")[2]
    return name in SHELLS or name in _IN_CONTAINERS


def _base(words: Sequence[str]) -> str:
    return words[0].rpartition("/")[2].removeprefix("\\") if words else ""


def _after(words: tuple[str, ...], name: str) -> tuple[str, ...]:
    rest = list(words[1:])
    if name == "busybox" and rest:
        return tuple(rest)
    kept = _without_options(rest, _VALUED[name])
    kept = kept[_OPERANDS.get(name, 0) :]
    if name in ("env", "sudo", "doas"):
        while kept and _ASSIGNMENT.fullmatch(kept[0]):
            kept = kept[1:]
        kept = _without_options(kept, frozenset()) if kept and kept[0].startswith("-") else kept
    if name == "nice" and kept and re.fullmatch(r"-?\d+", kept[0]):
        kept = kept[1:]
    return tuple(kept)


def _without_options(rest: list[str], valued: frozenset[str]) -> list[str]:
    at = 0
    while at < len(rest):
        word = rest[at]
        if word == "--":
            return rest[at + 1 :]
        if not word.startswith("-") or word == "-":
            break
        at += 2 if word in valued else 1
    return rest[at:]


def _option_value(rest: list[str], letter: str) -> str | None:
    """Return the value of a short option, which may stand in a bundle such as `-lc`."""
    for n, word in enumerate(rest):
        if re.fullmatch(rf"-[a-zA-Z]*{letter}[a-zA-Z]*", word) and n + 1 < len(rest):
            return rest[n + 1]
        if word == "--":
            break
    return None


def _long_value(rest: list[str], name: str) -> str | None:
    for n, word in enumerate(rest):
        if word.startswith(f"{name}="):
            return word.partition("=")[2]
        if word == name and n + 1 < len(rest):
            return rest[n + 1]
    return None
