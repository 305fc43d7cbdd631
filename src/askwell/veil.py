"""In a request that may not see everything, a link shows its target only if the target is visible.

An open note may link to a personal one: `[[journal/The clinic]]`. Its text is open, the name in the link is not.
A target that does not exist is veiled as well: otherwise the veil itself would say which ones do.
Letters are replaced one for one, so that spans, lines and quotes keep their places.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import unquote

from askwell.privacy import EVERYTHING
from askwell.types import EdgeKind

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from askwell.ids import ChunkId, DocumentId
    from askwell.ports import DocumentInfo, ResolvedEdge, Store, Veil
    from askwell.types import Chunk, Document, Filter

VEIL = "•"

_TARGET = re.compile(r"(?<=\[\[)[^\[\]|\n]+|(?<=\]\()<[^<>\n]+>|(?<=\]\()[^()\s<>]+|(?<=\]: )\S+")
_UNRESOLVED = re.compile(
    r"""(?<=href=")(?![a-z]+:|#)[^"\n]+|(?<=href=')(?![a-z]+:|#)[^'\n]+|obsidian://[^\s"'<>)\]]+""", re.IGNORECASE
)
"""Links that no edge is made of, so that nobody knows whether their targets are visible."""

_UNDERLINE = re.compile(r"[ \t]*(?:=+|-+)[ \t]*$")
"""Below a heading of the other form."""

_KINDS = frozenset({EdgeKind.LINK, EdgeKind.EMBED, EdgeKind.TOPIC})

Hidden = dict[int, set[str]]
"""Line of the document → targets on it that are not shown."""


def hidden_targets(edges: Iterable[ResolvedEdge]) -> Hidden:
    """Return what must not be shown of a document's links, by line; `edges` are of one origin."""
    hidden: Hidden = {}
    for known in edges:
        if known.target is None and known.edge.kind in _KINDS:
            hidden.setdefault(known.edge.line, set()).add(known.edge.target)
    return hidden


def veiled(text: str, hidden: Hidden) -> str:
    """Return `text` with the hidden targets of its links covered letter for letter.

    A target is covered in whatever is written like a link to it, wherever in the document: in code, in a comment and
    in a second definition of a reference it is no link, and says the same name.

    Args:
        text: A document, or a part of it.
        hidden: Of the document, as `hidden_targets` returns it.
    """
    text = _UNRESOLVED.sub(_whole, text)
    if not hidden or not ("[[" in text or "](" in text or "]: " in text):
        return text
    return _TARGET.sub(partial(_covered, everywhere(hidden)), text)


def everywhere(hidden: Hidden) -> frozenset[str]:
    """Return the hidden targets of all lines."""
    return frozenset(target for targets in hidden.values() for target in targets)


def heading_names(text: str, hidden: Hidden) -> frozenset[str]:
    """Return the hidden targets that stand in a document's headings, from where they come into heading paths."""
    lines = text.split("\n")
    return frozenset(
        target
        for line, targets in hidden.items()
        if line <= len(lines) and (lines[line - 1].lstrip().startswith("#") or _underlined(lines, line))
        for target in targets
    )


def _underlined(lines: Sequence[str], line: int) -> bool:
    return line < len(lines) and bool(lines[line].strip()) and _UNDERLINE.match(lines[line]) is not None


