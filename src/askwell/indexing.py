"""One index run: every source synced, links resolved, boilerplate marked, vectors made, then tidied.

plan every source ── all idle, nothing pending ──▶ done, without becoming the writer
       │
       ▼
text phase: apply each plan   →  searchable by words from here on
       ▼
edges, boilerplate            →  what needs the whole corpus
       ▼
vector phase                  →  resumable batch by batch; a model that is down ends it, not the run
       ▼
prune, stamp                  →  only after a run that saw everything
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from askwell.errors import ModelRefused, ModelUnavailable, SourceError
from askwell.privacy import EVERYTHING, RULES_NOTE
from askwell.sync import Applied, Plan, apply, idle_pattern_warnings, plan
from askwell.types import Filter, PrivacyClass
from askwell.veil import veils

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from askwell.engine import BoundSource
    from askwell.ids import DocumentId
    from askwell.ports import Embedder, Fault, IndexedState, Name, Progress, Store, StoredEdge, Writer


MODEL_NOTE = "embedding.setting"
"""The store's note of the setting that its vectors were made under."""


LINKS_NOTE = "links"
"""The store's note that documents changed and their links were not resolved yet: a run that was killed leaves it."""

PREPARATION_NOTE = "preparation"
"""The store's note of what of its documents' rules came with the version of Askwell that read them."""

LANGUAGE_NOTE = "languages"
"""The store's note of what to tell about the corpus's languages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """What a person may ask of an index run."""

    allow_mass_delete: bool = False
    force: bool = False
    rebuild: bool = False  # also accept another embedding space than the stored one
    wait: float = 0.0
    allow_cloud: bool = False
    vectors: bool = True
    patience: float = 0.0  # seconds after which the vector phase stops for now; 0 is no limit
    reads: frozenset[str] = frozenset()  # languages of the embedding model; empty for one that reads all
    model: str = ""  # the embedding model's setting, to see that it changed without loading it
    drop_others: bool = False  # whether sources that are not part of this run leave the index


@dataclass(frozen=True, slots=True, kw_only=True)
class RunReport:
    """What an index run did, or would do."""

    added: int
    updated: int
    unchanged: int
    reclassified: int  # documents whose class changed and nothing else
    removed: int
    refused: int  # documents that are gone and were kept, because too many are
    failed: tuple[Fault, ...]
    skipped: tuple[Fault, ...]
    chunks: int
    embedded: int
    reused: int
    pending: int
    warnings: tuple[str, ...]
    seconds: float
    idle: bool = False  # nothing was to be done, and nothing failed or was refused


def run(
    sources: Sequence[BoundSource],
    store: Store,
    embedder: Callable[[], Embedder | None],
    *,
    options: RunOptions,
    clock: Callable[[], float],
    now: Callable[[], str],
    progress: Progress | None = None,
) -> RunReport:
    """Make the index match the sources.

    Args:
        embedder: Called only if a text needs a vector or the stored space must be compared.
        clock: Seconds, monotonic.
        now: ISO time, UTC.

    Raises:
        IndexLocked: another run is writing.
        SourceError: no source could be listed; with several sources one that fails is a warning.
        EmbeddingSpaceChanged: the index holds vectors of another model.
    """
    started = clock()
    _check_model(store, embedder, options)
    plans = plans_of(sources, store, options)
    if _nothing_to_do(sources, plans, store, options):
        warnings = [*warnings_of(sources, plans), *_language_note(store)]
        report = report_of(plans, [], store, warnings=warnings, seconds=clock() - started)
        return replace(report, idle=not (report.failed or report.refused))
    with store.write(wait=options.wait) as writer:
        plans = plans_of(sources, store, options)
        again = reread_note(sources, plans, store)
        changing = any(isinstance(p, Plan) and (p.add or p.update or p.remove or p.classes) for p in plans)
        if changing or others_of(sources, store, options):
            writer.set_note(LINKS_NOTE, "to be resolved")
        applied: list[Applied] = []
        for bound, planned in zip(sources, plans, strict=True):
            if isinstance(planned, SourceError):
                continue
            writer.put_source(bound.source.name, bound.source.type, bound.root)
            applied.append(apply(planned, source=bound.source, writer=writer, rules=bound.rules, progress=progress))
        others = others_of(sources, store, options)
        writer.remove_documents([state.id for state in others])
        warnings = [*warnings_of(sources, plans), *others_note(others)]
        if changing or others or store.note(LINKS_NOTE):
            resolve_links(store, writer)
            writer.veil(veils(store))
            writer.set_note(LINKS_NOTE, "")
            mark_boilerplate(store, writer)
            note_languages(store, writer, options)
        embedded = 0
        before = store.vector_counts(visible=Filter(classes=EVERYTHING))[0]
        if options.vectors:
            embedded, notes = _vectors(store, writer, embedder, options, clock, progress)
            warnings += notes
        warnings += _language_note(store)
        complete = not any(isinstance(p, SourceError) for p in plans)
        if complete:
            writer.prune()
        for bound, planned in zip(sources, plans, strict=True):
            if not isinstance(planned, SourceError):
                writer.finish_run(bound.source.name, at=now())
        if complete and _covers(sources, store):
            writer.set_note(RULES_NOTE, sources[0].rules.classes.key)
            writer.set_note(PREPARATION_NOTE, sources[0].rules.preparation)
        writer.set_note("warnings", "\n".join(warnings))
    warnings += again
    have = store.vector_counts(visible=Filter(classes=EVERYTHING))[0]
    return report_of(
        plans,
        applied,
        store,
        warnings=warnings,
        others=len(others),
        embedded=embedded,
        reused=max(0, have - before - embedded),
        seconds=clock() - started,
    )


def _check_model(store: Store, embedder: Callable[[], Embedder | None], options: RunOptions) -> None:
    """Fail before anything is changed if the configured model is another than the index was made with.

    The model itself is only loaded when its setting is new: an idle run loads none.
    """
    if not options.vectors or options.rebuild or store.note(MODEL_NOTE) in ("", options.model):
        return
    from askwell.embedding import check_space

    with suppress(ModelUnavailable, ModelRefused):  # the vector phase will tell
        if (model := embedder()) is not None:
            check_space(store, model, probe=False)


def resolve_links(store: Store, writer: Writer) -> None:
    """Point every edge at the document it names now, whatever the order they came in.

    An open document's edge means an open document if it can: where a link leads must not depend on personal
    documents for a reader who does not see them.
    """
    from askwell.links.resolve import Resolver

    names = {name.id: name for name in store.names()}
    open_ids = {state.id for state in store.states().values() if state.class_ is PrivacyClass.OPEN}
    everything = Resolver(names.values())
    among_open = Resolver(name for id, name in names.items() if id in open_ids)

    def target(stored: StoredEdge, origin: Name) -> DocumentId | None:
        found = among_open.resolve(stored.edge, origin=origin) if stored.origin in open_ids else None
        return found or everything.resolve(stored.edge, origin=origin)

    changed = {
        stored.key: now
        for stored in store.edges()
        if (origin := names.get(stored.origin)) is not None and (now := target(stored, origin)) != stored.target
    }
    if changed:
        writer.set_targets(changed)


def mark_boilerplate(store: Store, writer: Writer) -> None:
    """Mark texts that stand in many documents; an open audience's are counted over open documents only."""
    from askwell.chunk.boilerplate import boilerplate

    rows = list(store.text_hashes())
    marks: dict[PrivacyClass, frozenset[str]] = {}
    for class_, admitted in ((PrivacyClass.OPEN, {PrivacyClass.OPEN}), (PrivacyClass.PERSONAL, set(PrivacyClass))):
        seen = [(key, document) for key, document, of in rows if of in admitted]
        marks[class_] = boilerplate(seen, documents=len({document for _, document in seen}))
    writer.mark_boilerplate(marks)


