from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from askwell.chunk import chunks
from askwell.ids import document_id
from askwell.parse.markdown import parse
from askwell.types import Chunk, Document, FileStat, Kind, Metadata, Parsed, PrivacyClass

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def of(text: str, *, path: str, title: str, metadata: Metadata) -> Document:
    return Document(
        id=document_id("notes", path),
        source="notes",
        path=path,
        title=title,
        text=text,
        kind=Kind.NOTE,
        class_=PrivacyClass.PERSONAL,
        format="markdown",
        metadata=metadata,
        content="",
        change_key="",
        stat=FileStat(0, 0, 0, 0),
    )


@pytest.fixture
def chunked() -> Callable[..., tuple[Chunk, ...]]:
    def make(
        text: str,
        *,
        budget: int = 800,
        size: Callable[[str], int] = len,
        path: str = "Folder/A note.md",
        topics: Sequence[str] = (),
        parsed: Parsed | None = None,
    ) -> tuple[Chunk, ...]:
        parsed = parsed or parse(text, path=path)
        document = of(text, path=path, title=parsed.title, metadata=parsed.metadata)
        return chunks(document, parsed, budget=budget, size=size, topics=topics)

    return make
