"""Structure → chunks: what is merged, where it is cut, and what the embedder is given of it.

blocks ─ apart ─▶ blocks ─ sections ─▶ runs ─ pack ─▶ drafts ─ build ─▶ chunks
         footers, banners,   by heading     whole blocks,    prelude, lines,
         embedded pictures                  then oversize    embed text, id
"""

from __future__ import annotations

from askwell.chunk.build import chunks

CHUNK_VERSION = "1"
"""Part of every document's change key: raise it when the same input gives other chunks."""

__all__ = ["CHUNK_VERSION", "chunks"]
