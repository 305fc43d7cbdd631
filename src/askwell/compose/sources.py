"""Settings → sources, each under a name of its own, with the rules that its documents are prepared by."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from askwell.compose.models import token_counter, window
from askwell.engine import BoundSource
from askwell.errors import ConfigError, SourceError
from askwell.privacy import ClassRules
from askwell.rules import Rules
from askwell.types import CodeMode, Kind, SourceType

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from askwell.ports import Embedder, Source
    from askwell.settings import Config, SourceConfig


def bind_sources(
    config: Config, *, embedder: Callable[[], Embedder | None], known: Mapping[str, str] | None = None
) -> tuple[BoundSource, ...]:
    """Return each configured source with the rules its documents are prepared by, under names that differ.

    Args:
        config: Settings in force.
        embedder: Counts tokens; called when a file is first cut.
        known: Root → name of the sources that the index holds; see `source_names`.

    Raises:
        ConfigError: a setting of a source makes no sense.
    """
    from askwell.sources.secrets import REDACTION_VERSION, redact

    names = source_names(config.sources, known=known or {})
    classes = ClassRules(personal=config.privacy.personal, sensitivity_key=config.privacy.sensitivity_key)
    budget = config.index.chunk_tokens or window(config.models)
    bound: list[BoundSource] = []
    for settings, name in zip(config.sources, names, strict=True):
        root = Path(settings.path)
        kind = settings.type or _detected(root)
        bound.append(
            BoundSource(
                source=_source(kind, name, root, settings),
                root=str(root),
                rules=Rules(
                    source=name,
                    type=kind,
                    code=settings.code or (CodeMode.HEADERS if kind is SourceType.GIT else CodeMode.FULL),
                    classes=classes,
                    budget=budget,
                    size=token_counter(embedder, config.models),
                    redact=redact,
                    redaction_version=REDACTION_VERSION,
                    kinds=_kinds(config.index.kinds),
                    header_sections=config.index.header_sections,
                    topics=settings.topics,
                ),
            )
        )
    return tuple(bound)


def source_names(sources: Sequence[SourceConfig], *, known: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """Return a name a source: as set, else as the index knows it, else the shortest free tail of its path.

    Args:
        sources: In order.
        known: Root → name of the sources that the index holds: a folder keeps its name there, and no other folder
            takes it.

    Raises:
        ConfigError: two sources are the same folder.
    """
    held = known or {}
    roots = [os.path.realpath(source.path) for source in sources]
    if twice := next((root for root in roots if roots.count(root) > 1), None):
        raise ConfigError(f"two sources are the same folder {twice!r}", hint="remove one of them")
    names: list[str] = []
    for source, root in zip(sources, roots, strict=True):
        others = [other for other in roots if other != root]
        taken = {name for at, name in held.items() if at != root} | {other.name for other in sources}
        parts = Path(root).parts[1:] or ("root",)
        tails = ["/".join(parts[-count:]) for count in range(1, len(parts) + 1)]
        free = (t for t in tails if t not in taken and not any(other.endswith("/" + t) for other in others))
        names.append(source.name or held.get(root, "") or next(free, root))
    return tuple(names)


def _detected(root: Path) -> SourceType:
    """Return the type of the source at `root`; of a folder that is not there now, any: listing it says why."""
    from askwell.sources.detect import detect

    try:
        return detect(root)
    except SourceError:
        return SourceType.FOLDER


def _source(kind: SourceType, name: str, root: Path, settings: SourceConfig) -> Source:
    options: dict[str, Any] = {  # Any: the three sources take the same keyword arguments
        "include": settings.include,
        "exclude": settings.exclude,
        "extra_extensions": frozenset(e.lower().lstrip(".") for e in settings.extensions),
        "max_bytes": settings.max_bytes,
        "allow_secrets": settings.allow_secrets,
    }
    if kind is SourceType.GIT:
        from askwell.sources.git import GitSource

        return GitSource(name, root, **options)
    if kind is SourceType.VAULT:
        from askwell.sources.vault import VaultSource

        return VaultSource(name, root, **options)
    from askwell.sources.folder import FolderSource

    return FolderSource(name, root, **options)


def _kinds(pairs: Sequence[str]) -> tuple[tuple[str, Kind], ...]:
    made: list[tuple[str, Kind]] = []
    for pair in pairs:
        glob, _, kind = pair.rpartition("=")
        if not glob or kind not in [k.value for k in Kind]:
            raise ConfigError(
                f"`index.kinds` has {pair!r}", hint=f"write GLOB=KIND with one of {', '.join(k.value for k in Kind)}"
            )
        made.append((glob, Kind(kind)))
    return tuple(made)
