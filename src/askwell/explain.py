"""Say why a document that the reader expected is not among the hits."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from askwell.types import Arm, Filter

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from askwell.ids import ChunkId, DocumentId
    from askwell.ports import DocumentInfo, Store
    from askwell.types import Ranking, Sighting


def why_not(
    path: str,
    *,
    ranking: Ranking,
    found: Mapping[Arm, Sequence[tuple[ChunkId, Sighting]]],
    depth: int,
    store: Store,
    visible: Filter,
) -> str:
    """Return one sentence on where the document at `path` ended.

    What may not be seen is described in the same words as what does not exist.

    Args:
        path: As the reader wrote it: a path, or the end of one (`notes/backup.md`, `backup.md`).
        ranking: Without the expected document or with it.
        found: The arms' sightings for the same question, much deeper than the ranking's.
        depth: How many candidates an arm gave to the ranking.
        store: The index.
        visible: What the ranking was allowed to see.
    """
    wanted = unicodedata.normalize("NFC", path).strip().removeprefix("./").strip("/")
    for rank, hit in enumerate(ranking.hits, start=1):
        if _names(hit.path, wanted):
            return f"{hit.path} is here, ranked {rank}"
    for removed in ranking.removed:
        if _names(removed.hit.path, wanted):
            return f"{removed.hit.path} was found and left out: {removed.by}"
    audience = Filter(classes=visible.classes)
    info = _document(wanted, store.documents(visible=audience))
    if info is None:
        return _fault(wanted, store=store, visible=audience) or f"no document named {path!r} is in the index"
    if _document(info.path, store.documents(visible=visible), id=info.id) is None:
        return f"{info.path} is in the index, but the filters of this search leave it out"
    return _depth(info, found=found, depth=depth, store=store, visible=visible)


def _names(path: str, wanted: str) -> bool:
    return path == wanted or path.endswith(f"/{wanted}")


def _document(wanted: str, infos: Sequence[DocumentInfo], *, id: DocumentId | None = None) -> DocumentInfo | None:
    """Return the document of that exact path, else the first whose path ends so."""
    named = [info for info in infos if _names(info.path, wanted) and id in (None, info.id)]
    return min(named, key=lambda info: (info.path != wanted, info.path), default=None)


def _fault(wanted: str, *, store: Store, visible: Filter) -> str:
    for fault in store.faults(visible=visible):
        if _names(fault.path, wanted):
            verb = "could not be read" if fault.status == "failed" else "was skipped"
            return f"{fault.path} {verb}: {fault.reason}"
    return ""


def _depth(
    info: DocumentInfo,
    *,
    found: Mapping[Arm, Sequence[tuple[ChunkId, Sighting]]],
    depth: int,
    store: Store,
    visible: Filter,
) -> str:
    mine = {chunk.id for chunk in store.document_chunks(info.id, visible=visible)}
    if not mine:
        return f"{info.path} is in the index, but holds no text to search"
    said = []
    for arm, sightings in found.items():
        rank = next((seen.rank for id, seen in sightings if id in mine), None)
        by = "by words" if arm is Arm.LEXICAL else "by meaning"
        if rank is not None:
            said.append(f"ranked {rank} {by}")
        elif len(sightings) < depth:
            said.append(f"not matched {by}")
        else:
            said.append(f"not among the first {len(sightings)} {by}")
    return f"{info.path} is in the index, {' and '.join(said)}; an arm's first {depth} are looked at"
