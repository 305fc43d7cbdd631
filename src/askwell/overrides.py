"""Settings that were changed from a page or with `askwell config set`: where they are kept, which may be, what is read.

    default ◀ file ◀ overrides.json ◀ environment ◀ command line

The file holds one table a settings file, because it goes over that file and no other:

    {"/home/me/askwell.toml": {"retrieval.k": 12, "persona.tone": "friendly"}}

What may be changed so is what a person tunes. Where text comes from, who may see it, where it may be sent, what a
secret is called: none of that can be set here. An address of a model may, and then neither the trust nor the key of
the address in the file goes with it.
"""

from __future__ import annotations

import os
import stat
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from askwell.settings import Config

NAME = "overrides.json"

ORIGIN = "overrides"
"""What `askwell config` says of a value that comes from here."""

OVERRIDABLE = (
    "models.generation",
    "models.generation_url",
    "models.timeout",
    "retrieval.k",
    "retrieval.per_document",
    "retrieval.fusion",
    "retrieval.words",
    "retrieval.rerank_depth",
    "retrieval.expansion",
    "answer.profile",
    "answer.unsupported",
    "answer.context_chars",
    "persona.name",
    "persona.tone",
    "web.provider",
)
"""In the order in which they are shown."""

WITH_A_MODEL = ("models.generation_url", "answer.context_chars", "answer.unsupported")
"""Change nothing while answers are extracts."""

LARGEST = 1_000_000
"""Bytes of the file that are read: a person's settings take a few hundred."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What stands in the file for one settings file, not yet checked."""

    values: Mapping[str, object] = field(default_factory=dict)  # `section.key` → value
    faults: tuple[str, ...] = ()  # what of the file cannot be read, in words


def state_folder(path: str, *, environ: Mapping[str, str]) -> Path:
    """Return where what cannot be made again is kept: `path` if it is set, else the user's place for such things."""
    if path:
        return Path(path).expanduser().absolute()
    named = Path(environ.get("XDG_STATE_HOME") or "")
    if named.is_absolute():
        return named / "askwell"
    home = Path.home()
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "askwell"
    if sys.platform == "win32":
        return Path(environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "askwell"
    return home / ".local" / "state" / "askwell"


def place(config: Config, *, environ: Mapping[str, str]) -> Path:
    """Return the file of overrides that a configuration reads."""
    return state_folder(config.records.path, environ=environ) / NAME


def scope(file: Path | None) -> str:
    """Return the name of a settings file's table; empty where there is no such file."""
    return os.path.realpath(file) if file is not None else ""


def read(path: Path, *, table: str) -> Found:
    """Return what one table holds. A file that cannot be read holds nothing, and says why."""
    try:
        every = tables(path)
    except ValueError as error:
        return Found(faults=(f"{path} is left out: {error}",))
    stray = [name for name, values in every.items() if not isinstance(values, dict)]
    faults = tuple(f"`{name}` in {path} is left out: it stands in no settings file's table" for name in stray)
    return Found(values={} if table in stray else every.get(table, {}), faults=faults)


def tables(path: Path) -> dict[str, Any]:  # Any: JSON, checked by who reads a table
    """Return every table of the file; none where there is no file.

    Raises:
        ValueError: it is no file of tables, with a sentence for its reader.
    """
    try:
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise ValueError(f"it cannot be read ({error.strerror})") from error
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise ValueError("it is no regular file")
        with open(handle, "rb", closefd=False) as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise ValueError(f"it cannot be read ({error.strerror})") from error
    finally:
        os.close(handle)
    if len(data) > LARGEST:
        raise ValueError(f"it has more than {LARGEST} bytes")
    import json

    try:
        found = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise ValueError("it is not valid JSON") from error
    if not isinstance(found, dict):
        raise ValueError("it holds no table")
    return found


def value_of(config: Config, setting: str) -> object:
    """Return the value of `section.key`."""
    section, _, key = setting.partition(".")
    return getattr(getattr(config, section), key)


def refusal(setting: str, value: object) -> str:
    """Return why a value may not be set here, whatever its form; empty if it may."""
    if setting not in OVERRIDABLE:
        return "it cannot be set there"
    if setting.endswith("_url") and "@" in str(value):
        return "an address may not hold a name or a password"
    return ""


def same_address(one: str, other: str) -> bool:
    """Whether two URLs are of one server."""
    from urllib.parse import urlsplit

    try:
        first, second = urlsplit(one), urlsplit(other)
        return (first.scheme, first.hostname, first.port) == (second.scheme, second.hostname, second.port)
    except ValueError:
        return False
