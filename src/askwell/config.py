"""File, environment and flags → one frozen `Config` that knows where each value came from.

Precedence, highest first: command-line flag, environment (`ASKWELL_SECTION__KEY`), overrides (see `overrides`), file,
default. Every key is declared once in `settings`, with its help text: validation, `askwell config` and the reference
page read it from there. Secrets are never settings; a setting names the environment variable that holds one.
"""

from __future__ import annotations

import os
import tomllib
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args, get_origin, get_type_hints

from askwell.errors import ConfigError
from askwell.settings import (
    CHOICES,
    HERE,
    NAME_HINT,
    PERSONA_NAME,
    RANGES,
    SECTIONS,
    SOURCE_TYPES,
    Config,
    SourceConfig,
)
from askwell.types import SourceType

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

FILE_NAME = "askwell.toml"
ENV_PREFIX = "ASKWELL_"


def find_file(*, explicit: str | None, environ: Mapping[str, str]) -> Path | None:
    """Return the config file to read, or None.

    The first that exists of: `--config`, `$ASKWELL_CONFIG`, `askwell.toml` here, and in the user's config folder.

    Raises:
        ConfigError: a file that was named does not exist.
    """
    named = explicit if explicit is not None else environ.get(ENV_PREFIX + "CONFIG") or None
    if named is not None:
        path = Path(named).expanduser()
        if not path.is_file():
            raise ConfigError(f"no config file at {str(path)!r}", hint="`askwell init` writes one")
        return path
    return next((path for path in candidates(environ) if path.is_file()), None)