def note_languages(store: Store, writer: Writer, options: RunOptions) -> None:
    """Keep what a person should know of the corpus's languages; told by this run and every later one."""
    from askwell.languages import mismatch, shares

    writer.set_note(LANGUAGE_NOTE, mismatch(shares(store, classes=EVERYTHING), reads=options.reads))


def plans_of(sources: Sequence[BoundSource], store: Store | None, options: RunOptions) -> list[Plan | SourceError]:
    """Return a plan a source, or the reason why it could not be listed.

    Raises:
        SourceError: none could.
    """
    by_source: dict[str, list[object]] = {}
    states = store.states().values() if store is not None else ()
    for state in states:
        by_source.setdefault(state.source, []).append(state)
    plans: list[Plan | SourceError] = []
    for bound in sources:
        try:
            plans.append(
                plan(
                    bound.source,
                    by_source.get(bound.source.name, ()),  # type: ignore[arg-type]  # states, grouped above
                    rules=bound.rules,
                    allow_mass_delete=options.allow_mass_delete,
                    force=options.force or options.rebuild,
                )
            )
        except SourceError as error:
            plans.append(error)
    errors = [p for p in plans if isinstance(p, SourceError)]
    if errors and len(errors) == len(plans):
        raise errors[0]
    return plans


def _nothing_to_do(
    sources: Sequence[BoundSource], plans: Sequence[Plan | SourceError], store: Store, options: RunOptions
) -> bool:
    """Whether the index already says all that a run would make it say."""
    if any(isinstance(p, SourceError) or not p.idle for p in plans):
        return False
    if store.note(LINKS_NOTE):
        return False
    visible = Filter(classes=EVERYTHING)
    if options.vectors and (store.vector_counts(visible=visible)[1] or store.note(MODEL_NOTE) != options.model):
        return False
    if _covers(sources, store) and store.note(RULES_NOTE) != sources[0].rules.classes.key:
        return False
    names = {bound.source.name for bound in sources}
    kept = {(f.source, f.path, f.reason, f.class_) for f in store.faults(visible=visible) if f.source in names}
    found = {(f.source, f.path, f.reason, f.class_) for p in plans if isinstance(p, Plan) for f in p.faults}
    known = store.sources(visible=visible)
    if options.drop_others and any(info.name not in names for info in known):
        return False
    return kept == found and names <= {info.name for info in known if info.last_run}


