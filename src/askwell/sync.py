"""Make the index match the sources: `plan` decides, `apply` does. A dry run is `plan` alone.

Source.list ─┐
             ├─▶ Plan (read these, remove those, reclass these) ─▶ apply ─▶ Writer
Store.states ┘
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from askwell.errors import UnreadableFile
from askwell.formats import format_of
from askwell.ids import content_hash
from askwell.ports import Fault
from askwell.privacy import class_of, class_of_path, idle_patterns
from askwell.types import PrivacyClass

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from askwell.ids import DocumentId
    from askwell.ports import IndexedState, Progress, Source, Writer
    from askwell.prepare import Prepared
    from askwell.rules import Rules
    from askwell.types import Entry, FileStat, Listing

GUARD_FLOOR = 25
"""Below this many documents a source may shrink by any share: people empty small folders on purpose."""

GUARD_SHARE = 0.2
"""A listing that lost this share of a source is more often an unmounted disk than a decision."""

BATCH_DOCUMENTS = 64
BATCH_CHARS = 4_000_000
"""One transaction: large enough to amortise its commit, small enough to lose little when killed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a sync of one source would do. Nothing has been written."""

    source: str
    rules_key: str
    add: tuple[Entry, ...]
    update: tuple[Entry, ...]
    unchanged: int
    reclassified: int  # documents that change their class alone
    remove: tuple[IndexedState, ...]
    stamps: Mapping[DocumentId, FileStat | None] = field(default_factory=dict)
    classes: Mapping[DocumentId, PrivacyClass] = field(default_factory=dict)
    faults: tuple[Fault, ...] = ()
    warnings: tuple[str, ...] = ()
    reread: int = 0  # of `update`, documents that other rules were in force for; their files may be the same
    refused: int = 0  # documents that are gone and are kept, because too many are
    paths: tuple[str, ...] = ()  # of every document that the source has, held-back ones too

    @property
    def idle(self) -> bool:
        """Whether the documents in the index are already what the source has."""
        return not (self.add or self.update or self.remove or self.stamps or self.classes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """What a sync of one source did."""

    added: int
    updated: int
    removed: int
    chunks: int
    faults: tuple[Fault, ...]
    notes: tuple[str, ...]  # files that a fall-back parser took, and why


def plan(
    source: Source,
    states: Iterable[IndexedState],
    *,
    rules: Rules,
    allow_mass_delete: bool = False,
    force: bool = False,
) -> Plan:
    """Compare a source with what is indexed of it.

    Files are read only where their stamp is new, and then to compare content: a stamp that is the same was
    taken from the read that was indexed, and one too young to be trusted was not kept.

    Args:
        source: Listed here.
        states: Of this source only.
        rules: In force now; documents indexed under others are read again.
        allow_mass_delete: Lifts the guard against a source that seems to have lost most of itself.
        force: Read and parse everything again (vectors of unchanged texts are kept all the same).

    Raises:
        SourceError: the source cannot be listed.
    """
    listing = source.list()
    known = {state.path: state for state in states}
    rules_key = rules.key
    add: list[Entry] = []
    update: list[Entry] = []
    faults: list[Fault] = []
    stamps: dict[DocumentId, FileStat | None] = {}
    same: list[DocumentId] = []
    reread = 0
    seen: set[str] = set()
    empty: set[str] = set()
    for entry in listing.entries:
        state = known.get(entry.path)
        if entry.stat.size == 0 and entry.stat.mtime_ns:
            empty.add(entry.path)
            faults.append(_fault(source.name, entry.path, "empty file", "skipped", rules))
            continue
        seen.add(entry.path)
        if state is None:
            add.append(entry)
        elif force or not state.change_key.startswith(rules_key):
            update.append(entry)
            reread += not state.change_key.startswith(rules_key)
        elif state.stat == entry.stat:
            same.append(state.id)
        else:
            try:
                file = source.read(entry.path)
            except UnreadableFile as error:
                faults.append(_fault(source.name, entry.path, str(error), "failed", rules))
                continue
            if content_hash(file.raw) == state.content:
                same.append(state.id)
                fresh = file.stat if file.settled else None
                if fresh != state.stat:
                    stamps[state.id] = fresh
            else:
                update.append(entry)
    held_back = empty | {skip.path for skip in listing.skipped}
    gone = [state for path, state in known.items() if path not in seen]
    remove, refused = _guarded(gone, held_back, listing, known, source, add, allow_mass_delete=allow_mass_delete)
    faults += [_fault(source.name, skip.path, skip.reason, "skipped", rules) for skip in listing.skipped]
    if listing.incomplete and not refused:
        refused = [f"{source.name!r} could not be listed whole: {listing.incomplete}"]
    removed = {state.path for state in remove}
    classes = _reclassed((s for path, s in known.items() if path not in removed), rules)
    reclassified = sum(id in classes for id in same)
    return Plan(
        source=source.name,
        rules_key=rules_key,
        add=tuple(add),
        update=tuple(update),
        unchanged=len(same) - reclassified,
        reclassified=reclassified,
        remove=tuple(remove),
        stamps=stamps,
        classes=classes,
        faults=tuple(faults),
        warnings=tuple(refused),
        reread=reread,
        refused=len(gone) - len(remove) if not listing.incomplete else 0,
        paths=(*(e.path for e in listing.entries), *(skip.path for skip in listing.skipped)),
    )


def apply(plan: Plan, *, source: Source, writer: Writer, rules: Rules, progress: Progress | None = None) -> Applied:
    """Carry a plan out: what must be hidden first, then what is new, in transactions of whole documents."""
    if plan.classes or plan.stamps:
        writer.refresh(stats=plan.stamps, classes=plan.classes)
    if plan.remove:
        writer.remove_documents([state.id for state in plan.remove])
    failed: list[Fault] = []
    notes: list[str] = []
    fresh = {entry.path for entry in plan.add}
    added = updated = chunks = 0
    total = len(plan.add) + len(plan.update)
    done = 0
    for batch in _batches(_prepared(plan, source, rules, failed, notes)):
        writer.put_documents([(item.document, item.chunks, item.edges) for item in batch])
        new = sum(item.document.path in fresh for item in batch)
        added += new
        updated += len(batch) - new
        chunks += sum(len(item.chunks) for item in batch)
        done += len(batch)
        if progress:
            progress("reading", done, total)
    writer.put_faults(source.name, [*plan.faults, *failed])
    return Applied(
        added=added,
        updated=updated,
        removed=len(plan.remove),
        chunks=chunks,
        faults=(*plan.faults, *failed),
        notes=tuple(notes),
    )


def idle_pattern_warnings(rules: Rules, paths: Sequence[str]) -> tuple[str, ...]:
    """Return a warning per personal pattern that matches none of `paths`: it protects nothing."""
    return tuple(
        f"the personal pattern `{pattern}` matches no document"
        + (f"; {near!r} differs from it in case only" if near else "")
        for pattern, near in idle_patterns(rules.classes, paths)
    )


def _prepared(plan: Plan, source: Source, rules: Rules, failed: list[Fault], notes: list[str]) -> Iterator[Prepared]:
    from askwell.prepare import prepare

    for entry in (*plan.update, *plan.add):
        try:
            file = source.read(entry.path)
            item = prepare(file, path=entry.path, rules=rules)
        except UnreadableFile as error:
            failed.append(_unreadable(source, entry.path, error, rules))
            continue
        except MemoryError:
            reason = "needs more memory than there is"
            failed.append(_fault(source.name, entry.path, reason, "failed", rules))
            continue
        if item.note:
            notes.append(f"{entry.path}: {item.note}")
        if not file.settled:
            item = replace(item, document=replace(item.document, stat=None))
        yield item


def rehearsed(plan: Plan, *, source: Source, rules: Rules) -> Plan:
    """Return a plan whose files have been opened: what `apply` would find to be no text is a fault, not a document."""
    from askwell.prepare import readable

    faults: list[Fault] = []

    def opens(entry: Entry) -> bool:
        try:
            readable(source.read(entry.path))
        except UnreadableFile as error:
            faults.append(_unreadable(source, entry.path, error, rules))
            return False
        return True

    update = tuple(entry for entry in plan.update if opens(entry))
    add = tuple(entry for entry in plan.add if opens(entry))
    return replace(plan, add=add, update=update, faults=(*plan.faults, *faults))


def _unreadable(source: Source, path: str, error: UnreadableFile, rules: Rules) -> Fault:
    status = "skipped" if "binary" in str(error) else "failed"
    return _fault(source.name, path, str(error), status, rules)


def _batches(items: Iterator[Prepared]) -> Iterator[list[Prepared]]:
    batch: list[Prepared] = []
    chars = 0
    for item in items:
        batch.append(item)
        chars += len(item.document.text)
        if len(batch) >= BATCH_DOCUMENTS or chars >= BATCH_CHARS:
            yield batch
            batch, chars = [], 0
    if batch:
        yield batch


def _reclassed(states: Iterable[IndexedState], rules: Rules) -> dict[DocumentId, PrivacyClass]:
    changed: dict[DocumentId, PrivacyClass] = {}
    for state in states:
        now = class_of(state.path, sensitivity=state.sensitivity, fault=state.sensitivity_fault, rules=rules.classes)
        if now is not state.class_:
            changed[state.id] = now
    return changed


def _guarded(
    gone: Sequence[IndexedState],
    held_back: set[str],
    listing: Listing,
    known: Mapping[str, IndexedState],
    source: Source,
    add: Sequence[Entry],
    *,
    allow_mass_delete: bool,
) -> tuple[list[IndexedState], list[str]]:
    """Return what may be removed, and why the rest may not.

    A document that the listing names as held back is removed whatever the guard says: it is known to be there.
    """
    certain = [state for state in gone if state.path in held_back]
    missing = [state for state in gone if state.path not in held_back]
    if not missing:
        return certain, []
    if listing.incomplete:
        return certain, [f"nothing was removed from {source.name!r}: {listing.incomplete}"]
    if allow_mass_delete:
        return [*certain, *missing], []
    emptied = not listing.entries
    if emptied or (len(known) >= GUARD_FLOOR and len(missing) >= GUARD_SHARE * len(known)):
        moved = _contents(source, add)
        lost = [state for state in missing if state.content not in moved]
        if emptied or len(lost) >= GUARD_SHARE * len(known):
            return certain, [
                f"{len(lost)} of {len(known)} documents of {source.name!r} are gone from it; none was removed: "
                "if that is right, run `askwell index --allow-mass-delete`"
            ]
    return [*certain, *missing], []


def _contents(source: Source, entries: Sequence[Entry]) -> set[str]:
    """Return the content hashes of files that can be read: where a missing document may have moved to."""
    found: set[str] = set()
    for entry in entries:
        try:
            found.add(content_hash(source.read(entry.path).raw))
        except UnreadableFile:
            continue
    return found


def _fault(source: str, path: str, reason: str, status: str, rules: Rules) -> Fault:
    """Return a fault; that of a note is personal, because nobody read the flag that might say so."""
    unread = format_of(path) == "markdown"
    return Fault(
        source=source,
        path=path,
        reason=reason,
        status="failed" if status == "failed" else "skipped",
        class_=PrivacyClass.PERSONAL if unread else class_of_path(path, rules=rules.classes),
    )