def candidates(environ: Mapping[str, str]) -> tuple[Path, ...]:
    """Return where a config file is looked for when none is named, first choice first."""
    home = Path(environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return (Path(FILE_NAME), home / "askwell" / FILE_NAME)


def load(
    *,
    file: Path | None,
    environ: Mapping[str, str],
    sources: Sequence[str] = (),
    flags: Mapping[str, object] | None = None,
) -> Config:
    """Return the configuration in force.

    Args:
        file: A TOML file, or None.
        environ: The process environment; `ASKWELL_RETRIEVAL__K=5` sets `retrieval.k`.
        sources: Folders named with `--source`: they replace the file's unless they are among them,
            by name or path, in which case they select from them.
        flags: `section.key` → value, from the command line.

    Raises:
        ConfigError: an unknown key (the nearest one is named), a value of the wrong type or range, broken TOML.
    """
    tables = _read(file) if file else {}
    origins: dict[str, str] = {}
    config = Config(file=file)
    for name, value in tables.items():
        if name == "source":
            config = replace(config, sources=_sources(value, file))
            origins["source"] = str(file)
        elif name == "enabled":
            config = replace(config, enabled=_coerce("enabled", bool, value))
            origins["enabled"] = str(file)
        elif name in SECTIONS:
            if not isinstance(value, dict):
                raise ConfigError(f"`{name}` in {file} is a table", hint=f"write `[{name}]` on a line of its own")
            for key, entry in value.items():
                config = _set(config, f"{name}.{key}", entry, origins, str(file))
        else:
            raise _unknown(name, ("source", "enabled", *SECTIONS), f" in {file}")
    written = config
    config = _overridden(config, environ, flags or {}, origins)
    config = _of_its_address(_from_environment(config, environ, origins), written, origins)
    for setting, flag in (flags or {}).items():
        config = _set(config, setting, flag, origins, "command line")
    return replace(_select(config, sources, origins), origins=origins)


def _from_environment(config: Config, environ: Mapping[str, str], origins: dict[str, str]) -> Config:
    for name, text in environ.items():
        if name == ENV_PREFIX + "ENABLED":
            config = replace(config, enabled=_coerce("enabled", bool, text))
            origins["enabled"] = name
        elif name.startswith(ENV_PREFIX) and "__" in name:
            section, _, key = name.removeprefix(ENV_PREFIX).lower().partition("__")
            config = _set(config, f"{section}.{key}", text, origins, name)
    return config


def _overridden(
    config: Config, environ: Mapping[str, str], flags: Mapping[str, object], origins: dict[str, str]
) -> Config:
    """Apply what was changed from a page or with `askwell config set`. One bad entry is told and left out."""
    from askwell.overrides import ORIGIN, place, read, refusal, scope, value_of

    known = _from_environment(config, environ, {})
    if "records.path" in flags:
        known = _set(known, "records.path", flags["records.path"], {}, "command line")
    path = place(known, environ=environ)
    found = read(path, table=scope(config.file))
    faults = list(found.faults)
    beneath: dict[str, object] = {}
    for setting, value in found.values.items():
        try:
            if why := refusal(setting, value):
                raise ConfigError(why)
            changed = _set(config, setting, value, {}, ORIGIN)
        except ConfigError as error:
            faults.append(f"`{setting}` in {path} is left out: {error}")
            continue
        beneath[setting], origins[setting] = value_of(config, setting), ORIGIN
        config = changed
    return replace(config, beneath=beneath, faults=tuple(faults))


def _of_its_address(config: Config, written: Config, origins: Mapping[str, str]) -> Config:
    """Keep what was declared of one model's address, and the key that was given for it, from going to another one."""
    from askwell.overrides import ORIGIN, same_address

    models, before = config.models, written.models.generation_url
    if origins.get("models.generation_url") != ORIGIN or same_address(before, models.generation_url):
        return config
    trust = "" if models.generation_trust == "local" else models.generation_trust
    key = "" if before else models.generation_key_env
    return replace(config, models=replace(models, generation_trust=trust, generation_key_env=key))


def _select(config: Config, named: Sequence[str], origins: dict[str, str]) -> Config:
    """Apply `--source`, or fall back to the folder the command is run in."""
    if named:
        known = {s.name or Path(s.path).name: s for s in config.sources}
        known |= {os.path.realpath(s.path): s for s in config.sources}
        chosen = [known.get(text) or known.get(_folder(text)) for text in named]
        if all(chosen):
            return replace(config, sources=tuple(s for s in chosen if s))
        origins["source"] = "command line"
        paths = [_folder(text) for text in named]
        return replace(config, sources=tuple(SourceConfig(path=path) for path in dict.fromkeys(paths)))
    if not config.sources and not config.store.url:
        origins["source"] = HERE
        return replace(config, sources=(SourceConfig(path=str(Path.cwd())),))
    return config


def _folder(text: str) -> str:
    return os.path.realpath(Path(text).expanduser())


def _read(file: Path) -> dict[str, Any]:
    try:
        with file.open("rb") as stream:
            return tomllib.load(stream)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{file} is not valid TOML: {error}", hint="the line is named above") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{file} is not UTF-8 text", hint="save it as UTF-8") from error
    except OSError as error:
        raise ConfigError(f"cannot read {file}: {error.strerror}") from error


def _sources(value: object, file: Path | None) -> tuple[SourceConfig, ...]:
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise ConfigError("`source` is a list of tables", hint="write `[[source]]` above each source's settings")
    made: list[SourceConfig] = []
    for table in value:
        settings = {key: _checked(f"source.{key}", SourceConfig, key, entry) for key, entry in table.items()}
        if not settings.get("path"):
            raise ConfigError("a `[[source]]` has no `path`", hint='add `path = "/folder/of/the/source"`')
        base = file.parent if file else Path.cwd()
        path = os.path.realpath(base / Path(str(settings["path"])).expanduser())
        made.append(SourceConfig(**{**settings, "path": path}))
    names = [source.name for source in made if source.name]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise ConfigError(f"two sources are named {twice!r}", hint="give each `[[source]]` a `name` of its own")
    return tuple(made)