def _covers(sources: Sequence[BoundSource], store: Store) -> bool:
    """Whether every source that the index holds takes part in this run."""
    names = {bound.source.name for bound in sources}
    return bool(names) and all(info.name in names for info in store.sources(visible=Filter(classes=EVERYTHING)))


def others_of(sources: Sequence[BoundSource], store: Store, options: RunOptions) -> list[IndexedState]:
    """Return the documents of sources that are not part of this run, if those are to leave the index."""
    names = {bound.source.name for bound in sources}
    return [state for state in store.states().values() if state.source not in names] if options.drop_others else []


def others_note(others: Sequence[IndexedState]) -> list[str]:
    """Return that documents leave with their sources; nothing if none do."""
    names = ", ".join(repr(name) for name in sorted({state.source for state in others}))
    return [f"{names} left the settings, and {len(others)} documents leave the index with that"] if others else []


def _vectors(
    store: Store,
    writer: Writer,
    embedder: Callable[[], Embedder | None],
    options: RunOptions,
    clock: Callable[[], float],
    progress: Progress | None,
) -> tuple[int, list[str]]:
    """Run the vector phase; return how many texts were embedded and what a person should know of it.

    A model that has nothing to do is not contacted: a run that only moves, reclasses or removes needs none.
    """
    from askwell.embedding import check_space, embed_pending

    waiting = store.vector_counts(visible=Filter(classes=EVERYTHING))[1]
    if not waiting and not options.rebuild and store.note(MODEL_NOTE) == options.model:
        return 0, []
    try:
        model = embedder()
        if model is None:
            writer.set_note(MODEL_NOTE, options.model)
            return 0, []
        if not options.rebuild:
            check_space(store, model)
        deadline = clock() + options.patience if options.patience else None
        result = embed_pending(
            store,
            writer,
            model,
            allow_personal=model.trust == "local" or options.allow_cloud,
            progress=progress,
            stop=(lambda: clock() >= deadline) if deadline is not None else None,
        )
    except (ModelUnavailable, ModelRefused) as error:
        return 0, [f"vectors were not made: {error}; search goes on by words"]
    if store.note(MODEL_NOTE) != options.model:
        writer.set_note(MODEL_NOTE, options.model)
    return result.embedded, list(result.notes)


def warnings_of(sources: Sequence[BoundSource], plans: Sequence[Plan | SourceError]) -> list[str]:
    """Return what a person should know of sources and of patterns that protect nothing."""
    warnings: list[str] = []
    paths: list[str] = []
    for bound, planned in zip(sources, plans, strict=True):
        if isinstance(planned, SourceError):
            warnings.append(f"{bound.source.name!r} could not be listed: {planned}")
        else:
            warnings += planned.warnings
            paths += planned.paths
    if sources and paths:
        warnings += idle_pattern_warnings(sources[0].rules, paths)
    return list(dict.fromkeys(warnings))


def reread_note(sources: Sequence[BoundSource], plans: Sequence[Plan | SourceError], store: Store) -> list[str]:
    """Return why documents are read again whose files may be the same, if any are."""
    count = sum(planned.reread for planned in plans if isinstance(planned, Plan))
    if not count:
        return []
    by_version = store.note(PREPARATION_NOTE) != sources[0].rules.preparation
    why = "this version of Askwell reads files differently" if by_version else "settings for reading them changed"
    return [f"{count} documents are read again, changed or not: {why}; texts that stay the same are not embedded again"]


def _language_note(store: Store) -> list[str]:
    note = store.note(LANGUAGE_NOTE)
    return [note] if note else []


def report_of(
    plans: Sequence[Plan | SourceError],
    applied: Sequence[Applied],
    store: Store | None,
    *,
    warnings: Sequence[str],
    others: int = 0,
    embedded: int = 0,
    reused: int = 0,
    seconds: float = 0.0,
) -> RunReport:
    """Add plans and what became of them up; without `applied` the plans are what would be done."""
    made = [p for p in plans if isinstance(p, Plan)]
    dry = not applied
    faults = [f for p in made for f in p.faults] if dry else [f for one in applied for f in one.faults]
    pending = store.vector_counts(visible=Filter(classes=EVERYTHING))[1] if store is not None else 0
    return RunReport(
        added=sum(len(p.add) for p in made) if dry else sum(one.added for one in applied),
        updated=sum(len(p.update) for p in made) if dry else sum(one.updated for one in applied),
        unchanged=sum(p.unchanged for p in made),
        reclassified=sum(p.reclassified for p in made),
        refused=sum(p.refused for p in made),
        removed=sum(len(p.remove) for p in made) + others,
        failed=tuple(f for f in faults if f.status == "failed"),
        skipped=tuple(f for f in faults if f.status == "skipped"),
        chunks=sum(one.chunks for one in applied),
        embedded=embedded,
        reused=reused,
        pending=pending,
        warnings=tuple(warnings),
        seconds=seconds,
    )
