"""Values for tests of rankings."""

from __future__ import annotations

from askwell.ids import ChunkId, DocumentId
from askwell.types import Arm, Chunk, Hit, Kind, Lines, PrivacyClass, Sighting, Span


def chunk(
    name: str,
    *,
    document: str = "",
    text: str = "",
    section: str = "",
    kind: Kind = Kind.NOTE,
    lines: tuple[int, int] = (1, 3),
    boilerplate: bool = False,
) -> Chunk:
    text = text or f"text of {name}"
    return Chunk(
        id=ChunkId(name),
        document_id=DocumentId(document or name),
        ordinal=0,
        span=Span(0, len(text)),
        lines=Lines(*lines),
        headings=(),
        section=section,
        kind=kind,
        class_=PrivacyClass.OPEN,
        text=text,
        lead="",
        prelude="",
        embed_text=text,
        boilerplate=boilerplate,
    )


def hit(
    name: str,
    score: float = 1.0,
    *,
    path: str = "",
    arms: tuple[Arm, ...] = (Arm.LEXICAL,),
    document: str = "",
    text: str = "",
    section: str = "",
    kind: Kind = Kind.NOTE,
    lines: tuple[int, int] = (1, 3),
    boilerplate: bool = False,
) -> Hit:
    made = chunk(name, document=document, text=text, section=section, kind=kind, lines=lines, boilerplate=boilerplate)
    return Hit(
        chunk=made,
        source="notes",
        path=path or f"{document or name}.md",
        title=name,
        score=score,
        sightings=tuple(Sighting(arm=arm, rank=1, score=1.0) for arm in arms),
    )