def _set(config: Config, setting: str, value: object, origins: dict[str, str], origin: str) -> Config:
    section, _, key = setting.partition(".")
    if section not in SECTIONS:
        raise _unknown(section, tuple(SECTIONS), f", named by {origin}")
    part = getattr(config, section)
    checked = _checked(setting, SECTIONS[section], key, value)
    origins[setting] = origin
    # Any: the section is only known by name here; `_checked` made sure of key and type
    changes: dict[str, Any] = {section: replace(part, **{key: checked})}
    return replace(config, **changes)


def checked(setting: str, value: object) -> Any:  # Any: the type is the setting's
    """Return a value as its setting has it.

    Raises:
        ConfigError: there is no such setting, or the value is none for it.
    """
    section, _, key = setting.partition(".")
    if section not in SECTIONS:
        raise _unknown(
            setting, tuple(f"{name}.{item.name}" for name in SECTIONS for item in fields(SECTIONS[name])), ""
        )
    return _checked(setting, SECTIONS[section], key, value)


def _checked(setting: str, owner: type, key: str, value: object) -> Any:
    """Return a value as its field's type, or raise ConfigError."""
    hints = get_type_hints(owner)
    if key not in hints:
        raise _unknown(setting, tuple(f"{setting.partition('.')[0]}.{f.name}" for f in fields(owner)), "")
    checked = _coerce(setting, hints[key], value)
    if setting in CHOICES and checked not in CHOICES[setting]:
        allowed = ", ".join(f"`{c}`" for c in CHOICES[setting] if c)
        raise ConfigError(f"`{setting}` is {checked!r}", hint=f"use one of {allowed}")
    if setting == "persona.name" and not PERSONA_NAME.fullmatch(checked):
        raise ConfigError(f"`{setting}` is {checked!r}", hint=NAME_HINT)
    if setting in RANGES:
        low, high = RANGES[setting]
        if not low <= checked <= high:
            raise ConfigError(f"`{setting}` is {checked!r}", hint=f"use a number from {low:g} to {high:g}")
    return checked


def _coerce(setting: str, wanted: Any, value: object) -> Any:  # Any: types are data here
    """Return `value` as the type that a field's annotation names; text from the environment is read leniently."""
    text = value if isinstance(value, str) else None
    if "\0" in (text or ""):
        raise ConfigError(f"`{setting}` holds a NUL character", hint="no path or name can hold one")
    result: Any  # one of the field types
    if wanted is bool:
        result = value if isinstance(value, bool) else _BOOLEANS.get((text or "").lower())
    elif wanted in (int, float):
        result = _number(wanted, value)
    elif wanted is str:
        result = text
    elif get_origin(wanted) is tuple:
        result = _texts(value)
    else:
        members = [member for kind in get_args(wanted) if kind is not type(None) for member in kind]
        words = {m.value: m for m in members if not isinstance(m, SourceType) or m in SOURCE_TYPES}
        if text not in words:
            raise ConfigError(f"`{setting}` is {value!r}", hint=f"use one of {', '.join(f'`{w}`' for w in words)}")
        result = words[text]
    if result is None:
        named = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}
        raise ConfigError(f"`{setting}` is {value!r}", hint=f"it takes {named.get(wanted, 'a list of texts')}")
    return result


_BOOLEANS = {"true": True, "1": True, "yes": True, "on": True, "false": False, "0": False, "no": False, "off": False}


def _number(wanted: type[int] | type[float], value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        number = float(value)
        return wanted(number) if wanted is float or number.is_integer() else None
    except (ValueError, OverflowError):
        return None


def _texts(value: object) -> tuple[str, ...] | None:
    if isinstance(value, str) and value.lstrip().startswith("["):
        try:
            value = tomllib.loads(f"value = {value}")["value"]
        except tomllib.TOMLDecodeError:
            return None
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    if isinstance(value, (list, tuple)) and all(isinstance(item, str) for item in value):
        return tuple(value)
    return None


def _unknown(name: str, known: Sequence[str], where: str) -> ConfigError:
    import difflib

    near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    hint = f"did you mean `{near[0]}`?" if near else f"known: {', '.join(known)}"
    return ConfigError(f"unknown setting `{name}`{where}", hint=hint)