def without_names(text: str, names: Collection[str]) -> str:
    """Return a heading or a prelude with names covered letter for letter, where they stand as words."""
    for name in sorted(names, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", _whole, text)
    return text


def veils(store: Store) -> dict[ChunkId, Veil]:
    """Return what an open request may know of each open chunk whose links name what such a request must not see.

    Those are targets that are personal and, so that they cannot be told from these, targets that do not exist.
    """
    from askwell.ports import Veil
    from askwell.types import Filter, PrivacyClass

    seen = Filter(classes=EVERYTHING)
    open_ids = {id for id, state in store.states().items() if state.class_ is PrivacyClass.OPEN}
    hidden: dict[DocumentId, Hidden] = {}
    for stored in store.edges():
        edge = stored.edge
        if edge.kind in _KINDS and stored.origin in open_ids and stored.target not in open_ids:
            hidden.setdefault(stored.origin, {}).setdefault(edge.line, set()).add(edge.target)
    found: dict[ChunkId, Veil] = {}
    for id, text in store.texts(list(hidden), visible=seen):
        names = heading_names(text, hidden[id])
        for chunk in store.document_chunks(id, visible=seen):
            own = Veil(text=chunk.text, lead=chunk.lead, prelude=chunk.prelude)
            under = Veil(
                text=veiled(chunk.text, hidden[id]),
                lead=veiled(chunk.lead, hidden[id]),
                prelude=without_names(chunk.prelude, names),
            )
            if under != own:
                found[chunk.id] = under
    return found


def _whole(found: re.Match[str]) -> str:
    return VEIL * len(found[0])


def _covered(targets: Collection[str], found: re.Match[str]) -> str:
    written = found[0]
    bare = written.strip("<>\\ ")
    names = {part.partition("#")[0].strip() for part in (bare, unquote(bare))}
    return written if names.isdisjoint(targets) else VEIL * len(written)


class VeiledStore:
    """A store whose texts are veiled for whoever may not see everything. Everything else is the store's own."""

    def __init__(self, store: Store) -> None:
        """Take the store to read from."""
        self._store = store
        self.close = store.close
        self.write = store.write
        self.states = store.states
        self.pending = store.pending
        self.names = store.names
        self.edges = store.edges
        self.text_hashes = store.text_hashes
        self.space = store.space
        self.note = store.note
        self.search_lexical = store.search_lexical
        self.search_vector = store.search_vector
        self.frequencies = store.frequencies
        self.documents = store.documents
        self.edges_to = store.edges_to
        self.same_text = store.same_text
        self.sections = store.sections
        self.sources = store.sources
        self.faults = store.faults
        self.vector_counts = store.vector_counts

    def hits(self, ids: Sequence[ChunkId], *, visible: Filter) -> Mapping[ChunkId, tuple[Chunk, DocumentInfo]]:
        """Return chunks with their documents, their texts veiled."""
        found = self._store.hits(ids, visible=visible)
        if visible.classes == EVERYTHING:
            return found
        hidden = self._hidden({chunk.document_id for chunk, _ in found.values()}, visible)
        names = self._names(hidden, visible)
        return {
            id: (_veiled_chunk(chunk, hidden, names), _veiled_info(info, names)) for id, (chunk, info) in found.items()
        }

    def document_chunks(self, id: DocumentId, *, visible: Filter) -> Sequence[Chunk]:
        """Return a document's chunks, their texts veiled."""
        found = self._store.document_chunks(id, visible=visible)
        if visible.classes == EVERYTHING:
            return found
        hidden = self._hidden({id}, visible)
        names = self._names(hidden, visible)
        return [_veiled_chunk(chunk, hidden, names) for chunk in found]

    def document(self, source: str, path: str, *, visible: Filter) -> Document | None:
        """Return a document by name, its text veiled."""
        return self._veiled_document(self._store.document(source, path, visible=visible), visible)

    def document_by_id(self, id: DocumentId, *, visible: Filter) -> Document | None:
        """Return a document by identity, its text veiled."""
        return self._veiled_document(self._store.document_by_id(id, visible=visible), visible)

    def texts(self, ids: Collection[DocumentId], *, visible: Filter) -> Iterator[tuple[DocumentId, str]]:
        """Yield the texts of documents, veiled."""
        hidden: dict[DocumentId, Hidden] = {}
        if visible.classes != EVERYTHING:
            # One read for all: the edges of every document would be many times as many.
            for known in self._store.unresolved(visible=_classes_only(visible)):
                hidden.setdefault(known.origin, {}).setdefault(known.edge.line, set()).add(known.edge.target)
        for id, text in self._store.texts(ids, visible=visible):
            yield id, text if visible.classes == EVERYTHING else veiled(text, hidden.get(id, {}))

    def edges_from(self, ids: Collection[DocumentId], *, visible: Filter) -> Sequence[ResolvedEdge]:
        """Return edges of documents; one that leads nowhere visible does not say where it would lead."""
        return [_veiled_edge(known, visible) for known in self._store.edges_from(ids, visible=visible)]

    def unresolved(self, *, visible: Filter) -> Sequence[ResolvedEdge]:
        """Return edges without a visible target; what they name is veiled."""
        return [_veiled_edge(known, visible) for known in self._store.unresolved(visible=visible)]

    def _hidden(self, ids: Collection[DocumentId], visible: Filter) -> dict[DocumentId, Hidden]:
        if not ids:
            return {}
        # A target outside the request's own filters is no secret: only the classes decide what a link shows.
        edges = self._store.edges_from(ids, visible=_classes_only(visible))
        by_origin: dict[DocumentId, list[ResolvedEdge]] = {}
        for known in edges:
            by_origin.setdefault(known.origin, []).append(known)
        return {origin: hidden_targets(of) for origin, of in by_origin.items()}

    def _names(self, hidden: Mapping[DocumentId, Hidden], visible: Filter) -> dict[DocumentId, frozenset[str]]:
        """Return the hidden targets in the headings of each document; those of documents without any are left out."""
        some = [id for id, of in hidden.items() if of]
        texts = self._store.texts(some, visible=_classes_only(visible)) if some else ()
        return {id: names for id, text in texts if (names := heading_names(text, hidden[id]))}

    def _veiled_document(self, document: Document | None, visible: Filter) -> Document | None:
        if document is None or visible.classes == EVERYTHING:
            return document
        hidden = self._hidden({document.id}, visible).get(document.id, {})
        return replace(document, text=veiled(document.text, hidden))


def _classes_only(visible: Filter) -> Filter:
    from askwell.types import Filter

    return Filter(classes=visible.classes)


def _veiled_chunk(
    chunk: Chunk, hidden: Mapping[DocumentId, Hidden], names: Mapping[DocumentId, frozenset[str]]
) -> Chunk:
    under = hidden.get(chunk.document_id, {})
    text, lead = veiled(chunk.text, under), veiled(chunk.lead, under)
    if chunk.document_id not in names:
        return chunk if (text, lead) == (chunk.text, chunk.lead) else replace(chunk, text=text, lead=lead)
    of = names[chunk.document_id]
    return replace(
        chunk,
        text=text,
        lead=lead,
        headings=tuple(without_names(heading, of) for heading in chunk.headings),
        section=without_names(chunk.section, of),
        prelude=without_names(chunk.prelude, of),
    )


def _veiled_info(info: DocumentInfo, names: Mapping[DocumentId, frozenset[str]]) -> DocumentInfo:
    return replace(info, title=without_names(info.title, names[info.id])) if info.id in names else info


def _veiled_edge(known: ResolvedEdge, visible: Filter) -> ResolvedEdge:
    if visible.classes == EVERYTHING or known.target is not None or known.edge.kind not in _KINDS:
        return known
    return replace(known, edge=replace(known.edge, target=VEIL * len(known.edge.target), fragment=""))
