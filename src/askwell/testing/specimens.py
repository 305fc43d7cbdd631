"""Documents for tests, made in one line: a chunk a paragraph, vectors where a test wants them."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, TypeAlias

from askwell.ids import ChunkId, chunk_id, content_hash, document_id, fingerprint
from askwell.types import Chunk, Document, Edge, FileStat, Filter, Kind, Lines, Metadata, PrivacyClass, SourceType, Span

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from askwell.ports import Store, Vector

OPEN = PrivacyClass.OPEN
PERSONAL = PrivacyClass.PERSONAL
OPEN_REQUEST = Filter(classes=frozenset({OPEN}))
FULL_REQUEST = Filter(classes=frozenset(PrivacyClass))

Item: TypeAlias = tuple[Document, tuple[Chunk, ...], tuple[Edge, ...]]


def item(
    path: str,
    text: str,
    *,
    source: str = "notes",
    class_: PrivacyClass = OPEN,
    kind: Kind = Kind.DOC,
    section: str = "",
    metadata: Metadata = Metadata(),  # noqa: B008 - frozen
    edges: Sequence[Edge] = (),
    title: str = "",
    lead: str = "",
    embedded: bool = True,
) -> Item:
    """Return a document with a chunk for each of its paragraphs, which blank lines separate.

    The embed text is the paragraph alone, so that the same paragraph elsewhere has the same vector.
    """
    id = document_id(source, unicodedata.normalize("NFC", path))
    title = title or path.rpartition("/")[2].partition(".")[0]
    chunks: list[Chunk] = []
    start = 0
    seen: dict[str, int] = {}
    for paragraph in text.split("\n\n"):
        occurrence = seen[paragraph] = seen.get(paragraph, -1) + 1
        line = text.count("\n", 0, start) + 1
        chunks.append(
            Chunk(
                id=chunk_id(id, paragraph, occurrence),
                document_id=id,
                ordinal=len(chunks),
                span=Span(start, start + len(paragraph)),
                lines=Lines(line, line + paragraph.count("\n")),
                headings=(section,) if section else (),
                section=section,
                kind=kind,
                class_=class_,
                text=paragraph,
                lead=lead,
                prelude=title,
                embed_text=paragraph if embedded else "",
            )
        )
        start += len(paragraph) + 2
    content = content_hash(text.encode("utf-8", "surrogatepass"))
    document = Document(
        id=id,
        source=source,
        path=path,
        title=title,
        text=text,
        kind=kind,
        class_=class_,
        format="text",
        metadata=metadata,
        content=content,
        change_key=f"1/{content}",
        stat=FileStat(len(text), 1, 2, 3),
    )
    return document, tuple(chunks), tuple(edges)


def fill(store: Store, items: Sequence[Item], *, vectors: Mapping[str, Vector] | None = None) -> None:
    """Put items, with their sources, and vectors by paragraph where given."""
    with store.write() as writer:
        for name in dict.fromkeys(document.source for document, _, _ in items):
            writer.put_source(name, SourceType.FOLDER, f"/{name}")
        writer.put_documents(items)
    if vectors:
        embed(store, vectors)


def embed(store: Store, vectors: Mapping[str, Vector], *, space: str = "toy") -> None:
    """Put vectors by the text they are of, and make their space the current one."""
    with store.write() as writer:
        writer.set_space(space, next(iter(vectors.values())))
        writer.put_vectors(space, [(fingerprint(text), vector) for text, vector in vectors.items()])


def paths(store: Store, found: Sequence[tuple[ChunkId, object]]) -> list[str]:
    """Return the paths of found chunks, in order, whatever their class."""
    read = store.hits([id for id, _ in found], visible=FULL_REQUEST)
    return [read[id][1].path for id, _ in found]
